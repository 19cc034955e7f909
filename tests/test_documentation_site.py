"""The documentation as pages: what its check finds, that every page is in it, and which names the reference has."""

import ast
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from tests.test_documents import DOCS, LINKED, ROOT, blocks

from documentation_site import problems, show_tables

REFERENCE = (ROOT / "docs" / "site" / "reference.md").read_text(encoding="utf-8")
CONTENTS = (ROOT / "docs" / "site" / "index.md").read_text(encoding="utf-8")
PACKAGES = ("elcapitan", "elcapitan.board.figures", "elcapitan.experiments.arena", "elcapitan.game.game")
TOLD = {  # docs/research.md, docs/arena.md and docs/bots.md, or modules that they link, name these in sentences
    "elcapitan.players.python_players.Decision",
    "elcapitan.research.dataset.arrays",
    "elcapitan.research.dataset.decoded",
    "elcapitan.research.dataset.portions",
    "elcapitan.research.dataset.visit_shares",
    "elcapitan.research.elcapitan_v0.env",
    "elcapitan.research.shaping.Shaping",
    "elcapitan.research.vector_env.ElCapitanVectorEnv",
}


def imported() -> set[str]:
    """The names that code blocks of README and docs import from the package."""
    found = set()
    for block in blocks("python"):
        for node in ast.walk(ast.parse(block.content)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("elcapitan"):
                found |= {f"{node.module}.{each.name}" for each in node.names}
    return {name for name in found if not _is_module(name)}


def _is_module(name: str) -> bool:
    """Whether a dotted name is a module."""
    package, _, last = name.rpartition(".")
    return bool(getattr(import_module(package), "__path__", None)) and find_spec(f"{package}.{last}") is not None


def thing(name: str) -> object:
    """What a dotted name stands for; one thing may have two names."""
    module, _, last = name.rpartition(".")
    return getattr(import_module(module), last)


def test_the_reference_has_the_public_names_and_only_those() -> None:
    public = {f"{package}.{name}" for package in PACKAGES for name in import_module(package).__all__}
    listed = re.findall(r"^\.\. (?:auto(?:class|exception|function)|py:data):: (\S+)$", REFERENCE, re.MULTILINE)
    assert len(listed) == len({id(thing(name)) for name in listed}), "a name stands there twice"
    assert {id(thing(name)) for name in listed} == {id(thing(name)) for name in public | imported() | TOLD}


def test_every_page_is_in_the_contents() -> None:
    pages = {f"/{page.relative_to(ROOT).with_suffix('').as_posix()}" for page in {*LINKED, *DOCS}}
    assert set(re.findall(r"^(?:.* <)?(/[\w/-]+)>?$", CONTENTS, re.MULTILINE)) == pages


def test_what_the_check_of_the_pages_finds(tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("a { background: url(data:x) } @import 'https://b.example/c.css';", "utf-8")
    (tmp_path / "here.html").write_text("<p id='place'>", "utf-8")
    (tmp_path / "index.html").write_text(
        "<link rel='stylesheet' href='style.css?v=1'><link rel=canonical href=https://a.example/><img src=gone.png>"
        "<script src='//cdn.example/x.js'></script><a href='https://a.example'><a href='here.html#place'>"
        "<a href='here.html#elsewhere'><a href='gone.html'><a href='#nowhere'>",
        "utf-8",
    )
    assert list(problems(tmp_path)) == [
        "index.html loads gone.png, which is not here",
        "index.html loads //cdn.example/x.js, which is not here",
        "index.html links to here.html#elsewhere, which is not here",
        "index.html links to gone.html, which is not here",
        "index.html links to #nowhere, which is not here",
        "style.css loads https://b.example/c.css, which is not here",
    ]


def test_tables_in_docstrings_are_shown_as_they_are() -> None:
    lines = ["What:", "| a | b |", "|---|---|", "", "More."]
    show_tables(None, "", "", None, None, lines)
    assert lines == ["What:", "", ".. code-block:: text", "", "   | a | b |", "   |---|---|", "", "More."]
