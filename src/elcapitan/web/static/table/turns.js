// The moves of others: shown one turn after another, in order and at the pace of the table, until a click shows the rest;
// and those since the player's last move, each on the board while its line is pointed at.

import { byId, find, findAll, narrow, root, table } from "./page.js";
import { askBeforeShowing, draw, fieldOf, isNewer } from "./network.js";
import { isTelling } from "./payday.js";
import { showCity } from "./views.js";

const MOST_WAITING = 12; // turns: with more, the page would be too far behind the game

let waiting = []; // tables that have come and are not drawn yet, the oldest first
let shownAt = -Infinity; // when the last turn of another player was drawn
let timer = 0;

const eventsIn = (html) => Number(fieldOf(html, "events"));
const pace = () => Number(table().dataset.pace);

const showWaiting = () => root.classList.toggle("turns-wait", waiting.length > 0);

const goOn = () => {
  clearTimeout(timer);
  if (waiting.length) timer = setTimeout(showNext, Math.max(0, shownAt + pace() - performance.now()));
  showWaiting();
};

const showNext = async () => {
  const html = waiting.shift();
  shownAt = performance.now();
  await draw(html);
  goOn();
};

/** Show everything that has come by now. */
const showRest = () => {
  const newest = waiting.at(-1);
  waiting = [];
  shownAt = -Infinity;
  goOn();
  if (newest) draw(newest);
};

const isTooSoon = (html) => {
  const { live, events } = table().dataset;
  if (!html || live !== "yes" || isTelling()) return false;
  if (table().classList.contains("acting")) {
    shownAt = -Infinity; // what the player has done is shown at once, and so is the first turn after it
    return false;
  }
  const before = waiting.length ? eventsIn(waiting.at(-1)) : Number(events);
  const now = eventsIn(html);
  if (document.hidden || now < before || waiting.length >= MOST_WAITING) {
    waiting = []; // not seen by anyone, or taken back: what was waiting is of no interest
    goOn();
    return false;
  }
  if (now === before) {
    if (waiting.length) waiting[waiting.length - 1] = html; // the same moves, and perhaps a new line of chat
    return waiting.length > 0;
  }
  if (!waiting.length && performance.now() >= shownAt + pace()) {
    shownAt = performance.now();
    return false;
  }
  waiting.push(html);
  goOn();
  return true;
};
askBeforeShowing(isTooSoon);

/** Forget tables that are older than the one on the page, such as the answer to what the player did meanwhile. */
export const updateTurns = () => {
  if (!waiting.length || isTelling()) return;
  waiting = waiting.filter(isNewer);
  goOn();
};

// A click on the table shows the rest, but not one that does something else.
document.addEventListener("click", ({ target }) => {
  if (!waiting.length || !target.closest("#table")) return;
  if (target.closest("[data-show-rest]") || !target.closest("a, button, input, select, [popover]")) showRest();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden && waiting.length) showRest();
});

// ------------------------------------------------------------------------------------ moves since the player's last one

const point = (line) => {
  for (const each of findAll(".pointed-at")) each.classList.remove("pointed-at");
  for (const id of line?.dataset.shows.split(" ") ?? []) if (id) byId(id)?.classList.add("pointed-at");
  byId("board").classList.toggle("pointing", Boolean(find(".pointed-at")));
  if (line?.dataset.showsCity && narrow.matches) showCity(line.dataset.showsCity);
};

const lineOf = (element) => element.closest?.("[data-shows]");

document.addEventListener("pointerover", ({ target }) => {
  if (lineOf(target) || find(".pointed-at")) point(lineOf(target) ?? lineOf(document.activeElement));
});
document.addEventListener("focusin", ({ target }) => point(lineOf(target)));
