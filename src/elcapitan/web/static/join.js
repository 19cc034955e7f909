// The key of a link stands behind its #, which no browser sends to anybody: it is posted from here, and not kept in the
// history. Without this it can be pasted.
"use strict";
document.documentElement.classList.add("scripted");
const enter = () => {
  const key = location.hash.slice(1);
  const form = document.getElementById("by-link");
  if (!key || !form) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  form.elements.key.value = key;
  form.requestSubmit();
};
addEventListener("hashchange", enter);
enter();
