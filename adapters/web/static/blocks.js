// What a message is made of, as elements.

import { icon, make } from "./dom.js";
import { size, t } from "./texts.js";

const MARKS = /(https?:\/\/[^\s<>"'`，。；！？）】》」、]+)|\*\*([^*\n]+)\*\*|`([^`\n]+)`/g;
const TRAILING = /[.,;:!?)\]}]+$/;

// Plain text with links; in answers also **bold** and `code`, as language models write them.
export function prose(text, { rich = true } = {}) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, address, strong, code] = match;
    if (!address && !rich) continue;
    nodes.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (address) {
      const tail = address.match(TRAILING)?.[0] ?? "";
      nodes.push(link(address.slice(0, address.length - tail.length)), tail);
    } else nodes.push(strong ? make("strong", {}, strong) : make("code", {}, code));
  }
  nodes.push(text.slice(end));
  return nodes.filter((node) => node !== "");
}

function link(address) {
  let shown = address;
  try {
    shown = decodeURI(address);
  } catch {
    // Shown as it is.
  }
  return make("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow" }, shown);
}

const fileAddress = (id) => `/files/${encodeURIComponent(id)}`;

function picture(id, alt, extra = "") {
  const image = make("img", { src: fileAddress(id), alt, loading: "lazy", decoding: "async" });
  const opener = { class: `picture ${extra}`, href: fileAddress(id), target: "_blank", rel: "noopener" };
  image.addEventListener("error", () => image.replaceWith(make("span", { class: "broken" }, alt || t("image_gone"))));
  return make("a", opener, image);
}

function table(block) {
  const numeric = block.header.map((_, column) =>
    block.rows.length > 0 && block.rows.every((row) => /^[-+−]?[¥$€£]?[\d,.\s]+%?$/.test(row[column] || "0")));
  const cell = (tag, text, column) => make(tag, { class: numeric[column] ? "number" : null }, text);
  const head = block.header.map((text, column) => cell("th", text, column));
  const rows = block.rows.map((row) => make("tr", {}, ...row.map((text, column) => cell("td", text, column))));
  const grid = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  return make("div", { class: "table", tabindex: "0", role: "region", "aria-label": block.title || t("table") }, grid);
}

function fields(block) {
  const pairs = block.fields.map(([label, value]) =>
    make("div", {}, make("dt", {}, label), make("dd", {}, ...prose(value))));
  const title = block.title ? make("p", { class: "card-title" }, block.title) : null;
  return make("div", { class: "card" }, title, make("dl", {}, ...pairs));
}

function chart(block) {
  const data = make("details", {}, make("summary", {}, t("chart_data")), table(block));
  return make("figure", { class: "chart" }, make("figcaption", {}, block.title),
    picture(block.light, block.title, "on-light"), picture(block.dark, block.title, "on-dark"), data);
}

export function block(value) {
  switch (value.kind) {
    case "text": return make("p", { class: "prose" }, ...prose(value.text));
    case "fields": return fields(value);
    case "table": return make("div", { class: "titled" },
      value.title ? make("p", { class: "card-title" }, value.title) : null, table(value));
    case "chart": return chart(value);
    case "image": return picture(value.file, value.alt);
    default: return make("p", { class: "prose" }, t("unknown_block"));
  }
}

export function attachments(files) {
  const shown = files.map((file) => {
    if (file.mime.startsWith("image/")) return picture(file.ref, file.name, "thumb");
    return make("a", { class: "file", href: fileAddress(file.ref), download: file.name },
      icon("file"), make("span", { class: "file-name" }, file.name), make("small", {}, size(file.size_bytes)));
  });
  return make("div", { class: "attachments" }, ...shown);
}
