// The interface's languages: texts by key, numbers and dates in the language's own form.

export const LANGUAGES = { en: "English", fr: "Français", es: "Español", vi: "Tiếng Việt", zh: "中文", ar: "العربية" };
const RIGHT_TO_LEFT = new Set(["ar"]);
const CHOICE = "anaphora.language";

let texts = {};
let fallback = {};
let language = "en";

/** Loads the texts of the chosen language, or else of the first that the browser asks for. */
export async function startLanguage() {
  const asked = [localStorage.getItem(CHOICE), ...navigator.languages].filter(Boolean);
  const known = asked.map((code) => code.toLowerCase().split("-")[0]).find((code) => code in LANGUAGES);
  language = known ?? "en";
  fallback = await load("en");
  texts = language === "en" ? fallback : await load(language);
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
  document.documentElement.dir = RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
}

async function load(code) {
  const response = await fetch(`/page/locales/${code}.json`);
  return response.json();
}

export function chosenLanguage() {
  return localStorage.getItem(CHOICE) ?? "";
}

/** Remembers the language; empty for the browser's. The page is drawn anew. */
export function chooseLanguage(code) {
  if (code) localStorage.setItem(CHOICE, code);
  else localStorage.removeItem(CHOICE);
  location.reload();
}

export function currentLanguage() {
  return language;
}

/**
 * The text of a key, such as t("welcome.passages", { count: 3 }).
 *
 * With `count`, the key's form for that number is taken where there is one: "welcome.passages.few".
 */
export function t(key, values = {}) {
  const form = "count" in values ? `${key}.${new Intl.PluralRules(language).select(values.count)}` : key;
  const text = texts[form] ?? texts[`${key}.other`] ?? texts[key] ?? fallback[form] ?? fallback[`${key}.other`] ?? fallback[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? new Intl.NumberFormat(language).format(value) : String(value);
  });
}

/** A day and a time, in short; from seconds since 1970. */
export function formatTime(seconds) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(1000 * seconds);
}

/** What a language is called in the interface's language, such as "French" for "fr". */
export function languageName(code) {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Names in a row, such as "English, French and Arabic". */
export function listed(names) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(names);
}
