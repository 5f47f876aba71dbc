// Elements are made with createElement and text nodes only: no text becomes markup.

/**
 * An element with its attributes, listeners and children.
 *
 * Properties that begin with "on" are listeners, "class" is the class; true sets an empty
 * attribute, and null, undefined and false set none. Children that are null or false are left out.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  const kept = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  element.append(...kept);
}

/** Replaces what is in an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

const DRAWINGS = {
  plus: "M12 5v14M5 12h14",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13zM15.5 15.5L20 20",
  send: "M12 19V5M6 11l6-6l6 6",
  stop: "M7 7h10v10H7z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  copy: "M9 9h10v11H9zM6 15H5V4h10v2",
  edit: "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3",
  up: "M7 11v9H4v-9zM7 11l4-7c1.5 0 2.4 1 2 2.6L12.2 10H18c1.4 0 2.2 1.1 1.8 2.4l-1.9 6A2.2 2.2 0 0 1 15.8 20H7",
  down: "M17 13V4h3v9zM17 13l-4 7c-1.5 0-2.4-1-2-2.6l.8-3.4H6c-1.4 0-2.2-1.1-1.8-2.4l1.9-6A2.2 2.2 0 0 1 8.2 4H17",
  inspect: "M4 6h10M4 12h6M4 18h8M17 10v9M17 19l-3-3M17 19l3-3M17 10l-3 3M17 10l3 3",
  previous: "M15 6l-6 6l6 6",
  next: "M9 6l6 6l-6 6",
  documents: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  help: "M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2.2M12 18h.01",
  trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5",
  share: "M12 15V4M8 8l4-4l4 4M5 13v7h14v-7",
  upload: "M12 16V5M7 10l5-5l5 5M5 20h14",
  download: "M12 5v11M7 11l5 5l5-5M5 20h14",
  retry: "M19 12a7 7 0 1 1-2-5M18 3v4h-4",
  theme: "M12 4a8 8 0 1 0 8 8a6 6 0 0 1-8-8z",
  check: "M5 12l5 5L19 7",
};
const SVG = "http://www.w3.org/2000/svg";
const MIRRORED = new Set(["previous", "next"]);

/** A drawing that says nothing by itself: the control that holds it has a name. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", MIRRORED.has(name) ? "icon mirrored" : "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", DRAWINGS[name]);
  svg.append(path);
  return svg;
}

/** The name of a document as it is shown: a mark that turns text around is seen, and does nothing. */
export function shownName(name) {
  return name.replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** A button that shows a drawing; its label is read aloud and shown as a tooltip. */
export function iconButton(name, label, onclick, properties = {}) {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...properties }, icon(name));
}

/** Copies a text; without the clipboard of a secure context, by a selection. */
export async function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = h("textarea", { class: "off-screen", "aria-hidden": "true", value: text });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Says something to people who cannot see the page, once they have finished listening. */
export function announce(text) {
  const region = document.getElementById("announcements");
  region.textContent = "";
  // Readers speak a region when it changes; the same text twice is no change.
  requestAnimationFrame(() => (region.textContent = text));
}
