// The message list: keyed by item id, ordered by place, sticking to the bottom only when there.

import { attachments, block, prose } from "./blocks.js";
import { $, icon, make } from "./dom.js";
import { day, moment, t, time } from "./texts.js";

const NEAR_PX = 80;
const GROUP_MS = 4 * 60_000;
const EDITABLE = 3;
const TYPING_MS = 10_000;
const GROWING_MS = 60_000;
const WISH_MS = 400;
const UPWARD_KEYS = new Set(["ArrowUp", "PageUp", "Home"]);

export class List {
  constructor({ onPress, onWhy, onEdit, onPutBack }) {
    Object.assign(this, { onPress, onWhy, onEdit, onPutBack });
    this.items = new Map();
    this.waiting = new Map();
    this.elements = new Map();
    this.pressing = new Map();
    this.unseen = 0;
    this.unread = 0;
    this.isStuck = true;
    this.lastTop = 0;
    this.lastHeight = 0;
    this.wishing = 0;
    this.scroller = $("scroller");
    this.scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.scroller.addEventListener("wheel", ({ deltaY }) => deltaY < 0 && this.#wish(), { passive: true });
    this.scroller.addEventListener("touchmove", () => this.#wish(), { passive: true });
    this.scroller.addEventListener("pointerdown", ({ target }) => target === this.scroller && this.#wish());
    this.scroller.addEventListener("keydown", ({ key }) => UPWARD_KEYS.has(key) && this.#wish());
    new ResizeObserver(() => this.#resized()).observe($("column"));
    new ResizeObserver(() => this.#resized()).observe(this.scroller);
    document.addEventListener("visibilitychange", () => document.hidden || this.#read());
    $("pill").addEventListener("click", () => this.toBottom({ smooth: true }));
  }

  get isFresh() {
    const said = [...this.items.values()].some((item) => item.author === "person");
    return !said && this.waiting.size === 0;
  }

  take(items, { live }) {
    for (const item of items) {
      const known = this.items.get(item.id);
      if (known && known.version >= item.version) continue;
      this.items.set(item.id, item);
      this.waiting.delete(item.id);
      this.pressing.delete(item.id);
      this.#draw(item.id, { arrived: live && !known });
      if (item.author === "bot" && live) this.#arrived(!known);
      if (item.author === "bot" && item.payload.event === this.growing?.event) this.#grown();
    }
    this.#arrange();
  }

  // The server began anew: what it never heard of is gone.
  clear() {
    this.#grown();
    for (const id of this.items.keys()) {
      this.elements.get(id).remove();
      this.elements.delete(id);
    }
    this.items.clear();
    this.pressing.clear();
  }

  // Something of the person's that the server has not taken yet.
  wait(frame, files = []) {
    const payload = { text: frame.text, files, edited: false };
    this.waiting.set(frame.id, { id: frame.id, author: "person", payload, at: new Date().toISOString() });
    this.#draw(frame.id, {});
    this.#arrange();
    this.toBottom();
  }

  fail(id, reason) {
    const item = this.waiting.get(id);
    if (!item) return false;
    item.failure = reason;
    this.#draw(id, {});
    return true;
  }

  settle(id) {
    if (this.waiting.delete(id) && !this.items.has(id)) {
      this.elements.get(id)?.remove();
      this.elements.delete(id);
      this.#arrange();
    }
  }

  press(itemId, token) {
    this.pressing.set(itemId, token);
    this.#draw(itemId, {});
  }

  release(itemId) {
    if (this.pressing.delete(itemId)) this.#draw(itemId, {});
  }

  redraw() {
    for (const id of this.elements.keys()) this.#draw(id, {});
    this.#arrange();
    this.#showUnseen();
  }

  typing(isOn) {
    clearTimeout(this.typingEnds);
    $("typing").hidden = !isOn;
    $("typing").setAttribute("aria-label", t("typing"));
    if (isOn) this.typingEnds = setTimeout(() => this.typing(false), TYPING_MS);
  }

  // An answer that is still being written; the item of the same event takes its place.
  preview({ event, text }) {
    if ([...this.items.values()].some((item) => item.author === "bot" && item.payload.event === event)) return;
    this.typing(false);
    clearTimeout(this.growing?.ends);
    const body = make("div", { class: "bubble" }, block({ kind: "text", text }));
    const element = make("article", { class: "item bot growing", "aria-busy": "true" }, body);
    this.growing = { event, element, ends: setTimeout(() => { this.#grown(); this.#arrange(); }, GROWING_MS) };
    this.#arrange();
  }

  #grown() {
    clearTimeout(this.growing?.ends);
    this.growing = null;
  }

  toBottom({ smooth = false } = {}) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.scroller.scrollTo({ top: this.scroller.scrollHeight, behavior: smooth && !calm ? "smooth" : "instant" });
    this.isStuck = true;
    this.unseen = 0;
    this.#showUnseen();
  }

  #draw(id, { arrived = false }) {
    const item = this.items.get(id) ?? this.waiting.get(id);
    if (!item) return;
    const element = this.#element(item);
    element.classList.toggle("arrived", arrived);
    const old = this.elements.get(id);
    if (old) {
      element.classList.toggle("follows", old.classList.contains("follows"));
      element.classList.toggle("editable", old.classList.contains("editable"));
      old.replaceWith(element);
    }
    this.elements.set(id, element);
  }

  #element(item) {
    const own = item.author === "person";
    const reminds = item.payload.purpose === "reminder";
    const body = own ? this.#ownBody(item) : item.payload.blocks.map(block);
    const wide = !own && item.payload.blocks.some((part) => part.kind !== "text" && part.kind !== "image");
    const label = reminds ? make("p", { class: "reminder" }, icon("bell"), t("reminder")) : null;
    const names = ["item", own ? "own" : "bot", reminds && "reminds", wide && "wide",
      this.waiting.has(item.id) && "waiting", item.failure && "failed"];
    return make("article", { class: names.filter(Boolean).join(" "), "data-id": item.id },
      make("div", { class: "bubble" }, label, ...body),
      own ? null : this.#keys(item), this.#foot(item, own));
  }

  #ownBody(item) {
    const { text, files = [] } = item.payload;
    return [files.length ? attachments(files) : null,
      text ? make("p", { class: "prose" }, ...prose(text, { rich: false })) : null];
  }

  #keys(item) {
    const rows = item.payload.keys ?? [];
    if (!rows.length) return null;
    const pressed = this.pressing.get(item.id);
    return make("div", { class: "keys-of" }, ...rows.map((row) => make("div", { class: "key-row" },
      ...row.map((key) => make("button", {
        class: `key ${key.tone}`, type: "button", disabled: pressed !== undefined,
        "aria-busy": pressed === key.token ? "true" : null,
        onclick: () => this.onPress(item.id, key.token),
      }, key.label)))));
  }

  #foot(item, own) {
    const date = new Date(item.at);
    const parts = [];
    if (item.failure) {
      parts.push(make("span", { class: "failure", role: "alert" }, item.failure),
        make("button", { class: "quiet", type: "button", onclick: () => this.onPutBack(item) }, t("put_back")));
    } else if (this.waiting.has(item.id)) parts.push(icon("clock"), t("sending"));
    else {
      parts.push(make("time", { datetime: item.at, title: moment(date) }, time(date)));
      if (item.payload.edited) parts.push(make("span", {}, t("edited")));
      if (own && item.payload.text) {
        parts.push(make("button", { class: "quiet edit", type: "button", onclick: () => this.onEdit(item) },
          icon("pencil"), t("edit")));
      }
      if (!own && item.payload.event) {
        parts.push(make("button", { class: "quiet why", type: "button", onclick: () => this.onWhy(item.payload.event) },
          icon("why"), t("why")));
      }
    }
    return make("footer", { class: "foot" }, ...parts);
  }

  // Puts everything in its place with day separators; runs of one author move together.
  #arrange() {
    const ordered = [...this.items.values()].sort((a, b) => a.sequence - b.sequence);
    const own = ordered.filter((item) => item.author === "person" && !item.payload.text?.startsWith("/"));
    const editable = new Set(own.slice(-EDITABLE).map((item) => item.id));
    const wanted = [];
    let before = null;
    for (const item of [...ordered, ...this.waiting.values()]) {
      const element = this.elements.get(item.id);
      const label = day(new Date(item.at));
      const newDay = !before || day(new Date(before.at)) !== label;
      if (newDay) wanted.push(this.#separator(label));
      const near = before && new Date(item.at) - new Date(before.at) < GROUP_MS;
      element.classList.toggle("follows", !newDay && near && before.author === item.author);
      element.classList.toggle("editable", editable.has(item.id));
      wanted.push(element);
      before = item;
    }
    if (this.growing) wanted.push(this.growing.element);
    const list = $("list");
    wanted.forEach((element, place) => {
      if (list.children[place] !== element) list.insertBefore(element, list.children[place] ?? null);
    });
    while (list.children.length > wanted.length) list.lastElementChild.remove();
    $("boot").hidden = true;
  }

  #separator(label) {
    this.separators ??= new Map();
    const found = this.separators.get(label) ?? make("div", { class: "day", role: "separator" }, make("span", {}, label));
    this.separators.set(label, found);
    return found;
  }

  #arrived(isNew) {
    this.typing(false);
    if (!isNew) return;
    if (!this.isStuck) this.unseen += 1;
    if (document.hidden) this.unread += 1;
    this.#showUnseen();
    this.#title();
  }

  #resized() {
    this.lastHeight = this.scroller.scrollHeight;
    if (this.isStuck && !this.wishing) this.toBottom();
  }

  // The person reaches for what is above: until it is clear whether they leave the end, nothing
  // pulls them back, whatever is being laid out meanwhile.
  #wish() {
    clearTimeout(this.wishing);
    this.wishing = setTimeout(() => {
      this.wishing = 0;
      if (this.isStuck) this.toBottom();
    }, WISH_MS);
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    // Content that grows leaves the bottom too, and content that shrinks and grows again moves
    // upwards besides; a move upwards is the person's wish when they reach for it, or when it is
    // over the same content (a screen reader's, say).
    const isSame = scrollHeight === this.lastHeight;
    if (scrollHeight - scrollTop - clientHeight < NEAR_PX) this.isStuck = true;
    else if (scrollTop < this.lastTop && (isSame || this.wishing)) this.isStuck = false;
    this.lastTop = scrollTop;
    this.lastHeight = scrollHeight;
    if (this.isStuck) this.unseen = 0;
    this.#showUnseen();
  }

  #showUnseen() {
    const pill = $("pill");
    pill.hidden = this.isStuck;
    pill.classList.toggle("news", this.unseen > 0);
    const label = this.unseen ? t("new_messages", { n: this.unseen }) : t("to_bottom");
    pill.replaceChildren(icon("down"), ...(this.unseen ? [label] : []));
    pill.setAttribute("aria-label", label);
  }

  #read() {
    this.unread = 0;
    this.#title();
  }

  #title() {
    const name = t("name") || "Switchboard";
    document.title = this.unread ? `(${this.unread}) ${name}` : name;
  }
}
