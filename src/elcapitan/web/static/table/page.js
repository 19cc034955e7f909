// What the scripts of the table share: finding elements, and what a browser remembers about a game.

export const root = document.documentElement;
const asksForLess = matchMedia("(prefers-reduced-motion: reduce)");
export const narrow = matchMedia("(max-width: 599px), (max-height: 499px)"); // as in table_screens.css

/** Whether nothing shall move: as chosen in the menu, else as the system asks for. */
export const reducedMotion = {
  get matches() {
    const { motion } = root.dataset;
    return motion ? motion === "off" : asksForLess.matches;
  },
};

/** Let the styles know whether things move. */
export const updateMotion = () => root.classList.toggle("moving", !reducedMotion.matches);
updateMotion();
asksForLess.addEventListener("change", updateMotion);

export const find = (selector, within = document) => within.querySelector(selector);
export const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];
export const byId = (id) => document.getElementById(id);

/** The table as it is now; updates replace it as a whole. */
export const table = () => byId("table");

/** Whether a click would follow a link in this window: without a modifier key and with the main button. */
export const isPlainClick = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey || event.button);

// A browser may refuse to store anything; then nothing is remembered.
export const remember = (key, value) => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // nothing to do
  }
};
export const recall = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/** The key under which something about this game is remembered. */
export const gameKey = (what) => `elcapitan ${table().dataset.game} ${what}`;
