// Makes the pages around the table pleasant. Everything on them works without this, and no words are made here.

const seats = document.querySelector("[data-seats]");
if (seats) {
  const rows = [...seats.querySelectorAll("[data-seat]")];
  const add = seats.querySelector("[data-add]");
  const friends = document.querySelector("[data-friends]");
  const least = Number(seats.dataset.least);
  const player = (row) => row.querySelector("[data-player]");
  const taken = () => rows.filter((row) => player(row).value !== "empty");
  const colour = (row) => row.querySelector(".swatches :checked").value;

  const show = () => {
    const here = taken();
    const used = new Map(here.map((row) => [colour(row), row]));
    for (const row of rows) {
      row.hidden = player(row).value === "empty";
      row.querySelector("[data-about-here]").textContent = player(row).selectedOptions[0].dataset.about;
      row.querySelector("[data-remove]").disabled = here.length <= least;
      for (const swatch of row.querySelectorAll(".swatch")) {
        const owner = used.get(swatch.querySelector("input").value);
        swatch.classList.toggle("taken", Boolean(owner) && owner !== row);
      }
    }
    add.hidden = here.length === rows.length;
    if (friends) friends.hidden = !here.some((row) => player(row).value === "friend");
  };

  // A colour that somebody has is swapped; who is new gets one that is free.
  const choose = (row, value) => {
    row.querySelector(`.swatches [value="${value}"]`).checked = true;
    row.dataset.colour = value;
  };
  const settle = (row) => {
    const rival = taken().find((other) => other !== row && colour(other) === colour(row));
    if (rival) choose(rival, row.dataset.colour);
    row.dataset.colour = colour(row);
  };
  const welcome = (row) => {
    const used = taken().filter((other) => other !== row).map(colour);
    const free = [...row.querySelectorAll(".swatches input")].map((input) => input.value).find((value) => !used.includes(value));
    if (used.includes(colour(row))) choose(row, free);
  };

  seats.addEventListener("change", (event) => {
    const row = event.target.closest("[data-seat]");
    if (row && event.target.type === "radio") settle(row);
    show();
  });
  seats.addEventListener("click", (event) => {
    const row = event.target.closest("[data-seat]");
    if (event.target.closest("[data-remove]")) {
      player(row).value = "empty";
      show();
      add.focus();
    } else if (event.target.closest("[data-add]")) {
      const next = rows.find((each) => player(each).value === "empty");
      player(next).value = "captain";
      welcome(next);
      show();
      player(next).focus();
    }
  });
  show();
}

// Of a clock only what its kind needs.
const clock = document.querySelector("[data-clock]");
if (clock) {
  const wind = () => {
    for (const part of document.querySelectorAll("[data-clocks]")) part.hidden = !part.dataset.clocks.split(" ").includes(clock.value);
  };
  clock.addEventListener("change", wind);
  wind();
}

// What is wrong with a form is read out first.
document.getElementById("mistakes")?.focus();

// A table of contents that is closed where it would fill the screen.
if (matchMedia("(max-width: 900px)").matches) document.querySelector("[data-contents]")?.removeAttribute("open");

// The guide: the arrow keys turn its pages, and a click on anything but the move it waits for is answered.
const guide = document.querySelector("[data-guide]");
if (guide) {
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea, [role=button], [role=slider]") || event.altKey || event.ctrlKey || event.metaKey) return;
    const rel = { ArrowRight: "next", ArrowLeft: "prev" }[event.key];
    if (rel) guide.querySelector(`a[rel=${rel}]`)?.click();
  });
  // On a phone: the half of the table that this is about, and the move in sight.
  document.querySelector(`[data-tab="${guide.dataset.look}"]`)?.click();
  const moves = [...document.querySelectorAll(`#table [data-act="${guide.dataset.deed}"]`)];
  if (matchMedia("(max-width: 819px)").matches) moves.find((move) => move.getClientRects().length)?.scrollIntoView({ block: "center" });
  const wrong = document.getElementById("wrong");
  document.getElementById("table")?.addEventListener("click", (event) => {
    if (!guide.dataset.deed) return;
    const what = event.target.closest("[data-act], [name=actions]");
    const wanted = what && (what.dataset.act ?? what.value) === guide.dataset.deed;
    wrong.textContent = wanted ? "" : wrong.dataset.wrong;
  });
}
