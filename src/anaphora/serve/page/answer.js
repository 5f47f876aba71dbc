// An answer as elements: quotations by their structure, written text with its marks, its sources.

import { h, iconButton, copyText, announce, shownName } from "./dom.js";
import { t } from "./i18n.js";

const CERTAIN = 0.75;
const UNSURE = 0.5;
const TABLE = 3; // from this many rows on, a table is drawn instead of "header: value" lines

/** A text by code points, as the server counts them. */
class Points {
  constructor(text) {
    this.points = /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
  }

  slice(start, end) {
    const part = this.points.slice(start, end);
    return typeof part === "string" ? part : part.join("");
  }
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction of a text: that of its first letter. */
export function directionOf(text) {
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

const squeezed = (text) => text.replace(/\s+/gu, "");

/** How sure the answer is, in words: the name of a text and of a colour. */
export function certainty(answer) {
  if (answer.abstained) return "none";
  if (answer.confidence >= CERTAIN) return "high";
  return answer.confidence >= UNSURE ? "fair" : "low";
}

export function isCourtesy(answer) {
  return answer.intent !== "question";
}

/** Whether a language model wrote the answer; otherwise it is a quotation. */
export function isWritten(answer) {
  return Boolean(answer.writing && !answer.writing.fallback);
}

/**
 * The answer's text.
 *
 * `open(citation)` opens a source. The parts of a quoted answer are found in its text again, so
 * that what stands between them is shown as it was said, and the headings as headings; a text that
 * does not hold its quotations, such as a translation, is shown as text.
 */
export function answerBody(answer, open) {
  const body = h("div", { class: "answer-body", lang: answer.answer_lang === "unknown" ? null : answer.answer_lang });
  if (answer.abstained && answer.citations.length) body.append(...nearest(answer, open));
  else {
    const parts = isWritten(answer) || !answer.citations.length ? null : extracts(answer);
    if (parts) body.append(...parts.flatMap((part) => quoted(part, open)));
    else body.append(...plainText(answer.answer, answer.citations, open));
  }
  return body;
}

/** Text that may still be arriving, with its marks. */
export function plainText(text, citations, open) {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim())
    .map((part) => {
      const lines = part.replace(/^\n+|\s+$/g, "");
      if (lines.split("\n").every((line) => /^ {4}/.test(line) || /^(\[\d+\])+$/.test(line))) {
        return h("pre", { class: "code", dir: "ltr", tabindex: "0" }, h("code", {}, withMarks(lines.replace(/^ {4}/gm, ""), citations, open)));
      }
      return h("p", { dir: "auto", class: "said" }, withMarks(lines, citations, open));
    });
}

function withMarks(text, citations, open) {
  return text.split(/(\s*\[\d+\])/).map((part) => {
    const number = /^\s*\[(\d+)\]$/.exec(part)?.[1];
    const citation = number && citations[Number(number) - 1];
    return citation ? mark(Number(number), citation, open) : part;
  });
}

/** The numbered mark of a citation: a link to the quote in its source. */
function mark(number, citation, open) {
  return h("a", {
    class: "mark",
    href: sourceAddress(citation),
    "aria-label": t("answer.mark", { number, title: nameOf(citation) }),
    title: nameOf(citation),
    onclick: (event) => follow(event, () => open(citation)),
  }, String(number));
}

function nameOf(citation) {
  return shownName(citation.title || citation.doc_id);
}

/** Opens what a link shows within the page, unless another tab or window was asked for. */
export function follow(event, show) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  show();
}

/** The page's own address of a citation. What the server sends is used if it is such an address. */
export function sourceAddress(citation) {
  const { url, index = "", passage_id: passage, start, end } = citation;
  if (url?.startsWith("/source?")) return url;
  return `/source?${new URLSearchParams({ index, passage, start, end })}`;
}

function nearest(answer, open) {
  const said = answer.answer.split("\n• ")[0].split("\n");
  return [
    ...said.map((line) => h("p", { dir: "auto", class: "said abstained" }, line)),
    h("ol", { class: "nearest" }, answer.citations.map((citation, at) =>
      h("li", { dir: directionOf(citation.title + citation.quote) },
        h("a", { class: "nearest-title", dir: "auto", href: sourceAddress(citation), onclick: (event) => follow(event, () => open(citation)) },
          h("span", { class: "mark", "aria-hidden": "true" }, String(at + 1)), nameOf(citation)),
        quotation(citation, false)))),
  ];
}

