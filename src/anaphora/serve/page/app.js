// The start of the page: who is signed in, what the address shows, and the keys.

import { h, fill, icon, iconButton, announce, copyText } from "./dom.js";
import { call, encode, watchRequests } from "./api.js";
import { asText } from "./answer.js";
import { buildChat, currentTurn, drawConversation, editLast, focusQuestion, inspect, isRunning, moveTurn, stop } from "./chat.js";
import { buildConversations, drawList, focusSearch, refreshList } from "./conversations.js";
import { openDialog, sentenceOf } from "./dialogs.js";
import { startLanguage, t } from "./i18n.js";
import { closePanel, openKind } from "./panel.js";
import { choices, openKeys, openSettings, signInView, singleKeys } from "./settings.js";
import { newConversation, openedConversation, state } from "./state.js";
import { openDocuments, startUploads } from "./upload.js";

const NAME = "Anaphora";
const AGAIN = 5_000; // milliseconds between attempts to reach the server
const NARROW = matchMedia("(max-width: 48rem)");

let app;
let title;
let picker;
let offline;
let shared = false;

// Parts that are loaded when they are first needed, with their styles.
async function part(name) {
  if (!document.querySelector(`link[href="/page/${name}.css"]`)) {
    document.head.append(h("link", { rel: "stylesheet", href: `/page/${name}.css` }));
  }
  return import(`./${name}.js`);
}

async function openSource(turn, citation) {
  const { openSource: open } = await part("source");
  await guarded(() => open({ index: turn.answer?.index ?? state.index, passage: citation.passage_id, start: citation.start, end: citation.end, citations: turn.answer?.citations }));
}

async function openInspector(...values) {
  const { openInspector: open } = await part("inspector");
  await open(...values);
}

async function guarded(work) {
  try {
    return await work();
  } catch (error) {
    const dialog = openDialog({ title: t("error.title"), className: "narrow" });
    dialog.body.append(h("p", { class: "failed", dir: "auto" }, sentenceOf(error)));
    return undefined;
  }
}

// The frame

function build() {
  const chat = buildChat({
    openSource,
    openInspector,
    inspect: (turn) => guarded(() => inspect(turn)),
    readOnly: () => shared,
    answered(conversation) {
      if (state.conversation !== conversation) return;
      if (conversation.id && location.pathname !== `/c/${conversation.id}`) history.replaceState(null, "", `/c/${conversation.id}`);
      showTitle();
      refreshList();
    },
  });
  const conversations = buildConversations({
    openConversation: (id) => go(`/c/${encode(id)}`),
    newConversation: () => go("/"),
    renamed(id, name) {
      if (state.conversation.id !== id) return;
      state.conversation.title = name;
      showTitle();
    },
  });
  picker = choices(() => state.conversation.turns.length || drawConversation());
  title = h("h1", { dir: "auto" });
  offline = h("p", { class: "banner", role: "status", hidden: true });
  const drawer = h("button", { type: "button", class: "icon-button drawer-button", "aria-label": t("page.list"), title: t("page.list"), "aria-controls": "sidebar", "aria-expanded": "false", onclick: () => toggleDrawer() }, icon("menu"));
  const newButton = (className) => h("a", { class: className, href: "/", onclick: (event) => { event.preventDefault(); go("/"); } }, icon("plus"), h("span", {}, t("page.new")));
  fill(
    app,
    h("a", { class: "skip", href: "#question", onclick: (event) => { event.preventDefault(); focusQuestion(); } }, t("page.skip")),
    h("div", { class: "veil", onclick: () => toggleDrawer(false) }),
    h("nav", { id: "sidebar", "aria-label": t("page.list") },
      h("div", { class: "brand" }, h("img", { src: "/page/icons/anaphora.svg", alt: "", width: "28", height: "28" }), h("span", {}, NAME)),
      newButton("new"),
      conversations.search,
      conversations.list,
      h("div", { class: "sidebar-foot" },
        h("button", { type: "button", class: "plain", onclick: () => openDocuments() }, icon("documents"), t("page.documents")),
        h("span", { class: "space" }),
        iconButton("help", t("page.keys"), openKeys),
        iconButton("settings", t("page.settings"), showSettings))),
    h("main", { id: "main" },
      h("header", { class: "head" }, drawer, title, picker.element),
      offline,
      h("div", { class: "scroll", tabindex: "-1" }, chat.transcript),
      chat.composer),
    h("aside", { id: "panel", "aria-labelledby": "panel-title", hidden: true }),
  );
}

function toggleDrawer(open = !document.body.classList.contains("with-drawer")) {
  document.body.classList.toggle("with-drawer", open);
  document.querySelector(".drawer-button").setAttribute("aria-expanded", String(open));
  document.getElementById("main").inert = open && NARROW.matches;
  if (open) document.getElementById("search").focus();
  else if (NARROW.matches) document.querySelector(".drawer-button").focus();
}

function drawerOpen() {
  return document.body.classList.contains("with-drawer");
}

function showTitle() {
  const name = state.conversation.title || t("page.new");
  title.textContent = name;
  document.title = state.conversation.title ? `${name} – ${NAME}` : NAME;
}

