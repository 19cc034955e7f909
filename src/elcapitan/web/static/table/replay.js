// The end of a game, whose result opens by itself and can be saved as a picture, and the replay of any moment.

import { byId, findAll, reducedMotion, table } from "./page.js";
import { request } from "./network.js";
import { load } from "./popovers.js";

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

// ----------------------------------------------------------------------------------------------------------- the end

const COUNTING = 1400; // milliseconds
const SHARPNESS = 2; // pixels of a saved picture for each of the drawing

let isOver = null; // whether the game was over when the table was drawn last
let asked = ""; // the game whose dearest mistake was asked for
let found = ""; // what was found

const showMistake = async () => {
  const box = byId("mistake");
  if (!box) return;
  const { game } = table().dataset;
  if (asked === game) {
    if (found) box.innerHTML = found;
    return;
  }
  asked = game;
  found = "";
  if (await load(box.dataset.url, box)) found = box.innerHTML;
  else byId("mistake")?.remove();
};

/** Open the result as soon as the game is over, but not when a finished game is opened again. */
export const updateEnding = () => {
  const { over, live } = table().dataset;
  const result = byId("result");
  if (live !== "yes") return;
  const hasEnded = isOver === false && over !== undefined;
  isOver = over !== undefined;
  if (!result) return;
  if (result.matches(":popover-open")) showMistake();
  else if (hasEnded) {
    result.showPopover();
    if (!document.activeElement?.matches("input, textarea")) result.focus({ preventScroll: true });
  }
};

const count = (element) => {
  const last = element.textContent;
  const amount = Number(element.dataset.count);
  const began = performance.now();
  const step = (now) => {
    const share = Math.min(1, (now - began) / COUNTING);
    element.textContent = share < 1 ? last.replace(/[\d]+/, Math.round(Math.abs(amount) * share)) : last;
    if (share < 1 && element.isConnected) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
};

document.addEventListener(
  "toggle",
  (event) => {
    if (event.target.id !== "result" || event.newState !== "open") return;
    showMistake();
    if (!reducedMotion.matches) findAll("[data-count]", event.target).forEach(count);
  },
  true,
);

const asPng = async (url) => {
  const drawing = new Image();
  drawing.src = url;
  await drawing.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SHARPNESS * drawing.naturalWidth;
  canvas.height = SHARPNESS * drawing.naturalHeight;
  canvas.getContext("2d").drawImage(drawing, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};

const save = (url, name) => {
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: name });
  link.click();
};

document.addEventListener("click", async (event) => {
  const link = event.target.closest("#save-picture");
  if (!link) return;
  event.preventDefault();
  const png = await asPng(link.href).catch(() => null);
  if (!png) {
    save(link.href, ""); // as SVG, as the server sends it
    return;
  }
  const address = URL.createObjectURL(png);
  save(address, link.dataset.name);
  setTimeout(() => URL.revokeObjectURL(address), COUNTING);
});
