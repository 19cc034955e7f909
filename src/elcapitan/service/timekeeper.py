"""The timekeeper: when the time of somebody is out at a table, a computer player stands in; and wishes lapse.

A table need not be in memory meanwhile: when its time is out stands in the list of games too. Where several processes
share a database, every one of them looks at that list now and then, because whoever knew of a time may be gone; if two
see to the same table, the second is refused.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from datetime import datetime
from typing import Final

from elcapitan.errors import BadDatabase, ElCapitanError, NoSuchGame, StaleMove
from elcapitan.service import going_back, paperwork
from elcapitan.service import plan as plans
from elcapitan.service.clerk import Clerk
from elcapitan.service.crew import Crew
from elcapitan.service.live import Live
from elcapitan.store.shelf import Shelf

ROUND: Final = 60.0  # seconds after which it is looked again, also because a machine may have been asleep
AGAIN: Final = 5.0  # seconds after trouble

Using = Callable[[str], AbstractAsyncContextManager[Live]]
logger = logging.getLogger(__name__)


class Timekeeper:
    """Knows when a clock runs out or a wish to go back lapses at each table."""

    def __init__(self, shelf: Shelf, clerk: Clerk, crew: Crew, using: Using) -> None:
        self._shelf = shelf
        self._clerk = clerk
        self._crew = crew
        self._using = using
        self._due: dict[str, datetime] = {}
        self._changed = asyncio.Event()

    def watch(self, live: Live) -> None:
        """A table has changed, and with it perhaps whose time runs."""
        due = None if live.closed else live.minutes.due
        if due != self._due.get(live.id):
            self._due.pop(live.id, None)
            if due is not None:
                self._due[live.id] = due
            self.look()

    def forget(self, game: str) -> None:
        """Drop a game that was deleted, whether its table is in memory or not."""
        self._due.pop(game, None)

    def look(self) -> None:
        """Look at the time now."""
        self._changed.set()

    async def run(self) -> None:
        """See to every table whose time is out, until cancelled."""
        await self._read()
        while True:
            self._changed.clear()
            now = self._clerk.now()
            for game in [game for game, due in self._due.items() if due <= now]:
                await self._see_to(game)
            left = [(due - self._clerk.now()).total_seconds() for due in self._due.values()]
            try:
                async with asyncio.timeout(max(0.0, min([ROUND, *left]))):
                    await self._changed.wait()
            except TimeoutError:
                if self._shelf.shared:
                    await self._read()

    async def _read(self) -> None:
        """Read from the list of games when time is out."""
        try:
            for game in map(paperwork.summary, await self._shelf.sheets(unfinished=True)):
                if game.due:
                    self._due[game.id] = game.due
        except BadDatabase as error:
            logger.warning("nobody knows yet whose time is out: %s", error)

    async def _see_to(self, game: str) -> None:
        """End a wish, or let a computer player stand in, if the time at a table is really out."""
        if self._due.pop(game, None) is None:
            return  # it was deleted meanwhile
        try:
            async with self._using(game) as live:
                with suppress(StaleMove):  # something has happened elsewhere
                    await self._clerk.wholly(self._stand_in(live))
                self.watch(live)
                self._crew.wake(live)
        except NoSuchGame:
            pass
        except ElCapitanError as error:
            logger.warning("nobody stands in at game %s: %s", game, error)
            await asyncio.sleep(AGAIN)
            await self._read()
        except Exception:
            logger.exception("the clocks of game %s are not looked at any more", game)

    async def _stand_in(self, live: Live) -> None:
        """Somebody stands in for whoever is late: for the rest of the turn, or for good if there was time for all.

        A wish that is open then, or whose own time is out, lapses before.
        """
        async with live.lock:
            if not live.closed:
                await going_back.lapse(self._clerk, live)
            clockwork = live.minutes.clockwork
            if live.closed or not clockwork.clock or not clockwork.due or clockwork.due > self._clerk.now():
                return
            seat = live.course.game.seat
            if seat is None or live.course.problem:  # a game that can only be looked at
                return
            late = clockwork.clock.kind == "turn"
            await self._clerk.note(live, plans.with_seat(live.plan, seat, stand_in=plans.SUBSTITUTE, late=late))
