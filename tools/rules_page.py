"""Write docs/rules.md and docs/rulings.md: the English rulebook with the code and the tests of every rule.

`python tools/rules_page.py` writes both pages, with `--check` it exits with 1 if one of them is out of date.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from citations import PACKAGE, ROOT, Citations, Place, in_code, in_tests
from elcapitan.text.rulebook import ITEM_LINE, RULES, RULINGS

DOCUMENTS: Final = ROOT / "docs"
NOTE: Final = "<!-- Made by `make docs` from {source} and from what code and tests cite; edit those, not this page. -->"
HOW_TO_READ: Final = (
    "*Under each rule stand the functions that follow it and the files with the tests that show it. A function "
    "follows a rule when its docstring cites it. The other page: {other}.*"
)
EXAMPLES: Final = "EX-"
CHAPTERS: Final = "engine/rules/"
NO_EFFECT: Final = "## Rules without effect in software"


def page(book: str, other: str, code: Citations, tests: Citations) -> str:
    """One of the two pages."""
    source = PACKAGE / "rulebook" / f"{book}.en.md"
    lines = source.read_text(encoding="utf-8").splitlines()
    idle = without_effect()
    written = [NOTE.format(source=source.relative_to(ROOT).as_posix()), "", lines[0], ""]
    written.append(HOW_TO_READ.format(other=f"[{other}]({other}.md)"))
    for line in lines[1:]:
        item = ITEM_LINE.fullmatch(line)
        if item is None:
            written.append(line)
        else:
            written.append(f"{line}<br>")
            written.append(f"  ↳ {trace(item[1], idle, code, tests)}")
    return "\n".join(written) + "\n"


def without_effect() -> dict[str, str]:
    """The ids that need neither code nor test, with the reason, as the rulebook lists them."""
    text = (PACKAGE / "rulebook" / f"{RULES}.en.md").read_text(encoding="utf-8")
    listed = text.partition(NO_EFFECT)[2].partition("\n## ")[0]
    entries = (line.removeprefix("- ").partition(": ") for line in listed.splitlines() if line.startswith("- "))
    return {name: reason for name, _, reason in entries}


def trace(name: str, idle: dict[str, str], code: Citations, tests: Citations) -> str:
    """Where a rule lives and what shows it, in one line."""
    if name in idle and name not in code and name not in tests:
        return "no effect in software"
    shown = f"tests: {_files(tests.get(name, []))}"
    if name.startswith(EXAMPLES):
        return shown
    return f"code: {_functions(code.get(name, []))} · {shown}"


def _functions(places: Sequence[Place]) -> str:
    """Functions by module, as in: warehouses `row`, `row_kept`; the chapters of the rules come first."""
    modules: dict[str, list[str]] = {}
    for place in sorted(places, key=lambda place: CHAPTERS not in place.file):
        modules.setdefault(place.file, []).append(f"`{place.name}`")
    return "; ".join(f"{_link(file, Path(file).stem)} {', '.join(names)}" for file, names in modules.items()) or "none"


def _files(places: Sequence[Place]) -> str:
    """The files, each once."""
    files = dict.fromkeys(place.file for place in places)
    return ", ".join(_link(file, Path(file).name) for file in files) or "none"


def _link(file: str, text: str) -> str:
    """A link from a page in docs to a file of the project."""
    return f"[{text}](../{file})"


def main(arguments: Sequence[str]) -> int:
    """Write the pages, or tell which are out of date."""
    code, tests = in_code(), in_tests()
    stale = []
    for book, other in ((RULES, RULINGS), (RULINGS, RULES)):
        path = DOCUMENTS / f"{book}.md"
        wanted = page(book, other, code, tests)
        if not path.exists() or path.read_text(encoding="utf-8") != wanted:
            stale.append(path.relative_to(ROOT).as_posix())
            if "--check" not in arguments:
                path.write_text(wanted, encoding="utf-8")
    if "--check" in arguments and stale:
        sys.stderr.write(f"Out of date: {' and '.join(stale)}. Write anew with: make docs\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
