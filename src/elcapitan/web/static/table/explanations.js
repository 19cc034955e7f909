// The explanation that "?" opens for what is pointed at or has the focus: what it is, and its rule in full.
// The button "?" lets the next click or tap explain instead of act, so that touch screens have a way to it too.

import { byId, find, findAll, root } from "./page.js";
import { helped, hideHelp, meant, placeBeside } from "./help.js";
import { closeAll, load } from "./popovers.js";

const GENERAL = "explain"; // the topic that says how to ask
const REGIONS = ".city, .merchant, .pan, .grp, .top, .stage, .tabs, [popover], #table, .sheet, main";
const NOT_ASKED = "#explain, .tabs, .pick"; // while a click explains, these still show another part of the table
const LONGEST_NAME = 90; // letters

let subject = null; // what is explained
let opener = null; // what had the focus before

const panel = () => byId("explain");
const isOpen = () => Boolean(panel()?.matches(":popover-open"));
const isAsking = () => root.hasAttribute("data-asking");

// A topic names the parts of the table it is about by a selector, unless they name the topic by `data-help`.
const topics = () => findAll("#help-topics [data-topic]");
const explicable = () => ["[data-help]", ...topics().map((each) => each.dataset.parts)].filter(Boolean).join(", ");
const topicNamed = (name) => topics().find((each) => each.dataset.topic === name);
const topicOf = (element) =>
  topicNamed(element?.dataset.help) ??
  topics().find((each) => each.dataset.parts && element?.matches(each.dataset.parts)) ??
  topicNamed(GENERAL);

const nameOf = (element) => {
  const label = element?.getAttribute("aria-label") ?? (element && find(".words, h2, h3", element))?.textContent;
  const name = (label ?? element?.textContent ?? "").trim().replace(/\s+/g, " ");
  return name.length <= LONGEST_NAME ? name : "";
};

/** Add the text of a rule, unless it is there; the box with it, or nothing if there is none. */
const readRule = async (name) => {
  const rules = find(".rules", panel());
  let box = find(`[data-read="${name}"]`, rules);
  if (!box) {
    box = document.createElement("div");
    box.dataset.read = name;
    rules.append(box);
    if (!(await load(`/rules/${name}`, box))) box.remove();
  }
  if (!box.isConnected) return null;
  arrange();
  return box;
};

const arrange = () =>
  placeBeside(panel(), (subject?.isConnected ? subject : byId("open-rules")).getBoundingClientRect());

const neighbours = () => {
  const region = subject?.closest(REGIONS);
  return region ? findAll(explicable(), region).filter((each) => each.checkVisibility() || each === subject) : [];
};

const mark = (element) => {
  for (const each of findAll(".explained")) each.classList.remove("explained");
  subject = element;
  element?.classList.add("explained");
};

/** Explain an element in place: what it is, why it is refused, and its rules. Without one the next click is explained. */
export const explain = (element) => {
  const box = panel();
  const topic = topicOf(element);
  const isGeneral = topic.dataset.topic === GENERAL;
  hideHelp();
  mark(isGeneral ? null : element);
  root.toggleAttribute("data-asking", isGeneral);
  find(".what", box).textContent = nameOf(subject) || box.getAttribute("aria-label");
  find(".why", box).textContent = element?.dataset.why ?? "";
  find(".about", box).replaceChildren(...[...topic.children].map((each) => each.cloneNode(true)));
  find(".rules", box).replaceChildren();
  for (const button of findAll("[data-neighbour]", box)) button.hidden = neighbours().length < 2;
  open();
  for (const rule of new Set([topic.dataset.rule, element?.dataset.rule])) if (rule) readRule(rule);
};

const open = () => {
  const box = panel();
  if (!isOpen()) {
    opener = document.activeElement;
    box.showPopover();
    box.focus({ preventScroll: true });
  }
  arrange();
};

/** Let the next click explain what is clicked. */
export const ask = () => {
  closeAll();
  explain(null);
};

export const close = () => {
  if (!isOpen()) return false;
  panel().hidePopover();
  if (opener?.isConnected) opener.focus({ preventScroll: true });
  return true;
};

/** Explain what is pointed at or has the focus; a second time closes the explanation. */
export const explainMeant = () => {
  const about = meant();
  if (about?.closest("#explain")) {
    close();
    return;
  }
  const link = about?.closest("a.rule-link, .coach-rules a");
  explain(about?.closest(explicable()) ?? null);
  if (link) readRule(link.textContent.trim());
};

const step = (by) => {
  const all = neighbours();
  const next = all[(all.indexOf(subject) + by + all.length) % all.length];
  next?.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (next) explain(next);
};

/** Read a rule that a link names, in the explanation. */
export const openRule = async (link) => {
  if (!link.closest("#explain")) explain(helped()?.closest(explicable()) ?? null);
  const box = await readRule(link.dataset.readRule ?? link.hash.slice(1));
  box?.scrollIntoView({ block: "nearest" });
};

// A click explains while that was asked for; otherwise a click elsewhere closes the explanation, and does what it does.
document.addEventListener(
  "click",
  (event) => {
    const { target } = event;
    if (!isOpen() || target.closest(NOT_ASKED)) return;
    if (!isAsking()) {
      panel().hidePopover();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (target.closest("#open-rules")) close();
    else explain(target.closest(explicable()));
  },
  true,
);
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-neighbour]");
  if (button) step(Number(button.dataset.neighbour));
  else if (target.closest("[data-explained]")) close();
});

// An update of the table forgets what is marked.
document.addEventListener("htmx:after:swap", () => {
  if (isOpen() && subject?.isConnected) subject.classList.add("explained");
});
panel()?.addEventListener("toggle", ({ newState }) => {
  if (newState === "open") return;
  mark(null);
  delete root.dataset.asking;
});
