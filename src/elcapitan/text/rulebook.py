"""The rulebook in the reader's language: chapters and items, found by name or by words."""

import difflib
import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final

from elcapitan.untrusted_input import whole_number

RULES, RULINGS = "rules", "rulings"
RULING_CHAPTER: Final = "G"
HIGHEST_NUMBER: Final = 99  # of a rule in its chapter
MOST_WORDS: Final = 10  # words of a search in the rules; more are left out

CHAPTER_LINE: Final = re.compile(r"## (?:([A-Z]+) )?(.+)")
ITEM_LINE: Final = re.compile(r"- \*\*([A-Z]+-\d\d)\*\* (.+)")
TITLE_LINE: Final = re.compile(r"# (.+)")


@dataclass(frozen=True)
class RulebookItem:
    """A rule, an example or a ruling: its name and what it says, emphasis still marked with asterisks."""

    name: str
    text: str

    @property
    def chapter(self) -> str:
        """The code of the chapter it stands in."""
        return self.name.rpartition("-")[0]


@dataclass(frozen=True)
class Chapter:
    """A chapter of the rulebook; all rulings together are one, with the code G."""

    code: str
    title: str
    items: tuple[RulebookItem, ...]


@functools.cache
def chapters(language: str) -> tuple[Chapter, ...]:
    """The whole rulebook in the order of its chapters, the rulings last."""
    found = _chapters(lines_of(RULES, language))
    lines = lines_of(RULINGS, language)
    title = next(match[1] for line in lines if (match := TITLE_LINE.fullmatch(line)))
    return (*found, Chapter(RULING_CHAPTER, title, tuple(_items(lines))))


def lines_of(book: str, language: str) -> list[str]:
    """The lines of one of the two files."""
    file = resources.files("elcapitan") / "rulebook" / f"{book}.{language}.md"
    return file.read_text(encoding="utf-8").splitlines()


def _chapters(lines: list[str]) -> list[Chapter]:
    """The chapters that have a code; the others are remarks."""
    heads = [(number, match) for number, line in enumerate(lines) if (match := CHAPTER_LINE.fullmatch(line))]
    ends = [number for number, _ in heads[1:]] + [len(lines)]
    return [
        Chapter(match[1], match[2], tuple(_items(lines[number:end])))
        for (number, match), end in zip(heads, ends, strict=True)
        if match[1]
    ]


def _items(lines: list[str]) -> list[RulebookItem]:
    """The items among some lines."""
    return [RulebookItem(match[1], match[2]) for line in lines if (match := ITEM_LINE.fullmatch(line))]


@functools.cache
def items(language: str) -> dict[str, RulebookItem]:
    """Every item by its name."""
    return {item.name: item for chapter in chapters(language) for item in chapter.items}


def find(language: str, words: list[str]) -> list[RulebookItem]:
    """What the words ask for: an item by its name, a chapter by its code, or else all items with all the words."""
    by_name = [_by_name(language, word) for word in words[:MOST_WORDS]]
    if by_name and all(by_name):
        return [item for found in by_name for item in found]
    return containing(language, search_words(words))


def containing(language: str, words: Sequence[str]) -> list[RulebookItem]:
    """Find the items that contain all of some words, which `search_words` has prepared."""
    if not words:
        return []
    return [item for item, text in _searched(language) if all(word in text for word in words)]


def search_words(words: Iterable[str]) -> list[str]:
    """Prepare words to be looked for: in their plain form, each once, and at most `MOST_WORDS` of them."""
    return list(dict.fromkeys(filter(None, map(plain, words))))[:MOST_WORDS]


@functools.cache
def _searched(language: str) -> tuple[tuple[RulebookItem, str], ...]:
    """Every item with the plain form of its text."""
    return tuple((item, plain(item.text)) for item in items(language).values())


def _by_name(language: str, word: str) -> list[RulebookItem]:
    """The item or the chapter with this name, written in any case; G-6 is G-06."""
    if item := items(language).get(canonical(word)):
        return [item]
    return next((list(chapter.items) for chapter in chapters(language) if chapter.code == word.upper()), [])


def canonical(name: str) -> str:
    """Write the name of an item as the rulebook does: g-6 becomes G-06."""
    code, dash, digits = name.upper().partition("-")
    number = whole_number(digits, HIGHEST_NUMBER)
    return code + dash + digits if number is None else f"{code}-{number:02d}"


def near(language: str, word: str, most: int = 3) -> list[str]:
    """Names, codes and words of the rulebook that look like one that was not found."""
    names = [*items(language), *(chapter.code for chapter in chapters(language))]
    upper = difflib.get_close_matches(word.upper(), names, n=most, cutoff=0.7)
    return upper or difflib.get_close_matches(word.lower(), _words(language), n=most, cutoff=0.7)


@functools.cache
def _words(language: str) -> list[str]:
    """Every word of some length that the rulebook uses."""
    text = " ".join(item.text for item in items(language).values())
    return sorted({word.lower() for word in re.findall(r"[^\W\d_]{4,}", text)})


def plain(text: str) -> str:
    """A text as it is searched: without case, accents and typographical apostrophes."""
    decomposed = unicodedata.normalize("NFD", text.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
