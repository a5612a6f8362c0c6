// The page's texts (they come from the server) and how dates read.

const BOOT = {
  link_connecting: "正在连接… Connecting…",
  link_online: "已连接 Connected",
  link_offline: "连接断开 Offline",
};
let texts = {};
let locale = "zh-CN";

export function setTexts(newTexts, newLocale) {
  texts = newTexts;
  locale = newLocale;
  document.documentElement.lang = newLocale;
}

export const currentLocale = () => locale;

export const hasTexts = () => "name" in texts;

export function t(key, values = {}) {
  const template = texts[key] ?? BOOT[key] ?? "";
  return template.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// Keys that begin alike, in the order of the catalogue: examples, commands.
export const family = (prefix) =>
  Object.entries(texts).filter(([key]) => key.startsWith(prefix)).map(([key, text]) => [key.slice(prefix.length), text]);

export const time = (date) =>
  new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(date);

export const moment = (date) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "medium" }).format(date);

const dayNumber = (date) => Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / 86_400_000);

export function day(date) {
  const ago = dayNumber(new Date()) - dayNumber(date);
  if (ago === 0) return t("today");
  if (ago === 1) return t("yesterday");
  const thisYear = date.getFullYear() === new Date().getFullYear();
  const parts = { month: "long", day: "numeric", weekday: "short", ...(thisYear ? {} : { year: "numeric" }) };
  return new Intl.DateTimeFormat(locale, parts).format(date);
}

export function size(bytes) {
  const units = ["B", "KB", "MB"];
  let unit = 0;
  let value = bytes;
  for (; value >= 1024 && unit < 2; unit += 1) value /= 1024;
  return `${value.toFixed(value < 10 && unit ? 1 : 0)} ${units[unit]}`;
}
