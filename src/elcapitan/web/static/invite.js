// Copies links, and keeps an eye on who has come. Everything here works without it, and no words are made here.
"use strict";
document.documentElement.classList.add("scripted");

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  if (target.matches("[data-link]")) target.select();
  if (!button) return;
  const link = document.getElementById(button.dataset.copy);
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
  } catch {
    document.execCommand("copy"); // a page that is not on https has no clipboard of its own
  }
  button.textContent = button.dataset.copied;
});

// Whenever something changes at the table, the states are looked up again; links that are shown stay.
const page = document.querySelector("[data-events]");
if (page) {
  const look = async () => {
    const answer = await fetch(location.pathname).catch(() => null);
    if (!answer?.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const state of document.querySelectorAll("[data-state]")) {
      const now = fresh.getElementById(state.id);
      if (now) state.replaceWith(now);
    }
  };
  new EventSource(page.dataset.events).addEventListener("message", look);
}
