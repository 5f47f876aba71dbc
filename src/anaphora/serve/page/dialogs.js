// Dialogs and menus that work by keyboard and give the focus back.

import { h, append, iconButton } from "./dom.js";
import { t } from "./i18n.js";

/** Opens a modal dialog with a title and a button that closes it. Returns { element, body, close }. */
export function openDialog({ title, className = "", onClose = () => {} }) {
  const before = document.activeElement;
  const body = h("div", { class: "dialog-body" });
  const element = h("dialog", { class: className, "aria-labelledby": "dialog-title" },
    h("header", { class: "dialog-head" }, h("h2", { id: "dialog-title", dir: "auto" }, title), iconButton("close", t("dialog.close"), () => element.close())),
    body);
  element.addEventListener("close", () => {
    element.remove();
    onClose();
    // The browser gives the focus back when the dialog closes; this event comes later, and a key may
    // have moved the focus since.
    if (before?.isConnected && document.activeElement === document.body) before.focus();
  });
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close(); // outside of the dialog
  });
  document.body.append(element);
  element.showModal();
  return { element, body, close: () => element.close() };
}

/** Asks for a decision; resolves to true if it is confirmed. */
export function confirmed(title, text, action) {
  return new Promise((resolve) => {
    let decision = false;
    const dialog = openDialog({ title, className: "narrow", onClose: () => resolve(decision) });
    const decide = () => {
      decision = true;
      dialog.close();
    };
    const cancel = h("button", { type: "button", onclick: dialog.close }, t("dialog.cancel"));
    append(dialog.body, [
      h("p", { dir: "auto" }, text),
      h("div", { class: "buttons" }, cancel, h("button", { type: "button", class: "danger", onclick: decide }, action)),
    ]);
    cancel.focus();
  });
}

/** Asks for a line of text; resolves to null if it is cancelled. */
export function asked(title, label, value, action) {
  return new Promise((resolve) => {
    let entered = null;
    const dialog = openDialog({ title, className: "narrow", onClose: () => resolve(entered) });
    const input = h("input", { type: "text", dir: "auto", maxlength: "200", required: true, value });
    const form = h("form", {
      onsubmit: (event) => {
        event.preventDefault();
        entered = input.value.trim() || null;
        dialog.close();
      },
    },
    h("label", {}, h("span", {}, label), input),
    h("div", { class: "buttons" }, h("button", { type: "button", onclick: dialog.close }, t("dialog.cancel")), h("button", { type: "submit", class: "primary" }, action)));
    dialog.body.append(form);
    input.select();
  });
}

/**
 * A button that opens a menu. Entries are { label, onclick } or { label, href, download }; the
 * arrow keys, Home and End move in it, Escape closes it.
 */
export function menuButton(name, label, entries, properties = {}) {
  const button = iconButton(name, label, () => (button.menu ? shut(true) : show()), { "aria-haspopup": "menu", "aria-expanded": "false", ...properties });
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    if (!button.menu) show();
  });

  function show() {
    const items = entries().map(({ label: text, onclick, href, danger }) => {
      const content = { role: "menuitem", tabindex: "-1", class: danger ? "danger" : null };
      if (href) return h("a", { ...content, href, download: true, onclick: () => shut(true) }, text);
      return h("button", { type: "button", ...content, onclick: () => { shut(true); onclick(); } }, text);
    });
    const menu = h("div", { role: "menu", class: "menu", "aria-label": label, onkeydown: (event) => move(event, items) }, items);
    button.menu = menu;
    button.setAttribute("aria-expanded", "true");
    document.body.append(menu);
    place(menu);
    items[0].focus();
    setTimeout(() => document.addEventListener("pointerdown", outside));
    menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !menu.contains(event.relatedTarget)) shut(false);
    });
  }

  function place(menu) {
    const anchor = button.getBoundingClientRect();
    const { width, height } = menu.getBoundingClientRect();
    const below = anchor.bottom + height + 8 < innerHeight;
    menu.style.top = `${below ? anchor.bottom + 4 : Math.max(8, anchor.top - height - 4)}px`;
    menu.style.left = `${Math.max(8, Math.min(innerWidth - width - 8, anchor.right - width))}px`;
  }

  function outside(event) {
    if (button.menu && !button.menu.contains(event.target) && !button.contains(event.target)) shut(false);
  }

  function shut(focus) {
    const menu = button.menu;
    if (!menu) return;
    button.menu = null;
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside);
    menu.remove();
    if (focus) button.focus();
  }

  function move(event, items) {
    const at = items.indexOf(document.activeElement);
    const target = { ArrowDown: (at + 1) % items.length, ArrowUp: (at - 1 + items.length) % items.length, Home: 0, End: items.length - 1 }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      items[target].focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      event.stopPropagation();
      shut(true);
    }
  }

  return button;
}

/** A sentence of an error, as the page shows it. */
export function sentenceOf(error) {
  if (error.status === 0) return t("error.unreachable");
  const detail = error.message || t("error.unknown");
  return /[.!?。！？؟…]$/.test(detail) ? detail : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
}
