"""Which rule is cited where: ids in square brackets, `[WARE-07]` or `[WARE-07, G-15]`, in the docstrings of functions.

A function of the package that cites a rule is said to follow it, a test that cites it to show it. The referee under
`tests/referee` is a second reading of the rules and is judged by itself, so what it cites shows nothing about the
game's own rules.
"""

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = ROOT / "src" / "elcapitan"
TESTS: Final = ROOT / "tests"
REFEREE: Final = TESTS / "referee"

IN_BRACKETS: Final = re.compile(r"\[([A-Z]+-\d\d(?:,\s+[A-Z]+-\d\d)*)\]")
ID: Final = re.compile(r"\b[A-Z]+-\d\d\b")
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Place(NamedTuple):
    """Where an id stands: a file, relative to the project, and the dotted name of a function or class in it."""

    file: str
    name: str


Citations = dict[str, list[Place]]


def in_code() -> Citations:
    """The functions and classes of the package that cite each id."""
    return _collect(iter(sorted(PACKAGE.rglob("*.py"))), only_tests=False)


def in_tests() -> Citations:
    """The tests that cite each id, those of the referee apart."""
    files = sorted(path for path in TESTS.rglob("test_*.py") if REFEREE not in path.parents)
    return _collect(iter(files), only_tests=True)


def _collect(files: Iterator[Path], *, only_tests: bool) -> Citations:
    """The places where each id is cited, in the order of files and lines, each once."""
    found: defaultdict[str, list[Place]] = defaultdict(list)
    for path in files:
        for name, docstring in _documented(ast.parse(path.read_text(encoding="utf-8"))):
            if not name or (only_tests and not name.rpartition(".")[2].startswith("test_")):
                continue
            place = Place(_relative(path), name)
            for number in cited(docstring):
                if place not in found[number]:
                    found[number].append(place)
    return dict(found)


def cited(docstring: str) -> list[str]:
    """The ids that a docstring cites."""
    return [number for group in IN_BRACKETS.findall(docstring) for number in ID.findall(group)]


def mentions() -> Iterator[tuple[Place, str]]:
    """Every id that a docstring or comment mentions anywhere, in brackets or not, and each that code quotes."""
    for path in sorted([*PACKAGE.rglob("*.py"), *TESTS.rglob("*.py")]):
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        file = _relative(path)
        for name, docstring in _documented(tree):
            yield from ((Place(file, name), number) for number in ID.findall(docstring))
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield from ((Place(file, f"line {token.start[0]}"), number) for number in ID.findall(token.string))
        if PACKAGE in path.parents:
            yield from ((Place(file, f"line {line}"), number) for line, number in _quoted(tree))


def _documented(node: Documented, prefix: str = "") -> Iterator[tuple[str, str]]:
    """The dotted names of a module, its classes and its functions, with their docstrings; a module's name is empty."""
    docstring = ast.get_docstring(node)
    if docstring:
        yield prefix, docstring
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _documented(child, f"{prefix}.{child.name}" if prefix else child.name)


def _quoted(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The ids among the string constants of a module: the rule that a refusal names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ID.fullmatch(node.value):
            yield node.lineno, node.value


def _relative(path: Path) -> str:
    """A path as the documents write it."""
    return path.relative_to(ROOT).as_posix()
