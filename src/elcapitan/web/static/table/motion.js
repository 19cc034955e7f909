// Lets pieces travel from where they were to where they are.

import { byId, findAll, reducedMotion } from "./page.js";
import { play } from "./sound.js";

const TRAVEL = { duration: 250, easing: "ease-in-out" };
const NOTICEABLE = 3; // pixels
const PLACED = ".piece[id^='house-'], .piece[id^='tower-']";

let places = new Map(); // id of a piece: where it was on the board

/** Note where all pieces are, and move those that were elsewhere before. */
export const updatePieces = () => {
  const board = byId("board")?.getBoundingClientRect();
  if (!board) return;
  const now = new Map();
  const pieces = findAll(".piece[id]");
  for (const piece of pieces) for (const animation of piece.getAnimations()) animation.cancel();
  for (const piece of pieces) {
    const { x, y, width } = piece.getBoundingClientRect();
    now.set(piece.id, { piece, x: x - board.x, y: y - board.y, width });
  }
  const moved = places.size ? [...now].filter(([id, to]) => to.width && hasMoved(places.get(id), to)) : [];
  const sails = moved.some(([, { piece }]) => piece.matches(".ship"));
  if (!reducedMotion.matches) {
    // All are measured before the first one moves: after every animation a browser would lay out the page again.
    const scales = moved.map(([, { piece }]) => piece.getScreenCTM?.()?.a || 1);
    moved.forEach(([id, to], index) => {
      travel(to.piece, places.get(id), to, scales[index], sails && !to.piece.matches(".ship"));
    });
  }
  if (moved.some(([id, { piece }]) => piece.matches(PLACED) && !places.has(id))) play("piece");
  else if (sails) play("ship");
  places = now;
};

const hasMoved = (from, to) => !from || Math.hypot(from.x - to.x, from.y - to.y) >= NOTICEABLE;

// First a ship arrives, then something is built: what is placed waits for the ship.
const travel = (piece, from, to, scale, waits) => {
  const begin = from?.width
    ? { transform: `translate(${(from.x - to.x) / scale}px, ${(from.y - to.y) / scale}px)` }
    : { opacity: 0, transform: "translate(0, -6px)" };
  const city = piece.closest(".city");
  city?.classList.add("moving");
  const timing = waits ? { ...TRAVEL, delay: TRAVEL.duration, fill: "backwards" } : TRAVEL;
  piece.animate([begin, { transform: "none" }], timing).finished.then(
    () => city?.classList.remove("moving"),
    () => {},
  );
};

addEventListener("resize", () => {
  places = new Map();
  updatePieces();
});
