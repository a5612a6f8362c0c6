// Puts the parts together; each event of the link goes to the part that shows it.

import { Capsules } from "./capsules.js";
import { Composer } from "./composer.js";
import { $, icon, make, setIcon } from "./dom.js";
import { Link, newId } from "./link.js";
import { List } from "./list.js";
import { TraceSheet, toast } from "./panel.js";
import { currentLocale, family, setTexts, t } from "./texts.js";
import { showTheme, watchTheme } from "./theme.js";
import { Uploads } from "./uploads.js";

const link = new Link();
const hasKeyboard = matchMedia("(hover: hover)").matches;
const sheet = new TraceSheet();
const settle = new Map(); // what to do when the server has taken a frame, or refused it

const uploads = new Uploads({
  onChange: () => composer?.changed(),
  onProblem: (text) => toast(text, { bad: true }),
});

let composer = null;
composer = new Composer({
  uploads,
  onSend(text, files) {
    const frame = { type: "message", id: newId(), text, files: files.map((file) => file.ref) };
    list.wait(frame, files);
    hint();
    link.deliver(frame, files);
  },
  onEdit: (item, text) => link.deliver({ type: "edit", id: newId(), item: item.id, text }),
});

const list = new List({
  onPress(item, token) {
    const frame = { type: "press", id: newId(), item, token };
    settle.set(frame.id, () => list.release(item));
    list.press(item, token);
    link.deliver(frame);
  },
  onWhy(event) {
    if (link.ask({ type: "trace", event })) sheet.open(event);
    else toast(t("link_offline"), { bad: true });
  },
  onEdit: (item) => composer.edit(item),
  onPutBack(item) {
    list.settle(item.id);
    uploads.restore(item.payload.files);
    composer.fill([item.payload.text, composer.input.value].filter(Boolean).join("\n"));
    composer.focus();
  },
});

const capsules = new Capsules({
  onToggle(intent, restore) {
    const frame = { type: "capsule", id: newId(), intent };
    settle.set(frame.id, (taken) => taken || restore());
    link.deliver(frame);
    composer.localise(capsules.selected);
    if (hasKeyboard) composer.focus();
  },
});

// A chat without a word of the person's offers a few to begin with.
function hint() {
  const box = $("hints");
  box.hidden = !list.isFresh || list.items.size === 0;
  const chips = family("example_").map(([, text]) => make("button", {
    class: "hint", type: "button",
    onclick() {
      composer.fill(text);
      composer.focus();
    },
  }, text));
  box.replaceChildren(make("p", {}, t("examples")), make("div", {}, ...chips));
}

function settled(id, taken) {
  settle.get(id)?.(taken);
  settle.delete(id);
}

function showLink(state) {
  $("link").dataset.state = state;
  $("link-text").textContent = t(`link_${state}`);
}

function showSignOut(isSignedIn) {
  $("sign-out").hidden = !isSignedIn;
  setIcon($("sign-out"), "exit", t("sign_out"));
}

link.addEventListener("link", ({ detail }) => showLink(detail.state));

link.addEventListener("state", ({ detail }) => {
  const localeChanged = currentLocale() !== detail.locale || !$("keys").textContent;
  setTexts(detail.texts, detail.locale);
  composer.maxChars = detail.limits.text;
  uploads.limits = detail.limits;
  capsules.show(detail.capsules);
  composer.localise(capsules.selected);
  showSignOut(detail.signed_in);
  showLink("online");
  showTheme();
  hint();
  if (localeChanged) list.redraw();
});

link.addEventListener("items", ({ detail }) => {
  if (detail.reset) list.clear();
  list.take(detail.items, { live: !detail.replay });
  if (detail.replay && !list.restored) {
    list.restored = true;
    for (const { frame, files } of link.queue) {
      if (frame.type === "message" && !list.items.has(frame.id)) list.wait(frame, files);
    }
    list.toBottom();
  }
  hint();
});

link.addEventListener("ack", ({ detail }) => {
  settled(detail.id, true);
  if (detail.toast) toast(detail.toast);
});

link.addEventListener("error", ({ detail }) => {
  if (!detail.retry) settled(detail.id, false);
  if (detail.retry || !list.fail(detail.id, detail.text)) toast(detail.text, { bad: true });
});

link.addEventListener("typing", () => list.typing(true));
link.addEventListener("preview", ({ detail }) => list.preview(detail));
link.addEventListener("trace", ({ detail }) => sheet.show(detail));

$("sign-out").addEventListener("click", async () => {
  await fetch("/logout", { method: "POST" });
  sessionStorage.clear();
  location.assign("/");
});

watchTheme();
composer.localise();
showLink("connecting");
link.open();
if (hasKeyboard) composer.focus();
