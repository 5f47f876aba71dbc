// The source viewer: a document with the quote in its place, in the text or on the pages of a PDF.

import { announce, copyText, fill, h, iconButton, shownName } from "./dom.js";
import { cellsOf, directionOf } from "./answer.js";
import { call, encode } from "./api.js";
import { t } from "./i18n.js";
import { openPanel } from "./panel.js";

const SIZE = 20_000; // characters of a document that are loaded at a time
const BEFORE = 6_000; // of the first part before the quote
const MOST_PARTS = 8; // in the page at a time
const ZOOMS = [1, 1.25, 1.5, 2, 3];
const STEP = 200; // widths of images are multiples of it, so that the server draws fewer
const WIDEST = 2_000;
const STYLES = "/page/source.css";
const TAGS = { heading: "h4", code: "pre", quotation: "blockquote", item: "div" };

/**
 * Opens the viewer at characters `start` to `end` of a passage; without a passage, at the beginning
 * of the document `document`.
 *
 * `citations` are those of the answer: the arrow keys move between them.
 *
 * Throws a Problem if the index does not hold the passage or the document any more.
 */
export async function openSource({ index, passage, start, end, document: doc = null, citations = [] }) {
  addStyles();
  const source = await load(index, passage, start, end, doc);
  const closing = new AbortController();
  const panel = openPanel({ title: source.title, kind: "viewer", wide: true, onClose: () => closing.abort() });
  const text = new TextView(source, closing.signal);
  const view = h("div", { class: "viewer-view" });
  const notice = h("p", { class: "hint viewer-notice", dir: "auto", hidden: true });
  const switches = h("div", { class: "viewer-switch", role: "group", "aria-label": t("source.views"), hidden: true });
  const at = citations.findIndex((one) => one.passage_id === passage && one.start === start && one.end === end);
  const move = (by) => {
    const next = citations[at + by];
    if (next) openSource({ index, passage: next.passage_id, start: next.start, end: next.end, citations }).catch(showFault);
  };
  const showFault = (error) => {
    notice.hidden = false;
    notice.textContent = error.message || t("error.unreachable");
  };
  fill(
    panel.body,
    h("div", { class: "viewer-head" },
      h("p", { class: "viewer-path" }, source.path.map((part, depth) => [depth > 0 && " › ", h("bdi", { dir: "auto" }, shownName(part))])),
      h("div", { class: "viewer-tools" },
        switches,
        h("span", { class: "space" }),
        at >= 0 && citations.length > 1 && [
          iconButton("previous", t("source.previous"), () => move(-1), { disabled: at === 0 }),
          h("span", { class: "hint" }, t("source.number", { number: at + 1, count: citations.length })),
          iconButton("next", t("source.next"), () => move(1), { disabled: at === citations.length - 1 }),
        ],
        source.quote && iconButton("copy", t("source.copy"), () => copyQuote(source)),
        source.quote && iconButton("edit", t("source.ask"), () => askAbout(source, panel))),
      notice),
    view,
  );
  panel.element.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, [role=group] button")) return;
    const forward = getComputedStyle(panel.element).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") move(event.key === forward ? 1 : -1);
  }, { signal: closing.signal });

  const show = (one) => {
    for (const button of switches.children) button.setAttribute("aria-pressed", String(button.dataset.view === one.name));
    fill(view, one.element);
    one.shown();
  };
  if (source.notice) showFault({ message: source.notice });
  show(text);
  if (!source.pages) return;
  const pages = new PagesView(source, closing.signal, showFault);
  for (const one of [text, pages]) {
    switches.append(h("button", { type: "button", class: "quiet", "data-view": one.name, "aria-pressed": String(one === text), onclick: () => show(one) }, t(`source.${one.name}`)));
  }
  switches.hidden = false;
  await pages.find();
  if (pages.boxes.size && !closing.signal.aborted && view.firstChild === text.element) show(pages);
}

function addStyles() {
  if (document.querySelector(`link[href="${STYLES}"]`)) return;
  document.head.append(h("link", { rel: "stylesheet", href: STYLES }));
}

