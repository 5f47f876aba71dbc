// The list of conversations: search, rename, share, export, delete.

import { h, fill, copyText, announce, iconButton } from "./dom.js";
import { call, encode } from "./api.js";
import { follow } from "./answer.js";
import { asked, confirmed, menuButton, openDialog, sentenceOf } from "./dialogs.js";
import { formatTime, t } from "./i18n.js";
import { state } from "./state.js";

const DAY = 86_400_000;
const PAUSE = 250; // milliseconds without a key before a search begins

let list;
let search;
let page; // what the page does: { openConversation, newConversation, renamed }
let shown = [];
let following = null;
let latest = 0;

/** Builds the search field and the list. */
export function buildConversations(actions) {
  page = actions;
  let timer;
  search = h("input", {
    type: "search", id: "search", dir: "auto", placeholder: t("list.search"), "aria-label": t("list.search"), autocomplete: "off",
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(refreshList, PAUSE);
    },
    onkeydown: (event) => {
      if (event.key === "Escape" && search.value) {
        event.stopPropagation();
        search.value = "";
        refreshList();
      } else if (event.key === "ArrowDown") {
        event.preventDefault();
        list.querySelector("a")?.focus();
      }
    },
  });
  list = h("div", { class: "conversations", onkeydown: moveInList });
  return { search, list };
}

export function focusSearch() {
  search.focus();
  search.select();
}

/** Loads the list again. */
export async function refreshList() {
  const request = (latest += 1);
  try {
    const found = await call("GET", `conversations?${query()}`);
    if (request !== latest) return;
    shown = found.conversations;
    following = found.next;
    drawList();
  } catch (error) {
    if (request !== latest || error.status === 401) return;
    // A server that stores no conversations has no list.
    fill(list, error.status !== 404 && h("p", { class: "hint", dir: "auto" }, sentenceOf(error)));
  }
}

function query(after) {
  const values = new URLSearchParams();
  if (search.value.trim()) values.set("q", search.value.trim());
  if (after) values.set("after", after);
  return values;
}

async function more() {
  const found = await call("GET", `conversations?${query(following)}`);
  const first = found.conversations[0];
  shown = [...shown, ...found.conversations];
  following = found.next;
  drawList();
  if (first) list.querySelector(`[data-conversation="${CSS.escape(first.id)}"]`)?.focus();
}

/** Draws the list; the open conversation is marked. */
export function drawList() {
  if (!shown.length) {
    fill(list, h("p", { class: "hint" }, search.value.trim() ? t("list.nothing_found") : t("list.empty")));
    return;
  }
  const groups = new Map();
  for (const one of shown) {
    const name = groupOf(one.changed);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(one);
  }
  fill(
    list,
    [...groups].map(([name, members]) => [h("h2", { class: "group" }, t(name)), h("ul", { role: "list" }, members.map(entry))]),
    following && h("button", { type: "button", class: "earlier", onclick: more }, t("list.more")),
  );
}

function groupOf(changed) {
  const today = new Date().setHours(0, 0, 0, 0);
  const then = 1000 * changed;
  if (then >= today) return "list.today";
  if (then >= today - DAY) return "list.yesterday";
  return then >= today - 7 * DAY ? "list.week" : "list.older";
}

function entry(one) {
  const open = state.conversation?.id === one.id;
  const title = one.title || t("list.untitled");
  return h("li", { class: open ? "entry open" : "entry" },
    h("a", {
      href: `/c/${encode(one.id)}`, dir: "auto", "data-conversation": one.id, "aria-current": open ? "page" : null, title: formatTime(one.changed),
      onclick: (event) => follow(event, () => page.openConversation(one.id)),
    }, title),
    menuButton("more", t("list.actions", { title }), () => [
      { label: t("list.rename"), onclick: () => rename(one) },
      { label: t("list.share"), onclick: () => share(one) },
      { label: t("list.export_markdown"), href: `/api/v1/conversations/${encode(one.id)}/export?format=markdown` },
      { label: t("list.export_json"), href: `/api/v1/conversations/${encode(one.id)}/export?format=json` },
      { label: t("list.delete"), danger: true, onclick: () => remove(one) },
    ]));
}

function moveInList(event) {
  const links = [...list.querySelectorAll("a[data-conversation]")];
  const at = links.indexOf(document.activeElement);
  if (at < 0 || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
  event.preventDefault();
  const next = event.key === "ArrowDown" ? links[at + 1] : (links[at - 1] ?? search);
  next?.focus();
}

async function said(work) {
  try {
    return await work();
  } catch (error) {
    const dialog = openDialog({ title: t("error.title"), className: "narrow" });
    dialog.body.append(h("p", { class: "failed", dir: "auto" }, sentenceOf(error)));
    return null;
  }
}

async function rename(one) {
  const title = await asked(t("list.rename"), t("list.title"), one.title, t("list.rename"));
  if (!title) return;
  await said(async () => {
    await call("PATCH", `conversations/${encode(one.id)}`, { title });
    page.renamed(one.id, title);
    await refreshList();
  });
}

async function remove(one) {
  const title = one.title || t("list.untitled");
  if (!(await confirmed(t("list.delete_title"), t("list.delete_text", { title }), t("list.delete")))) return;
  await said(async () => {
    await call("DELETE", `conversations/${encode(one.id)}`);
    announce(t("list.deleted"));
    if (state.conversation.id === one.id) page.newConversation();
    await refreshList();
    search.focus();
  });
}

async function share(one) {
  const made = await said(() => call("POST", `conversations/${encode(one.id)}/share`));
  if (!made) return;
  const address = new URL(made.url, location.origin).href;
  const dialog = openDialog({ title: t("share.title"), className: "narrow" });
  const field = h("input", { type: "text", readonly: true, dir: "ltr", value: address, "aria-label": t("share.address"), onfocus: () => field.select() });
  dialog.body.append(
    h("p", {}, t("share.text")),
    h("div", { class: "with-button" }, field, iconButton("copy", t("share.copy"), async () => {
      await copyText(address);
      announce(t("answer.copied"));
    })),
    h("div", { class: "buttons" },
      h("button", {
        type: "button", class: "danger",
        onclick: () => said(async () => {
          await call("DELETE", `conversations/${encode(one.id)}/share`);
          dialog.close();
          announce(t("share.ended"));
        }),
      }, t("share.end")),
      h("button", { type: "button", class: "primary", onclick: dialog.close }, t("dialog.done"))),
  );
  field.focus();
}
