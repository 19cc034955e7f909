// Brings the table to life. No rule, no sum and no word of the game is in these scripts: what is shown was made by the
// server, and the table is replaced as a whole whenever something changes. So everything listens at the document.

import { updateCalls } from "./table/calls.js";
import { updateChat } from "./table/chat.js";
import { updateClocks } from "./table/clocks.js";
import { updateHelp } from "./table/help.js";
import { updateFocus } from "./table/keyboard.js";
import { updatePieces } from "./table/motion.js";
import { connect } from "./table/network.js";
import { updateNews } from "./table/news.js";
import { root, table } from "./table/page.js";
import { updatePayday } from "./table/payday.js";
import { updatePreview } from "./table/previews.js";
import { updateTurns } from "./table/turns.js";
import { updateEnding } from "./table/replay.js";
import { updateViews } from "./table/views.js";
import "./table/pointer.js";

const CHANGES = { attributes: true, attributeFilter: ["data-version", "data-number", "data-events"] };

const update = () => {
  if (!table()) return;
  updateFocus();
  updateChat();
  updateClocks();
  updateViews();
  updateNews();
  updatePieces();
  updateHelp();
  updatePreview();
  updatePayday();
  updateTurns();
  updateCalls();
  updateEnding();
};

// However the table was replaced, it is updated once before the next frame. After a swap that is at once, because a
// browser lays out a page before a frame to see what is below the pointer, and would have to do so again.
let frame = 0;
const updateSoon = () => {
  frame ||= requestAnimationFrame(updateNow);
};
const updateNow = () => {
  cancelAnimationFrame(frame);
  frame = 0;
  update();
  replaced.takeRecords();
};
const replaced = new MutationObserver(updateSoon);

root.classList.add("scripted");
document.addEventListener("htmx:after:swap", () => (document.hidden ? updateSoon : updateNow)());
replaced.observe(table(), CHANGES);
update();
connect();
