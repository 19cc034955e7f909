// Shows in the waiting room who has come and who is ready, and goes to the table when the game begins. The server sends
// the room whenever something has changed; without this script the page can be loaded again.

import { byId, remember, root } from "./table/page.js";

const GONE = new Set([403, 404]); // a seat that was taken away, a game that was deleted: the reloaded page says so

root.classList.add("scripted");
const { base, game, version } = byId("room").dataset;

/** Remember what was said here as read, so that it is not new at the table. */
const markRead = () => {
  const last = byId("room-lines")?.dataset.last;
  if (last && document.visibilityState === "visible") remember(`elcapitan ${game} talk`, last);
};

/** Replace an element by its newer form, and keep the focus on what has the same id. */
const replace = (old, fresh) => {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceWith(fresh);
  if (focused) (byId(focused.id) ?? fresh.querySelector("button, a"))?.focus();
};

/** Draw a newer room. Once the game has begun there is a table instead: then the page is loaded again. */
const draw = (html) => {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  if (!fresh.getElementById("room")) {
    location.replace(base);
    return;
  }
  const before = byId("room-summary").textContent;
  for (const old of document.querySelectorAll("[data-live]")) {
    const now = fresh.getElementById(old.id);
    if (now && now.outerHTML !== old.outerHTML) replace(old, document.adoptNode(now));
  }
  markRead();
  const summary = byId("room-summary").textContent;
  if (summary !== before) byId("room-news").textContent = summary;
};

const events = new EventSource(`${base}/events?seen=${encodeURIComponent(version)}`);
events.addEventListener("message", ({ data }) => draw(data));

// A browser may keep a page that is left, and its connection, for the way back: meanwhile its person is not here.
addEventListener("pagehide", () => events.close());
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

markRead();

/** Send a form whose answer is the room, so that what is being written in the chat stays. */
const send = async (form, values) => {
  const sent = { method: "POST", body: values, headers: { "HX-Request": "true" } };
  const answer = await fetch(form.action, sent).catch(() => null);
  if (!answer || GONE.has(answer.status)) {
    location.reload();
    return;
  }
  if (answer.ok && form.action.endsWith("/say")) form.reset();
  draw(await answer.text());
};

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!/\/(ready|say|stand-in)$/.test(form.action)) {
    events.close(); // the answer is the next page: hearing of its cause first would load it twice
    return;
  }
  event.preventDefault();
  send(form, new URLSearchParams(new FormData(form, submitter)));
});
