// The key "?" and the button "?" on pages other than the table: what is pointed at or has the focus is explained in place.

import { find, root } from "./table/page.js";
import { explanations, hideHelp } from "./table/help.js";

const WRITTEN_IN = "textarea, input:not([type=radio], [type=checkbox])"; // where a "?" is written

root.classList.add("scripted");

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (key === "Escape") {
    if (find("#explain:popover-open")) explanations().then(({ close }) => close());
    else hideHelp();
  } else if (key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey && !target.matches(WRITTEN_IN)) {
    event.preventDefault();
    explanations().then(({ explainMeant }) => explainMeant());
  }
});
document.addEventListener("click", (event) => {
  const rule = event.target.closest("#explain .rules a");
  if (rule) {
    event.preventDefault();
    explanations().then(({ openRule }) => openRule(rule));
  } else if (event.target.closest("#open-rules")) explanations().then(({ ask }) => ask());
});
