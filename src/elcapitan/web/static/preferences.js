// Forms that are sent as soon as something is chosen; where this does not run, they have buttons.

document.documentElement.classList.add("scripted");
document.addEventListener("change", ({ target }) => target.closest("form[data-at-once]")?.requestSubmit());
