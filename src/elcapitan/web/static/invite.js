// Copies links and commands, and shows who has come. The page works without this script.

document.documentElement.classList.add("scripted");

const copy = async (field) => {
  if (field.select) field.select();
  else getSelection().selectAllChildren(field);
  try {
    await navigator.clipboard.writeText(field.value ?? field.textContent);
  } catch {
    document.execCommand("copy"); // without https a page may not use the clipboard
  }
};
document.addEventListener("click", async ({ target }) => {
  if (target.matches("[data-link]")) target.select();
  const button = target.closest("[data-copy]");
  if (!button) return;
  await copy(document.getElementById(button.dataset.copy));
  button.textContent = button.dataset.copied;
});

// A link to what can be done about somebody who is not coming opens the fold around it; newer browsers do that by
// themselves.
const unfold = () => {
  const wanted = document.getElementById(location.hash.slice(1));
  const fold = wanted?.closest("details:not([open])");
  if (!fold) return;
  fold.open = true;
  wanted.scrollIntoView();
};
unfold();
window.addEventListener("hashchange", unfold);

// Whenever something changes at the table, the states of the seats and what is needed for the start are loaded anew;
// links that are shown stay.
const updateStates = async () => {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const state of document.querySelectorAll("[data-state], [data-live]")) {
    const focused = state.contains(document.activeElement) ? document.activeElement.id : "";
    const now = fresh.getElementById(state.id);
    if (now) state.replaceWith(now);
    else state.remove();
    if (focused) document.getElementById(focused)?.focus();
  }
};
const page = document.querySelector("[data-events]");
if (page) new EventSource(page.dataset.events).addEventListener("message", updateStates);