async function load(index, passageId, start, end, doc) {
  const base = `indexes/${encode(index)}`;
  let passage = null;
  if (passageId) passage = await call("GET", `${base}/passage?passage_id=${encode(passageId)}`);
  const id = passage ? passage.doc_id : doc;
  const length = passage ? passage.text.length : 0;
  // Offsets are those of code points; the browser counts UTF-16 units.
  const points = passage ? [...passage.text] : [];
  const first = passage ? Math.min(start ?? 0, points.length) : 0;
  const last = passage ? Math.min(end ?? points.length, points.length) : 0;
  const quoteStart = passage ? passage.start + first : 0;
  const part = await loadPart(base, id, Math.max(0, quoteStart - BEFORE), SIZE);
  return {
    base,
    id,
    passageId,
    first,
    last,
    title: shownName(part.title || id),
    lang: part.lang,
    pages: part.pages,
    notice: part.notice,
    length: part.length,
    path: passage && passage.section.length ? passage.section : [id],
    quote: points.slice(first, last).join(""),
    place: passage && length ? placeOf(passage, first) : "",
    from: quoteStart,
    to: passage ? passage.start + last : 0,
    part,
    index,
  };
}

async function loadPart(base, id, start, size) {
  const form = await call("GET", `${base}/document?doc_id=${encode(id)}&start=${start}&size=${size}`);
  const points = [...form.text];
  return { ...form, points, end: form.start + points.length };
}

function placeOf(passage, at) {
  return passage.blocks.find((one) => one.start <= at && at < one.end)?.place ?? "";
}

function address(source) {
  const values = new URLSearchParams({ index: source.index, passage: source.passageId, start: source.first, end: source.last });
  return new URL(`/source?${values}`, location.origin).href;
}

async function copyQuote(source) {
  const page = /^page=(\d+)$/.exec(source.place);
  const where = [source.title, shownName(source.id), page && t("answer.page", { page: Number(page[1]) })].filter(Boolean).join(", ");
  await copyText(`“${source.quote}”\n— ${where}\n${address(source)}`);
  announce(t("source.copied"));
}

/** Puts the quote into the question, for the reader to ask about. */
function askAbout(source, panel) {
  panel.close();
  const field = document.getElementById("question");
  const quote = source.quote.length > 300 ? `${[...source.quote].slice(0, 300).join("")}…` : source.quote;
  field.value = `“${quote.replace(/\s+/g, " ")}” ${field.value}`;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

/** The text, of which only the parts around what is shown are in the page. */
class TextView {
  name = "text";

  constructor(source, signal) {
    this.source = source;
    this.parts = [];
    this.loading = false;
    this.started = false;
    this.above = h("div", { class: "viewer-edge" });
    this.below = h("div", { class: "viewer-edge" });
    this.list = h("div", { class: "viewer-parts", lang: source.lang === "unknown" ? null : source.lang });
    this.element = h("div", { class: "viewer-text", tabindex: "0", role: "document", "aria-label": source.title }, this.above, this.list, this.below);
    this.add(source.part, false);
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) this.grow(entry.target === this.above);
    }, { root: this.element, rootMargin: "600px" });
    signal.addEventListener("abort", () => this.observer.disconnect());
  }

  shown() {
    if (!this.started) {
      this.started = true;
      const mark = this.list.querySelector("mark");
      mark?.scrollIntoView({ block: "center" });
    }
    this.observer.disconnect();
    this.observer.observe(this.above);
    this.observer.observe(this.below);
  }

  async grow(above) {
    const first = this.parts[0].form;
    const last = this.parts[this.parts.length - 1].form;
    if (this.loading || (above ? first.start <= 0 : last.end >= this.source.length)) return;
    this.loading = true;
    try {
      const start = above ? Math.max(0, first.start - SIZE) : last.end;
      const size = above ? first.start - start : SIZE;
      const form = await loadPart(this.source.base, this.source.id, start, size);
      if (form.points.length) this.add(form, above);
      else if (above) first.start = 0;
      else this.source.length = last.end;
    } finally {
      this.loading = false;
    }
    // An observer reports changes only, so what is still near the edge is observed again.
    this.observer.unobserve(above ? this.above : this.below);
    this.observer.observe(above ? this.above : this.below);
  }

  add(form, above) {
    const part = drawPart(form, this.source);
    const before = this.element.scrollHeight;
    const top = this.element.scrollTop;
    if (above) {
      this.parts.unshift(part);
      this.list.prepend(part.element);
      this.element.scrollTop = top + this.element.scrollHeight - before;
      if (this.parts.length > MOST_PARTS) this.parts.pop().element.remove();
    } else {
      this.parts.push(part);
      this.list.append(part.element);
      if (this.parts.length > MOST_PARTS) {
        const full = this.element.scrollHeight;
        this.parts.shift().element.remove();
        this.element.scrollTop = top - (full - this.element.scrollHeight);
      }
    }
    this.parts.forEach((one, at) => {
      if (one.heading) one.heading.hidden = at > 0 && this.parts[at - 1].last === one.first;
    });
  }
}

