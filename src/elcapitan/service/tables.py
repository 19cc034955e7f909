"""All tables: games that are created, played, taken back, followed, branched, brought in and thrown away.

A move is checked in this order: the game exists, a person of that seat is to move, the number is current, the action
is legal. Then it is stored, in one transaction, and only when that is done does the table change and everybody hear
of it. Computer players are asked in other processes, and their answers go through the same door.
"""

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.errors import BadRecord, BadSetup, ElCapitanError, NoSuchGame, NotYourTurn, StaleMove
from elcapitan.figures import Figures, packaged
from elcapitan.game import Event, Game
from elcapitan.hints import Suggestion
from elcapitan.service import paperwork, records
from elcapitan.service import plan as plans
from elcapitan.service.clerk import Clerk, Origin, Step
from elcapitan.service.course import Course, taken_over
from elcapitan.service.crew import Crew
from elcapitan.service.live import Live
from elcapitan.service.plan import Plan, Seat
from elcapitan.service.pool import Workers
from elcapitan.service.table import Summary, Table
from elcapitan.setup import Setup
from elcapitan.store.database import connect
from elcapitan.store.migrating import bring_up_to_date
from elcapitan.store.place import shown, url_of
from elcapitan.store.shelf import Shelf

MOST_LIVE: Final = 64  # tables in memory, besides those that somebody needs there

logger = logging.getLogger(__name__)


