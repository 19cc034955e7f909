// What opens over the table: ways to a city, hints and win chances, drawn by the server when they are asked for.

import { byId, find, findAll, narrow } from "./page.js";
import { hideHelp, placeBeside } from "./help.js";

const MARGIN = 8; // pixels between a popover and the edge of the window
const OVERLAP = 4; // pixels of a city that its popover may cover
const BELOW_NAME = 24; // pixels from the top of a city

let opener = null; // what opened the last one; it gets the focus back

/** Close everything that is open over the table. */
export const closeAll = () => {
  for (const open of findAll(":popover-open")) if (open.id !== "bubble") open.hidePopover();
  hideHelp();
  find(".city.open")?.classList.remove("open");
};

/** Close everything and go back to where it was opened from. */
export const closeAndReturn = () => {
  closeAll();
  opener?.focus();
};

/** Close ways and hints, but not what closes by itself. */
export const closeAnswers = () => {
  for (const open of findAll("#ways:popover-open, #hint:popover-open")) open.hidePopover();
  find(".city.open")?.classList.remove("open");
};
export const isAnswerOpen = () => Boolean(find("#ways:popover-open, #hint:popover-open"));

/** Fill a box with a fragment from the server; whether there was one. */
export const load = async (url, box) => {
  const answer = await fetch(url, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok || answer.status === 204) return false;
  box.innerHTML = await answer.text();
  return true;
};

export const openWays = async (city) => {
  const link = find(`[data-ways="${city}"]`);
  const box = byId("ways");
  if (!link || !box) return;
  closeAll();
  opener = link;
  if (await load(link.getAttribute("href"), box)) show(box, byId(`city-${city}`));
};

export const openHint = async (link) => {
  const box = byId("hint");
  const menu = link.closest("[popover]");
  opener = menu ? find(`[popovertarget="${menu.id}"]`) : link;
  closeAll();
  link.setAttribute("aria-busy", "true");
  const loaded = await load(link.getAttribute("href"), box).finally(() => link.removeAttribute("aria-busy"));
  if (!loaded) return;
  show(box, null);
  if (!narrow.matches) placeBeside(box, opener.getBoundingClientRect());
};

// On wide screens the ways stand beside their city, so that it stays in sight.
const show = (box, city) => {
  box.showPopover();
  if (city && !narrow.matches) {
    city.classList.add("open");
    const here = city.getBoundingClientRect();
    const own = box.getBoundingClientRect();
    const fitsRight = here.right + own.width + MARGIN < innerWidth;
    box.style.left = `${fitsRight ? here.right - OVERLAP : Math.max(MARGIN, here.left - own.width + OVERLAP)}px`;
    box.style.top = `${Math.min(Math.max(MARGIN, here.top + BELOW_NAME), innerHeight - own.height - MARGIN)}px`;
  }
  find("button:not(.close), a", box)?.focus({ focusVisible: document.activeElement?.matches(":focus-visible") });
};
