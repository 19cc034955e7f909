// The form for a new table: shows only the seats and fields that are in use. It works without this script.

const seats = document.querySelector("[data-seats]");
const rows = [...seats.querySelectorAll("[data-seat]")];
const addButton = seats.querySelector("[data-add]");
const friends = document.querySelector("[data-friends]");
const fewestSeats = Number(seats.dataset.least);

const playerOf = (row) => row.querySelector("[data-player]");
const isEmpty = (row) => playerOf(row).value === "empty";
const takenRows = () => rows.filter((row) => !isEmpty(row));
const colourOf = (row) => row.querySelector(".swatches :checked").value;
const neutralOf = (row) => row.querySelector("[data-neutral] select");

// With two merchants each chooses a neutral colour too, of those that are left.
const showNeutralColours = (taken) => {
  const two = taken.length === fewestSeats;
  for (const row of rows) {
    row.querySelector("[data-neutral]").hidden = !two;
    const select = neutralOf(row);
    const others = taken.filter((other) => other !== row).map((other) => neutralOf(other).value);
    const used = new Set([...taken.map(colourOf), ...others]);
    for (const option of select.options) option.disabled = option.value !== "" && used.has(option.value);
    if (select.selectedOptions[0].disabled) select.value = "";
  }
};

const showSeats = () => {
  const taken = takenRows();
  const owners = new Map(taken.map((row) => [colourOf(row), row]));
  for (const row of rows) {
    row.hidden = isEmpty(row);
    row.querySelector("[data-about-here]").textContent = playerOf(row).selectedOptions[0].dataset.about;
    row.querySelector("[data-remove]").disabled = taken.length <= fewestSeats;
    for (const swatch of row.querySelectorAll(".swatch")) {
      const owner = owners.get(swatch.querySelector("input").value);
      swatch.classList.toggle("taken", Boolean(owner) && owner !== row);
    }
  }
  showNeutralColours(taken);
  addButton.hidden = taken.length === rows.length;
  if (friends) friends.hidden = !taken.some((row) => playerOf(row).value === "friend");
};

const setColour = (row, colour) => {
  row.querySelector(`.swatches [value="${colour}"]`).checked = true;
  row.dataset.colour = colour;
};

// A colour that another seat has is swapped with it.
const swapColours = (row) => {
  const rival = takenRows().find((other) => other !== row && colourOf(other) === colourOf(row));
  if (rival) setColour(rival, row.dataset.colour);
  row.dataset.colour = colourOf(row);
};

// A seat that is added gets a colour that is free.
const giveFreeColour = (row) => {
  const others = takenRows().filter((other) => other !== row);
  const used = new Set(others.map(colourOf));
  if (!used.has(colourOf(row))) return;
  const colours = [...row.querySelectorAll(".swatches input")].map((input) => input.value);
  setColour(
    row,
    colours.find((colour) => !used.has(colour)),
  );
};

seats.addEventListener("change", ({ target }) => {
  const row = target.closest("[data-seat]");
  if (row && target.type === "radio") swapColours(row);
  showSeats();
});
seats.addEventListener("click", ({ target }) => {
  if (target.closest("[data-remove]")) {
    playerOf(target.closest("[data-seat]")).value = "empty";
    showSeats();
    addButton.focus();
  } else if (target.closest("[data-add]")) {
    const row = rows.find(isEmpty);
    playerOf(row).value = "captain";
    giveFreeColour(row);
    showSeats();
    playerOf(row).focus();
  }
});
showSeats();

// Only the fields that the chosen kind of clock needs.
const clock = document.querySelector("[data-clock]");
const showClock = () => {
  for (const part of document.querySelectorAll("[data-clocks]")) {
    part.hidden = !part.dataset.clocks.split(" ").includes(clock.value);
  }
};
clock?.addEventListener("change", showClock);
if (clock) showClock();

// The mistakes in the form are read out first.
document.getElementById("mistakes")?.focus();
