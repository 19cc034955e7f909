// The guide: the arrow keys turn its pages, and a click on anything but the move it waits for is answered.

const guide = document.querySelector("[data-guide]");
const { deed, look } = guide.dataset;
const TURNS = { ArrowRight: "next", ArrowLeft: "prev" };
const OWN_KEYS = "input, select, textarea, [role=button], [role=slider]";

document.addEventListener("keydown", (event) => {
  if (event.target.closest(OWN_KEYS) || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in TURNS) guide.querySelector(`a[rel=${TURNS[event.key]}]`)?.click();
});

// On a phone: the half of the table that the lesson is about, and the move in sight.
document.querySelector(`[data-tab="${look}"]`)?.click();
if (matchMedia("(max-width: 819px), (max-height: 499px)").matches) {
  const moves = [...document.querySelectorAll(`#table [data-act="${deed}"]`)];
  moves.find((move) => move.getClientRects().length)?.scrollIntoView({ block: "center" });
}

const wrong = document.getElementById("wrong");
document.getElementById("table")?.addEventListener("click", ({ target }) => {
  if (!deed) return;
  const clicked = target.closest("[data-act], [name=actions]");
  const isWanted = clicked && (clicked.dataset.act ?? clicked.value) === deed;
  wrong.textContent = isWanted ? "" : wrong.dataset.wrong;
});
