"""Who lets the computer players play: this process, or others that are asked by jobs in a database they share.

A process plays at the tables where something was done in it. If it is gone before its computer players have moved,
another notices, because every process that plays looks through all unfinished games now and then. With jobs, those
who ask play nothing and those who work play what they are asked for, on any number of machines.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import timedelta
from typing import Final, Literal

from elcapitan.errors import BadDatabase, ElCapitanError, NoSuchGame
from elcapitan.meanwhile import meanwhile
from elcapitan.service import paperwork
from elcapitan.service.clerk import Clerk
from elcapitan.service.crew import Crew
from elcapitan.service.live import Live
from elcapitan.service.table import Summary
from elcapitan.store.jobs import Jobs
from elcapitan.store.shelf import Shelf

ROUND: Final = 30.0  # seconds from one look through all games to the next

Using = Callable[[str], AbstractAsyncContextManager[Live]]
Part = Literal["ask", "work"]  # in jobs
logger = logging.getLogger(__name__)


class Duty:
    """Sees to it that computer players play in all unfinished games."""

    def __init__(self, shelf: Shelf, clerk: Clerk, crew: Crew, using: Using) -> None:
        self._shelf = shelf
        self._clerk = clerk
        self._crew = crew
        self._using = using
        self._jobs: Jobs | None = None
        self._asking: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def doing(self, part: Part | None) -> AsyncIterator[None]:
        """Meanwhile they play: here, or by jobs that this process asks for or does."""
        if part is None:
            async with meanwhile(self._look_after()):
                yield
            return
        async with self._shelf.jobs(self._play) as jobs:
            self._jobs = jobs
            if part == "work":
                async with meanwhile(jobs.work()), meanwhile(self._look_after()):
                    yield
            else:
                self._crew.hand_over = self._hand_over
                yield
                await asyncio.gather(*self._asking, return_exceptions=True)

    def _hand_over(self, live: Live) -> None:
        """Ask for a job; nobody waits for the answer."""
        assert self._jobs
        task = asyncio.create_task(self._jobs.ask(live.id, live.number))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _play(self, game: str) -> None:
        """Do a job: let the computer players of a game play until a person is to decide."""
        with suppress(NoSuchGame):
            async with self._using(game) as live:
                await self._clerk.catch_up(live)
                self._crew.wake(live)
                if live.bots:
                    await asyncio.wait([live.bots])

    async def _look_after(self) -> None:
        """Let the computer players of unfinished games go on; again and again where other processes may fail."""
        await self._clerk.rules_ready()
        age = timedelta(0)
        while True:
            try:
                await self._go_on(age)
            except BadDatabase as error:
                logger.warning("unfinished games are not looked at: %s", error)
            if not self._shelf.shared:
                return
            await asyncio.sleep(ROUND)
            age = timedelta(seconds=ROUND)

    async def _go_on(self, age: timedelta) -> None:
        """Let the computer players go on where nothing has happened for a while, one game after another."""
        at_work = await self._jobs.games() if self._jobs else set()
        late = self._clerk.now() - age
        for game in map(paperwork.summary, await self._shelf.sheets(unfinished=True)):
            if not game.waits_for_people and game.id not in at_work and game.changed <= late:
                try:
                    await self._wake(game)
                except ElCapitanError as error:
                    logger.warning("game %s cannot go on: %s", game.id, error)

    async def _wake(self, game: Summary) -> None:
        """Let the computer players of a game go on."""
        if self._jobs:
            await self._jobs.ask(game.id, game.number)
        else:
            async with self._using(game.id) as live:
                await self._clerk.catch_up(live, game.number)
                self._crew.wake(live)
