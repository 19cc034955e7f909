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

// ----------------------------------------------------------------------------------------- what the page shows already

// Leaves out of a new table the parts that are on the page already. After most moves those are more than half of it, and
// a browser would read them only to find that they are the same. A part is left out only if the server has drawn it as
// before and no script has changed it since, so the page is the same as if everything had been drawn.

const PART = /<(\w+)[^<>]* id="((?:city|hand|merchant|turn)-[\d-]+|chart|destinations|links)"/g;
const EVERYTHING = { subtree: true, attributes: true, characterData: true, childList: true };

let shown = new Map(); // id of a part on the page: the HTML from which it was drawn
let coming = null; // the same of the table that is being drawn

/** Forget the parts that were changed, so that they are drawn again. */
const forget = (changes) => {
  for (const { target } of changes) {
    for (let each = target; each; each = each.parentNode) shown.delete(each.id);
  }
};
const scripts = new MutationObserver(forget);

/** Where an element ends in HTML, from its tag and where it begins. */
const endOf = (html, tag, begin) => {
  const tags = new RegExp(`<(/?)${tag}\\b[^<>]*>`, "g");
  tags.lastIndex = begin;
  let depth = 0;
  for (let found = tags.exec(html); found; found = tags.exec(html)) {
    depth += found[1] ? -1 : 1;
    if (!depth) return tags.lastIndex;
  }
  return html.length;
};

/** A table that is drawn at once, without the parts that are on the page already. */
const withoutShown = (html) => {
  forget(scripts.takeRecords());
  scripts.disconnect();
  const before = shown;
  shown = new Map(); // until it is drawn
  coming = new Map();
  const parts = [...html.matchAll(PART)].map(({ 1: tag, 2: id, index }) => {
    const end = endOf(html, tag, index);
    const part = html.slice(index, end);
    coming.set(id, coming.has(id) ? "" : part); // of two with the same id none is left out
    return { tag, id, index, end, part };
  });
  const kept = [];
  let from = 0;
  for (const { tag, id, index, end, part } of parts) {
    if (before.get(id) !== part || coming.get(id) !== part || !byId(id)) continue;
    kept.push(html.slice(from, index), `<${tag} id="${id}" data-shown></${tag}>`);
    from = end;
  }
  return kept.length ? kept.join("") + html.slice(from) : html;
};

// What stands for a part leaves the part as it is.
window.htmx?.registerExtension("parts", {
  htmx_before_morph_node: (_, { newNode }) => !newNode.hasAttribute?.("data-shown"),
});
// Before other scripts change what was drawn, which is noticed from here on.
document.addEventListener("htmx:after:swap", () => {
  shown = coming ?? new Map();
  coming = null;
  if (table()) scripts.observe(table(), EVERYTHING);
  else shown.clear();
});

// ------------------------------------------------------------------------------------------------------- what is drawn

// A table on which a turn is planned leaves everything to the page of the game as soon as the next turn has come, the
// planned one is over, or a payday comes before it.
let isLeaving = false;
const leavesPlan = (html) => {
  const { planning, paydays, home } = table()?.dataset ?? {};
  if (!planning || !fieldOf(html, "version")) return false;
  if (fieldOf(html, "planning") === planning && fieldOf(html, "paydays") === paydays) return false;
  if (!isLeaving) location.assign(home);
  isLeaving = true;
  return true;
};
window.addEventListener("pageshow", () => {
  isLeaving = false; // the reader has come back to it
});

// What is not drawn is dropped before htmx reads it, because that takes long. The button of an action disappears with it.
// Removing what has the focus makes a browser lay out the page at once, in the middle of the swap, and again before the
// next frame, so a button that a pointer has pressed gives up its focus first.
const toDraw = (html) => {
  const pressed = document.activeElement;
  if (pressed?.matches("#table :is(button, [data-act]):not(:focus-visible)")) pressed.blur();
  return withoutShown(html);
};

/** Draw a table that was sent, kept or fetched. */
export const draw = async (html) => {
  if (leavesPlan(html) || ageOf(html) > 0 || keepsBack(html)) return;
  const text = toDraw(html);
  await window.htmx.swap({ sourceElement: byId("sender"), target: "#table", text, swap: "outerMorph" });
};

document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  const { text, response } = ctx;
  if (GONE.has(response.status) || (response.status === UNAVAILABLE && !text.includes("data-version"))) {
    event.preventDefault();
    location.reload();
    return;
  }
  const age = ageOf(text);
  // A refusal of the same version is drawn, because it says why.
  const isKnown = age > 0 || (age === 0 && response.status === 200);
  if (leavesPlan(text) || isKnown || keepsBack(text)) event.preventDefault();
  else ctx.text = toDraw(text);
});

// In the capturing phase, so that no other script looks at what comes once a plan is left.
document.addEventListener(
  "htmx:sse:before:message",
  (event) => {
    if (!leavesPlan(event.detail?.message?.data)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
// Drawn here and not by the extension, which waits a moment first: what is on the page could change meanwhile.
document.addEventListener("htmx:sse:before:message", (event) => {
  event.preventDefault();
  const html = event.detail?.message?.data;
  if (html && !hasLowerNumber(html) && ageOf(html) < 0 && !comesTooSoon(html)) draw(html);
});

// Nothing on the table has attributes of htmx, which would look for them in all of it.
document.addEventListener("htmx:before:process", (event) => {
  if (event.target.closest?.("#table")) event.preventDefault();
});

document.addEventListener("htmx:sse:error", (event) => {
  if (GONE.has(event.detail?.status)) location.reload();
});

/** Follow the table. htmx may have looked through the page before its extension was loaded, so this begins later. */
export const connect = () => {
  const live = byId("live");
  setTimeout(() => {
    if (!live || !window.htmx) return;
    live.setAttribute("hx-sse:connect", live.dataset.connect);
    window.htmx.process(live);
  });
};
