// When a payday is told: as soon as it comes, and again when it is asked for. Whatever comes meanwhile is kept and drawn
// afterwards, so that nothing on the page is ahead of what is told.

import { byId, find, gameKey, recall, remember, root, table } from "./page.js";
import { askBeforeDrawing, draw, fieldOf } from "./network.js";
import { closeAll } from "./popovers.js";
import { beginStage, endStage } from "./stage.js";

let drawn = null; // how many paydays the table has shown
let telling = false;
let kept = ""; // the newest table that has come meanwhile
let origin = ""; // where the table of an earlier moment came from

/** Whether a payday is being told, or fetched to be told. */
export const isTelling = () => telling;

const fetched = async (url) => {
  const answer = await fetch(url, { headers: { "HX-Request": "true" } }).catch(() => null);
  return answer?.ok ? answer.text() : "";
};

const tell = async (number) => {
  telling = true;
  const { base, live } = table().dataset;
  origin = live === "yes" ? "" : location.href;
  remember(gameKey("payday"), number);
  closeAll();
  const stage = await fetched(`${base}/payday/${number}`);
  if (stage) await draw(stage);
  root.classList.remove("before-payday");
  if (!stage) await closePayday();
};

/** Go on with the game as it is by now, or go back to the moment that was shown. */
export const closePayday = async () => {
  const { home } = table().dataset;
  const isByKey = Boolean(document.activeElement?.matches(":focus-visible"));
  const html = kept || (await fetched(origin || `${home}/table`));
  telling = false;
  kept = "";
  if (!html) {
    location.assign(origin || home);
    return;
  }
  await draw(html);
  if (document.activeElement !== document.body) return;
  const actions = byId("acts"); // next to what is to be done, but not on it: a key may be pressed once more
  (actions?.checkVisibility() ? actions : table()).focus({ preventScroll: true, focusVisible: isByKey });
};

/** Tell a payday again. */
export const openPayday = (number) => {
  if (!telling) tell(number);
};

// A table with one more payday than the one on the page waits until that payday is told.
askBeforeDrawing((html) => {
  if (!html || fieldOf(html, "live") !== "yes") return false;
  const paydays = Number(fieldOf(html, "paydays"));
  if (!telling && (drawn === null || paydays <= drawn)) return false;
  if (!kept || Number(fieldOf(html, "number")) >= Number(fieldOf(kept, "number"))) kept = html;
  if (!telling) {
    drawn = paydays;
    tell(paydays);
  }
  return true;
});

/** Begin to tell a payday once its table is drawn; when the page is opened, the last one if it came while it was shut. */
export const updatePayday = () => {
  const { live, paydays, telling: staged } = table().dataset;
  if (staged) {
    beginStage();
    return;
  }
  endStage();
  if (live !== "yes" || telling || find("[data-guide]")) return;
  const seen = drawn ?? recall(gameKey("payday"));
  drawn = Number(paydays);
  if (seen !== null && drawn > Number(seen) && window.htmx) {
    root.classList.add("before-payday");
    tell(drawn);
  } else remember(gameKey("payday"), drawn);
};

document.addEventListener("click", (event) => {
  if (!telling || !event.target.closest('[data-stage="close"]')) return;
  event.preventDefault();
  closePayday();
});