class Tables:
    """All tables of one database; made by `Tables.open`."""

    def __init__(self, shelf: Shelf, figures: Figures, workers: int | None, *, bots: bool) -> None:
        self.database = ""  # where games are kept, as it can be shown
        self.backup: Path | None = None  # the copy of an older database, if this one had to be brought up to date
        self._shelf = shelf
        self._clerk = Clerk(shelf, figures)
        self._crew = Crew(self._clerk, Workers(workers))
        self._live: OrderedDict[str, Live] = OrderedDict()  # those used last come last
        self._loading = asyncio.Lock()
        self._playing = bots

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        database: str | Path | None = None,
        *,
        figures: Figures | None = None,
        workers: int | None = None,
        bots: bool = True,
    ) -> AsyncIterator["Tables"]:
        """Open a database, a path or a URL, and bring it up to date; the computer players of unfinished games go on.

        Without `bots` they rest: for commands that look at games or bring them in, while a server may be playing.
        """
        url = url_of(database)
        engine = connect(url)
        try:
            backup = await bring_up_to_date(engine)
            tables = cls(Shelf(engine), figures or packaged(), workers, bots=bots)
            tables.database, tables.backup = shown(url), backup
            going_on = asyncio.create_task(tables._go_on())
            try:
                yield tables
            finally:
                going_on.cancel()
                await asyncio.gather(going_on, return_exceptions=True)
                await tables._close()
        finally:
            await engine.dispose()

    # ------------------------------------------------------------------------------------------------ looking

    async def get(self, game: str) -> Table:
        """A table as it stands."""
        async with self._using(game) as live:
            return live.table()

    async def summaries(self) -> list[Summary]:
        """All games, those changed last first."""
        return [paperwork.summary(sheet) for sheet in await self._shelf.sheets()]

    async def follow(self, game: str) -> AsyncGenerator[int, None]:
        """The versions of a table: the current one, then the newest whenever there is a new one.

        Whoever is slow misses some, never the last. It ends when the game is thrown away or the service closes.
        """
        async with self._using(game) as live:
            bell = live.listen()
            told = 0
            try:
                while not live.closed:
                    bell.clear()
                    if live.number != told:
                        told = live.number
                        yield told
                    else:
                        await bell.wait()
            finally:
                live.leave(bell)

    @staticmethod
    def export(table: Table, form: str) -> str:
        """The record of a table, "capitan" or "json"."""
        return records.export(table, form)

    # ------------------------------------------------------------------------------------------------ new games

    async def create(self, plan: Plan) -> Table:
        """Set up a table."""
        plan = plans.checked(plan)
        await self._clerk.rules_ready()
        figures, seed = self._clerk.figures, _any_seed() if plan.seed is None else plan.seed
        drawn = Game.new(
            len(plan.seats), plan.tiles, first=plan.first, options=plan.options, seed=seed, figures=figures
        )
        course = Course(drawn.setup, figures)
        return await self._add(plan, course, course.begin(seed))

    async def branch(self, game: str, at: int, seats: Sequence[Seat] | None = None) -> Table:
        """A new game from the moment when so many events had happened; what is face down is shuffled anew."""
        table = await self.get(game)
        events = table.game.events
        if not 1 <= at <= len(events):
            raise BadRecord("no-such-moment", found=at, most=len(events))
        plan = table.plan if seats is None else replace(table.plan, seats=tuple(seats))
        if len(plan.seats) != table.game.players:
            raise BadSetup("wrong-seats", found=len(plan.seats), wanted=table.game.players)
        return await self._take_over(plans.checked(plan), table.game.setup, events[:at], (game, at))

    async def bring(self, content: str | bytes, filename: str) -> Table:
        """A game from a record; one that is not over can be played on."""
        await self._clerk.rules_ready()
        brought = await asyncio.to_thread(records.read, content, filename, self._clerk.figures)
        return await self._take_over(plans.checked(brought.plan()), brought.game.setup, brought.game.events)

    async def _take_over(
        self, plan: Plan, setup: Setup, events: Sequence[Event], origin: Origin | None = None
    ) -> Table:
        """A game that was begun elsewhere."""
        course, happened = await asyncio.to_thread(taken_over, setup, self._clerk.figures, events, _any_seed())
        return await self._add(plan, course, happened, origin)

    async def _add(self, plan: Plan, course: Course, happened: Sequence[Any], origin: Origin | None = None) -> Table:
        """Put a game on the shelf and on a table."""
        live = await self._clerk.add(plan, course, happened, origin)
        self._keep(live)
        return live.table()

    async def delete(self, game: str) -> None:
        """Throw a game away."""
        await self._shelf.delete(game)
        live = self._live.pop(game, None)
        if live:
            live.close()

    # ------------------------------------------------------------------------------------------------ playing

    async def act(self, game: str, number: int, actions: Sequence[int], seat: int | None = None) -> Table:
        """The person who is to move acts: all of it, or nothing if one of the actions is not legal."""
        return await self._step(game, number, seat, lambda course: course.act(actions))

    async def undo(self, game: str, number: int, count: int = 1) -> Table:
        """Take back actions of the running turn; no further than to a card that was turned up."""
        return await self._step(game, number, None, lambda course: course.undo(count))

    async def redo(self, game: str, number: int, count: int = 1) -> Table:
        """Do again what was taken back, until something else is done."""
        return await self._step(game, number, None, lambda course: course.redo(count))

    async def hint(self, game: str, number: int, level: str | None = None) -> list[Suggestion]:
        """What a computer player would do in the place of the person who is to move, the best first."""
        if level is not None:
            plans.check_player(level)
        async with self._using(game) as live:
            if not live.plan.hints:
                raise BadSetup("no-hints")
            _check(live, number, None)
            advice = await self._crew.advise(live, level)
            _check(live, number, None)
            return advice

    async def change(self, game: str, **settings: Any) -> Table:
        """Change settings of a table: pace, forecast, hints, title, and for all seats names and players."""
        async with self._using(game) as live:

            async def note() -> None:
                async with live.lock:
                    _check_there(live)
                    await self._clerk.note(live, settings)

            await self._clerk.wholly(note())
            return self._after(live)

    async def _step(self, game: str, number: int, seat: int | None, step: Step) -> Table:
        """A person takes a step, if it is that person's turn and the table still looks as it did."""
        async with self._using(game) as live:

            async def checked() -> None:
                async with live.lock:
                    _check(live, number, seat)
                    await self._clerk.take(live, step)

            await self._clerk.wholly(checked())
            return self._after(live)

    def _after(self, live: Live) -> Table:
        """The table after a change; computer players hear of it too."""
        if self._playing:
            self._crew.wake(live)
        return live.table()

    # ------------------------------------------------------------------------------------------------ in memory

    @asynccontextmanager
    async def _using(self, game: str) -> AsyncIterator[Live]:
        """A table that stays in memory as long as it is used."""
        live = self._live.get(game)
        if live is None:
            async with self._loading:  # nobody loads a table twice
                live = self._live.get(game)
                if live is None:
                    live = await self._clerk.load(game)
                    self._keep(live)
        self._live.move_to_end(live.id)
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1
            if live.closed:
                self._live.pop(live.id, None)
            self._forget_some()

    def _keep(self, live: Live) -> None:
        """Keep a table in memory and let its computer players know."""
        self._live[live.id] = live
        if self._playing:
            self._crew.wake(live)
        self._forget_some()

    def _forget_some(self) -> None:
        """Let go of tables that nobody needs, those used longest ago first."""
        surplus = len(self._live) - MOST_LIVE
        if surplus > 0:
            for live in [each for each in self._live.values() if each.idle][:surplus]:
                del self._live[live.id]

    async def _go_on(self) -> None:
        """Let the computer players of unfinished games go on, one game after another."""
        if not self._playing:
            return
        await self._clerk.rules_ready()
        for game in map(paperwork.summary, await self._shelf.sheets(unfinished=True)):
            if not game.waits_for_people:
                try:
                    await self.get(game.id)
                except ElCapitanError as error:
                    logger.warning("game %s cannot go on: %s", game.id, error)

    async def _close(self) -> None:
        """Let everybody go; what is being stored is stored."""
        self._playing = False
        at_work = [live.bots for live in self._live.values() if live.bots]
        for live in self._live.values():
            live.close()
        await asyncio.gather(*at_work, return_exceptions=True)
        await self._crew.leave()
        await self._clerk.finish()


def _check(live: Live, number: int, seat: int | None) -> None:
    """Refuse those who are not to move, then those who decided when the table looked different."""
    _check_there(live)
    deciding = live.course.game.seat
    if deciding is not None and not live.plan.human(deciding):
        raise NotYourTurn("computer-to-move", seat=deciding + 1)
    if deciding is not None and seat not in (None, deciding):
        raise NotYourTurn("not-your-turn", seat=deciding + 1)
    if not live.moved <= number <= live.number:  # a note in between changes nothing about the game
        raise StaleMove


def _check_there(live: Live) -> None:
    """Refuse what is wanted of a game that was thrown away meanwhile."""
    if live.closed:
        raise NoSuchGame(live.id)


def _any_seed() -> int:
    """A seed that nobody knows."""
    return secrets.randbelow(HIGHEST_SEED + 1)
