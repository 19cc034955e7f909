// Shows a page that says what needs a network when there is none, and notifications that are pushed while no page is
// open. Nothing of a table is kept here, and no key: only that page and the files that it loads.

const { searchParams } = new URL(self.location.href);
const OFFLINE = "/offline";
const FOLDER = `/static/${searchParams.get("static")}/`;
const FILES = ["theme.css", "pages.css", "preferences.js", "icon.svg"].map((name) => FOLDER + name);
const CACHE = `offline ${self.location.search}`; // another version of the files or another language has its own
const GAME = /^[a-z0-9]{1,32}$/;

const kept = async (path) => (await caches.open(CACHE)).match(path, { ignoreVary: true });

const keepOffline = async () => {
  const cache = await caches.open(CACHE);
  await cache.addAll([OFFLINE, ...FILES]);
  await self.skipWaiting();
};

const begin = async () => {
  const old = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable(); // so that a page does not wait until this has started
};

const opened = async ({ request, preloadResponse }) => {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return (await kept(OFFLINE)) ?? Response.error();
  }
};

const file = async (request) => (await kept(request.url)) ?? fetch(request);

const show = async ({ title, body, game }) => {
  const path = `/games/${game}`;
  const pages = await self.clients.matchAll({ type: "window" });
  if (pages.some((page) => page.visibilityState === "visible" && new URL(page.url).pathname === path)) return;
  const icon = `${FOLDER}icon_192.png`;
  await self.registration.showNotification(title, { body, icon, tag: game, data: { path } });
};

const follow = async ({ path }) => {
  const pages = await self.clients.matchAll({ type: "window" });
  const there = pages.find((page) => new URL(page.url).pathname === path);
  await (there ? there.focus() : self.clients.openWindow(path));
};

self.addEventListener("install", (event) => event.waitUntil(keepOffline()));
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(opened(event));
  else if (FILES.includes(new URL(request.url).pathname)) event.respondWith(file(request));
});
self.addEventListener("push", (event) => {
  const message = event.data?.json();
  if (GAME.test(message?.game)) event.waitUntil(show(message));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(follow(event.notification.data));
});
