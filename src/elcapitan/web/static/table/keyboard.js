// What keys do, and where the keyboard focus goes when an update removes what has it.

import { find, findAll } from "./page.js";
import { explanations, hideHelp } from "./help.js";
import { play } from "./network.js";
import { closeAndReturn, isAnswerOpen } from "./popovers.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const STOPS = ".city .ground, .city .map > [data-help], .city .target";

// Arrow keys walk through the parts of a city.
const walk = (part, step) => {
  const city = part.closest(".city");
  const stops = [find(".ground", city), ...findAll(".map > [data-help]:not(.ground), .map > .target", city)];
  const stop = stops[(stops.indexOf(part) + step + stops.length) % stops.length];
  if (!stop.hasAttribute("tabindex") && !stop.matches("a")) stop.setAttribute("tabindex", "-1");
  stop.focus();
};

const undoOrRedo = (isRedo) => {
  const button = find(`[data-key="${isRedo ? "redo" : "undo"}"]`);
  if (button && !button.disabled) button.click();
};

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (key === "Escape") {
    if (find("#explain:popover-open")) {
      event.preventDefault(); // a popover below it stays open
      explanations().then(({ close }) => close());
    } else if (isAnswerOpen()) closeAndReturn();
    else hideHelp();
    return;
  }
  const place = target.closest?.("g[data-act]");
  if (place && (key === "Enter" || key === " ")) {
    event.preventDefault();
    play(place.dataset.act);
    return;
  }
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z" && !target.matches("input, textarea")) {
    event.preventDefault();
    undoOrRedo(event.shiftKey);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === "?" && !target.matches("input:not([type=range]), select, textarea")) {
    event.preventDefault();
    explanations().then(({ explainMeant }) => explainMeant());
    return;
  }
  if (key in STEPS && target.closest?.(STOPS)) {
    event.preventDefault();
    walk(target.closest(".map > *"), STEPS[key]);
    return;
  }
  const button = find(`#replay [data-key="${CSS.escape(key)}"]`);
  if (button && !target.matches("input, select, textarea") && !target.closest("dialog, [popover]")) {
    event.preventDefault();
    button.click();
  }
});

let successors = []; // selectors of what gets the focus if what has it disappears, nearest first

document.addEventListener("focusin", ({ target }) => {
  successors = [];
  const group = target.matches("#table :focus-visible") && target.closest(".city, .grp, .pan, .top");
  if (!group) return;
  const numbered = [target.id, `hand-${target.id}`].filter((id) => /.-?\d+$/.test(id)).map((id) => `#${id}`);
  const inGroup = group.id ? [`#${group.id} [data-act]`, `#${group.id} .ground`] : [];
  successors = [...numbered, ...inGroup, "#acts [data-act]", "#entries"];
});

/** Give the focus to the nearest successor if an update has removed what had it. */
export const updateFocus = () => {
  if (document.activeElement !== document.body) return;
  const next = successors.flatMap((each) => findAll(each)).find((each) => each.checkVisibility() && !each.disabled);
  next?.focus({ focusVisible: true, preventScroll: true });
  next?.scrollIntoView({ block: "nearest", inline: "nearest" });
};
