// What the other scripts share: the data, and how its text becomes nodes.
"use strict";

const PAGE = 50;
const data = (name) => JSON.parse(document.getElementById(`data-${name}`).textContent);
const index = data("index");
const chunks = new Map();
const chunk = (name) => {
  if (!chunks.has(name)) chunks.set(name, data(name));
  return chunks.get(name);
};

// Text from the data only ever becomes text nodes and attribute values, never HTML.
const h = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") node.addEventListener("click", value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
};
const code = (lang) => (lang && lang !== "unknown" ? lang : null);
const said = (tag, text, lang, attributes = {}) =>
  h(tag, { dir: "auto", lang: code(lang), ...attributes }, text);
const languageNames = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" });
const languageName = (lang) => {
  if (!code(lang)) return "unknown";
  try {
    return languageNames.of(lang);
  } catch {
    return lang;
  }
};
const number = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));
const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const folded = (text) => text.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
const badge = (verdict) =>
  h("span", { class: `badge badge-${verdict}` }, index.verdicts[verdict].label);
