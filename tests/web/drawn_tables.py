"""Tables to look at: a game with people or computer players around it, and what its page says, read back."""

import itertools
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

from elcapitan.game.game import Game
from elcapitan.service import Seat, Table, TableSettings
from elcapitan.web.render import rendered
from elcapitan.web.view.table_view import TableView, table_view
from elcapitan.web.viewer import Viewer

NAMES = ("Inês", "Marco", "Leyla", "Youssef", "Despina")
COLOURS = (2, 0, 4, 1, 3)  # no seat has the colour of its number
ENGLISH = Viewer("en")
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def seated(game: Game, people: Collection[int] | None = None, *, forecast: str = "all", **more: Any) -> Table:
    """A table around a game; people sit everywhere if nothing else is said."""
    seats = tuple(
        Seat("human" if people is None or seat in people else "captain", NAMES[seat], COLOURS[seat])
        for seat in range(game.players)
    )
    state: dict[str, Any] = {"number": 7, "undoable": 0, "redoable": 0, "thinking": False, **more}
    return Table(
        "game", TableSettings(seats, forecast=forecast), game, created=EPOCH, changed=EPOCH, turn_begins=0, **state
    )


class InMemory:
    """One table after another for positions of one game, which keep what a table that is in memory keeps."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._kept: dict[Any, Any] = {}

    def seated(self, game: Game) -> Table:
        """The table around the next position."""
        return seated(game, number=next(self._numbers), kept=self._kept)


def page_of(seen: TableView, viewer: Viewer = ENGLISH) -> str:
    """The whole of what a page shows: what lies around the table, and the table."""
    around = rendered("table/around.html", viewer, view=seen, request_path="/")
    return around + table_of(seen, viewer)


def table_of(seen: TableView, viewer: Viewer = ENGLISH) -> str:
    """The table alone."""
    return rendered("table/table.html", viewer, view=seen, notice=None)


def looked_at(table: Table, viewer: Viewer = ENGLISH, **how: Any) -> "Reading":
    """The table as it is drawn, read back."""
    return Reading(table_of(table_view(table, viewer, **how), viewer))


class Element:
    """An element of a page, with the text inside it."""

    def __init__(self, tag: str, attributes: dict[str, str], within: Sequence["Element"] = ()) -> None:
        self.tag = tag
        self.attributes = attributes
        self.within = tuple(within)
        self.text = ""

    def __getitem__(self, name: str) -> str:
        return self.attributes.get(name, "")

    @property
    def classes(self) -> list[str]:
        """Its classes."""
        return self["class"].split()


class Reading(HTMLParser):
    """A page read back: every element in order, and the text in each."""

    VOID = frozenset({"input", "link", "meta", "br", "rect", "circle", "path", "use", "polyline"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.unclosed: list[Element] = []
        self.mismatched: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.unclosed)
        self.elements.append(element)
        self.unclosed.append(element)
        if tag in self.VOID:
            self.unclosed.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}, self.unclosed))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.VOID:
            return
        opened = self.unclosed.pop() if self.unclosed else None
        if opened is None or opened.tag != tag:
            self.mismatched.append(f"{tag} closes {opened.tag if opened else 'nothing'}")

    def handle_data(self, data: str) -> None:
        for element in self.unclosed:
            element.text += data

    def by_id(self, name: str) -> Element:
        """The element with an id."""
        (found,) = (element for element in self.elements if element["id"] == name)
        return found

    def inside(self, name: str, *classes: str) -> list[str]:
        """The texts of elements of a class, each within the next one, inside the element with an id."""
        found = []
        for element in self.elements:
            if classes[0] not in element.classes or all(each["id"] != name for each in (*element.within, element)):
                continue
            if all(any(wanted in each.classes for each in element.within) for wanted in classes[1:]):
                found.append(element.text.strip())
        return found

    def ids(self, prefix: str) -> list[Element]:
        """The elements whose ids begin like this."""
        return [element for element in self.elements if element["id"].startswith(prefix)]

    @property
    def actions(self) -> dict[int, int]:
        """Every action that can be played here by one click, with how many things play it."""
        found: dict[int, int] = {}
        for element in self.elements:
            given = element["value"] if element["name"] == "actions" else element["data-act"]
            for number in given.split():
                found[int(number)] = found.get(int(number), 0) + 1
        return found
