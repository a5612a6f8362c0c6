// Files on their way up: previews with progress above the input.

import { $, icon, make } from "./dom.js";
import { size, t } from "./texts.js";

export class Uploads {
  constructor({ onChange, onProblem }) {
    this.onChange = onChange;
    this.onProblem = onProblem;
    this.files = [];
    this.limits = { files: 8, bytes: 20 * 2 ** 20 };
    $("attach").addEventListener("click", () => $("picker").click());
    $("picker").addEventListener("change", () => {
      this.add([...$("picker").files]);
      $("picker").value = "";
    });
    this.#acceptDrops();
  }

  get isBusy() {
    return this.files.some((file) => !file.facts);
  }

  get ready() {
    return this.files.filter((file) => file.facts).map((file) => file.facts);
  }

  add(files) {
    for (const file of files) {
      if (this.files.length >= this.limits.files) {
        this.onProblem(t("error_too_many_files"));
        return;
      }
      if (file.size > this.limits.bytes) this.onProblem(t("error_file_large", { limit: this.limits.bytes / 2 ** 20 }));
      else if (file.size === 0) this.onProblem(t("error_file_empty"));
      else this.#start(file);
    }
  }

  clear() {
    for (const file of this.files) this.#release(file);
    this.files = [];
    this.#show();
  }

  restore(facts) {
    this.files.push(...facts.map((each) => ({ facts: each, name: each.name, mime: each.mime, bytes: each.size_bytes })));
    this.#show();
  }

  #start(file) {
    const entry = { name: file.name || t("pasted_image"), mime: file.type, bytes: file.size, done: 0 };
    if (file.type.startsWith("image/")) entry.preview = URL.createObjectURL(file);
    const form = new FormData();
    form.append("file", file, entry.name);
    const request = new XMLHttpRequest();
    entry.request = request;
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      entry.done = event.total ? event.loaded / event.total : 0;
      entry.bar?.style.setProperty("--done", String(entry.done));
    });
    request.addEventListener("load", () => {
      if (request.status === 200) {
        entry.facts = request.response;
        this.#show();
      } else this.#failed(entry, request.response?.text || t("error_upload"));
    });
    request.addEventListener("error", () => this.#failed(entry, t("error_upload")));
    request.open("POST", "/upload");
    request.send(form);
    this.files.push(entry);
    this.#show();
  }

  #failed(entry, reason) {
    this.#remove(entry);
    this.onProblem(reason);
  }

  #remove(entry) {
    if (!entry.facts) entry.request?.abort();
    this.#release(entry);
    this.files = this.files.filter((each) => each !== entry);
    this.#show();
  }

  #release(entry) {
    if (entry.preview) URL.revokeObjectURL(entry.preview);
  }

  #show() {
    const row = $("previews");
    row.hidden = this.files.length === 0;
    row.replaceChildren(...this.files.map((entry) => this.#preview(entry)));
    this.onChange();
  }

  #preview(entry) {
    const isImage = (entry.facts?.mime ?? entry.mime).startsWith("image/");
    const source = entry.preview ?? (entry.facts && `/files/${encodeURIComponent(entry.facts.ref)}`);
    const shown = isImage && source ? make("img", { src: source, alt: entry.name })
      : make("span", { class: "preview-file" }, icon("file"), make("span", {}, entry.name), make("small", {}, size(entry.bytes)));
    entry.bar = entry.facts ? null : make("span", { class: "progress", role: "progressbar", "aria-label": t("uploading") });
    entry.bar?.style.setProperty("--done", String(entry.done));
    const remove = make("button", { class: "remove", type: "button", title: t("remove"),
      "aria-label": `${t("remove")} ${entry.name}`, onclick: () => this.#remove(entry) }, icon("close"));
    return make("div", { class: `preview${isImage ? " image" : ""}` }, shown, entry.bar, remove);
  }

  #acceptDrops() {
    const drop = $("drop");
    const holdsFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    addEventListener("dragenter", (event) => {
      if (!holdsFiles(event)) return;
      drop.textContent = t("drop_here");
      drop.hidden = false;
    });
    addEventListener("dragover", (event) => holdsFiles(event) && event.preventDefault());
    addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) drop.hidden = true;
    });
    addEventListener("drop", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      drop.hidden = true;
      this.add([...event.dataTransfer.files]);
    });
    addEventListener("paste", (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (!files.length) return;
      event.preventDefault();
      this.add(files);
    });
  }
}
