// The settings of the page, the list of keys, and signing in and out.

import { h, fill, announce } from "./dom.js";
import { call } from "./api.js";
import { confirmed, openDialog, sentenceOf } from "./dialogs.js";
import { chooseLanguage, chosenLanguage, LANGUAGES, t } from "./i18n.js";
import { state } from "./state.js";

const THEME = "anaphora.theme";
const SINGLE_KEYS = "anaphora.keys";

export const KEYS = [
  ["?", "keys.help"],
  ["n", "keys.new"],
  ["/", "keys.focus"],
  ["s", "keys.search"],
  ["i", "keys.inspect"],
  ["j", "keys.next"],
  ["k", "keys.previous"],
  ["e", "keys.edit"],
  ["c", "keys.copy"],
  ["1 – 9", "keys.source"],
  ["d", "keys.documents"],
  [",", "keys.settings"],
  ["Enter", "keys.send"],
  ["Shift+Enter", "keys.line"],
  ["Esc", "keys.escape"],
];

/** Whether keys without Ctrl or Alt are commands outside of text fields. */
export function singleKeys() {
  return localStorage.getItem(SINGLE_KEYS) !== "off";
}

function setTheme(theme) {
  if (theme) localStorage.setItem(THEME, theme);
  else localStorage.removeItem(THEME);
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** Opens the settings; `signedOut` is called when the session was ended, `cleared` when all conversations were deleted. */
export function openSettings({ signedOut, cleared }) {
  const dialog = openDialog({ title: t("settings.title") });
  const failed = h("p", { class: "failed", role: "alert", hidden: true, dir: "auto" });
  const work = async (action) => {
    try {
      await action();
    } catch (error) {
      failed.hidden = false;
      failed.textContent = sentenceOf(error);
    }
  };
  const theme = localStorage.getItem(THEME) ?? "";
  const select = (label, value, options, change) =>
    h("label", {}, h("span", {}, label),
      h("select", { onchange: (event) => change(event.target.value) }, Object.entries(options).map(([key, name]) => h("option", { value: key, selected: key === value, lang: key in LANGUAGES ? key : null }, name))));
  dialog.body.append(
    select(t("settings.language"), chosenLanguage(), { "": t("settings.by_browser"), ...LANGUAGES }, chooseLanguage),
    select(t("settings.colours"), theme, { "": t("settings.by_system"), light: t("settings.light"), dark: t("settings.dark") }, setTheme),
    h("label", { class: "choice" },
      h("input", { type: "checkbox", checked: singleKeys(), onchange: (event) => localStorage.setItem(SINGLE_KEYS, event.target.checked ? "on" : "off") }),
      t("settings.single_keys")),
    h("h3", {}, t("settings.account")),
    h("p", {}, t("settings.signed_in", { name: state.session.name || state.session.owner })),
    h("div", { class: "buttons start" },
      h("button", { type: "button", onclick: () => work(async () => {
        await call("DELETE", "session");
        dialog.close();
        signedOut();
      }) }, t("settings.sign_out")),
      h("button", { type: "button", class: "danger", onclick: async () => {
        if (!(await confirmed(t("settings.delete_all"), t("settings.delete_all_text"), t("settings.delete_all")))) return;
        await work(async () => {
          await call("DELETE", "conversations");
          dialog.close();
          announce(t("list.deleted"));
          cleared();
        });
      } }, t("settings.delete_all"))),
    failed,
  );
}

/** Shows the keys. */
export function openKeys() {
  const dialog = openDialog({ title: t("keys.title"), className: "narrow" });
  dialog.body.append(
    h("table", { class: "keys" }, h("tbody", {}, KEYS.map(([key, text]) =>
      h("tr", {}, h("th", { scope: "row" }, key.split(/([+–])/).map((part) => (/[+–]/.test(part) ? part : h("kbd", { dir: "ltr" }, part.trim())))), h("td", {}, t(text)))))),
    h("p", { class: "hint" }, t("keys.where")),
  );
}

/** The view for somebody who is not signed in. */
export function signInView(signedIn) {
  const key = h("input", { type: "password", id: "key", autocomplete: "current-password", required: true, dir: "ltr", spellcheck: "false" });
  const failed = h("p", { class: "failed", role: "alert", hidden: true, dir: "auto" });
  const form = h("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        await call("POST", "session", { key: key.value.trim() });
        key.value = "";
        signedIn();
      } catch (error) {
        failed.hidden = false;
        failed.textContent = sentenceOf(error);
        key.focus();
        key.select();
      }
    },
  },
  h("label", { for: "key" }, t("sign_in.key")), key, failed,
  h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, t("sign_in.button"))));
  const view = h("main", { class: "sign-in" },
    h("img", { src: "/page/icons/anaphora.svg", alt: "", width: "56", height: "56" }),
    h("h1", {}, t("sign_in.title")),
    h("p", {}, t("sign_in.address")),
    h("pre", { class: "code", dir: "ltr" }, h("code", {}, "anaphora serve")),
    h("p", {}, t("sign_in.or_key")),
    form);
  return { view, focus: () => key.focus() };
}

/** Choices of an index and of a configuration, for the head of the page. */
export function choices(changed) {
  const element = h("div", { class: "choices" });
  const draw = () => {
    const picker = (label, values, value, pick) =>
      h("select", { "aria-label": label, title: label, onchange: (event) => { pick(event.target.value); changed(); } }, values.map(([name, text]) => h("option", { value: name, selected: name === value }, text)));
    fill(
      element,
      state.indexes.length > 0 && picker(t("choices.index"), state.indexes.map((one) => [one.name, one.state === "ready" ? one.name : `${one.name} (${t(`choices.${one.state}`)})`]), state.index, (name) => (state.index = name)),
      state.configurations.length > 1 && picker(t("choices.configuration"), state.configurations.map((name) => [name, name]), state.configuration, (name) => (state.configuration = name)),
    );
  };
  draw();
  return { element, draw };
}
