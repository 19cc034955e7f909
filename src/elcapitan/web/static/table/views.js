// What a small screen shows of the table: the board or the cards, and which city large.

import { byId, find, findAll, recall, remember, root, table } from "./page.js";

export const showTab = (tab) => {
  root.dataset.tab = tab;
  remember("elcapitan tab", tab);
  for (const button of findAll("[data-tab]", table())) {
    button.setAttribute("aria-pressed", String(button.dataset.tab === tab));
  }
};

let chosen = null; // the number of a city
export const showCity = (number) => {
  chosen = number;
  for (const city of findAll(".city")) city.classList.toggle("chosen", city.dataset.city === chosen);
};

const cityToShow = () => {
  if (chosen && byId(`city-${chosen}`)) return chosen;
  return (find(".city.here") ?? find(".city"))?.dataset.city;
};

/** Show the same tab and city in a new table. */
export const updateViews = () => {
  showCity(cityToShow());
  showTab(root.dataset.tab ?? recall("elcapitan tab") ?? "board");
};
