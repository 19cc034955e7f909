"""What other processes do at the tables of this one, where several share a database.

A piece of news only says what to look up: entries of a log are read and played on, lines of talk are read, keys are
forgotten. Who looks on is kept nowhere: every process tells it of its own tables, at every change and now and then
besides, so that nothing is believed for long of a process that is gone. After a break of the connection everything is
looked up. Who keeps games in a file is alone with them: nothing is told and nothing heard.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine, Iterable, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from elcapitan.errors import BadDatabase
from elcapitan.meanwhile import ended
from elcapitan.service.clerk import Clerk
from elcapitan.service.live import Live
from elcapitan.service.presence import Presence
from elcapitan.service.talk import KEPT
from elcapitan.store import news
from elcapitan.store.shelf import Shelf

PRESENT: Final = "present"  # who looks on in a process: "present:PROCESS:0,2"
WHO: Final = "who"  # asks for that: "who:PROCESS"
EVERYWHERE: Final = "*"  # instead of a game
BEAT: Final = 20.0  # seconds after which it is told again
BELIEVED: Final = 3  # beats for which it is believed

logger = logging.getLogger(__name__)


class News:
    """Keeps the tables in memory as other processes leave them, and tells those who looks on here."""

    def __init__(self, shelf: Shelf, clerk: Clerk, tables: MutableMapping[str, Live]) -> None:
        self._shelf = shelf
        self._clerk = clerk
        self._tables = tables
        self._process = secrets.token_hex(4)
        self._elsewhere: dict[str, dict[str, tuple[frozenset[int], float]]] = {}  # game, process: seats, since when
        self._work: set[asyncio.Task[None]] = set()

    async def follow(self) -> None:
        """Hear and tell, until cancelled."""
        if not self._shelf.shared:
            return
        beating = asyncio.create_task(self._beat())
        try:
            await self._shelf.listen(self._hear)
        finally:
            await ended(beating, *self._work)

    def join(self, live: Live) -> None:
        """A table is in memory from now on; what was told while it was being read is looked up."""
        if self._shelf.shared:
            live.presence.spread = partial(self._spread, live.id)
            self._soon(self._look_up(live))
            self._soon(self._tell(live.id, f"{WHO}:{self._process}"))

    async def leave(self) -> None:
        """Nobody looks on here any more."""
        if self._shelf.shared:
            for live in [each for each in self._tables.values() if each.presence.here]:
                await self._tell(live.id, f"{PRESENT}:{self._process}:")

    # ------------------------------------------------------------------------------------------------ hearing

    def _hear(self, told: news.News | None) -> None:
        """There is news, or some was missed."""
        if told is None:
            self._look_up_everything()
            return
        game, what = told
        kind, _, rest = what.partition(":")
        if game == EVERYWHERE:
            self._answer(rest, self._tables.values())
        elif live := self._tables.get(game):
            self._hear_of(live, kind, rest)

    def _look_up_everything(self) -> None:
        """Some news may have been missed."""
        for live in self._tables.values():
            live.roles = None
            self._soon(self._look_up(live))
        self._soon(self._tell(EVERYWHERE, f"{WHO}:{self._process}"))

    def _hear_of(self, live: Live, kind: str, rest: str) -> None:
        """There is news of a table that is in memory."""
        match kind:
            case news.TALK:
                self._soon(self._read_talk(live, int(rest)))
            case news.KEYS:
                live.roles = None
            case news.GONE:
                self._tables.pop(live.id, None)
                live.close()
            case _ if kind == PRESENT:
                process, _, seats = rest.partition(":")
                self._note(live, process, frozenset(map(int, filter(None, seats.split(",")))))
            case _ if kind == WHO:
                self._answer(rest, [live])
            case _:
                if int(kind) > live.number:
                    self._soon(self._clerk.catch_up(live, int(kind)))

    async def _look_up(self, live: Live) -> None:
        """Bring a table up to date in every respect."""
        await self._clerk.catch_up(live)
        await self._read_talk(live, None)

    async def _read_talk(self, live: Live, number: int | None) -> None:
        """Read what was said, unless this line is known already."""
        async with live.lock:  # whoever says something here has it
            if all(line.number != number for line in live.talk):
                live.said(await self._shelf.talk(live.id, KEPT))

    # ------------------------------------------------------------------------------------------------ who looks on

    def _spread(self, game: str, presence: Presence) -> None:
        """Tell the others who looks on at a table here."""
        seats = ",".join(map(str, sorted(presence.here)))
        self._soon(self._tell(game, f"{PRESENT}:{self._process}:{seats}"))

    def _answer(self, asking: str, tables: Iterable[Live]) -> None:
        """Another process asks who looks on."""
        if asking != self._process:
            for live in tables:
                if live.presence.here:
                    self._spread(live.id, live.presence)

    def _note(self, live: Live, process: str, seats: frozenset[int]) -> None:
        """Another process tells who looks on there."""
        if process != self._process:
            self._elsewhere.setdefault(live.id, {})[process] = seats, time.monotonic()
            self._believe(live)

    def _believe(self, live: Live) -> None:
        """Forget what was told too long ago; the rest is who looks on elsewhere."""
        now, told = time.monotonic(), self._elsewhere.get(live.id, {})
        fresh = {process: (seats, at) for process, (seats, at) in told.items() if now - at < BELIEVED * BEAT}
        self._elsewhere[live.id] = fresh
        live.presence.elsewhere(frozenset().union(*(seats for seats, _at in fresh.values())))

    async def _beat(self) -> None:
        """Tell again who looks on here, and forget those who do not tell any more."""
        while True:
            await asyncio.sleep(BEAT)
            for game in self._elsewhere.keys() - self._tables.keys():
                del self._elsewhere[game]
            for live in list(self._tables.values()):
                self._believe(live)
                if live.presence.here:
                    self._spread(live.id, live.presence)

    # ------------------------------------------------------------------------------------------------ work

    async def _tell(self, game: str, what: str) -> None:
        """Tell other processes; if that fails, they are told again soon."""
        with suppress(BadDatabase):
            await self._shelf.tell(game, what)

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something, and hold nobody up meanwhile."""
        task = asyncio.create_task(self._tried(work))
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    @staticmethod
    async def _tried(work: Coroutine[Any, Any, None]) -> None:
        """Do something; if it cannot be done, the next news or the next connection will bring it."""
        try:
            await work
        except BadDatabase as error:
            logger.warning("news of a table came to nothing: %s", error)
