// Leaves out of a new table the parts that are on the page already. After most moves those are more than half of it, and
// a browser would read them only to find that they are the same. A part is left out only if the server has drawn it as
// before and no script has changed it since, so the page is the same as if everything had been drawn.

import { byId, table } from "./page.js";

const PART = /<(\w+)[^<>]* id="([^"<>]+)" data-part\b/g; // no text of a player has such quotes: the server escapes them
const EVERYTHING = { subtree: true, attributes: true, characterData: true, childList: true };

let shown = new Map(); // id of a part on the page: the HTML from which it was drawn
let coming = null; // the same of the table that is being drawn

/** Forget the parts that were changed, so that they are drawn again. */
const forget = (changes) => {
  for (const { target } of changes) {
    const part = (target.closest ? target : target.parentElement)?.closest("[data-part]");
    if (part) shown.delete(part.id);
  }
};
const scripts = new MutationObserver(forget);

/** Where an element ends in HTML, from its tag and where it begins. */
const endOf = (html, tag, begin) => {
  const tags = new RegExp(`<(/?)${tag}\\b[^<>]*>`, "g");
  tags.lastIndex = begin;
  let depth = 0;
  for (let found = tags.exec(html); found; found = tags.exec(html)) {
    depth += found[1] ? -1 : 1;
    if (!depth) return tags.lastIndex;
  }
  return html.length;
};

/** A table that is drawn at once, without the parts that are on the page already. */
export const withoutShown = (html) => {
  forget(scripts.takeRecords());
  scripts.disconnect();
  const before = shown;
  shown = new Map(); // until it is drawn
  coming = new Map();
  const parts = [...html.matchAll(PART)].map(({ 1: tag, 2: id, index }) => {
    const end = endOf(html, tag, index);
    const part = html.slice(index, end);
    coming.set(id, coming.has(id) ? "" : part); // of two with the same id none is left out
    return { tag, id, index, end, part };
  });
  const kept = [];
  let from = 0;
  for (const { tag, id, index, end, part } of parts) {
    if (before.get(id) !== part || coming.get(id) !== part || !byId(id)) continue;
    kept.push(html.slice(from, index), `<${tag} id="${id}" data-shown></${tag}>`);
    from = end;
  }
  return kept.length ? kept.join("") + html.slice(from) : html;
};

// What stands for a part leaves the part as it is.
window.htmx?.registerExtension("parts", {
  htmx_before_morph_node: (_, { newNode }) => !newNode.hasAttribute?.("data-shown"),
});
document.addEventListener("htmx:after:settle", () => {
  shown = coming ?? new Map();
  coming = null;
  if (table()) scripts.observe(table(), EVERYTHING);
  else shown.clear();
});
