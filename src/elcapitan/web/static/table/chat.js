// The chat: sends messages, counts those that are new, and shows when each was written.

import { byId, findAll, gameKey, recall, remember } from "./page.js";
import { request } from "./network.js";
import { timeOf } from "./clocks.js";

/** Send the message in the form and empty it. */
export const send = async (form) => {
  const values = Object.fromEntries(new FormData(form));
  form.reset();
  await request("POST", form.action, { values });
};

/** Count the messages that are new since the chat was open last, and write their times in the reader's way. */
export const updateChat = () => {
  const chat = byId("talk");
  if (!chat) return;
  if (chat.matches(":popover-open") && document.visibilityState === "visible") {
    remember(gameKey("talk"), chat.dataset.last);
  }
  const read = Number(recall(gameKey("talk")) ?? 0);
  const unread = findAll(".said:not(.mine)", chat).filter((line) => Number(line.dataset.line) > read).length;
  const count = byId("unread");
  count.hidden = !unread;
  count.textContent = unread;
  for (const time of findAll("time", chat)) time.textContent = timeOf(new Date(time.dateTime));
};

document.addEventListener(
  "toggle",
  (event) => {
    if (event.target.id !== "talk" || event.newState !== "open") return;
    updateChat();
    byId("say-text")?.focus();
  },
  true,
);
