// The panel next to the conversation, for the source viewer and the inspector: one at a time.

import { h, fill, iconButton } from "./dom.js";
import { t } from "./i18n.js";

let current = null;

/**
 * Opens the panel, and closes the one that was open.
 *
 * The panel takes the focus and gives it back when it is closed, by its button or by Escape. On a
 * narrow screen it covers the page. `wide` asks for more than half of a wide screen.
 *
 * Returns { element, body, close }: what belongs in the panel goes into `body`.
 */
export function openPanel({ title, kind, wide = false, onClose = () => {} }) {
  const before = current ? current.before : document.activeElement;
  current?.remove();
  const element = document.getElementById("panel");
  const heading = h("h2", { id: "panel-title", tabindex: "-1", dir: "auto" }, title);
  const body = h("div", { class: "panel-body" });
  const panel = {
    element,
    body,
    before,
    remove() {
      current = null;
      onClose();
    },
    close() {
      if (current !== panel) return;
      panel.remove();
      element.hidden = true;
      element.className = "";
      fill(element);
      document.body.classList.remove("with-panel", "with-wide-panel");
      cover(false);
      if (before?.isConnected) before.focus();
      else document.getElementById("question").focus();
    },
  };
  current = panel;
  fill(
    element,
    h("header", { class: "panel-head" }, heading, iconButton("close", t("panel.close"), panel.close)),
    body,
  );
  element.className = kind;
  element.hidden = false;
  document.body.classList.add("with-panel");
  document.body.classList.toggle("with-wide-panel", wide);
  cover(matchMedia("(max-width: 60rem)").matches);
  heading.focus();
  return panel;
}

/** Takes what is behind a panel that covers the page out of the keyboard's reach. */
function cover(covered) {
  for (const id of ["main", "sidebar"]) document.getElementById(id).inert = covered;
}

/** Closes the open panel; false if there was none. */
export function closePanel() {
  const open = current;
  open?.close();
  return open !== null;
}

/** The kind of the open panel; empty if none is open. */
export function openKind() {
  return current ? document.getElementById("panel").className : "";
}
