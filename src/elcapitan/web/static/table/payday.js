// The payday, step by step in a dialog.

import { byId, find, findAll, gameKey, recall, remember, table } from "./page.js";
import { load } from "./popovers.js";

const dialog = () => byId("payday");
let offered = 0; // a payday opens by itself only once

/** Open a payday, unless one is open already. */
export const openPayday = async (number) => {
  const box = dialog();
  if (!box || box.open || !(await load(`${table().dataset.base}/payday/${number}`, box))) return;
  remember(gameKey("payday"), number);
  showStep(1);
  box.showModal();
  find("[data-payday-next]", box)?.focus();
};

/** Open the last payday if this browser has not shown it yet. */
export const offerPayday = () => {
  const { paydays, live } = table().dataset;
  const held = Number(paydays);
  if (live !== "yes" || held <= Number(recall(gameKey("payday")) ?? 0) || held === offered) return;
  offered = held;
  openPayday(held);
};

const showStep = (wanted) => {
  const box = dialog();
  const steps = findAll(".pay-step", box);
  const number = Math.min(Math.max(wanted, 1), steps.length);
  box.dataset.step = number;
  box.classList.remove("everything");
  steps.forEach((step, index) => {
    step.hidden = index !== number - 1;
  });
  steps[number - 1].focus({ preventScroll: true });
  const count = find(".count", box);
  count.textContent = `${number} / ${count.dataset.count}`;
  showButtons(number === steps.length);
  find("[data-payday-back]", box).disabled = number === 1;
};

const showAll = () => {
  const box = dialog();
  box.classList.add("everything");
  for (const step of findAll(".pay-step", box)) step.hidden = false;
  find(".count", box).textContent = "";
  showButtons(true);
};

const showButtons = (isLast) => {
  const box = dialog();
  find("[data-payday-next]", box).hidden = isLast;
  find("[data-payday-done]", box).hidden = !isLast;
  find("[data-payday-skip]:not([data-payday-done])", box).hidden = isLast;
  find(isLast ? "[data-payday-done]" : "[data-payday-next]", box).focus();
};

document.addEventListener("click", ({ target }) => {
  const box = target.closest("#payday");
  if (!box) return;
  const step = Number(box.dataset.step);
  if (target.closest("[data-payday-next]")) showStep(step + 1);
  else if (target.closest("[data-payday-back]")) showStep(step - 1);
  else if (target.closest("[data-payday-skip]")) box.close();
  else if (target.closest("[data-payday-all]")) showAll();
});
document.addEventListener("keydown", ({ key, target }) => {
  const box = dialog();
  if (!box?.open || target.closest("a")) return;
  if (key === "ArrowRight") showStep(Number(box.dataset.step) + 1);
  if (key === "ArrowLeft") showStep(Number(box.dataset.step) - 1);
});
