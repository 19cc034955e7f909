// What clicks and forms do.

import { find, isPlainClick, narrow } from "./page.js";
import { change, play } from "./network.js";
import { send } from "./chat.js";
import { explanations, showHelp } from "./help.js";
import { markAllSeen } from "./news.js";
import { openPayday } from "./payday.js";
import { closeAll, closeAndReturn, closeAnswers, openHint, openWays } from "./popovers.js";
import { goTo } from "./replay.js";
import { pickCity, showTab, toggleZoom } from "./views.js";

const ask = () => explanations().then((module) => module.ask());

// The first of these that a click is in, decides. Links that are opened here are left to the browser when a key is held.
const BUTTONS = [
  ["g[data-act]", (place) => play(place.dataset.act)],
  ["[data-pick]", (button) => pickCity(button.dataset.pick)],
  ["button[data-zoom]", toggleZoom],
  ["button[data-tab]", (button) => showTab(button.dataset.tab)],
  ["[data-close]", closeAndReturn],
  ["[data-ask]", ask],
];
const LINKS = [
  ["#open-rules", ask],
  ["#bubble [data-read-rule], #explain .rules a", (link) => explanations().then(({ openRule }) => openRule(link))],
  ["[data-ways-to]", (link) => openWays(link.dataset.waysTo)],
  ["[data-hint]", openHint],
  ["[data-payday]", (link) => openPayday(link.dataset.payday), () => window.htmx],
  ["[data-at]", (link) => goTo(link.getAttribute("href")), () => window.htmx],
  [".city", (city) => openWays(city.dataset.city), (city) => find("[data-ways]", city)],
];

document.addEventListener("click", (event) => {
  const { target } = event;
  const refused = target.closest("[aria-disabled='true']");
  if (refused) {
    event.preventDefault();
    if (refused.dataset.help) showHelp(refused);
    return;
  }
  for (const [selector, act] of BUTTONS) {
    const button = target.closest(selector);
    if (button) return act(button);
  }
  for (const [selector, open, isPossible = () => true] of isPlainClick(event) ? LINKS : []) {
    const link = target.closest(selector);
    if (!link || !isPossible(link)) continue;
    event.preventDefault();
    return open(link);
  }
  if (target.closest("[popover], [popovertarget], dialog")) return;
  const explained = target.closest("[data-help]");
  if (explained && (narrow.matches || event.pointerType === "touch")) showHelp(explained);
  else closeAnswers();
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-morph]");
  if (!form || !window.htmx || event.defaultPrevented) return;
  event.preventDefault();
  if (form.dataset.say !== undefined) {
    send(form);
    return;
  }
  closeAll();
  markAllSeen();
  change(form.action, Object.fromEntries(new FormData(form, event.submitter)));
});
