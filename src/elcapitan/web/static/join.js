// Opens a link with a key. The key stands behind the #, which no browser sends to a server. It is sent in a header, to
// keep it out of the history and of logs; the answer says what the key opens and asks for a click. Nothing is posted
// without one, unless this browser has the seat already. Without this script the link can be pasted.

document.documentElement.classList.add("scripted");

const enter = async () => {
  const key = location.hash.slice(1);
  const door = document.getElementById("door");
  if (!key || !door) return;
  const page = location.pathname + location.search;
  history.replaceState(history.state, "", page);
  const pasted = document.getElementById("key");
  if (pasted) pasted.value = key; // it can be sent by hand if there is no answer
  const headers = { Authorization: `Bearer ${encodeURIComponent(key)}` };
  const answer = await fetch(page, { headers }).catch(() => null);
  if (!answer || (!answer.ok && answer.status !== 403)) return;
  door.innerHTML = await answer.text();
  const form = document.getElementById("by-link");
  if ("known" in form.dataset) form.requestSubmit();
  else if (answer.ok) form.querySelector("button").focus();
};

addEventListener("hashchange", enter);
enter();
