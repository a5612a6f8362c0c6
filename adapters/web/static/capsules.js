// The capsule bar above the input (seed 002, 2.6): at most one is selected, nothing is sent.

import { $, make } from "./dom.js";
import { t } from "./texts.js";

export class Capsules {
  constructor({ onToggle }) {
    this.onToggle = onToggle;
    this.capsules = [];
  }

  show(capsules) {
    this.capsules = capsules;
    const bar = $("capsules");
    const focused = bar.contains(document.activeElement) ? document.activeElement.dataset.intent : null;
    bar.hidden = capsules.length === 0;
    bar.setAttribute("aria-label", t("capsules"));
    bar.replaceChildren(...capsules.map((capsule) => make("button", {
      class: "capsule", type: "button", "data-intent": capsule.intent,
      "aria-pressed": String(capsule.selected), onclick: () => this.#toggle(capsule),
    }, make("span", { "aria-hidden": "true" }, capsule.icon), capsule.label)));
    if (focused) bar.querySelector(`[data-intent="${CSS.escape(focused)}"]`)?.focus();
  }

  get selected() {
    return this.capsules.find((capsule) => capsule.selected);
  }

  // Shown at once; the server's next state has the last word.
  #toggle(capsule) {
    const before = this.capsules;
    this.show(before.map((each) => ({ ...each, selected: each.intent === capsule.intent && !each.selected })));
    this.onToggle(capsule.intent, () => this.show(before));
  }
}
