// The documents of an index: their list, and files that are added by a button or dropped anywhere.

import { h, fill, icon, iconButton, announce, shownName } from "./dom.js";
import { call, encode, events, sendFiles } from "./api.js";
import { confirmed, openDialog, sentenceOf } from "./dialogs.js";
import { languageName, t } from "./i18n.js";
import { state } from "./state.js";

const ENDED = new Set(["done", "failed"]);
const FILE_ENDED = new Set(["done", "skipped"]);
const PAUSE = 250;

let page; // what the page does: { openDocument, indexesChanged }
let dialog = null;

/** Prepares for files that are dropped anywhere on the page. */
export function startUploads(actions) {
  page = actions;
  const overlay = h("div", { class: "drop", hidden: true }, h("p", {}, icon("upload"), t("upload.drop")));
  document.body.append(overlay);
  let depth = 0;
  const files = (event) => state.session && mayIngest() && event.dataTransfer?.types.includes("Files");
  addEventListener("dragenter", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth += 1;
    overlay.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!files(event)) return;
    depth = Math.max(0, depth - 1);
    overlay.hidden = depth === 0;
  });
  addEventListener("dragover", (event) => files(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth = 0;
    overlay.hidden = true;
    const dropped = [...event.dataTransfer.files];
    if (!dialog) openDocuments();
    upload(dropped);
  });
}

function mayIngest() {
  return ["ingest", "admin"].some((scope) => state.session.scopes.includes(scope));
}

let progress; // where uploads are shown
let list; // { element, load }
let replacing; // the box that decides on files of the same name

/** Opens the documents of the chosen index. */
export function openDocuments() {
  dialog = openDialog({ title: t("documents.title", { index: state.index }), className: "documents", onClose: () => (dialog = null) });
  progress = h("div", { class: "uploads", role: "group", "aria-label": t("upload.progress") });
  list = documentList();
  const input = h("input", { type: "file", multiple: true, class: "off-screen", tabindex: "-1", "aria-hidden": "true", onchange: () => {
    upload([...input.files]);
    input.value = "";
  } });
  replacing = h("input", { type: "checkbox" });
  if (mayIngest()) {
    dialog.body.append(
      h("div", { class: "drop-here" }, h("p", {}, t("upload.drop_or")), h("button", { type: "button", class: "primary", onclick: () => input.click() }, t("upload.choose")), input, h("p", { class: "hint" }, t("upload.kinds")), h("label", { class: "choice" }, replacing, t("upload.replace"))),
      progress,
    );
  }
  dialog.body.append(list.element);
  list.load();
}

function documentList() {
  let timer;
  let following = null;
  let latest = 0;
  const rows = h("ul", { class: "document-list", role: "list" });
  const foot = h("div", {});
  const search = h("input", { type: "search", dir: "auto", placeholder: t("documents.search"), "aria-label": t("documents.search"), oninput: () => {
    clearTimeout(timer);
    timer = setTimeout(() => load(), PAUSE);
  } });

  async function load(after = null) {
    const request = (latest += 1);
    const values = new URLSearchParams();
    if (search.value.trim()) values.set("q", search.value.trim());
    if (after) values.set("after", after);
    try {
      const found = await call("GET", `indexes/${encode(state.index)}/documents?${values}`);
      if (request !== latest) return;
      if (!after) fill(rows);
      rows.append(...found.documents.map(row));
      following = found.next;
      fill(foot,
        !rows.children.length && h("p", { class: "hint" }, t("documents.none")),
        following && h("button", { type: "button", class: "earlier", onclick: () => load(following) }, t("list.more")));
    } catch (error) {
      if (request === latest) fill(foot, h("p", { class: "failed", role: "alert", dir: "auto" }, sentenceOf(error)));
    }
  }

  function show(id) {
    dialog.close();
    page.openDocument(id);
  }

  function row(one) {
    const about = [one.kind, one.lang && one.lang !== "unknown" ? languageName(one.lang) : "", t("welcome.passages", { count: one.passages })].filter(Boolean);
    const element = h("li", {},
      icon("documents"),
      h("span", { class: "document-text" }, h("button", { type: "button", class: "link", dir: "auto", onclick: () => show(one.doc_id) }, shownName(one.title || one.doc_id)), h("span", { class: "hint" }, h("bdi", {}, shownName(one.doc_id)), ` · ${about.join(" · ")}`)),
      mayIngest() && iconButton("trash", t("documents.delete", { title: shownName(one.title || one.doc_id) }), async () => {
        if (!(await confirmed(t("documents.delete_title"), t("documents.delete_text", { title: shownName(one.title || one.doc_id) }), t("list.delete")))) return;
        try {
          await call("DELETE", `indexes/${encode(state.index)}/document?doc_id=${encode(one.doc_id)}`);
          element.remove();
          announce(t("documents.deleted"));
          page.indexesChanged();
        } catch (error) {
          fill(foot, h("p", { class: "failed", role: "alert", dir: "auto" }, sentenceOf(error)));
        }
      }));
    return element;
  }

  return { element: h("section", { "aria-label": t("documents.list") }, search, rows, foot), load };
}

/** Sends files, and shows for each what becomes of it. */
async function upload(files) {
  if (!files.length) return;
  const bars = new Map();
  for (const file of files) {
    const bar = h("progress", { max: "1", value: "0", "aria-label": file.name });
    const stateText = h("span", { class: "hint", dir: "auto" }, t("upload.sending"));
    bars.set(file.name, { bar, stateText, element: h("li", {}, h("bdi", {}, file.name), bar, stateText) });
  }
  const failed = h("p", { class: "failed", role: "alert", hidden: true, dir: "auto" });
  progress.prepend(h("ul", { role: "list" }, [...bars.values()].map((one) => one.element)), failed);
  try {
    const { job } = await sendFiles(`indexes/${encode(state.index)}/documents`, files, replacing?.checked ?? false, (fraction) => {
      for (const { bar } of bars.values()) bar.value = fraction / 2;
    });
    for await (const { data } of events("GET", `jobs/${encode(job)}`)) {
      if (!data.files) continue;
      data.files.forEach((file, at) => showFile(bars.get(file.name) ?? [...bars.values()][at], file, data));
      if (data.reason) {
        failed.hidden = false;
        failed.textContent = data.reason;
      }
      if (ENDED.has(data.state)) break;
    }
    announce(t("upload.ended"));
  } catch (error) {
    failed.hidden = false;
    failed.textContent = sentenceOf(error);
    for (const { bar, stateText } of bars.values()) {
      if (bar.hidden) continue;
      bar.hidden = true;
      stateText.textContent = t("upload.state.failed");
    }
  }
  list.load();
  page.indexesChanged();
}

/** Shows how far a file is; the passages of all files get their vectors together. */
function showFile(one, file, job) {
  if (!one) return;
  const ended = FILE_ENDED.has(file.state);
  one.bar.hidden = ended;
  if (job.state === "encoding" && job.total) one.bar.value = 0.5 + job.done / job.total / 2;
  one.element.className = file.state;
  const name = t(`upload.state.${!ended && job.state === "encoding" ? "encoding" : file.state}`);
  one.stateText.textContent = file.reason ? `${name}: ${file.reason}` : name;
}
