// Sends what a player does, and decides which updates of the table are drawn.

import { byId, table } from "./page.js";

const GONE = new Set([403, 404]); // a seat that was taken away, a game that was deleted: the reloaded page says so
const UNAVAILABLE = 503;

// The source has no fields of its own, so that only the given values are sent.
export const request = (method, url, options) =>
  window.htmx.ajax(method, url, { source: "#sender", target: "#table", swap: "outerMorph", ...options });

// The number of the table that is being changed: a double click plays once, but a quick click on a new table counts.
let changing = "";

/** Send a change unless one of the same table is on its way, and draw the answer. */
export const change = async (url, values) => {
  const { number } = table().dataset;
  if (number === changing) return;
  changing = number;
  try {
    await request("POST", url, { values });
  } finally {
    if (number === changing) changing = "";
  }
};

/** Play actions as the button with the same actions would. */
export const play = (actions) => {
  const form = byId("turn");
  const button = document.createElement("button");
  Object.assign(button, { type: "submit", name: "actions", value: actions, hidden: true });
  form.append(button);
  form.requestSubmit(button);
  button.remove();
};

// Answers and server-sent events can overtake each other: only what is newer is drawn. A version is a row of numbers,
// of which the first two only grow while the server runs; the third changes with who is there. After a restart of the
// server its events are believed.
const GROWING = 2;

/** An attribute of the table in a fragment. */
export const fieldOf = (html, name) => new RegExp(`<main[^>]* data-${name}="([^"]*)"`).exec(html ?? "")?.[1];

/** How far a fragment is behind the table: above 0 if it is older, 0 if it is the same, below 0 if it is newer. */
const ageOf = (html) => {
  const version = fieldOf(html, "version");
  const here = table()?.dataset;
  if (!version || here?.live !== "yes" || fieldOf(html, "telling")) return -1; // a payday is told on an earlier table
  const [now, then] = [here.version, version].map((each) => each.split(".").map(Number));
  const place = now.findIndex((number, index) => number !== then[index]);
  if (place >= GROWING) return -1;
  return place < 0 ? 0 : now[place] - then[place];
};
const hasLowerNumber = (html) => {
  const number = fieldOf(html, "number");
  return number && table()?.dataset.live === "yes" && Number(number) < Number(table().dataset.number);
};

/** Whether a fragment is newer than the table. */
export const isNewer = (html) => ageOf(html) < 0;

let comesTooSoon = () => false;

/** Ask a function about every table that the server sends by itself: if it says so, that table is left to it. */
export const askBeforeShowing = (isTooSoon) => {
  comesTooSoon = isTooSoon;
};

let keepsBack = () => false;

/** Ask a function about every fragment that would be drawn: if it says so, the fragment is left to it. */
export const askBeforeDrawing = (keeps) => {
  keepsBack = keeps;
};

/** Draw a table that was kept or fetched. */
export const draw = (html) =>
  window.htmx.swap({ sourceElement: byId("sender"), target: "#table", text: html, swap: "outerMorph" });

document.addEventListener("htmx:before:swap", (event) => {
  const { text, response } = event.detail?.ctx ?? {};
  if (GONE.has(response?.status) || (response?.status === UNAVAILABLE && !text?.includes("data-version"))) {
    event.preventDefault();
    location.reload();
    return;
  }
  const age = ageOf(text);
  // A refusal of the same version is drawn, because it says why.
  if (age > 0 || (age === 0 && response?.status === 200) || keepsBack(text)) event.preventDefault();
});
// The button of an action disappears with it. Removing what has the focus makes a browser lay out the page at once, in
// the middle of the swap, and again before the next frame, so a button that a pointer has pressed gives up its focus first.
document.addEventListener("htmx:before:swap", ({ defaultPrevented }) => {
  const pressed = document.activeElement;
  if (!defaultPrevented && pressed?.matches("#table :is(button, [data-act]):not(:focus-visible)")) pressed.blur();
});

document.addEventListener("htmx:sse:before:message", (event) => {
  const html = event.detail?.message?.data;
  if (hasLowerNumber(html) || ageOf(html) === 0 || comesTooSoon(html) || keepsBack(html)) event.preventDefault();
});
document.addEventListener("htmx:sse:error", (event) => {
  if (GONE.has(event.detail?.status)) location.reload();
});

// A table on which a turn is planned leaves everything to the page of the game as soon as the next turn has come, the
// planned one is over, or a payday comes before it. In the capturing phase, so that no other script draws or keeps what has come.
let isLeaving = false;
const leavePlan = (event, html) => {
  const { planning, paydays, home } = table()?.dataset ?? {};
  if (!planning || !fieldOf(html, "version")) return;
  if (fieldOf(html, "planning") === planning && fieldOf(html, "paydays") === paydays) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!isLeaving) location.assign(home);
  isLeaving = true;
};
window.addEventListener("pageshow", () => {
  isLeaving = false; // the reader has come back to it
});
document.addEventListener("htmx:before:swap", (event) => leavePlan(event, event.detail?.ctx?.text), true);
document.addEventListener("htmx:sse:before:message", (event) => leavePlan(event, event.detail?.message?.data), true);

/** Follow the table. htmx may have looked through the page before its extension was loaded, so this begins later. */
export const connect = () => {
  const live = byId("live");
  setTimeout(() => {
    if (!live || !window.htmx) return;
    live.setAttribute("hx-sse:connect", live.dataset.connect);
    window.htmx.process(live);
  });
};
