// The key of a link stands behind its #, which no browser sends to anybody. It is shown to the server in a header, which
// keeps it out of the history and of logs; the answer says what the key opens and asks for a click. Nothing is posted
// without one, unless this browser has the seat already. Without this script the link can be pasted.
"use strict";
document.documentElement.classList.add("scripted");
const enter = async () => {
  const key = location.hash.slice(1);
  const door = document.getElementById("door");
  if (!key || !door) return;
  const page = location.pathname + location.search;
  history.replaceState(history.state, "", page);
  const pasted = document.getElementById("key");
  if (pasted) pasted.value = key; // it can be sent by hand if there is no answer
  const answer = await fetch(page, { headers: { Authorization: `Bearer ${encodeURIComponent(key)}` } }).catch(() => null);
  if (!answer || (!answer.ok && answer.status !== 403)) return;
  door.innerHTML = await answer.text();
  const form = document.getElementById("by-link");
  if ("known" in form.dataset) form.requestSubmit();
  else if (answer.ok) form.querySelector("button").focus();
};
addEventListener("hashchange", enter);
enter();