/** The quotations of an answer with what is said before each; null if its text is another one. */
function extracts(answer) {
  const parts = [];
  let begin = 0;
  for (const [at, citation] of answer.citations.entries()) {
    const sign = `[${at + 1}]`;
    const wanted = squeezed(renderedText(citation));
    let end = answer.answer.indexOf(sign, begin);
    while (end >= 0 && !squeezed(answer.answer.slice(begin, end)).endsWith(wanted)) end = answer.answer.indexOf(sign, end + 1);
    if (end < 0) return null;
    parts.push({ number: at + 1, citation, before: withoutEnd(answer.answer.slice(begin, end), wanted.length) });
    begin = end + sign.length;
  }
  return answer.answer.slice(begin).trim() ? null : parts;
}

/** A text without its last characters, of which white space is not counted. */
function withoutEnd(text, count) {
  let end = text.length;
  for (let left = count; left > 0; end -= 1) if (/\S/u.test(text[end - 1])) left -= 1;
  return text.slice(0, end).trim();
}

/** The text that the server's reader makes of a quotation: items after markers, cells after headers. */
function renderedText({ quote, blocks }) {
  const text = new Points(quote);
  const named = blocks.filter((block) => block.kind === "row" && block.header.length);
  const once = named.length >= TABLE;
  return blocks.map((block) => {
    const own = text.slice(block.start, block.end);
    if (block.kind === "header" && named.length) return "";
    if (block.kind !== "row") return block.header.join(" ") + block.marker + own;
    if (once) return (block === named[0] ? block.header.join("|") : "") + own;
    const cells = own.split(" | ").map((cell) => cell.trim());
    if (cells.length !== block.header.length) return own;
    return cells.map((cell, at) => cell && (block.header[at] ? `${block.header[at]}: ${cell}` : cell)).filter(Boolean).join(";");
  }).join("");
}

function quoted({ number, citation, before }, open) {
  const extract = h("blockquote", { class: number > 1 ? "extract other" : "extract", dir: directionOf(citation.quote), cite: sourceAddress(citation) }, quotation(citation, true));
  endOf(extract).append(mark(number, citation, open));
  const said = before.split(/\n{2,}/).filter(Boolean).map((line) => {
    const heading = number > 1 && ` › ${citation.title}`.endsWith(` › ${line}`);
    return heading ? h("h3", { dir: "auto", class: "other-heading" }, line) : h("p", { dir: "auto", class: "between" }, line);
  });
  return [...said, extract];
}

/** Where the mark of an extract stands: in its last paragraph or item, or else below it. */
function endOf(extract) {
  let last = extract.querySelector(".quotation").lastElementChild;
  while (last?.matches("ul, li")) last = last.lastElementChild;
  return last?.matches("p, .note, li > div:not([class])") ? last : extract;
}

/** A quotation by its blocks. Its shortest answer is marked where it occurs once. */
export function quotation(citation, withLead) {
  const text = new Points(citation.quote);
  const span = onlyPlace(citation);
  const piece = (start, end) => marked(text, start, end, span);
  const element = h("div", { class: "quotation" });
  const blocks = citation.blocks?.length ? citation.blocks : [{ kind: "paragraph", start: 0, end: text.points.length, depth: 0, marker: "", header: [] }];
  const lead = blocks[0].kind === "row" ? [] : blocks[0].header;
  if (withLead) element.append(...lead.map((line) => h("p", { class: "lead", dir: "auto" }, line)));
  const named = blocks.some((block) => block.kind === "row" && block.header.length);
  const lists = [];
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at];
    lists.length = Math.min(lists.length, block.depth);
    const place = lists.at(-1)?.lastElementChild ?? element;
    if (block.kind === "header" || block.kind === "row") {
      const rows = [];
      for (; at < blocks.length && (blocks[at].kind === "header" || blocks[at].kind === "row"); at += 1) {
        if (blocks[at].kind === "row" || !named) rows.push(blocks[at]);
      }
      at -= 1;
      place.append(tableOf(rows, text, piece));
    } else if (block.depth && (block.kind === "item" || block.marker)) {
      addItem(element, lists, block, h("div", { dir: "auto" }, piece(block.start, block.end)));
    } else place.append(blockOf(block, text, piece));
  }
  return element;
}

function addItem(element, lists, block, content) {
  const last = lists.at(-1)?.lastElementChild;
  if (!block.marker && lists.length === block.depth && last) {
    last.append(content); // another paragraph of the item
    return;
  }
  while (lists.length < block.depth) {
    const list = h("ul", { class: "items", role: "list" });
    (lists.at(-1)?.lastElementChild ?? lists.at(-1) ?? element).append(list);
    lists.push(list);
  }
  lists.at(-1).append(h("li", { "data-marker": block.marker || null }, content));
}

