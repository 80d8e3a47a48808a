// Building DOM nodes. Data only ever becomes text nodes and attributes, never markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element. Attribute values of `false`, `null` and `undefined` are left out and
 * `true` becomes an empty attribute; `on` holds listeners, `data` dataset entries, `vars`
 * CSS custom properties. Children may be nodes, strings, nested arrays or nothing.
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(node.dataset, value);
    } else if (name === "vars") {
      for (const [property, setting] of Object.entries(value)) node.style.setProperty(property, setting);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(node, children);
  return node;
}

/** Appends nodes, strings and nested arrays of them; skips nothings. */
export function append(node, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child);
  }
  return node;
}

/** Replaces everything inside `node`. */
export function fill(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

/** A push button that never submits a form by accident. */
export function button(attributes, ...children) {
  return element("button", { type: "button", ...attributes }, ...children);
}

// Own drawings on a 24 by 24 grid, stroked in the current text colour.
const DRAWINGS = {
  hash: "M9 4 7 20M17 4l-2 16M4 9h17M3 15h17",
  thread: "M4 5h16v11h-9l-4 4v-4H4zM8 9h8M8 12h5",
  forum: "M4 4h12v8H9l-3 3v-3H4zM9 15v2h7l3 3v-3h1V9h-4",
  branch: "M5 4v9a3 3 0 0 0 3 3h8M12 12l4 4-4 4",
  menu: "M4 6h16M4 12h16M4 18h16",
  pin: "M9 3h6l-1 7 4 4H6l4-4zM12 14v7",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M5 19l1.5-1.5M17.5 6.5 19 5",
  moon: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z",
  reply: "M10 6 4 12l6 6M4 12h9a7 7 0 0 1 7 7",
  apps: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 17h6M17 14v6",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  close: "M6 6l12 12M18 6 6 18",
  plus: "M12 5v14M5 12h14",
  send: "M4 12 20 4l-5 16-4-7z",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  chevron: "M8 10l4 4 4-4",
  down: "M12 5v14M6 13l6 6 6-6",
  open: "M14 4h6v6M20 4 11 13M18 14v6H4V6h6",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
  check: "M5 13l4 4 10-11",
  quorum:
    "M12 5.5v5.8m-5 4.4 5-4.4 5 4.4M12 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4M6 14.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M18 14.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
};

/** A decorative icon; the control around it carries the label. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", DRAWINGS[name]);
  svg.append(path);
  return svg;
}
