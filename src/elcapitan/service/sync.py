"""Keeps the tables in memory in sync with other processes that share the database.

A notification only says what to look up: entries of a log are read and applied, chat is read, cached keys are dropped.
Who is connected is stored nowhere: every process publishes it for its own tables, at every change and now and then
besides, so that what a process said that is gone is not believed for long. After a break of the connection everything
is looked up. A database file has only one process, so nothing is sent or received.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine, Iterable, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from elcapitan.background_tasks import cancel_and_wait, kept
from elcapitan.errors import BadDatabase
from elcapitan.service.commit import Writer
from elcapitan.service.open_table import CHAT_KEPT, OpenTable, Presence
from elcapitan.store import postgresql
from elcapitan.store.game_store import GameStore

PRESENT: Final = "present"  # who is connected to a process: "present:PROCESS:0,2"
WHO: Final = "who"  # asks for that: "who:PROCESS"
EVERYWHERE: Final = "*"  # instead of a game
BEAT: Final = 20.0  # seconds after which it is told again
BELIEVED: Final = 3  # beats for which it is believed

logger = logging.getLogger(__name__)


class Sync:
    """Applies changes of other processes to the tables in memory, and tells those who is connected here."""

    def __init__(self, store: GameStore, writer: Writer, tables: MutableMapping[str, OpenTable]) -> None:
        self._store = store
        self._writer = writer
        self._tables = tables
        self._process = secrets.token_hex(4)
        self._elsewhere: dict[str, dict[str, tuple[frozenset[int], float]]] = {}  # game, process: seats, since when
        self._untold: dict[str, Presence] = {}  # by game: what other processes still have to be told
        self._in_turn = asyncio.Lock()  # held while they are told
        self._work: set[asyncio.Task[None]] = set()

    async def follow(self) -> None:
        """Send and receive until cancelled."""
        if not self._store.shared:
            return
        beating = asyncio.create_task(self._beat())
        try:
            await self._store.listen(self._receive)
        finally:
            await cancel_and_wait(beating, *self._work)

    def join(self, table: OpenTable) -> None:
        """Keep a newly loaded table in sync. What changed while it was being loaded is looked up."""
        if self._store.shared:
            table.presence.on_change = partial(self._send_presence, table.id)
            self._soon(self._look_up(table))
            self._soon(self._send(table.id, f"{WHO}:{self._process}"))

    async def leave(self) -> None:
        """Tell other processes that no person is connected here any more."""
        if self._store.shared:
            async with self._in_turn:
                self._untold.clear()
                for table in [each for each in self._tables.values() if each.presence.here]:
                    await self._send(table.id, f"{PRESENT}:{self._process}:")

    # ------------------------------------------------------------------------------------------------ hearing

    def _receive(self, received: postgresql.Notification | None) -> None:
        """Handle a notification; None means that some may have been missed."""
        if received is None:
            self._look_up_everything()
            return
        game, what = received
        kind, _, rest = what.partition(":")
        if game == EVERYWHERE:
            self._answer_who(rest, self._tables.values())
        elif table := self._tables.get(game):
            self._receive_about(table, kind, rest)

    def _look_up_everything(self) -> None:
        """Bring all tables up to date, because notifications may have been missed."""
        for table in self._tables.values():
            table.forget_keys()
            self._soon(self._look_up(table))
        self._soon(self._send(EVERYWHERE, f"{WHO}:{self._process}"))

    def _receive_about(self, table: OpenTable, kind: str, rest: str) -> None:
        """Handle a notification about a table in memory."""
        match kind:
            case postgresql.TALK:
                self._soon(self._read_chat(table, int(rest)))
            case postgresql.KEYS:
                table.forget_keys()
            case postgresql.GONE:
                self._tables.pop(table.id, None)
                table.close()
            case _ if kind == PRESENT:
                process, _, seats = rest.partition(":")
                self._note(table, process, frozenset(map(int, filter(None, seats.split(",")))))
            case _ if kind == WHO:
                self._answer_who(rest, [table])
            case _:
                if int(kind) > table.number:
                    self._soon(self._writer.catch_up(table, int(kind)))

    async def _look_up(self, table: OpenTable) -> None:
        """Bring one table up to date, its chat included."""
        await self._writer.catch_up(table)
        await self._read_chat(table, None)

    async def _read_chat(self, table: OpenTable, number: int | None) -> None:
        """Read the chat, unless this line is known already."""
        if all(line.number != number for line in table.chat):
            table.add_chat(await self._store.chat(table.id, CHAT_KEPT))

    # ------------------------------------------------------------------------------------------------ who is connected

    def _send_presence(self, game: str, presence: Presence) -> None:
        """Tell other processes who is connected to a table here."""
        self._untold[game] = presence
        self._soon(self._send_untold())

    async def _send_untold(self) -> None:
        """Send who is connected, table by table: two messages at once could arrive in the wrong order."""
        async with self._in_turn:
            while self._untold:
                game = next(iter(self._untold))
                seats = ",".join(map(str, sorted(self._untold.pop(game).here)))
                await self._send(game, f"{PRESENT}:{self._process}:{seats}")

    def _answer_who(self, asking: str, tables: Iterable[OpenTable]) -> None:
        """Answer another process that asks who is connected."""
        if asking != self._process:
            for table in tables:
                if table.presence.here:
                    self._send_presence(table.id, table.presence)

    def _note(self, table: OpenTable, process: str, seats: frozenset[int]) -> None:
        """Note who is connected to another process."""
        if process != self._process:
            self._elsewhere.setdefault(table.id, {})[process] = seats, time.monotonic()
            self._update_presence(table)

    def _update_presence(self, table: OpenTable) -> None:
        """Forget what was said too long ago; the rest is who is present elsewhere."""
        now, told = time.monotonic(), self._elsewhere.get(table.id, {})
        fresh = {process: (seats, at) for process, (seats, at) in told.items() if now - at < BELIEVED * BEAT}
        self._elsewhere[table.id] = fresh
        table.presence.set_elsewhere(frozenset().union(*(seats for seats, _at in fresh.values())))

    async def _beat(self) -> None:
        """Repeat who is connected here, and forget processes that do not repeat it any more."""
        while True:
            await asyncio.sleep(BEAT)
            for game in self._elsewhere.keys() - self._tables.keys():
                del self._elsewhere[game]
            for table in list(self._tables.values()):
                self._update_presence(table)
                if table.presence.here:
                    self._send_presence(table.id, table.presence)

    # ------------------------------------------------------------------------------------------------ work

    async def _send(self, game: str, what: str) -> None:
        """Notify other processes. If that fails, the next beat repeats it."""
        with suppress(BadDatabase):
            await self._store.notify(game, what)

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something as a task of its own."""
        kept(asyncio.create_task(self._tried(work)), self._work)

    @staticmethod
    async def _tried(work: Coroutine[Any, Any, None]) -> None:
        """Await something. If the database fails, the next notification or connection will bring it."""
        try:
            await work
        except BadDatabase as error:
            logger.warning("news of a table came to nothing: %s", error)
