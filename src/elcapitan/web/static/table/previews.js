// Shows what an action would change while the pointer or the keyboard focus is on it; the server has drawn it already.

import { find, findAll } from "./page.js";

let shown = ""; // the actions whose preview is shown

const show = (actions) => {
  if (actions === shown) return;
  shown = actions;
  for (const each of findAll(".on[data-for], .hot")) each.classList.remove("on", "hot");
  if (!actions) return;
  for (const each of findAll(`[data-for~="${actions}"]`)) each.classList.add("on");
  for (const each of findAll(`.act[data-act="${actions}"]`)) each.classList.add("hot");
};

const actionsOf = (element) => element.closest?.("[data-act]")?.dataset.act ?? "";

/** Show the same preview again in a new table, if it still offers these actions. */
export const updatePreview = () => {
  const actions = shown;
  shown = "";
  show(actions && find(`[data-act="${actions}"]`) ? actions : "");
};

document.addEventListener("pointerover", (event) =>
  show(actionsOf(event.target) || actionsOf(document.activeElement ?? document.body)),
);
document.addEventListener("focusin", (event) => show(actionsOf(event.target)));
document.addEventListener("focusout", () => show(""));
