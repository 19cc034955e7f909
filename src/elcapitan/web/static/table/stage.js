// A payday on the board: cities light up one after the other, coins go to the purses, and the ranking follows.

import { byId, find, findAll, narrow, recall, reducedMotion, remember, root } from "./page.js";
import { amountsAt, inSight, payOut, showPurse, showRanking, stopCoins } from "./coins.js";
import { showCity } from "./views.js";

const WHOLE = 15_000; // milliseconds at normal speed: TELLING in service/table_settings.py
const OPENING = 1300; // of them, for the title
const SPEEDS = [0, 0.5, 1, 2, 4]; // by the places of the slider; at the first every step waits for a key
const BY_HAND = 900; // milliseconds for the coins of a step that waits for a key
const GAP = 10; // pixels between a city and what is said about it
const ENTERING = { opacity: [0, 1], scale: [0.94, 1] };
const MARGIN = 6; // pixels between that and the edge of the board

let told = ""; // which payday is on the stage
let at = -1; // the step that is shown; -1 while the title is
let isPaused = false;
let isList = false;
let timer = 0;

const stage = () => byId("stage");
const steps = () => findAll(".pay-step", stage());
const speed = () => SPEEDS[Number(byId("stage-speed").value)];
const runs = () => speed() > 0 && !reducedMotion.matches;
const isLast = () => at >= steps().length - 1;

// ------------------------------------------------------------------------------------------------------------- time

const weightOf = (step) => 1 + 0.3 * findAll("[data-seat]", step).length;

const durationOf = (step) => {
  const all = steps().slice(0, -1);
  const sum = all.reduce((total, each) => total + weightOf(each), 0);
  return ((WHOLE - OPENING) * weightOf(step)) / sum / (speed() || 1);
};

/** How long the title and every step are shown at the speed that is chosen, in milliseconds. */
export const durations = () => [OPENING / (speed() || 1), ...steps().slice(0, -1).map(durationOf)];

/** Show the next step after a while; while nobody looks at the page, time does not run. */
const goOnIn = (milliseconds) => {
  clearTimeout(timer);
  const isStarting = at < 0;
  if (isPaused || isList || document.hidden || !(isStarting || runs())) return;
  timer = setTimeout(() => show(at + 1), milliseconds);
};

// ------------------------------------------------------------------------------------------------- what a step shows

const amountsAfter = (number) => amountsAt(number < 0 ? stage() : steps().at(Math.min(number, steps().length - 2)));

const settle = (number) => {
  stopCoins();
  const amounts = amountsAfter(number);
  amounts.purses.forEach((amount, seat) => showPurse(seat, amount));
  showRanking(amounts);
};

const light = (step) => {
  for (const each of findAll(".lit")) each.classList.remove("lit");
  const city = step?.dataset.city;
  const kind = step?.dataset.kind;
  byId("board").classList.toggle("dimmed", Boolean(kind) && kind !== "recap");
  const lit = city === undefined ? kind && kind !== "recap" && byId("chart") : byId(`city-${city}`);
  if (lit) lit.classList.add("lit");
  return lit || null;
};

// Where the coins of a line come from: what is paid for, if it is in sight.
const sourceOf = (step, line) => {
  const colour = find(".badge", line).classList[1];
  const { kind, city } = step.dataset;
  const places = {
    city: [find(`#coin-${city}`), byId(`city-${city}`)],
    fortress: [find(`#city-${city} [id^="tower-"].${colour}`), byId(`city-${city}`)],
    proliferation: [find(`#chart .there .${colour}`)],
    bonus: [find(`#merchant-${line.dataset.seat} .bonus`), find("#chart .bonuses")],
  };
  return inSight(...places[kind], line);
};

const pay = (step, number) => {
  const before = amountsAfter(number - 1);
  const duration = runs() ? durationOf(step) * 0.78 : BY_HAND;
  const lines = findAll("[data-seat]", step).filter((line) => Number(line.dataset.amount));
  for (const line of lines) {
    const seat = Number(line.dataset.seat);
    payOut(sourceOf(step, line), seat, before.purses[seat], Number(line.dataset.amount), duration);
  }
  const follow = () => at === number && showRanking(amountsAfter(number));
  if (reducedMotion.matches) follow();
  else setTimeout(follow, duration);
};

// Beside what it is about and within the board; on narrow screens it stands below the board.
const place = (step, lit) => {
  if (narrow.matches || isList) return;
  const pane = byId("pay-steps").getBoundingClientRect();
  const { width, height } = step.getBoundingClientRect();
  const centre = { left: (pane.width - width) / 2, top: (pane.height - height) / 2 };
  if (lit) {
    const city = lit.getBoundingClientRect();
    const right = city.right - pane.left + GAP;
    centre.left = right + width + MARGIN < pane.width ? right : city.left - pane.left - width - GAP;
    centre.top = city.top - pane.top + (city.height - height) / 2;
  }
  step.style.left = `${Math.max(MARGIN, Math.min(centre.left, pane.width - width - MARGIN))}px`;
  step.style.top = `${Math.max(MARGIN, Math.min(centre.top, pane.height - height - MARGIN))}px`;
};

