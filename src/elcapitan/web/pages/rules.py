"""The rules: an introduction of five minutes, then the whole rulebook as HTML, to read and to search."""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup, escape

from elcapitan.text import rulebook
from elcapitan.web.render import page, rendered
from elcapitan.web.viewer import viewer

router = APIRouter()
NAME: Final = re.compile(r"\b[A-Z]{1,8}-\d\d\b")
EMPHASIS: Final = re.compile(r"\*(\*?)([^*]+)\*\1")
TAG_OR_ENTITY: Final = re.compile(r"(<[^>]*>|&[^;]*;)")
BULLET: Final = "- "
LONGEST_QUERY: Final = 100  # letters that are looked for
MOST_GUESSED: Final = 3  # words that are compared with all words of the rulebook: some milliseconds each


@dataclass(frozen=True)
class RulebookEntry:
    """A rule, an example or a ruling."""

    name: str
    words: Markup


@dataclass
class ChapterPage:
    """A chapter: its introduction and its rules."""

    code: str
    title: str
    remarks: list[Markup] = field(default_factory=list)
    points: list[Markup] = field(default_factory=list)  # items of a list that are no rules
    groups: list[tuple[str, list[RulebookEntry]]] = field(default_factory=list)  # rules under their headings, if any

    def add(self, entry: RulebookEntry) -> None:
        """Add a rule under the last heading."""
        if not self.groups:
            self.groups.append(("", []))
        self.groups[-1][1].append(entry)


@functools.cache
def chapters(language: str) -> tuple[ChapterPage, ...]:
    """Return the whole rulebook: first the words with a fixed meaning, then the chapters, the rulings last."""
    rules = _parts(rulebook.lines_of(rulebook.RULES, language), language)
    rulings = _parts(rulebook.lines_of(rulebook.RULINGS, language), language)
    together = ChapterPage(rulebook.RULING_CHAPTER, rulings[0].title, rulings[0].remarks, rulings[0].points)
    together.groups = [(part.title, entries) for part in rulings[1:] for _heading, entries in part.groups]
    return (*(part for part in rules if part.code or part.points), together)


def _parts(lines: list[str], language: str) -> list[ChapterPage]:
    """Split a file into chapters; the first holds what stands before the first heading."""
    parts: list[ChapterPage] = []
    for line in filter(None, lines):
        if title := rulebook.TITLE_LINE.fullmatch(line):
            parts.append(ChapterPage("", title[1]))
        elif chapter := rulebook.CHAPTER_LINE.fullmatch(line):
            parts.append(ChapterPage(chapter[1] or "", chapter[2]))
        elif item := rulebook.ITEM_LINE.fullmatch(line):
            parts[-1].add(RulebookEntry(item[1], to_html(item[2], language)))
        elif line.startswith(BULLET):
            parts[-1].points.append(to_html(line.removeprefix(BULLET), language))
        else:
            parts[-1].remarks.append(to_html(line, language))
    return parts


def to_html(words: str, language: str, sought: Sequence[str] = ()) -> Markup:
    """Turn a text of the rulebook into HTML: emphasis, links to the rules it names, and marks on words looked for."""
    return _with_marks(_pieces(_html(words, language)), rulebook.search_words(sought))


def _html(words: str, language: str) -> str:
    """Turn a text of the rulebook into HTML without marks."""
    html = str(escape(words))
    html = EMPHASIS.sub(lambda match: f"<{_tag(match)}>{match[2]}</{_tag(match)}>", html)
    known = rulebook.items(language)
    return NAME.sub(lambda match: _link(match[0]) if match[0] in known else match[0], html)


def _tag(match: re.Match[str]) -> str:
    """Return the tag for an emphasis: one asterisk or two."""
    return "strong" if match[1] else "em"


def _link(name: str) -> str:
    """Return a link to a rule."""
    return f'<a href="/rules#{name}">{name}</a>'


@dataclass(frozen=True, slots=True)
class HtmlPiece:
    """A piece of HTML with its plain form, in which words are searched; empty for a tag or an entity."""

    html: str
    plain: str


