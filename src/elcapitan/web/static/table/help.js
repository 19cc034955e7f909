// What is pointed at or has the focus, and the bubble that says in a sentence what it is.

import { byId, find, findAll } from "./page.js";

const SHOW_AFTER = 650; // milliseconds
const HIDE_AFTER = 250;
const SAME_PLACE = 3; // pixels: what comes below a pointer that rests was not pointed at
const WALKING = new Set(["Tab", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]);

const GAP = 6; // pixels between a box and what it is about
const MARGIN = 8; // pixels between a box and the edge of the window
const STEP = 24; // pixels between the places that are tried where there is no room right beside it
const NEEDED_NEXT = "#acts, #hand, .path"; // the actions, the cards they use, and the steps of the turn
const LARGE = 0.25; // share of the window from which a thing may be covered by its explanation

let shown = null; // the element that the bubble is about
let clicked = null; // where the last click was, until the pointer moves
let ignored = null; // what lies there; it was not pointed at
let isWalking = false; // whether the last key moved the focus
let pointer = null; // where the pointer is; null once the keyboard has moved the focus
let timer = 0;

/** Say what an element is, if there is a help topic for it. */
export const showHelp = (element) => {
  const bubble = byId("bubble");
  const topic = element.dataset.help && find(`#help-topics [data-topic="${element.dataset.help}"]`);
  if (!bubble || !topic) return;
  shown = element;
  find(".what", bubble).textContent = element.getAttribute("aria-label") ?? "";
  const why = find(".why", bubble);
  why.textContent = element.dataset.why ?? "";
  if (element.dataset.rule) why.append(" ", ruleLink(element.dataset.rule));
  const about = [...topic.children].map((each) => each.cloneNode(true));
  if (topic.dataset.rule) about.push(ruleLink(topic.dataset.rule));
  find(".about", bubble).replaceChildren(...about);
  element.setAttribute("aria-describedby", "explanation");
  if (!bubble.matches(":popover-open")) bubble.showPopover();
  placeBeside(bubble, element.getBoundingClientRect());
};

const ruleLink = (rule) => {
  const link = find("#rule-link").cloneNode(true);
  link.removeAttribute("id");
  link.href += rule;
  link.dataset.readRule = rule;
  link.textContent = link.textContent.replace("%", rule);
  return link;
};

/** The element that the bubble is about, if it is shown. */
export const helped = () => shown;

export const hideHelp = () => {
  clearTimeout(timer);
  shown?.removeAttribute("aria-describedby");
  shown = null;
  const bubble = byId("bubble");
  if (bubble?.matches(":popover-open")) bubble.hidePopover();
};

/** Hide the bubble if an update has removed what it is about. */
export const updateHelp = () => {
  if (shown && !shown.isConnected) hideHelp();
};

// After a click nothing is said about what comes to lie below the pointer, until the pointer moves to something else.
const isIgnored = (element, { clientX, clientY }) => {
  if (clicked && Math.hypot(clientX - clicked.x, clientY - clicked.y) <= SAME_PLACE) {
    ignored = element;
    return true;
  }
  clicked = null;
  if (element && element === ignored) return true;
  ignored = null;
  return false;
};

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  const element = event.target.closest?.("[data-help]");
  clearTimeout(timer);
  if (isIgnored(element, event) || event.target.closest?.("#bubble") || (element && element === shown)) return;
  if (element) timer = setTimeout(() => showHelp(element), SHOW_AFTER);
  else if (shown) timer = setTimeout(hideHelp, HIDE_AFTER);
});
// These listen before all others, so that a click on what is refused can show the bubble again.
document.addEventListener("pointerdown", ({ target }) => target.closest("#bubble") || hideHelp(), true);
document.addEventListener(
  "click",
  ({ target, clientX, clientY }) => {
    if (target.closest("#bubble")) return;
    hideHelp();
    clicked = { x: clientX, y: clientY };
  },
  true,
);
document.addEventListener("keydown", ({ key }) => (isWalking = WALKING.has(key)), true);
document.addEventListener("focusin", ({ target }) => {
  if (target.closest("#bubble")) return;
  if (isWalking && !target.closest("#explain")) pointer = null;
  const element = target.closest("[data-help]");
  if (element && isWalking && target.matches(":focus-visible")) showHelp(element);
  else hideHelp();
});

/** What the player means now: what the bubble is about, what is pointed at, or what has the focus. */
export const meant = () => {
  const element = (pointer && document.elementFromPoint(pointer.x, pointer.y)) ?? document.activeElement;
  return element.closest("#bubble") ? shown : element;
};

document.addEventListener("pointermove", ({ clientX, clientY, pointerType }) => {
  pointer = pointerType === "touch" ? null : { x: clientX, y: clientY };
});

/** The explanations with rules; the script is loaded when one is asked for. */
export const explanations = () => import("./explanations.js");

// ------------------------------------------------------------------------------------------------------------ placing

const within = (least, value, most) => Math.max(least, Math.min(value, most));

/** How many square pixels two rectangles share. */
const shared = (one, other) =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

const distance = (one, other) =>
  Math.hypot(
    Math.max(0, one.left - other.right, other.left - one.right),
    Math.max(0, one.top - other.bottom, other.top - one.bottom),
  );

// Below and above come first, at the sides next; then all over the window.
const placesFor = (width, height, thing) => {
  const lefts = [thing.left, thing.right - width];
  const tops = [thing.top, thing.bottom - height];
  const places = [thing.bottom + GAP, thing.top - height - GAP].flatMap((top) => lefts.map((left) => [left, top]));
  places.push(...[thing.right + GAP, thing.left - width - GAP].flatMap((left) => tops.map((top) => [left, top])));
  for (let top = MARGIN; top + height < innerHeight; top += STEP) {
    for (let left = MARGIN; left + width < innerWidth; left += STEP) places.push([left, top]);
  }
  return places;
};

/** Place a box near a thing, so that it covers neither the thing nor what is needed next, as far as there is room. */
export const placeBeside = (box, thing) => {
  Object.assign(box.style, { left: `${MARGIN}px`, top: `${MARGIN}px` }); // near the right edge it would be narrower
  const { width, height } = box.getBoundingClientRect();
  const isLarge = thing.width * thing.height > LARGE * innerWidth * innerHeight;
  const keptFree = findAll(NEEDED_NEXT).map((each) => each.getBoundingClientRect());
  let best = { cost: Infinity };
  for (const [x, y] of placesFor(width, height, thing)) {
    const left = within(MARGIN, x, Math.max(MARGIN, innerWidth - width - MARGIN));
    const top = within(MARGIN, y, Math.max(MARGIN, innerHeight - height - MARGIN));
    const place = { left, top, right: left + width, bottom: top + height };
    const covered = keptFree.reduce((sum, each) => sum + shared(place, each), 0);
    const cost = 100 * covered + (isLarge ? 0 : 10 * shared(place, thing)) + distance(place, thing);
    if (cost < best.cost) best = { cost, left, top };
  }
  Object.assign(box.style, { left: `${best.left}px`, top: `${best.top}px` });
};