function drawPart(form, source) {
  const element = h("div", { class: "viewer-part" });
  let next = 0;
  let heading = null;
  let first = "";
  let last = "";
  let rows = []; // of the table that is being drawn
  const finish = () => {
    if (rows.length) element.append(drawTable(rows, form, source));
    rows = [];
  };
  for (const block of form.blocks) {
    const cells = block.kind === "row" || block.kind === "header";
    // A heading, another table's header or anything else ends a table.
    if (!cells || form.sections[next]?.start <= block.start || (block.kind === "header" && rows.at(-1)?.kind === "row")) finish();
    while (next < form.sections.length && form.sections[next].start <= block.start) {
      const { path } = form.sections[next];
      const shown = path.length ? h("h3", { class: "viewer-section", dir: "auto" }, path[path.length - 1]) : null;
      if (next === 0) [heading, first] = [shown, path.join("\n")];
      last = path.join("\n");
      if (shown) element.append(shown);
      next += 1;
    }
    if (cells) rows.push(block);
    else element.append(drawBlock(block, form, source));
  }
  finish();
  return { form, element, heading, first, last };
}

const cut = (form, start, end) => form.points.slice(start - form.start, end - form.start).join("");

/** Characters of the document, with those of the quote marked. */
function piece(start, end, form, source) {
  const from = Math.max(start, source.from);
  const to = Math.min(end, source.to);
  if (from >= to) return cut(form, start, end);
  return [cut(form, start, from), h("mark", { class: "viewer-quote" }, cut(form, from, to)), cut(form, to, end)];
}

function drawTable(rows, form, source) {
  const text = { slice: (start, end) => cut(form, start, end) };
  const draw = (kind, name, properties) =>
    rows.filter((row) => row.kind === kind).map((row) =>
      h("tr", {}, cellsOf(row, text).map(([start, end]) => h(name, { dir: "auto", ...properties }, piece(start, end, form, source)))));
  const dir = directionOf(rows.map((row) => text.slice(row.start, row.end)).join(" "));
  return h("div", { class: "table-box viewer-table", tabindex: "0", role: "group", "aria-label": t("answer.table"), dir },
    h("table", {}, h("thead", {}, draw("header", "th", { scope: "col" })), h("tbody", {}, draw("row", "td", {}))));
}

function drawBlock(block, form, source) {
  const content = piece(block.start, block.end, form, source);
  const marker = block.marker && h("span", { class: "viewer-marker" }, block.marker, " ");
  const properties = { class: `viewer-${block.kind}`, dir: "auto", "data-depth": block.depth || null };
  return h(TAGS[block.kind] ?? "p", properties, marker, content);
}

/** The pages of a PDF, one at a time, with the quote's lines marked. */
class PagesView {
  name = "pages";