function showSettings() {
  openSettings({ signedOut: signIn, cleared: () => go("/") });
}

// Addresses

function go(address) {
  history.pushState(null, "", address);
  return show();
}

async function show() {
  if (isRunning()) stop();
  closePanel();
  if (drawerOpen()) toggleDrawer(false);
  const [, kind, id] = location.pathname.split("/");
  shared = kind === "s";
  document.body.classList.toggle("reading", shared);
  state.conversation = newConversation();
  if (kind === "c" || kind === "s") await openConversation(kind === "c" ? `conversations/${id}` : `shared/${id}`);
  showTitle();
  picker.draw();
  drawConversation();
  refreshList();
  if (kind === "source") await openAddressedSource();
  else if (!NARROW.matches) focusQuestion();
}

async function openConversation(path) {
  await guarded(async () => {
    const form = await call("GET", path);
    // A long conversation comes in several parts.
    for (let next = form.next; next;) {
      const rest = await call("GET", `${path}?after=${encode(next)}`);
      form.turns.push(...rest.turns);
      next = rest.next;
    }
    state.conversation = openedConversation(form);
    if (state.indexes.some((one) => one.name === form.index)) state.index = form.index;
  });
}

async function openAddressedSource() {
  const values = new URLSearchParams(location.search);
  const number = (name) => (values.has(name) ? Number(values.get(name)) : undefined);
  const { openSource: open } = await part("source");
  await guarded(() => open({ index: values.get("index") || state.index, passage: values.get("passage"), start: number("start"), end: number("end") }));
}

// Keys

const COMMANDS = {
  "?": openKeys,
  n: () => go("/").then(focusQuestion),
  "/": focusQuestion,
  s: () => {
    if (NARROW.matches && !drawerOpen()) toggleDrawer(true);
    focusSearch();
  },
  i: inspectCurrent,
  j: () => moveTurn(1),
  k: () => moveTurn(-1),
  e: editLast,
  c: copyCurrent,
  d: openDocuments,
  ",": showSettings,
};

async function inspectCurrent() {
  if (openKind() === "inspector") {
    closePanel();
    return;
  }
  const turn = currentTurn();
  if (turn) await guarded(() => inspect(turn));
}

async function copyCurrent() {
  const turn = currentTurn();
  if (!turn) return;
  await copyText(asText(turn.answer));
  announce(t("answer.copied"));
}

function pressed(event) {
  if (event.isComposing || event.defaultPrevented || !state.session) return;
  if (document.querySelector("dialog[open], [role=menu]")) return;
  const inField = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "Escape") {
    if (isRunning()) stop();
    else if (closePanel()) return;
    else if (drawerOpen()) toggleDrawer(false);
    else if (inField) inField.blur();
    return;
  }
  if (inField || event.ctrlKey || event.metaKey || event.altKey || !singleKeys()) return;
  const command = COMMANDS[event.key];
  if (command) {
    event.preventDefault();
    command();
    return;
  }
  const citation = /^[1-9]$/.test(event.key) && currentTurn()?.answer.citations[Number(event.key) - 1];
  if (citation) {
    event.preventDefault();
    openSource(currentTurn(), citation);
  }
}

// The session and the server

function signIn() {
  state.session = null;
  document.title = NAME;
  const { view, focus } = signInView(start);
  fill(app, view);
  focus();
}

let attempts = null;

function reached(yes) {
  if (yes && attempts) {
    clearInterval(attempts);
    attempts = null;
    if (offline) offline.hidden = true;
    announce(t("error.back"));
  } else if (!yes && !attempts) {
    if (offline) {
      offline.textContent = t("error.unreachable");
      offline.hidden = false;
    }
    attempts = setInterval(() => call("GET", "/healthz").catch(() => {}), AGAIN);
  }
}

async function loadIndexes() {
  const found = await call("GET", "indexes");
  state.indexes = found.indexes;
  state.configurations = found.configurations;
  if (!state.indexes.some((one) => one.name === state.index)) state.index = state.indexes[0]?.name ?? "";
  if (!state.configurations.includes(state.configuration)) state.configuration = state.configurations[0] ?? "default";
}

async function start() {
  try {
    state.session = await call("GET", "session");
    await loadIndexes();
  } catch (error) {
    if (error.status === 401) signIn();
    else fill(app, h("main", { class: "sign-in" }, h("h1", {}, NAME), h("p", { class: "failed", role: "alert", dir: "auto" }, sentenceOf(error)), h("button", { type: "button", class: "primary", onclick: start }, t("chat.retry"))));
    return;
  }
  build();
  await show();
}

app = document.getElementById("app");
watchRequests({ signedOut: signIn, reached });
await startLanguage();
startUploads({
  async openDocument(id) {
    const { openSource: open } = await part("source");
    await guarded(() => open({ index: state.index, document: id }));
  },
  async indexesChanged() {
    await guarded(loadIndexes);
    picker.draw();
    if (!state.conversation.turns.length) drawConversation();
  },
});
addEventListener("popstate", () => state.session && show());
addEventListener("keydown", pressed);
addEventListener("online", () => call("GET", "/healthz").catch(() => {}));
await start();
if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("/service-worker.js");
