// Lets pieces travel from where they were to where they are.

import { byId, findAll, reducedMotion } from "./page.js";

const TRAVEL = { duration: 250, easing: "ease-in-out" };
const NOTICEABLE = 3; // pixels

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
  if (places.size && !reducedMotion.matches) {
    for (const [id, to] of now) if (to.width) travel(to.piece, places.get(id), to);
  }
  places = now;
};

const travel = (piece, from, to) => {
  if (from && Math.hypot(from.x - to.x, from.y - to.y) < NOTICEABLE) return;
  const scale = piece.getScreenCTM?.()?.a || 1;
  const begin = from?.width
    ? { transform: `translate(${(from.x - to.x) / scale}px, ${(from.y - to.y) / scale}px)` }
    : { opacity: 0, transform: "translate(0, -6px)" };
  const city = piece.closest(".city");
  city?.classList.add("moving");
  piece.animate([begin, { transform: "none" }], TRAVEL).finished.then(
    () => city?.classList.remove("moving"),
    () => {},
  );
};

addEventListener("resize", () => {
  places = new Map();
  updatePieces();
});
