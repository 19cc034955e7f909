"""How a board file is written: tables of figures, each figure with its provenance beside it.

`FileTable` hands out the entries of one table by name and refuses what is missing, unknown or impossible as `BadBoard`,
with the full key; which tables and figures there are is told in `figures.py`.
"""

import difflib
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NoReturn

from elcapitan.engine.vocabulary import MOST_FLORINS
from elcapitan.errors import BadBoard

MOST_COMPARED: Final = 99  # letters of a wrong name that are compared with right ones
SOURCES: Final = MappingProxyType({"A": "attested", "D": "derived", "I": "inferred", "X": "chosen"})


@dataclass(frozen=True)
class Figure:
    """One figure of a board file as it is written there."""

    value: int | tuple[int, ...]
    source: str
    note: str = ""


class FileTable:
    """One table of the file: hands out checked figures by name and notes down what it handed out."""

    def __init__(self, file: str, key: str, content: Mapping[str, object], printed: dict[str, Figure]) -> None:
        self.file = file
        self.key = key
        self.content = content
        self.printed = printed

    def dotted(self, name: str) -> str:
        """The full key of one of the table's entries."""
        name = printable(name)
        return f"{self.key}.{name}" if self.key else name

    def refuse(self, name: str, reason: str, **arguments: object) -> NoReturn:
        """Refuse the file because of one of the table's entries."""
        raise BadBoard(self.file, self.dotted(name), reason, **arguments)

    def expect(self, names: Sequence[str], optional: Sequence[str] = ()) -> None:
        """Refuse keys that are not known here, then keys that are missing: a misspelt one is both."""
        for name in self.content:
            if name not in names and name not in optional:
                self.refuse(name, "unknown-key", nearest=nearest(name, [*names, *optional]))
        for name in names:
            if name not in self.content:
                self.refuse(name, "missing")

    def expect_cities(self, names: Sequence[str]) -> None:
        """The same for a table whose keys are cities."""
        for name in self.content:
            if name not in names:
                self.refuse(name, "unknown-city", city=printable(name), nearest=nearest(name, names))
        self.expect(names)

    def table(self, name: str, names: Sequence[str] | None = None) -> "FileTable":
        """A table inside this one, with exactly the keys named."""
        content = self.content[name]
        if not isinstance(content, dict):
            self.refuse(name, "not-a-table")
        inner = FileTable(self.file, self.dotted(name), content, self.printed)
        if names is not None:
            inner.expect(names)
        return inner

    def items(self, name: str, count: int) -> list["FileTable"]:
        """A list of so many tables, with the keys name.1, name.2 ..."""
        content = self.content[name]
        if not isinstance(content, list):
            self.refuse(name, "not-a-list")
        if len(content) != count:
            self.refuse(name, "wrong-count", wanted=count, found=len(content))
        numbered = {f"{name}.{number}": item for number, item in enumerate(content, start=1)}
        items = FileTable(self.file, self.key, numbered, self.printed)
        return [items.table(each) for each in numbered]

    def number(self, name: str, least: int = 0, most: int = MOST_FLORINS) -> int:
        """A figure that is one number."""
        value, source, note = self._figure(name)
        number = self._whole(name, value, least, most)
        self.printed[self.dotted(name)] = Figure(number, source, note)
        return number

    def numbers(self, name: str, count: int | None, least: int = 0, most: int = MOST_FLORINS) -> tuple[int, ...]:
        """A figure that is a list of numbers; None for any count."""
        value, source, note = self._figure(name)
        if not isinstance(value, list):
            self.refuse(name, "not-a-list")
        if count is not None and len(value) != count:
            self.refuse(name, "wrong-count", wanted=count, found=len(value))
        numbers = tuple(self._whole(name, each, least, most) for each in value)
        self.printed[self.dotted(name)] = Figure(numbers, source, note)
        return numbers

    def rising(self, name: str, count: int) -> tuple[int, ...]:
        """A figure that is a list of numbers none of which is smaller than the one before."""
        numbers = self.numbers(name, count)
        for before, after in pairwise(numbers):
            if after < before:
                self.refuse(name, "falls", before=before, after=after)
        return numbers

    def _figure(self, name: str) -> tuple[object, str, str]:
        """What stands in { is = ..., source = ..., note = ... }."""
        if not isinstance(self.content[name], dict):
            self.refuse(name, "not-a-figure")
        figure = self.table(name)
        figure.expect(("is", "source"), optional=("note",))
        source, note = figure.content["source"], figure.content.get("note", "")
        if not isinstance(source, str) or source not in SOURCES:
            figure.refuse("source", "unknown-source", found=short(source), known=", ".join(SOURCES))
        if not isinstance(note, str):
            figure.refuse("note", "not-text")
        return figure.content["is"], source, note

    def _whole(self, name: str, value: object, least: int, most: int) -> int:
        """A whole number within bounds; true and false, which Python counts as numbers, are none."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.refuse(name, "not-a-number", found=short(value))
        if not least <= value <= most:
            self.refuse(name, "out-of-range", found=short(value), least=least, most=most)
        return value


def nearest(name: str, names: Iterable[str]) -> str:
    """The name that looks most like another one; of a long one only the beginning is compared."""
    return difflib.get_close_matches(name[:MOST_COMPARED], list(names), n=1, cutoff=0.0)[0]


def printable(name: str) -> str:
    """A key fit for a sentence: TOML allows line breaks in quoted ones."""
    return name if name.isprintable() else repr(name)


def short(value: object) -> str:
    """A value fit for a sentence."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python writes out no number of more than some thousand digits
        return "..."
