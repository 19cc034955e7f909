// The bubble that explains what the pointer rests on or the keyboard has reached.

import { byId, find } from "./page.js";

const SHOW_AFTER = 650; // milliseconds
const HIDE_AFTER = 250;
const GAP = 6; // pixels between a bubble and what it is about
const MARGIN = 8; // pixels between a bubble and the edge of the window

let explained = null; // the element that is explained now
let timer = 0;

/** Explain an element, if there is a help topic for it. */
export const showHelp = (element) => {
  const bubble = byId("bubble");
  const topic = element.dataset.help && find(`#help-topics [data-topic="${element.dataset.help}"]`);
  if (!bubble || !topic) return;
  explained = element;
  find(".what", bubble).textContent = element.getAttribute("aria-label") ?? "";
  const why = find(".why", bubble);
  why.textContent = element.dataset.why ?? "";
  if (element.dataset.rule) why.append(" ", ruleLink(element.dataset.rule));
  find(".about", bubble).replaceChildren(...[...topic.children].map((each) => each.cloneNode(true)));
  element.setAttribute("aria-describedby", "explanation");
  if (!bubble.matches(":popover-open")) bubble.showPopover();
  placeBeside(bubble, element.getBoundingClientRect());
};

const ruleLink = (rule) => {
  const link = find("#rule-link").cloneNode(true);
  link.removeAttribute("id");
  link.href += rule;
  link.textContent = link.textContent.replace("%", rule);
  return link;
};

export const hideHelp = () => {
  clearTimeout(timer);
  explained?.removeAttribute("aria-describedby");
  explained = null;
  const bubble = byId("bubble");
  if (bubble?.matches(":popover-open")) bubble.hidePopover();
};

/** Hide the bubble if an update has removed what it explains. */
export const updateHelp = () => {
  if (explained && !explained.isConnected) hideHelp();
};

/** Follow the link to the rule that the bubble names, if it is open. */
export const openRule = () => {
  if (explained) find(".about a", byId("bubble"))?.click();
};

/** Place a box below an element where there is room, else above it, and never beyond the edge of the window. */
export const placeBeside = (box, element) => {
  const { width, height } = box.getBoundingClientRect();
  const left = Math.min(Math.max(MARGIN, element.left), innerWidth - width - MARGIN);
  const fitsBelow = element.bottom + GAP + height < innerHeight;
  box.style.left = `${left}px`;
  box.style.top = `${fitsBelow ? element.bottom + GAP : Math.max(MARGIN, element.top - height - GAP)}px`;
};

document.addEventListener("pointerover", ({ target, pointerType }) => {
  if (pointerType === "touch") return;
  const element = target.closest?.("[data-help]");
  clearTimeout(timer);
  if (target.closest?.("#bubble") || (element && element === explained)) return;
  if (element) timer = setTimeout(() => showHelp(element), SHOW_AFTER);
  else if (explained) timer = setTimeout(hideHelp, HIDE_AFTER);
});
document.addEventListener("focusin", ({ target }) => {
  if (target.closest("#bubble")) return;
  const element = target.closest("[data-help]");
  if (element && target.matches(":focus-visible")) showHelp(element);
  else hideHelp();
});