// What is read out of a part: its words without the numbers of rules, which are links.
const readOut = (part) => {
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (data.trim() && !parentElement.closest(".rule-link")) found.push(data.trim());
  }
  return found.join(" ");
};

const wordsOf = (step) =>
  `${readOut(find("h3", step))}. ${findAll(".why, .told-changes li", step).map(readOut).join(" ")}`;

/** Show a step; what came before it is settled. Only what was asked for is read out, so that nothing talks by itself. */
const show = (wanted, isAskedFor = false) => {
  const all = steps();
  const number = Math.max(0, Math.min(wanted, all.length - 1));
  settle(number - 1);
  at = number;
  const step = all[number];
  root.classList.add("told-title");
  all.forEach((each, index) => {
    each.hidden = index !== number;
  });
  place(step, light(step));
  showControls();
  if (isLast()) {
    clearTimeout(timer);
    byId("stage-said").textContent = wordsOf(step);
    byId("stage-close").focus({ preventScroll: true });
    return;
  }
  if (isAskedFor) byId("stage-said").textContent = wordsOf(step);
  if (!reducedMotion.matches) step.animate(ENTERING, 160);
  pay(step, number);
  goOnIn(durationOf(step));
};

const showList = (wanted) => {
  isList = wanted;
  clearTimeout(timer);
  stopCoins();
  stage().classList.toggle("list", isList);
  byId("stage-list").setAttribute("aria-pressed", String(isList));
  root.classList.toggle("told-title", true);
  if (!isList) {
    show(0, true);
    byId("stage-next").focus({ preventScroll: true }); // so that the space bar goes on
    return;
  }
  at = steps().length - 1;
  for (const step of steps()) step.hidden = false;
  light(null);
  settle(at);
  showControls();
};

const showControls = () => {
  const isOver = isList || isLast();
  for (const button of findAll("[data-stage=pause], [data-stage=next], [data-stage=end]")) button.disabled = isOver;
  find("[data-stage=back]").disabled = isList || at <= 0;
  byId("stage-pause").setAttribute("aria-pressed", String(isPaused));
  byId("stage-pause").hidden = !runs();
  byId("stage-close").classList.toggle("waits", !isOver);
  find(".stage-bar").classList.toggle("runs", !isOver);
};

// --------------------------------------------------------------------------------------------------- begin and end

/** Begin to tell the payday on the page, unless it is being told. */
export const beginStage = () => {
  showCity(""); // no city large: all of them are told
  const { stageOf, game } = stage().dataset;
  if (told === `${game} ${stageOf}`) return;
  told = `${game} ${stageOf}`;
  isPaused = false;
  isList = false;
  at = -1;
  root.classList.add("telling");
  root.classList.remove("told-title");
  byId("stage-speed").value = recall("elcapitan speed") ?? 2;
  if (reducedMotion.matches || root.dataset.view === "tables") {
    showList(true);
    byId("stage-title").focus({ preventScroll: true });
    return;
  }
  for (const step of steps()) step.hidden = true;
  byId("board").classList.add("dimmed");
  showControls();
  byId("stage-next").focus({ preventScroll: true });
  goOnIn(durations()[0]);
};

/** Stop telling; the page shows the game again. */
export const endStage = () => {
  if (!told) return;
  told = "";
  clearTimeout(timer);
  stopCoins();
  root.classList.remove("telling", "told-title");
  showCity(null);
};

const close = () => {
  const link = byId("stage-close"); // the guide has its own way on
  if (link.checkVisibility()) link.click();
};

const next = () => {
  if (isList || isLast()) close();
  else show(at + 1, true);
};

const ACTS = {
  next,
  back: () => show(at - 1, true),
  end: () => show(steps().length - 1),
  list: () => showList(!isList),
  pause: () => {
    isPaused = !isPaused;
    showControls();
    if (isPaused) clearTimeout(timer);
    else goOnIn(0);
  },
};

document.addEventListener("click", ({ target }) => {
  if (told) ACTS[target.closest("[data-stage]")?.dataset.stage]?.();
});
document.addEventListener("visibilitychange", () => {
  if (told && !isList && !isLast()) goOnIn(durations()[at + 1]);
});
document.addEventListener("input", ({ target }) => {
  if (target.id !== "stage-speed") return;
  remember("elcapitan speed", target.value);
  showControls();
  if (at >= 0 && !isLast()) goOnIn(durationOf(steps()[at]));
});
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (!told || event.ctrlKey || event.metaKey || event.altKey || find(":popover-open:not(#bubble)")) return;
  const isSlider = target.matches?.("input[type=range]");
  if (key === " " && !target.matches?.("button, textarea, input:not([type=range])")) {
    event.preventDefault();
    next();
  } else if (key === "Escape") {
    if (isList || isLast()) close();
    else ACTS.end();
  } else if (key === "ArrowRight" && !isSlider && !isList && !isLast() && !find("[data-guide]")) next();
  else if (key === "ArrowLeft" && !isSlider && !isList && at > 0 && !find("[data-guide]")) ACTS.back();
});
addEventListener("resize", () => {
  if (told && at >= 0 && !isList) place(steps()[at], find(".lit"));
});
