// Building elements. Data only ever becomes text nodes and attributes, never markup.

export const $ = (id) => document.getElementById(id);

export function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const PATHS = {
  attach: "M20 11.5 12 19.5a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7l-8.4 8.4a1.6 1.6 0 0 1-2.3-2.3L15 7.5",
  send: "M12 20V5M5.5 11.5 12 5l6.5 6.5",
  close: "M6 6l12 12M18 6 6 18",
  pencil: "M4 20h4L19.5 8.5a2.1 2.1 0 0 0-3-3L5 17v3M14.5 7l3 3",
  why: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.7 9.6a2.4 2.4 0 1 1 3.5 2.1c-.8.5-1.2.9-1.2 1.9M12 16.8v.1",
  auto: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 3v18M12 8l6-2.5M12 12.5l8.5-3.5M12 17l7-3",
  light: "M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z",
  exit: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  file: "M7 3h7l5 5v13H7ZM14 3v5h5",
  bell: "M6 16.5V11a6 6 0 1 1 12 0v5.5l1.5 2h-15ZM10 21h4",
  down: "M12 5v14M5.5 12.5 12 19l6.5-6.5",
  calendar: "M4 6h16v14H4ZM4 10.5h16M8 3v5M16 3v5",
  bulb: "M9 17.5c0-2-3.5-3-3.5-7a6.5 6.5 0 0 1 13 0c0 4-3.5 5-3.5 7ZM10 21h4",
  note: "M5 4h14v10l-6 6H5ZM13 20v-6h6M9 9h6M9 13h2",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2",
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

export function setIcon(button, name, label) {
  button.replaceChildren(icon(name));
  button.title = label;
  button.setAttribute("aria-label", label);
}

// Storage may be closed (private windows); the page then works without memory.
export const store = {
  get(area, key, otherwise) {
    try {
      const text = window[area].getItem(key);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return otherwise;
    }
  },
  set(area, key, value) {
    try {
      window[area].setItem(key, JSON.stringify(value));
    } catch {
      // Nothing to do: it is only memory.
    }
  },
};
