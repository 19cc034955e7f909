// Clocks that run down, and times in the reader's way. Clocks go by the server's time: what it was when the page came,
// plus what has passed since.

import { byId, find, findAll, root } from "./page.js";

const ahead = Number(byId("live")?.dataset.now ?? Date.now()) - Date.now(); // milliseconds
const twoDigits = (number) => String(number).padStart(2, "0");

const tick = () => {
  for (const shown of findAll("[data-due]")) {
    const left = Math.max(0, Math.ceil((Number(shown.dataset.due) - Date.now() - ahead) / 1000));
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    shown.textContent = hours
      ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}`
      : `${minutes}:${twoDigits(seconds)}`;
    shown.closest(".clock").classList.toggle("near", left <= Number(shown.dataset.near));
  }
};

/** Write a moment in the reader's way and zone: the time of day, with the date unless it is today. */
export const timeOf = (date) => {
  const today = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(root.lang, { ...(today ? {} : { dateStyle: "short" }), timeStyle: "short" });
};

let timer = 0;

/** Show the time that is left, and go on every second while any clock runs. */
export const updateClocks = () => {
  for (const time of findAll("time[data-local]")) time.textContent = timeOf(new Date(time.dateTime));
  tick();
  const running = Boolean(find("[data-due]"));
  if (running && !timer) timer = setInterval(tick, 1000);
  if (!running) {
    clearInterval(timer);
    timer = 0;
  }
};
