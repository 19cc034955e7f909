"""The rulebook as a page: every line of it, with emphasis, and every name of a rule a link."""

import functools
import re
from dataclasses import dataclass, field
from importlib import resources
from typing import Final

from markupsafe import Markup, escape

from elcapitan.text import rulebook

NAME: Final = re.compile(r"\b[A-Z]{1,8}-\d\d\b")
EMPHASIS: Final = re.compile(r"\*(\*?)([^*]+)\*\1")
BULLET: Final = "- "


@dataclass(frozen=True)
class Entry:
    """A rule, an example or a ruling."""

    name: str
    words: Markup


@dataclass
class Part:
    """A chapter: what is said before its rules, and the rules."""

    code: str
    title: str
    remarks: list[Markup] = field(default_factory=list)
    points: list[Markup] = field(default_factory=list)  # items of a list that are no rules
    groups: list[tuple[str, list[Entry]]] = field(default_factory=list)  # rules under their headings, if there are any

    def add(self, entry: Entry) -> None:
        """One more rule."""
        if not self.groups:
            self.groups.append(("", []))
        self.groups[-1][1].append(entry)


@functools.cache
def book(language: str) -> tuple[Part, ...]:
    """The whole rulebook: first the words with a fixed meaning, then the chapters, the rulings last."""
    rules = _parts(_lines(rulebook.RULES, language), language)
    rulings = _parts(_lines(rulebook.RULINGS, language), language)
    together = Part(rulebook.RULING_CHAPTER, rulings[0].title, rulings[0].remarks, rulings[0].points)
    together.groups = [(part.title, entries) for part in rulings[1:] for _heading, entries in part.groups]
    return (*(part for part in rules if part.code or part.points), together)


def _lines(name: str, language: str) -> list[str]:
    """The lines of one of the two files."""
    file = resources.files("elcapitan") / "rulebook" / f"{name}.{language}.md"
    return file.read_text(encoding="utf-8").splitlines()


def _parts(lines: list[str], language: str) -> list[Part]:
    """The chapters of a file, beginning with what stands before the first."""
    parts: list[Part] = []
    for line in filter(None, lines):
        if title := rulebook.TITLE_LINE.fullmatch(line):
            parts.append(Part("", title[1]))
        elif chapter := rulebook.CHAPTER_LINE.fullmatch(line):
            parts.append(Part(chapter[1] or "", chapter[2]))
        elif item := rulebook.ITEM_LINE.fullmatch(line):
            parts[-1].add(Entry(item[1], marked(item[2], language)))
        elif line.startswith(BULLET):
            parts[-1].points.append(marked(line.removeprefix(BULLET), language))
        else:
            parts[-1].remarks.append(marked(line, language))
    return parts


def marked(words: str, language: str, sought: tuple[str, ...] = ()) -> Markup:
    """A text of the rulebook as HTML: emphasis, links to the rules it names, and what was looked for."""
    html = str(escape(words))
    html = EMPHASIS.sub(lambda match: f"<{_tag(match)}>{match[2]}</{_tag(match)}>", html)
    known = rulebook.items(language)
    html = NAME.sub(lambda match: _link(match[0]) if match[0] in known else match[0], html)
    return Markup(_highlighted(html, sought))  # escaped above; only tags of ours were added


def _tag(match: re.Match[str]) -> str:
    """How an emphasis is marked: one asterisk or two."""
    return "strong" if match[1] else "em"


def _link(name: str) -> str:
    """A link to a rule."""
    return f'<a href="/rules#{name}">{name}</a>'


def _highlighted(html: str, sought: tuple[str, ...]) -> str:
    """The words that were looked for, marked wherever they stand outside tags, however they are accented."""
    plain = rulebook.plain(html)
    if len(plain) != len(html):  # places would not agree
        return html
    spans = sorted(match.span() for word in sought for match in re.finditer(re.escape(rulebook.plain(word)), plain))
    inside = [match.span() for match in re.finditer(r"<[^>]*>|&[^;]*;", html)]
    made, at = "", 0
    for begin, end in spans:
        if begin < at or any(begin < last and first < end for first, last in inside):
            continue
        made += f"{html[at:begin]}<mark>{html[begin:end]}</mark>"
        at = end
    return made + html[at:]


def found(language: str, query: str) -> list[Entry]:
    """The rules that some words ask for: those of that name or chapter, then those that contain all the words."""
    words = query.split()
    plain = [rulebook.plain(word) for word in words]
    naming = rulebook.find(language, words)
    with_words = [
        item for item in rulebook.items(language).values() if all(word in rulebook.plain(item.text) for word in plain)
    ]
    together = {item.name: item for item in (*naming, *with_words)}
    return [Entry(item.name, marked(item.text, language, tuple(words))) for item in together.values()]


def near(language: str, query: str) -> list[str]:
    """Names and words of the rulebook that look like those that were not found."""
    return list(dict.fromkeys(name for word in query.split() for name in rulebook.near(language, word)))


def entry(language: str, name: str) -> Entry | None:
    """A rule by its name, however it is written."""
    items = rulebook.find(language, [name])
    named = [item for item in items if item.name == rulebook.canonical(name)]
    return Entry(named[0].name, marked(named[0].text, language)) if named else None
