// The rules: the table of contents is closed where it would fill the screen.

if (matchMedia("(max-width: 900px)").matches) document.querySelector("[data-contents]")?.removeAttribute("open");
