// Calls a player back whose turn has begun: by the title and the icon of the page, by a sound, and by notifications of
// the browser if they are switched on. The server pushes those too, so that they come while no page is open.

import { fieldOf } from "./network.js";
import { byId, find, findAll, recall, remember, table } from "./page.js";
import { play } from "./sound.js";

const CHOICE = "elcapitan notifications"; // for all tables of this browser
const STATES = { denied: "refused", granted: "open", default: "off" };

const calls = () => byId("calls");
const isOn = () => recall(CHOICE) === "on";
const isAllowed = () => window.isSecureContext && window.Notification?.permission === "granted";

/** Say one of the sentences that are on the page. */
const say = (state) => {
  for (const each of findAll("[data-state]", calls())) each.hidden = each.dataset.state !== state;
  const box = byId("notify");
  box.checked = state === "open" || state === "push";
  box.disabled = state === "refused" || state === "insecure" || state === "missing";
};

// --------------------------------------------------------------------------------------------- title, icon and sound

const registration = () => navigator.serviceWorker?.getRegistration();

const notify = async () => {
  const { name, body, picture } = calls().dataset;
  const { game } = table().dataset;
  const data = { path: location.pathname };
  await (await registration())?.showNotification(name, { body, icon: picture, tag: game, data });
};

const closeNotifications = async () => {
  const worker = await registration();
  const shown = (await worker?.getNotifications({ tag: table().dataset.game })) ?? [];
  for (const each of shown) each.close();
};

let mine = null; // whether it was the reader's turn at the last look

const look = (now) => {
  const before = mine;
  mine = now;
  if (!calls() || before === mine) return;
  const { title, turnTitle, icon, turnIcon } = calls().dataset;
  document.title = mine ? turnTitle : title;
  find("link[rel=icon]").href = mine ? turnIcon : icon;
  if (mine && before === false) {
    play("turn");
    if (document.visibilityState === "hidden" && isOn() && isAllowed()) notify();
  }
  if (before && !mine) closeNotifications();
};

/** Look whose turn it is on the table as it is drawn; nothing is ahead of it while the reader looks on. */
export const updateCalls = () => look(table().dataset.acting === "yes");

// A page in the background draws nothing, so it looks at what comes.
document.addEventListener("htmx:sse:before:message", (event) => {
  const html = event.detail?.message?.data;
  if (document.visibilityState === "hidden" && fieldOf(html, "live")) look(fieldOf(html, "acting") === "yes");
});

// ------------------------------------------------------------------------------------------------------------- push

const post = async (path, fields) => {
  const answer = await fetch(path, { method: "POST", body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(answer.statusText);
};

/** Subscribe to the browser's push service; anew if an earlier subscription was for another server. */
const subscription = async (manager, applicationServerKey) => {
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const other = error.name === "InvalidStateError" && (await manager.getSubscription());
    if (!other) throw error;
    await other.unsubscribe();
    return manager.subscribe(options);
  }
};

/** Let the server push messages to this browser. Returns whether it can. */
const subscribe = async () => {
  const { push } = calls().dataset;
  try {
    const { pushManager } = await navigator.serviceWorker.ready;
    const { key } = await (await fetch(push)).json();
    const { endpoint, keys } = (await subscription(pushManager, key)).toJSON();
    await post(push, { address: endpoint, public_key: keys.p256dh, secret: keys.auth });
    return true;
  } catch {
    return false; // then notifications come while a page is open
  }
};

const unsubscribe = async () => {
  const made = await (await registration())?.pushManager?.getSubscription();
  if (!made) return;
  await post(`${calls().dataset.push}/stop`, { address: made.endpoint }).catch(() => {});
  await made.unsubscribe(); // other tables are told so by the push service
};

const switchOn = async () => {
  const answer = await Notification.requestPermission();
  if (answer !== "granted") {
    say(STATES[answer]);
    return;
  }
  remember(CHOICE, "on");
  say("open");
  if (await subscribe()) say("push");
};

const switchOff = async () => {
  remember(CHOICE, "off");
  say("off");
  await unsubscribe();
};

const begin = async () => {
  calls().hidden = false;
  if (!window.isSecureContext) {
    say("insecure");
    return;
  }
  if (!window.Notification || !navigator.serviceWorker) {
    say("missing");
    return;
  }
  say(isAllowed() && !isOn() ? "off" : STATES[Notification.permission]);
  byId("notify").addEventListener("change", ({ target }) => (target.checked ? switchOn() : switchOff()));
  await navigator.serviceWorker.register(calls().dataset.worker).catch(() => {});
  if (isOn() && isAllowed() && (await subscribe())) say("push");
};

document.addEventListener("visibilitychange", () => {
  if (calls() && document.visibilityState === "visible") closeNotifications();
});
// What the page shows is loaded first.
if (calls()) window.addEventListener("load", begin, { once: true });
