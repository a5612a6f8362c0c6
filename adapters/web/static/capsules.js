// The capsule bar above the input (seed 002, 2.6): at most one is selected, nothing is sent.

import { $, icon, make } from "./dom.js";
import { t } from "./texts.js";

const DRAWN = { "📅": "calendar", "💡": "bulb", "📝": "note" };

// Some machines have no emoji font; a box would look broken, so a drawn icon stands in.
function sign(emoji) {
  if (hasGlyph(emoji)) return make("span", { "aria-hidden": "true" }, emoji);
  return DRAWN[emoji] ? icon(DRAWN[emoji]) : null;
}

const pixels = new Map();

function hasGlyph(text) {
  return paint(text) !== paint("\u{10FFFD}");
}

function paint(text) {
  if (!pixels.has(text)) {
    const canvas = make("canvas", { width: "24", height: "24" });
    const pen = canvas.getContext("2d");
    pen.font = "16px system-ui, sans-serif";
    pen.fillText(text, 2, 18);
    pixels.set(text, pen.getImageData(0, 0, 24, 24).data.join());
  }
  return pixels.get(text);
}

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
    }, sign(capsule.icon), capsule.label)));
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
