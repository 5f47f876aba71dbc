// Keeps the page's own files, so that it opens without the server. Answers, documents and every
// other reply of the API are never kept.

const CACHE = "anaphora-shell";
const FILES = [
  "/",
  "/manifest.webmanifest",
  ...["app", "answer", "api", "chat", "conversations", "dialogs", "dom", "feedback", "i18n", "panel", "settings", "state", "theme", "upload"].map((name) => `/page/${name}.js`),
  ...["en", "fr", "es", "vi", "zh", "ar"].map((code) => `/page/locales/${code}.json`),
  "/page/style.css",
  "/page/icons/anaphora.svg",
];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

function isShell(url) {
  return url.origin === location.origin && (url.pathname === "/manifest.webmanifest" || url.pathname.startsWith("/page/"));
}

function isPage(request, url) {
  return request.mode === "navigate" && url.origin === location.origin && /^\/(c\/|s\/|source$|$)/.test(url.pathname);
}

async function freshOrKept(request, key) {
  try {
    const response = await fetch(request);
    if (response.ok) (await caches.open(CACHE)).put(key, response.clone());
    return response;
  } catch (error) {
    const kept = await caches.match(key);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET") return;
  if (isPage(request, url)) event.respondWith(freshOrKept(request, "/"));
  else if (isShell(url)) event.respondWith(freshOrKept(request, url.pathname));
});
