"""Write docs/code-map.md, and the layers on docs/architecture.md, from the import contracts and the docstrings.

`python tools/code_map.py` writes them; with `--check` it exits with 1 if one of them is out of date.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from citations import PACKAGE, ROOT

MAP: Final = ROOT / "docs" / "code-map.md"
PAGE: Final = ROOT / "docs" / "architecture.md"
LAYERS: Final = re.compile(r"(<!-- generated: layers -->\n).*?(<!-- end -->)", re.DOTALL)
HEAD: Final = """\
# Code map

Every module with the first sentence of its docstring, package by package. A package imports only packages that stand
below it. `make docs` writes this page.
"""


def main(arguments: Sequence[str]) -> int:
    """Write both pages, or compare them with the sources."""
    pages = {MAP: code_map(), PAGE: LAYERS.sub(lambda found: found[1] + layers() + found[2], PAGE.read_text("utf-8"))}
    if "--check" not in arguments:
        for path, text in pages.items():
            path.write_text(text, encoding="utf-8")
        return 0
    stale = [path for path, text in pages.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        sys.stderr.write(f"docs/{path.name} is out of date: run `make docs`\n")
    return int(bool(stale))


def contract() -> list[list[str]]:
    """Return the layers of the first contract in pyproject.toml, top first, as names below the package."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layered = content["tool"]["importlinter"]["contracts"][0]["layers"]
    return [[name.strip().removeprefix(f"{PACKAGE.name}.") for name in re.split("[|:]", layer)] for layer in layered]


def layers() -> str:
    """List the layers, top first, each package with its purpose."""
    lines = []
    for number, names in enumerate(contract(), 1):
        described = "; ".join(f"`{name}` ({_uncapitalised(purpose(_source(name)))})" for name in names)
        lines.append(f"{number}. {described}\n")
    return "\n" + "".join(lines) + "\n"


def code_map() -> str:
    """List all modules of all packages, top layer first."""
    parts = [HEAD]
    for name in (name for names in contract() for name in names):
        path = _source(name)
        if path.name != "__init__.py":
            parts.append(f"\n## {name}\n\n{purpose(path)}\n")
            continue
        rows = [f"| [{shown}]({_link(module)}) | {purpose(module)} |\n" for shown, module in _modules(path.parent)]
        parts.append(f"\n## {name}\n\n{purpose(path)}\n\n| module | what it holds |\n|---|---|\n" + "".join(rows))
    return "".join(parts)


def purpose(path: Path) -> str:
    """Return the first sentence of a module's docstring."""
    first = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n\n")[0].replace("\n", " ")
    return first.partition(". ")[0].rstrip(".") + "."


def _modules(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the modules below a package by their dotted names; empty `__init__.py` files are left out."""
    for path in sorted(folder.rglob("*.py")):
        if "migrations" in path.parts or (path.name == "__init__.py" and not path.read_text("utf-8")):
            continue
        if path != folder / "__init__.py":
            yield ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"), path


def _source(name: str) -> Path:
    """Return the file with the docstring of a package or module."""
    module = PACKAGE / f"{name}.py"
    return module if module.exists() else PACKAGE / name / "__init__.py"


def _link(path: Path) -> str:
    """Return the address of a source file on the page."""
    return f"../{path.relative_to(ROOT).as_posix()}"


def _uncapitalised(sentence: str) -> str:
    """Write a sentence as a phrase inside another one; names stay as they are."""
    word = sentence.partition(" ")[0]
    phrase = sentence if word != word.capitalize() else sentence[:1].lower() + sentence[1:]
    return phrase.rstrip(".")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
