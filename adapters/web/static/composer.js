// The input: grows, sends on Enter (never while an input method composes), edits, completes.

import { $, make, setIcon, store } from "./dom.js";
import { family, t } from "./texts.js";

export class Composer {
  constructor({ uploads, onSend, onEdit }) {
    Object.assign(this, { uploads, onSend, onEdit });
    this.input = $("input");
    this.maxChars = 8000;
    this.editingItem = null;
    this.input.value = store.get("sessionStorage", "draft", "");
    this.input.addEventListener("input", () => this.changed());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("blur", () => setTimeout(() => this.#closeMenu(), 150));
    $("editing-stop").addEventListener("click", () => this.stopEditing());
    $("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  localise(capsule) {
    const placeholder = capsule ? t("placeholder_capsule", { capsule: capsule.label }) : t("placeholder");
    this.input.placeholder = placeholder;
    this.input.setAttribute("aria-label", t("placeholder"));
    $("keys").textContent = t("keys");
    $("editing-text").textContent = t("editing");
    setIcon($("attach"), "attach", t("attach"));
    setIcon($("send"), "send", t("send"));
    setIcon($("editing-stop"), "close", t("cancel"));
    $("attach").disabled = this.editingItem !== null;
    this.changed();
  }

  changed() {
    store.set("sessionStorage", "draft", this.editingItem ? "" : this.input.value);
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight}px`;
    const empty = !this.input.value.trim() && (this.editingItem || !this.uploads.ready.length);
    $("send").disabled = empty || this.uploads.isBusy || this.#isTooLong;
    $("keys").classList.toggle("too-long", this.#isTooLong);
    $("keys").textContent = this.#isTooLong
      ? t("chars_over", { n: [...this.input.value].length - this.maxChars }) : t("keys");
    this.#suggest();
  }

  get #isTooLong() {
    return this.input.value.length > this.maxChars && [...this.input.value].length > this.maxChars;
  }

  submit() {
    if ($("send").disabled) return;
    const words = this.input.value.trim();
    if (this.editingItem) {
      const item = this.editingItem;
      this.stopEditing();
      if (words !== item.payload.text) this.onEdit(item, words);
      return;
    }
    const files = this.uploads.ready;
    this.fill("");
    this.uploads.clear();
    this.onSend(words, files);
  }

  fill(words) {
    this.input.value = words;
    this.changed();
    this.#closeMenu();
  }

  focus() {
    this.input.focus({ preventScroll: true });
    this.input.setSelectionRange(this.input.value.length, this.input.value.length);
  }

  edit(item) {
    this.draftBefore = this.editingItem ? this.draftBefore : this.input.value;
    this.editingItem = item;
    $("editing").hidden = false;
    $("attach").disabled = true;
    this.fill(item.payload.text);
    this.focus();
  }

  stopEditing() {
    if (!this.editingItem) return;
    this.editingItem = null;
    $("editing").hidden = true;
    $("attach").disabled = false;
    this.fill(this.draftBefore ?? "");
    this.focus();
  }

  #key(event) {
    // 229: Safari says that the Enter which ends a composition is not composing any more.
    if (event.isComposing || event.keyCode === 229) return;
    if (!$("menu").hidden && this.#menuKey(event)) {
      event.preventDefault();
    } else if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "Escape" && this.editingItem) this.stopEditing();
  }

  #suggest() {
    const typed = this.input.value;
    const found = /^\/\w*$/.test(typed) && !this.editingItem
      ? family("command_").filter(([name]) => `/${name}`.startsWith(typed.toLowerCase())) : [];
    const menu = $("menu");
    menu.hidden = found.length === 0;
    menu.setAttribute("aria-label", t("commands"));
    menu.replaceChildren(...found.map(([name, about], place) => make("button", {
      class: "choice", type: "button", role: "option", "aria-selected": String(place === 0),
      onclick: () => this.#choose(name),
    }, make("b", {}, `/${name}`), make("span", {}, about))));
  }

  #menuKey(event) {
    const choices = [...$("menu").children];
    const at = choices.findIndex((choice) => choice.getAttribute("aria-selected") === "true");
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : choices.length - 1;
      choices.forEach((choice, place) =>
        choice.setAttribute("aria-selected", String(place === (at + step) % choices.length)));
      choices[(at + step) % choices.length].scrollIntoView({ block: "nearest" });
      return true;
    }
    if (event.key === "Escape") this.#closeMenu();
    else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey)) choices[at].click();
    else return false;
    return true;
  }

  #choose(name) {
    this.fill(`/${name}`);
    this.focus();
    this.submit();
  }

  #closeMenu() {
    $("menu").hidden = true;
  }
}
