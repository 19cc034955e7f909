// Lists that take effect as soon as something is chosen; their buttons serve where this does not run.
document.documentElement.classList.add("scripted");
document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-at-once]");
  if (form) form.requestSubmit();
});
