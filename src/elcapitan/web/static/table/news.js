// Marks the turns of the log that are new since the reader has looked last.

import { byId, findAll, gameKey, recall, remember, table } from "./page.js";

let seen = null; // how many events the reader has seen

/** Count everything that the table shows now as seen, because a player who acts has looked at it. */
export const markAllSeen = () => {
  seen = Number(table().dataset.events);
};

export const updateNews = () => {
  const { events, live } = table().dataset;
  if (live !== "yes") return;
  const key = gameKey("seen");
  seen ??= Number(recall(key) ?? events);
  for (const turn of findAll(".turn")) {
    turn.classList.toggle("new", !turn.matches(".mine") && Number(turn.dataset.event) > seen);
  }
  const link = byId("since");
  if (link) {
    link.hidden = Number(events) - seen < 2;
    link.href = link.dataset.url + seen;
  }
  if (document.visibilityState === "visible") remember(key, events);
};

document.addEventListener("visibilitychange", () => {
  if (!table()) return;
  if (document.visibilityState === "hidden") markAllSeen();
  else updateNews();
});
