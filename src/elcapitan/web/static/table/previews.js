// Shows what an action would change while the pointer or the keyboard focus is on it; the server has drawn it already.

import { byId, find, findAll } from "./page.js";
import { showCity, showCityOf } from "./views.js";

let shown = ""; // the actions whose preview is shown

const show = (actions) => {
  if (actions === shown) return;
  shown = actions;
  for (const each of findAll(".on[data-for], .ahead, .hot")) each.classList.remove("on", "ahead", "hot");
  if (!actions) return;
  for (const each of findAll(`[data-for~="${actions}"]`)) {
    each.classList.add("on");
    each.closest(".forecast, .purse")?.classList.add("ahead");
  }
  for (const each of findAll(`.act[data-act="${actions}"]`)) each.classList.add("hot");
};

// On a small screen the large city follows what is pointed at in the lists; what is on the board is there already.
const follow = (element) => {
  const act = element.closest?.(".act, .card");
  if (act?.dataset.act) showCityOf(act.dataset.act);
  else if (act?.dataset.waysTo) showCity(act.dataset.waysTo);
};

const SVG = "http://www.w3.org/2000/svg";

// At the end of a route nothing is drawn ahead, but the site that a build there means shows its number.
const showSite = (element) => {
  find("#route-site")?.remove();
  const means = element.closest?.("[data-site]");
  if (!means) return;
  const number = document.createElementNS(SVG, "use");
  number.id = "route-site";
  number.setAttribute("href", `#site-${means.dataset.site}`);
  find(".map", byId(`city-${means.closest("[data-ways-city]").dataset.waysCity}`))?.append(number);
};

const actionsOf = (element) => element.closest?.("[data-act]")?.dataset.act ?? "";

/** Show the same preview again in a new table, if it still offers these actions. */
export const updatePreview = () => {
  const actions = shown;
  shown = "";
  show(actions && find(`[data-act="${actions}"]`) ? actions : "");
};

document.addEventListener("pointerover", (event) => {
  show(actionsOf(event.target) || actionsOf(document.activeElement ?? document.body));
  showSite(event.target);
  follow(event.target);
});
document.addEventListener("focusin", (event) => {
  show(actionsOf(event.target));
  showSite(event.target);
  follow(event.target);
});
document.addEventListener("focusout", () => {
  show("");
  showSite(document.body);
});
