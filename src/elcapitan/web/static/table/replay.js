// The replay: goes to any moment without loading the page anew.

import { request } from "./network.js";

const SLIDER_DELAY = 90; // milliseconds: while the slider moves, only where it rests is asked for

export const goTo = async (url) => {
  await request("GET", url, { select: "#table" });
  history.replaceState(history.state, "", url);
};

let timer = 0;
document.addEventListener("input", ({ target }) => {
  if (target.id !== "replay-at" || !window.htmx) return;
  const url = target.dataset.url + target.value;
  clearTimeout(timer);
  timer = setTimeout(() => goTo(url), SLIDER_DELAY);
});
