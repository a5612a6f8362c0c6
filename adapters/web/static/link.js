// The connection: reconnects by itself and delivers what was said, once and in order.
//
// What a person does waits in a queue (it survives a reload) until the server has taken it. One
// entry is on its way at a time, always under the same id, so a repeat is recognised there.

import { store } from "./dom.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const ACK_WAIT_MS = 12_000;
const RETRY_MS = 1_500;
const PING_MS = 20_000;
const SILENCE_MS = 50_000;

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `${Date.now().toString(36)}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export class Link extends EventTarget {
  constructor() {
    super();
    this.version = 0;
    this.queue = store.get("sessionStorage", "queue", []);
    this.isOnline = false;
    this.failures = 0;
    this.heardAt = 0;
    setInterval(() => this.#checkLife(), PING_MS);
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
  }

  open() {
    clearTimeout(this.reopening);
    this.#say("link", { state: "connecting" });
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.heardAt = Date.now();
      this.#send({ type: "hello", version: this.version, locale: navigator.language || "" });
    });
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => socket === this.socket && this.#lost());
  }

  // `files` is what the page shows of a waiting message; the server knows them by their ids.
  deliver(frame, files = []) {
    this.queue.push({ frame, files });
    this.#keep();
    this.#next();
  }

  ask(frame) {
    if (this.isOnline) this.#send(frame);
    return this.isOnline;
  }

  forget() {
    this.queue = [];
    this.#keep();
  }

  #send(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  #hear(frame) {
    this.heardAt = Date.now();
    if (frame.type === "items") {
      if (frame.reset) this.version = 0;
      for (const item of frame.items) this.version = Math.max(this.version, item.version);
    }
    if (frame.type === "state" && !this.isOnline) {
      const owner = store.get("sessionStorage", "user", frame.user);
      if (owner !== frame.user) this.forget();
      store.set("sessionStorage", "user", frame.user);
      this.isOnline = true;
      this.failures = 0;
      this.#say("link", { state: "online" });
    }
    if (frame.type === "error" && frame.retry && this.queue[0]?.frame.id === frame.id) {
      this.#later(RETRY_MS);
    } else if (frame.type === "ack" || (frame.type === "error" && frame.id)) {
      this.queue = this.queue.filter((waiting) => waiting.frame.id !== frame.id);
      this.#keep();
      this.#say(frame.type, frame);
      this.sent = null;
      this.#next();
      return;
    }
    this.#say(frame.type, frame);
    if (frame.type === "items" && frame.replay) {
      this.sent = null;
      this.#next();
    }
  }

  #next() {
    const head = this.queue[0]?.frame;
    if (!this.isOnline || !head || this.sent === head.id) return;
    this.sent = head.id;
    this.#send(head);
    this.#later(ACK_WAIT_MS);
  }

  #later(wait) {
    clearTimeout(this.repeating);
    this.repeating = setTimeout(() => {
      this.sent = null;
      this.#next();
    }, wait);
  }

  #lost() {
    this.isOnline = false;
    this.sent = null;
    this.failures += 1;
    this.#say("link", { state: "offline" });
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.failures);
    this.reopening = setTimeout(() => this.open(), longest * (0.5 + Math.random() / 2));
    if (this.failures % 3 === 2) this.#checkDoor();
  }

  // A refused socket does not tell why; the page itself does: signed out means a redirect.
  async #checkDoor() {
    try {
      const answer = await fetch("/", { method: "HEAD", redirect: "manual", cache: "no-store" });
      if (answer.type === "opaqueredirect") location.assign("/login");
    } catch {
      // The server is away; the next attempt is under way already.
    }
  }

  #checkLife() {
    if (!this.isOnline) return;
    if (Date.now() - this.heardAt > SILENCE_MS) this.#drop();
    else this.#send({ type: "ping" });
  }

  #hurry() {
    if (this.isOnline) this.#checkLife();
    else if (this.socket?.readyState !== WebSocket.CONNECTING) {
      this.#drop();
      this.open();
    }
  }

  #drop() {
    const socket = this.socket;
    if (this.isOnline) this.#lost();
    this.socket = null;
    socket?.close();
  }

  #keep() {
    store.set("sessionStorage", "queue", this.queue);
  }

  #say(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
