// Light, dark, or as the system has it.

import { $, setIcon } from "./dom.js";
import { t } from "./texts.js";

const ORDER = ["auto", "light", "dark"];
const system = matchMedia("(prefers-color-scheme: dark)");

function chosen() {
  try {
    return ORDER.find((name) => name === localStorage.getItem("theme")) ?? "auto";
  } catch {
    return "auto";
  }
}

export function showTheme() {
  const name = chosen();
  const isDark = name === "dark" || (name === "auto" && system.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.querySelector("meta[name=theme-color]").content = isDark ? "#1a1d24" : "#ffffff";
  setIcon($("theme"), name, t(`theme_${name}`));
}

export function watchTheme() {
  system.addEventListener("change", showTheme);
  $("theme").addEventListener("click", () => {
    const next = ORDER[(ORDER.indexOf(chosen()) + 1) % ORDER.length];
    try {
      localStorage.setItem("theme", next);
    } catch {
      // The choice lasts until the reload.
    }
    showTheme();
  });
  showTheme();
}
