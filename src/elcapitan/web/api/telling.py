"""What happens at a table as a stream of messages, each encoded once for all who are to get the same.

A message says everything that is new: how many of the events told before still stand (fewer, if something was taken
back), the events after them, what was said, and the whole table. Its id tells what its reader knows then: how many
events, a digest of them, and how many lines. Who comes back with an id gets exactly what is missing, even if meanwhile
something was taken back and played differently.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from elcapitan.digits import whole_number
from elcapitan.history import Event
from elcapitan.notation.record import event_to_json
from elcapitan.service import Rights, Table
from elcapitan.web.api.seeing import said, seen_by, seen_by_all
from elcapitan.web.caching import BoundedCache

DIGEST: Final = 6  # bytes: no two courses of one game are taken for each other
MOST_MESSAGES: Final = 16  # encoded messages kept for a table: those who follow it know the same, with a few rights
MOST_STATES: Final = 16  # encoded states kept for a table, one for each set of rights
HIGHEST_NUMBER: Final = 999_999_999  # in an id: nine digits
ID: Final = re.compile(r"(\d{1,9})(?:-([0-9a-f]{12})-(\d{1,9}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Known:
    """What a reader of the stream knows."""

    events: tuple[str, ...] = ()  # a digest of each event and of all before it
    lines: int = 0  # the number of the last line


class Chronicle:
    """The news of one table, for all who follow it."""

    def __init__(self) -> None:
        self._version = ""
        self._events: list[Event] = []
        self._written: list[str] = []  # the same as JSON
        self.digests: tuple[str, ...] = ()
        self._state = ""  # what everybody sees
        self._states: BoundedCache[Rights, str] = BoundedCache(MOST_STATES)
        self._messages: BoundedCache[tuple[str, Rights], bytes] = BoundedCache(MOST_MESSAGES)
        self._lines: list[dict[str, Any]] = []

    def update(self, table: Table) -> None:
        """Take in a table as it is now."""
        if table.version == self._version:
            return
        self._version = table.version
        self._state = ""
        self._states, self._messages = BoundedCache(MOST_STATES), BoundedCache(MOST_MESSAGES)
        self._lines = [said(line) for line in table.talk]
        events = table.game.events
        same = common(self._events, events)
        digests = list(self.digests[:same])
        del self._written[same:]
        for event in events[same:]:
            self._written.append(dumped(event_to_json(event, table.game.figures)))
            digests.append(_digest(digests[-1] if digests else "", self._written[-1]))
        self._events, self.digests = events, tuple(digests)

    def now(self) -> Known:
        """What somebody knows who has been told everything."""
        return Known(self.digests, self._lines[-1]["number"] if self._lines else 0)

    def known_by(self, last_id: str) -> Known | None:
        """What somebody knows who has read the message with this id; nothing if there is no such id.

        It is never more than what there is, so that ids with other numbers mean the same.
        """
        found = ID.fullmatch(last_id)
        if found is None:
            return None
        count, digest = _number(found[1]), found[2]
        if digest is None:
            return Known(self.digests[:count], self.now().lines)
        lines = self._clamped(_number(found[3]))
        if count <= len(self.digests) and (self.digests[count - 1] if count else NOTHING) == digest:
            return Known(self.digests[:count], lines)
        return Known((), lines)  # they know another course of the game: they are told everything again

    def _clamped(self, lines: int) -> int:
        """The nearest number of a line at which something else would be told."""
        if not self._lines:
            return 0
        first, last = int(self._lines[0]["number"]), int(self._lines[-1]["number"])
        return min(max(lines, first - 1), last)

    def message(self, known: Known, table: Table, rights: Rights) -> bytes:
        """What is new for somebody."""
        return self._messages.get((id_of(known), rights), lambda: self._encoded(known, table, rights))

    def _encoded(self, known: Known, table: Table, rights: Rights) -> bytes:
        """A message as it is sent."""
        since = common(known.events, self.digests)
        events = ",".join(self._written[since:])
        lines = json.dumps([line for line in self._lines if line["number"] > known.lines], ensure_ascii=False)
        state = self.state(table, rights)
        data = f'{{"since":{since},"events":[{events}],"lines":{lines},"state":{state}}}'
        return f"id: {id_of(self.now())}\ndata: {data}\n\n".encode()

    def state(self, table: Table, rights: Rights) -> str:
        """The table as JSON."""
        self._state = self._state or dumped(seen_by_all(table))
        return self._states.get(rights, lambda: f"{self._state[:-1]},{dumped(seen_by(table, rights))[1:]}")


def _number(digits: str | None) -> int:
    """Read a number of an id; 0 if it is left out."""
    return whole_number(digits or "", HIGHEST_NUMBER) or 0


def id_of(known: Known) -> str:
    """The id of the message after which somebody knows this much."""
    last = known.events[-1] if known.events else NOTHING
    return f"{len(known.events)}-{last}-{known.lines}"


def common(one: Sequence[object], other: Sequence[object]) -> int:
    """How many of the first things are the same."""
    most = min(len(one), len(other))
    return next((place for place in range(most) if one[place] != other[place]), most)


def dumped(content: Mapping[str, Any]) -> str:
    """JSON without spaces and on one line."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _digest(before: str, event: str) -> str:
    """A digest of an event and of all before it."""
    return hashlib.blake2b(f"{before} {event}".encode(), digest_size=DIGEST).hexdigest()


NOTHING: Final = _digest("", "")  # has happened


def chronicle(table: Table) -> Chronicle:
    """The news of a table, up to date."""
    found = table.once("news", table.id, Chronicle)
    found.update(table)
    return found