  constructor(source, signal, failed) {
    this.source = source;
    this.failed = failed;
    this.boxes = new Map();
    this.zoom = 0;
    const page = /^page=(\d+)$/.exec(source.place);
    this.page = page ? Number(page[1]) : 1;
    this.image = h("img", { class: "viewer-image", decoding: "async", draggable: "false" });
    this.image.addEventListener("error", () => this.explain(), { signal });
    this.sheet = h("div", { class: "viewer-sheet" }, this.image);
    this.scroll = h("div", { class: "viewer-scroll", tabindex: "0", role: "group", "aria-label": t("source.pages") }, this.sheet);
    this.number = h("input", { type: "number", class: "viewer-number", min: "1", max: source.pages, "aria-label": t("source.page"), onchange: () => this.go(Number(this.number.value)) });
    this.back = iconButton("previous", t("source.page-before"), () => this.go(this.page - 1));
    this.forth = iconButton("next", t("source.page-after"), () => this.go(this.page + 1));
    this.element = h("div", { class: "viewer-pages" },
      h("div", { class: "viewer-tools", role: "group", "aria-label": t("source.page") },
        this.back, this.number, h("span", { class: "hint" }, t("source.of", { count: source.pages })), this.forth,
        h("span", { class: "space" }),
        h("button", { type: "button", class: "quiet", "aria-label": t("source.smaller"), title: t("source.smaller"), onclick: () => this.scale(-1) }, "−"),
        h("button", { type: "button", class: "quiet", "aria-label": t("source.larger"), title: t("source.larger"), onclick: () => this.scale(1) }, "+")),
      this.scroll);
  }

  /** Asks where the quote is. */
  async find() {
    const { base, passageId, first, last } = this.source;
    if (!passageId || first === last) return;
    try {
      const found = await call("GET", `${base}/boxes?passage_id=${encode(passageId)}&start=${first}&end=${last}`);
      for (const one of found.pages) this.boxes.set(one.page, one);
    } catch (error) {
      this.failed(error);
    }
    const pages = [...this.boxes.keys()];
    if (pages.length && !this.boxes.has(this.page)) [this.page] = pages;
  }

  shown() {
    this.go(this.page);
  }

  go(page) {
    this.page = Math.min(Math.max(1, Math.round(page) || 1), this.source.pages);
    this.number.value = this.page;
    this.back.disabled = this.page === 1;
    this.forth.disabled = this.page === this.source.pages;
    this.draw();
  }

  scale(by) {
    this.zoom = Math.min(Math.max(0, this.zoom + by), ZOOMS.length - 1);
    this.draw();
  }

  draw() {
    const zoom = ZOOMS[this.zoom];
    this.sheet.style.width = `${100 * zoom}%`;
    const pixels = this.scroll.clientWidth * zoom * devicePixelRatio;
    const width = Math.min(WIDEST, Math.max(STEP, Math.ceil(pixels / STEP) * STEP));
    const { base, id } = this.source;
    this.image.alt = t("source.page-alt", { page: this.page, title: this.source.title });
    this.image.src = `/api/v1/${base}/page?doc_id=${encode(id)}&page=${this.page}&width=${width}`;
    const found = this.boxes.get(this.page);
    const marks = (found?.boxes ?? []).map((box) => boxMark(box, found));
    fill(this.sheet, this.image, marks);
    if (found) this.sheet.style.aspectRatio = `${found.width} / ${found.height}`;
    else this.sheet.style.removeProperty("aspect-ratio");
    marks[0]?.scrollIntoView({ block: "center", inline: "nearest" });
  }

  /** An image says nothing about why it did not come: asks again for the sentence. */
  async explain() {
    try {
      await call("GET", this.image.getAttribute("src"));
    } catch (error) {
      if (error.status) this.failed(error);
    }
  }
}

function boxMark([left, bottom, right, top], { width, height }) {
  const mark = h("div", { class: "viewer-box", "aria-hidden": "true" });
  mark.style.left = `${(100 * left) / width}%`;
  mark.style.top = `${100 - (100 * top) / height}%`;
  mark.style.width = `${(100 * (right - left)) / width}%`;
  mark.style.height = `${(100 * (top - bottom)) / height}%`;
  return mark;
}