def _pieces(html: str) -> tuple[HtmlPiece, ...]:
    """Cut HTML into text, tags and entities. Text whose plain form has another length cannot be marked."""
    parts = enumerate(TAG_OR_ENTITY.split(html))  # every second one is a tag or an entity
    plain = ((part, "" if number % 2 else rulebook.plain(part)) for number, part in parts)
    return tuple(HtmlPiece(part, found if len(found) == len(part) else "") for part, found in plain)


@functools.cache
def _item_pieces(language: str) -> Mapping[str, tuple[HtmlPiece, ...]]:
    """Return the HTML of every item in pieces, by its name."""
    return {item.name: _pieces(_html(item.text, language)) for item in rulebook.items(language).values()}


def _with_marks(pieces: Sequence[HtmlPiece], words: Sequence[str]) -> Markup:
    """Join pieces of HTML, with marks around all words of some list, the longest first."""
    if not words:
        return Markup("".join(piece.html for piece in pieces))
    sought = re.compile("|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)))
    return Markup("".join(_marked_piece(piece, sought) for piece in pieces))  # escaped; only tags of ours were added


def _marked_piece(piece: HtmlPiece, sought: re.Pattern[str]) -> str:
    """Put marks around everything in a piece that matches, accents ignored."""
    made, at = [], 0
    for match in sought.finditer(piece.plain):
        begin, end = match.span()
        made += [piece.html[at:begin], "<mark>", piece.html[begin:end], "</mark>"]
        at = end
    return "".join([*made, piece.html[at:]])


def find_rules(language: str, query: str) -> list[RulebookEntry]:
    """Find the rules that some words ask for: those of that name or chapter, then those that contain all the words."""
    words = list(dict.fromkeys(query.split()))
    sought = rulebook.search_words(words)
    items = [*rulebook.find(language, words), *rulebook.containing(language, sought)]
    pieces = _item_pieces(language)
    return [
        RulebookEntry(name, _with_marks(pieces[name], sought)) for name in dict.fromkeys(item.name for item in items)
    ]


def similar_names(language: str, query: str) -> list[str]:
    """Return names and words of the rulebook that look like the first words of a query."""
    words = list(dict.fromkeys(query.split()))[:MOST_GUESSED]
    return list(dict.fromkeys(name for word in words for name in rulebook.near(language, word)))


def find_rule(language: str, name: str) -> RulebookEntry | None:
    """Return a rule by its name, in upper or lower case; None if there is none."""
    items = rulebook.find(language, [name])
    named = [item for item in items if item.name == rulebook.canonical(name)]
    return RulebookEntry(named[0].name, to_html(named[0].text, language)) if named else None


# --------------------------------------------------------------------------------------------------------- the pages


@router.get("/rules")
async def rules(request: Request, q: Annotated[str, Query()] = "") -> HTMLResponse:
    """Show the rulebook, or the rules that contain the words of a query."""
    language = viewer(request).language
    query = " ".join(q.split())[:LONGEST_QUERY]
    return _page(request, query, find_rules(language, query) if query else [])


@router.get("/rules/{name}")
async def rule(request: Request, name: str) -> Response:
    """Redirect to the place of a rule in the rulebook; answer a script with the rule's text alone."""
    who, name = viewer(request), name[:LONGEST_QUERY]
    entry = find_rule(who.language, name)
    if request.headers.get("hx-request") and entry:
        return HTMLResponse(rendered("pages/rule.html", who, entry=entry))
    codes = [part.code for part in chapters(who.language)]
    if entry or (name.upper() in codes and name):
        return RedirectResponse(f"/rules#{entry.name if entry else name.upper()}", 303)
    return _page(request, name, [], HTTPStatus.NOT_FOUND)


def _page(request: Request, query: str, found: list[RulebookEntry], status: int = 200) -> HTMLResponse:
    """Answer with the rulebook and the rules that were found; if there are none, with names like those of the query."""
    language = viewer(request).language
    near = similar_names(language, query) if query and not found else []
    return page(request, "pages/rules.html", status, query=query, found=found, near=near, parts=chapters(language))
