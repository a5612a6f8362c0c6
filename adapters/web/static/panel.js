// What comes over the chat: toasts, and the sheet that says why.

import { $, icon, make } from "./dom.js";
import { t } from "./texts.js";

const TOAST_MS = 4_500;
const MOST_TOASTS = 3;

export function toast(text, { bad = false } = {}) {
  const box = $("toasts");
  if ([...box.children].some((shown) => shown.textContent === text)) return;
  const element = make("div", { class: bad ? "toast bad" : "toast" }, text);
  box.append(element);
  while (box.children.length > MOST_TOASTS) box.firstElementChild.remove();
  setTimeout(() => element.remove(), TOAST_MS + text.length * 40);
}

export class TraceSheet {
  constructor() {
    this.sheet = $("sheet");
    this.sheet.addEventListener("click", (event) => event.target === this.sheet && this.sheet.close());
  }

  open(event) {
    this.event = event;
    this.#fill(make("div", { class: "boot" }, make("span", { class: "spinner", "aria-hidden": "true" })));
    this.sheet.showModal();
  }

  show({ event, lines }) {
    if (event === this.event) this.#fill(make("ol", {}, ...lines.map((line) => make("li", {}, line))));
  }

  #fill(content) {
    const close = make("button", { class: "icon-button", type: "button", title: t("close"),
      "aria-label": t("close"), onclick: () => this.sheet.close() }, icon("close"));
    this.sheet.setAttribute("aria-label", t("why_title"));
    this.sheet.replaceChildren(make("div", { class: "sheet-body" },
      make("header", {}, make("h2", {}, t("why_title")), close),
      make("p", { class: "sheet-about" }, t("why_about")), content));
  }
}
