// What a small screen shows of the table: the board or cards and bank, which city large, and whether the board is enlarged.

import { byId, find, findAll, recall, remember, root, table } from "./page.js";

export const showTab = (tab) => {
  root.dataset.tab = tab;
  remember("elcapitan tab", tab);
  for (const button of findAll("[data-tab]", table())) {
    button.setAttribute("aria-pressed", String(button.dataset.tab === tab));
  }
};

let chosen = null; // the number of a city
let visited = null; // the number of the city where the ship of the player in turn was last seen

export const showCity = (number) => {
  chosen = number;
  for (const city of findAll(".city")) city.classList.toggle("chosen", city.dataset.city === chosen);
  if (root.dataset.zoom === "in") scrollToCity();
};

const scrollToCity = () => {
  find(".city.chosen")?.scrollIntoView({ block: "center", inline: "center" });
};

/** Show the board twice as large, with the chosen city in the middle, or all of it. */
export const zoom = (isIn) => {
  root.dataset.zoom = isIn ? "in" : "out";
  byId("zoom")?.setAttribute("aria-pressed", String(isIn));
  if (isIn) scrollToCity();
};
export const toggleZoom = () => zoom(root.dataset.zoom !== "in");

/** Show a city that was picked, as large as there is room for it. */
export const pickCity = (number) => {
  showCity(number);
  zoom(true);
};

/** Show the city in which actions would change something. */
export const showCityOf = (actions) => {
  const city = find(`.city:has(.preview[data-for~="${actions}"], .target[data-act="${actions}"])`);
  if (city) showCity(city.dataset.city);
};

// The large city follows the ship until another one is picked.
const cityToShow = () => {
  const here = find(".city.here")?.dataset.city ?? null;
  const hasSailed = here !== visited;
  visited = here;
  if (here && hasSailed) return here;
  if (chosen && byId(`city-${chosen}`)) return chosen;
  return (find(".city:has(.target)") ?? find(".city.reachable") ?? find(".city"))?.dataset.city;
};

/** Show the same tab and city in a new table. */
export const updateViews = () => {
  showCity(cityToShow());
  showTab(root.dataset.tab ?? recall("elcapitan tab") ?? "board");
  byId("zoom")?.setAttribute("aria-pressed", String(root.dataset.zoom === "in"));
};
