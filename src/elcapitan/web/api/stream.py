"""What happens at a table as a stream of messages, each encoded once for all who are to get the same.

A message says everything that is new: how many of the events sent before still stand (fewer, if something was taken
back), the events after them, what was said, and the whole table. Its id tells what its reader knows then: how many
events, a digest of them, and how many lines. A reader who comes back with an id gets exactly what is missing, even if
meanwhile something was taken back and played differently.
"""

import hashlib
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from fastapi import Request
from pydantic import TypeAdapter
from pydantic_core import to_json

from elcapitan.errors import ElCapitanError, NoSuchGame
from elcapitan.game.history import Event
from elcapitan.records.json_record import event_to_json
from elcapitan.service import Rights, Table
from elcapitan.untrusted_input import whole_number
from elcapitan.web.api.app import Caller, with_key
from elcapitan.web.api.errors import refusal, translator_of
from elcapitan.web.api.responses import GameSeenJson, SaidJson, is_yours, line_to_json, rights_to_json, table_to_json
from elcapitan.web.long_requests import drawing_turn, within_budget
from elcapitan.web.render import BoundedCache

DIGEST: Final = 6  # bytes: no two courses of one game are taken for each other
MOST_MESSAGES: Final = 16  # encoded messages kept for a table: those who follow it know the same, with a few rights
MOST_STATES: Final = 16  # encoded states kept for a table, one for each set of rights
HIGHEST_NUMBER: Final = 999_999_999  # in an id: nine digits
ID: Final = re.compile(r"(\d{1,9})(?:-([0-9a-f]{12})-(\d{1,9}))?", re.ASCII)
STATE: Final = TypeAdapter(GameSeenJson)
LINES: Final = TypeAdapter(list[SaidJson])
PERSONAL: Final = {"you", "yours"}  # the keys of a state that depend on the rights of its reader


@dataclass(frozen=True, slots=True)
class Known:
    """What a reader of the stream knows."""

    events: tuple[str, ...] = ()  # a digest of each event and of all before it
    lines: int = 0  # the number of the last line


class TableStream:
    """The messages of one table, for all who follow it."""

    def __init__(self) -> None:
        self._version = ""
        self._events: list[Event] = []
        self._encoded_events: list[bytes] = []
        self.digests: tuple[str, ...] = ()
        self._shared_state = b""  # without what depends on the rights of its reader
        self._states: BoundedCache[Rights, bytes] = BoundedCache(MOST_STATES)
        self._messages: BoundedCache[tuple[str, Rights], bytes] = BoundedCache(MOST_MESSAGES)
        self._lines: list[SaidJson] = []

    def update(self, table: Table) -> None:
        """Take in a table as it is now."""
        if table.version == self._version:
            return
        self._version = table.version
        self._shared_state = b""
        self._states, self._messages = BoundedCache(MOST_STATES), BoundedCache(MOST_MESSAGES)
        self._lines = [line_to_json(line) for line in table.chat]
        events = table.game.events
        same = common_length(self._events, events)
        digests = list(self.digests[:same])
        del self._encoded_events[same:]
        for event in events[same:]:
            self._encoded_events.append(to_json(event_to_json(event, table.game.figures)))
            digests.append(_digest(digests[-1] if digests else "", self._encoded_events[-1]))
        self._events, self.digests = events, tuple(digests)

    def now(self) -> Known:
        """Return what a reader knows who has read everything."""
        return Known(self.digests, self._lines[-1]["number"] if self._lines else 0)

    def known_by(self, last_id: str) -> Known | None:
        """Return what a reader of the message with this id knows; `None` if there is no such id.

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
        return Known((), lines)  # they know another course of the game, and get everything again

    def _clamped(self, lines: int) -> int:
        """Return the nearest number of a line after which something else would be sent."""
        if not self._lines:
            return 0
        first, last = self._lines[0]["number"], self._lines[-1]["number"]
        return min(max(lines, first - 1), last)

    def message(self, known: Known, table: Table, rights: Rights) -> bytes:
        """Return what is new for a reader with these rights, as it is sent."""
        return self._messages.get((id_of(known), rights), lambda: self._encode_message(known, table, rights))

    def _encode_message(self, known: Known, table: Table, rights: Rights) -> bytes:
        """Put a message together from what is encoded already. Its content is described by `NewsJson`."""
        since = common_length(known.events, self.digests)
        return b'id: %s\ndata: {"since":%d,"events":[%s],"lines":%s,"state":%s}\n\n' % (
            id_of(self.now()).encode(),
            since,
            b",".join(self._encoded_events[since:]),
            LINES.dump_json([line for line in self._lines if line["number"] > known.lines]),
            self.state(table, rights),
        )

    def state(self, table: Table, rights: Rights) -> bytes:
        """Return the table as JSON. What is the same for all readers is encoded once."""
        return self._states.get(rights, lambda: self._encode_state(table, rights))

    def _encode_state(self, table: Table, rights: Rights) -> bytes:
        """Put together the state for a reader with these rights."""
        self._shared_state = self._shared_state or STATE.dump_json(table_to_json(table, rights), exclude=PERSONAL)
        personal = to_json({"you": rights_to_json(rights), "yours": is_yours(table, rights)})
        return b"%s,%s" % (self._shared_state[:-1], personal[1:])


def _number(digits: str | None) -> int:
    """Read a number of an id; 0 if it is left out."""
    return whole_number(digits or "", HIGHEST_NUMBER) or 0


def id_of(known: Known) -> str:
    """Return the id of the message after which a reader knows this much."""
    last = known.events[-1] if known.events else NOTHING
    return f"{len(known.events)}-{last}-{known.lines}"


def common_length(one: Sequence[object], other: Sequence[object]) -> int:
    """Count the items at the beginning that are the same."""
    most = min(len(one), len(other))
    return next((place for place in range(most) if one[place] != other[place]), most)


def _digest(before: str, event: bytes) -> str:
    """Return a digest of an event and of all before it."""
    return hashlib.blake2b(b"%s %s" % (before.encode(), event), digest_size=DIGEST).hexdigest()


NOTHING: Final = _digest("", b"")  # the digest of a game without events


def stream_of(table: Table) -> TableStream:
    """Return the messages of a table, up to date."""
    found = table.once("news", table.id, TableStream)
    found.update(table)
    return found


async def messages(request: Request, caller: Caller, last: str | None, *, once: bool) -> AsyncGenerator[bytes, None]:
    """Yield the messages for a caller who knows the table up to an id. Ends with an error if their key is revoked."""
    known: Known | None = None
    try:
        async with aclosing(caller.tables.follow(caller.game, caller.rights.seats)) as changes:
            async for _change in changes:
                await within_budget()
                caller = await with_key(caller.tables, caller.game, caller.key)
                async with drawing_turn():
                    table = await caller.table()
                    stream = stream_of(table)
                    known = known or (stream.known_by(last) if last else None) or stream.now()
                    message = stream.message(known, table, caller.rights)
                    known = stream.now()
                yield message
                if once:
                    return
    except NoSuchGame:  # it was deleted meanwhile
        return
    except ElCapitanError as error:
        yield b"event: end\ndata: %s\n\n" % to_json({"error": refusal(error, translator_of(request))})