function blockOf(block, text, piece) {
  const content = piece(block.start, block.end);
  switch (block.kind) {
    case "code":
      return h("div", { class: "code-box" },
        h("pre", { class: "code", dir: "ltr", tabindex: "0" }, h("code", {}, content)),
        iconButton("copy", t("answer.copy_code"), async () => {
          await copyText(text.slice(block.start, block.end));
          announce(t("answer.copied"));
        }));
    case "heading":
      return h("p", { class: "block-heading", dir: "auto" }, content);
    case "term":
      return h("p", { class: "term", dir: "auto" }, content);
    case "description":
      return h("p", { class: "description", dir: "auto" }, content);
    case "quotation":
      return h("blockquote", { dir: "auto" }, content);
    case "note":
      return h("div", { class: "note", role: "note", dir: "auto" }, content);
    case "caption":
      return h("p", { class: "caption", dir: "auto" }, content);
    default:
      return h("p", { dir: "auto" }, content);
  }
}

/** Few rows as lines "header: value", many as a table. */
function tableOf(rows, text, piece) {
  const cells = rows.map((row) => cellsOf(row, text));
  const header = rows.find((row) => row.kind === "row")?.header ?? [];
  if (rows.length >= TABLE && cells.every((row) => row.length === cells[0].length)) {
    return h("div", { class: "table-box", tabindex: "0", role: "group", "aria-label": t("answer.table") },
      h("table", {},
        header.length === cells[0].length && h("thead", {}, h("tr", {}, header.map((name) => h("th", { scope: "col", dir: "auto" }, name)))),
        h("tbody", {}, cells.map((row) => h("tr", {}, row.map(([start, end]) => h("td", { dir: "auto" }, piece(start, end))))))));
  }
  return h("div", { class: "rows" }, rows.map((row, at) => {
    if (row.header.length !== cells[at].length) return h("p", { dir: "auto" }, piece(row.start, row.end));
    return h("dl", { class: "row" }, cells[at].map(([start, end], column) =>
      end > start && h("div", {}, h("dt", { dir: "auto" }, row.header[column]), h("dd", { dir: "auto" }, piece(start, end)))));
  }));
}

/** The ranges of a row's cells. */
export function cellsOf(row, text) {
  let start = row.start;
  return text.slice(row.start, row.end).split(" | ").map((cell) => {
    const range = [start, start + Array.from(cell).length];
    start = range[1] + 3;
    return range;
  });
}

function onlyPlace({ quote, span }) {
  if (!span) return null;
  const at = quote.indexOf(span);
  if (at < 0 || quote.indexOf(span, at + 1) >= 0) return null;
  const start = Array.from(quote.slice(0, at)).length;
  return [start, start + Array.from(span).length];
}

function marked(text, start, end, span) {
  if (!span || span[1] <= start || span[0] >= end) return [text.slice(start, end)];
  const [first, last] = [Math.max(start, span[0]), Math.min(end, span[1])];
  return [text.slice(start, first), h("strong", { class: "shortest" }, text.slice(first, last)), text.slice(last, end)];
}

/** Where in its document a quotation stands, in words; empty where that is unknown. */
export function placeName(place) {
  const page = /^page=(\d+)$/.exec(place ?? "");
  if (page) return t("answer.page", { page: Number(page[1]) });
  const line = /^L(\d+)$/.exec(place ?? "");
  return line ? t("answer.line", { line: Number(line[1]) }) : "";
}

/** The numbered sources below an answer. */
export function sourceList(answer, open) {
  return h("ol", { class: "sources", "aria-label": t("answer.sources") }, answer.citations.map((citation, at) =>
    h("li", {},
      h("a", { class: "source", href: sourceAddress(citation), onclick: (event) => follow(event, () => open(citation)) },
        h("span", { class: "mark", "aria-hidden": "true" }, String(at + 1)),
        h("span", { class: "source-text" },
          h("span", { class: "source-title", dir: "auto" }, nameOf(citation)),
          h("span", { class: "source-place" }, h("bdi", {}, shownName(citation.doc_id)), placeName(citation.place) && ` · ${placeName(citation.place)}`))))));
}

/** Links to other sections that were found, where the answer is not sure. */
export function otherSections(answer, open) {
  return h("div", { class: "other-sections" },
    h("p", { class: "hint" }, t("answer.other_sections")),
    h("ul", {}, answer.other_sections.map((section) =>
      h("li", {}, h("a", { dir: "auto", href: sourceAddress(section), onclick: (event) => follow(event, () => open(section)) }, nameOf(section))))));
}

/** An answer as text, with its sources and their addresses, for the clipboard. */
export function asText(answer) {
  const sources = answer.citations.map((citation, at) => {
    const place = placeName(citation.place);
    const where = [citation.title, citation.doc_id].filter(Boolean).map(shownName).join(" — ") + (place ? `, ${place}` : "");
    return `[${at + 1}] ${where}\n    ${new URL(sourceAddress(citation), location.origin)}`;
  });
  return [answer.answer, ...(sources.length ? [`${t("answer.sources")}:\n${sources.join("\n")}`] : [])].join("\n\n");
}
