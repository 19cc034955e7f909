"""Timeouts: a computer player stands in when a person's time is out, and undo votes lapse.

A table need not be in memory meanwhile: the rows of games say too when time is out. Where several processes share a
database, each reads those rows now and then, because the process that knew of a time may be gone; if two commit at the
same table, the second is refused.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import datetime
from typing import Final

from elcapitan.errors import BadDatabase, ElCapitanError, NoSuchGame, StaleVersion
from elcapitan.service.bots import Bots
from elcapitan.service.commit import Writer
from elcapitan.service.decisions import time_out
from elcapitan.service.open_table import OpenTable, Using
from elcapitan.service.table import GameSummary
from elcapitan.store.game_store import GameStore

ROUND: Final = 60.0  # seconds after which all times are checked again, also because a machine may have been asleep
AGAIN: Final = 5.0  # seconds after trouble

logger = logging.getLogger(__name__)


class Timeouts:
    """Knows when a clock runs out or an undo vote lapses at each table."""

    def __init__(self, store: GameStore, writer: Writer, bots: Bots, using: Using) -> None:
        self._store = store
        self._writer = writer
        self._bots = bots
        self._using = using
        self._due: dict[str, datetime] = {}
        self._changed = asyncio.Event()

    def watch(self, table: OpenTable) -> None:
        """Note when time is out at a table, which was loaded or has changed."""
        due = None if table.closed else table.state.due
        if due != self._due.get(table.id):
            self._due.pop(table.id, None)
            if due is not None:
                self._due[table.id] = due
            self.check_now()

    def forget(self, game: str) -> None:
        """Drop a game that was deleted, whether its table is in memory or not."""
        self._due.pop(game, None)

    def check_now(self) -> None:
        """Let `run` compare all times with the clock at once."""
        self._changed.set()

    async def run(self) -> None:
        """Handle every table whose time is out, until cancelled."""
        await self._read()
        while True:
            self._changed.clear()
            now = self._writer.now()
            for game in [game for game, due in self._due.items() if due <= now]:
                await self._handle(game)
            left = [(due - self._writer.now()).total_seconds() for due in self._due.values()]
            try:
                async with asyncio.timeout(max(0.0, min([ROUND, *left]))):
                    await self._changed.wait()
            except TimeoutError:
                if self._store.shared:
                    await self._read()

    async def _read(self) -> None:
        """Read from the rows of games when time is out."""
        try:
            for game in map(GameSummary.of, await self._store.rows(unfinished=True)):
                if game.due:
                    self._due[game.id] = game.due
        except BadDatabase as error:
            logger.warning("nobody knows yet whose time is out: %s", error)

    async def _handle(self, game: str) -> None:
        """Handle a table whose time is out, unless the game was deleted meanwhile. Logs errors and goes on."""
        if self._due.pop(game, None) is None:
            return
        try:
            async with self._using(game) as table:
                with suppress(StaleVersion):  # something has happened elsewhere
                    await self._writer.commit(table, time_out)
                self.watch(table)
                self._bots.wake(table)
        except NoSuchGame:
            pass
        except ElCapitanError as error:
            logger.warning("nobody stands in at game %s: %s", game, error)
            await asyncio.sleep(AGAIN)
            await self._read()
        except Exception:
            logger.exception("the clocks of game %s are not looked at any more", game)
