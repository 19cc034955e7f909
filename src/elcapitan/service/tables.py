"""All tables: games that are created, played, taken back, followed, branched, brought in and thrown away.

A move is checked in this order: the game exists, a person of that seat is to move, the number is current, the action
is legal. Then it is stored, in one transaction, and only when that is done does the table change and everybody hear
of it. Computer players are asked in other processes, and their answers go through the same door.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

from elcapitan.errors import BadRecord, BadSetup, StaleMove
from elcapitan.figures import Figures, packaged
from elcapitan.meanwhile import ended, meanwhile
from elcapitan.players.hints import Suggestion
from elcapitan.service import going_back, paperwork, records, talk
from elcapitan.service import plan as plans
from elcapitan.service.access import Keys, Rights, role_seat, seat_role
from elcapitan.service.beginning import begun
from elcapitan.service.bot_processes import Workers
from elcapitan.service.checks import check_change, check_may, check_seat, check_there
from elcapitan.service.clerk import Clerk, Origin, Step
from elcapitan.service.course import Course
from elcapitan.service.crew import Crew
from elcapitan.service.duty import Duty, Part
from elcapitan.service.herald import Herald
from elcapitan.service.imports import Imports
from elcapitan.service.live import Live
from elcapitan.service.news import News
from elcapitan.service.plan import FRIEND, SUBSTITUTE, Plan, Seat
from elcapitan.service.room import Room
from elcapitan.service.table import Summary, Table
from elcapitan.service.tallies import Tallies
from elcapitan.service.timekeeper import Timekeeper
from elcapitan.store.database import connect
from elcapitan.store.migrating import bring_up_to_date
from elcapitan.store.place import shown, url_of
from elcapitan.store.shelf import Shelf

TRIES: Final = 3  # to change settings while other processes write too


class Tables:
    """All tables of one database; made by `Tables.open`."""

    def __init__(self, shelf: Shelf, figures: Figures, workers: int | None, herald: Herald, *, bots: bool) -> None:
        self.database = ""  # where games are kept, as it can be shown
        self.backup: Path | None = None  # the copy of an older database, if this one had to be brought up to date
        self._shelf = shelf
        self._clerk = Clerk(shelf, figures)
        self._keys = Keys(shelf)
        self._imports = Imports(figures)
        self._crew = Crew(self._clerk, Workers(workers), alone=not shelf.shared)
        self._room = Room(self._clerk, self._come)
        self._live, self._using = self._room.live, self._room.using
        self._herald = herald
        self._clerk.turned = herald.proclaim
        self._news = News(shelf, self._clerk, self._live)
        self._duty = Duty(shelf, self._clerk, self._crew, self._using)
        self._timekeeper = Timekeeper(shelf, self._clerk, self._crew, self._using)
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
        jobs: Part | None = None,
        house: str = "",
        local_webhooks: bool = False,
        webhook_ports: Collection[int] = (),
    ) -> AsyncIterator["Tables"]:
        """Open a database, a path or a URL, and bring it up to date; the computer players of unfinished games go on.

        Without `bots` they rest: for commands that look at games or bring them in, while a server may be playing. In a
        PostgreSQL they may play by `jobs`, which some processes ask for and others do. Where people find this `house`
        is told to webhooks, which may be machines of the own network only with `local_webhooks`, and use other
        ports than 80 and 443 only if they are among `webhook_ports`.
        """
        url = url_of(database)
        engine = connect(url)
        try:
            backup = await bring_up_to_date(engine)
            herald = Herald(house, anywhere=local_webhooks, ports=webhook_ports)
            tables = cls(Shelf(engine), figures or packaged(), workers, herald, bots=bots)
            tables.database, tables.backup = shown(url), backup
            await tables._clerk.set_clock()
            try:
                async with meanwhile(tables._news.follow()), tables._at_work(jobs) if bots else nullcontext():
                    yield tables
            finally:
                await tables._close()
        finally:
            await engine.dispose()

    @asynccontextmanager
    async def _at_work(self, jobs: Part | None) -> AsyncIterator[None]:
        """Meanwhile computer players play, and somebody looks at the clocks."""
        async with self._duty.doing(jobs), meanwhile(self._timekeeper.run()):
            yield

    # ------------------------------------------------------------------------------------------------ looking after

    @property
    def live(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    @property
    def tallies(self) -> Tallies:
        """What was counted since this was opened."""
        return self._clerk.tallies

    async def check(self) -> None:
        """See whether anybody could play: the database answers, and the rules are loaded."""
        await self._shelf.check()
        await self._clerk.rules_ready()

    # ------------------------------------------------------------------------------------------------ looking

    async def get(self, game: str) -> Table:
        """A table as it stands."""
        async with self._using(game) as live:
            return live.table(self._clerk.now())

    async def summaries(self, among: Collection[str] | None = None) -> list[Summary]:
        """All games, those changed last first; or those among some."""
        return [paperwork.summary(sheet) for sheet in await self._shelf.sheets(among=among)]

    async def follow(self, game: str, seats: frozenset[int] = frozenset()) -> AsyncGenerator[int, None]:
        """A number at once, and a higher one whenever anything has changed that is shown.

        While it runs, those who play these seats are present, if anybody comes by link at all. Whoever is slow misses
        some numbers, never the last. It ends when the game is thrown away or the service closes.
        """
        async with self._using(game) as live:
            bell = live.listen()
            company = seats if live.plan.company else frozenset()
            live.presence.come(company)
            told = -1
            try:
                while not live.closed:
                    bell.clear()
                    if live.pulse != told:
                        told = live.pulse
                        yield told
                    else:
                        await bell.wait()
            finally:
                live.leave(bell)
                live.presence.go(company)

    @staticmethod
    def export(table: Table, form: str) -> str:
        """The record of a table, "capitan" or "json"."""
        return records.export(table, form)

    # ------------------------------------------------------------------------------------------------ new games

    async def create(self, plan: Plan) -> Table:
        """Set up a table."""
        plan = plans.checked(plan)
        await self._clerk.rules_ready()
        return await self._add(plan, *begun(plan, self._clerk.figures))

    async def branch(self, game: str, at: int, seats: Sequence[Seat] | None = None) -> Table:
        """A new game from the moment when so many events had happened; what is face down is shuffled anew."""
        table = await self.get(game)
        events = table.game.events
        if not 1 <= at <= len(events):
            raise BadRecord("no-such-moment", found=at, most=len(events))
        plan = plans.of_ones_own(table.plan, table.plan.seats if seats is None else seats)
        if len(plan.seats) != table.game.players:
            raise BadSetup("wrong-seats", found=len(plan.seats), wanted=table.game.players)
        plan = plans.checked(plans.told_apart(plan))
        return await self._add(plan, *await self._imports.replay(table.game.setup, events[:at]), (game, at))

    async def bring(self, content: str | bytes, filename: str) -> Table:
        """A game from a record; one that is not over can be played on."""
        await self._clerk.rules_ready()
        return await self._add(*await self._imports.read(content, filename))

    async def _add(self, plan: Plan, course: Course, happened: Sequence[Any], origin: Origin | None = None) -> Table:
        """Put a game on the shelf and on a table."""
        self._herald.check(plan)
        live = await self._clerk.add(plan, course, happened, origin)
        self._room.keep(live)
        self._herald.proclaim(live)
        return live.table(self._clerk.now())

    async def delete(self, game: str) -> None:
        """Throw a game away."""
        await self._shelf.delete(game)
        self._room.forget(game)
        self._timekeeper.forget(game)

    # ------------------------------------------------------------------------------------------------ playing

    async def act(self, game: str, number: int, actions: Sequence[int], seats: Collection[int] | None = None) -> Table:
        """The person who is to move acts: all of it, or nothing if one of the actions is not legal.

        `seats` are those that whoever wants it decides for; everybody's if they are not given.
        """
        return await self._step(game, number, seats, lambda course: course.act(actions))

    async def undo(self, game: str, number: int, count: int = 1, seats: Collection[int] | None = None) -> Table:
        """Take back actions of the running turn; no further than to a card that was turned up."""
        return await self._step(game, number, seats, lambda course: course.undo(count), counted=True)

    async def redo(self, game: str, number: int, count: int = 1, seats: Collection[int] | None = None) -> Table:
        """Do again what was taken back, until something else is done."""
        return await self._step(game, number, seats, lambda course: course.redo(count), counted=True)

    async def ask_undo(self, game: str, number: int, seat: int, at: int) -> Table:
        """A person wishes to go back to when `at` events had happened; if it concerns nobody else, it is done."""

        async def asked(live: Live) -> None:
            await self._sit_down(live, seat)
            await going_back.ask(self._clerk, live, number, seat, at)

        return await self._change(game, asked)

    async def answer_undo(self, game: str, number: int, seat: int, *, yes: bool) -> Table:
        """A person agrees to a wish to go back, or ends it; when all have agreed, it is done."""

        async def answered(live: Live) -> None:
            await self._sit_down(live, seat)
            await going_back.answer(self._clerk, live, number, seat, yes=yes)

        return await self._change(game, answered)

    async def hint(
        self, game: str, number: int, level: str | None = None, seats: Collection[int] | None = None
    ) -> list[Suggestion]:
        """What a computer player would do in the place of the person who is to move, the best first."""
        if level is not None:
            plans.check_level(level)
        async with self._using(game) as live:
            if not live.plan.hints:
                raise BadSetup("no-hints")
            check_may(live, number, seats)
            advice = await self._crew.advise(live, level)
            check_may(live, number, seats)
            return advice

    async def _step(
        self, game: str, number: int, seats: Collection[int] | None, step: Step, *, counted: bool = False
    ) -> Table:
        """A person takes a step, if it is that person's turn and the table still looks as it did.

        What does not move the game on is `counted`, and refused if there is too much of it.
        """

        async def checked(live: Live) -> None:
            if number > live.number:  # whoever decided has seen it in another process
                await self._clerk.follow(live)
            check_may(live, number, seats)
            if counted:
                check_change(live, live.course.game.seat)
            await self._sit_down(live, live.course.game.seat)
            await self._clerk.take(live, step)

        return await self._change(game, checked)

    async def _sit_down(self, live: Live, seat: int | None) -> None:
        """Note that a seat is taken, if a person acts for it whose link was never opened, as programs may do.

        Otherwise that person would not be asked when others want to go back.
        """
        plan = live.plan
        if seat is not None and seat in plan.persons and plan.human(seat) and plan.seats[seat].free:
            await self._note(live, lambda plan: plans.with_seat(plan, seat, free=False))

    # ------------------------------------------------------------------------------------------------ the host

    async def change(self, game: str, **settings: Any) -> Table:
        """Change settings of a table: pace, forecast, hints, title, chat, ..., and for all seats names and players."""
        return await self._set(game, lambda _plan: settings)

    async def rename(self, game: str, seat: int, name: str) -> Table:
        """Call a merchant by another name."""
        return await self._set(game, lambda plan: plans.with_seat(plan, check_seat(plan, seat), name=name), seat)

    async def stand_in(self, game: str, seat: int, level: str | None) -> Table:
        """Let a computer player stand in for an absent person; without a level the seat is handed back."""
        values = {"stand_in": level or "", "late": False, "free": False}
        return await self._set(game, lambda plan: plans.with_seat(plan, check_seat(plan, seat, person=True), **values))

    async def remove(self, game: str, seat: int) -> Table:
        """Take a seat away from its person: no key opens it; somebody stands in until another comes by a new link."""
        values = {"player": FRIEND, "name": "", "stand_in": SUBSTITUTE, "late": False, "free": True}

        async def removed(live: Live) -> None:
            check_seat(live.plan, seat, person=True)
            check_change(live, None)
            await self._keys.drop(live, seat_role(seat))
            await self._note(live, lambda plan: plans.with_seat(plan, seat, **values))

        return await self._change(game, removed)

    async def end(self, game: str) -> Table:
        """The host ends a game: nothing can be played any more."""
        return await self.change(game, ended=True)

    async def _set(self, game: str, settings: Callable[[Plan], Mapping[str, Any]], seat: int | None = None) -> Table:
        """Change settings that depend on how they are; the host does, or a seat."""

        async def noted(live: Live) -> None:
            plan = plans.changed(live.plan, settings(live.plan))
            if plan != live.plan and not plan.ended:  # a game can always be ended
                check_change(live, seat)
            await self._note(live, settings)

        return await self._change(game, noted)

    async def _note(self, live: Live, settings: Callable[[Plan], Mapping[str, Any]]) -> None:
        """Change settings of a table whose lock is held.

        What is set does not depend on what has happened: if that was something else in another process, it is set then.
        """
        for left in reversed(range(TRIES)):
            wanted = settings(live.plan)
            changed = plans.changed(live.plan, wanted)
            if changed.webhook != live.plan.webhook:  # one that was allowed once hinders no other change
                self._herald.check(changed)
            try:
                await self._clerk.note(live, wanted)
                return
            except StaleMove:
                if not left:
                    raise

    async def _change(self, game: str, work: Callable[[Live], Awaitable[None]]) -> Table:
        """Do something to a table that nobody else changes meanwhile; the table after it."""
        async with self._using(game) as live:
            await self._alone(live, work)
            return self._after(live)

    async def _alone(self, live: Live, work: Callable[[Live], Awaitable[None]]) -> None:
        """Do something to a table whose lock is then held, to its end even if nobody waits for it any more."""

        async def locked() -> None:
            async with live.lock:
                check_there(live)
                await work(live)

        await self._clerk.wholly(locked())

    # ------------------------------------------------------------------------------------------------ talking

    async def say(self, game: str, seat: int | None, text: str) -> Table:
        """Somebody says something to the table; a seat, or whoever has none."""

        async def said(live: Live) -> None:
            if seat is not None:
                check_seat(live.plan, seat)
            line = talk.checked(live.plan, live.talk, seat, text, self._clerk.now())
            live.said([await self._shelf.say(game, line)])

        async with self._using(game) as live:
            await self._alone(live, said)
            return live.table(self._clerk.now())

    # ------------------------------------------------------------------------------------------------ keys

    async def key(self, game: str, role: str, shown: Collection[str] = ()) -> str:
        """Create a token for a role, "host", "watch" or "seat-0" to "seat-4". Only its hash is stored.

        Raises `NoSuchKey` if tokens were `shown` for it and none of them opens the role, or the host's, any more.
        """
        async with self._using(game) as live:
            return await self._keys.link(live, role, shown)

    async def phrase(self, game: str, role: str, shown: Collection[str] = ()) -> str:
        """Create a phrase for a role, in the place of the older one; the rest as for `key`."""
        async with self._using(game) as live:
            return await self._keys.phrase(live, role, shown)

    async def opened(self, token: str) -> tuple[str, str]:
        """The game and the role that a token opens."""
        return await self._keys.role(token)

    async def opened_by(self, tokens: Collection[str]) -> dict[str, tuple[str, str]]:
        """Return the game and the role that each token opens, by token; those that open nothing are left out."""
        return await self._keys.opened_by(tokens)

    async def by_token(self, token: str) -> tuple[str, str]:
        """Somebody comes by a token: the game and the role that it opens; who comes to a free seat takes it."""
        game, role = await self.opened(token)
        await self._take_seat(game, role)
        return game, role

    async def by_phrase(self, phrase: str) -> tuple[str, str, str]:
        """The game and the role that a phrase opens, and a new token for it."""
        game, role, hashed = await self._keys.role_by_phrase(phrase)
        await self._take_seat(game, role)
        async with self._using(game) as live:
            return game, role, await self._keys.link_for_phrase(live, role, hashed)

    async def roles(self, game: str, tokens: Iterable[str]) -> frozenset[str]:
        """The roles that these tokens open at a table; tokens that do not open it are left out."""
        async with self._using(game) as live:
            return await self._keys.roles(live, tokens)

    async def rights(self, game: str, tokens: Iterable[str]) -> Rights | None:
        """What somebody with these tokens may do at a table; nothing if none of them opens it."""
        async with self._using(game) as live:
            return await self._keys.rights(live, tokens)

    async def _take_seat(self, game: str, role: str) -> None:
        """A seat that was free is somebody's again, if it is still opened by a key."""
        seat = role_seat(role)

        async def taken(live: Live) -> None:
            if await self._keys.opens(live, role):
                await self._note(live, settled)

        def settled(plan: Plan) -> Mapping[str, Any]:
            assert seat is not None
            return plans.with_seat(plan, seat, stand_in="", free=False) if plan.seats[seat].free else {}

        if seat is not None and (await self.get(game)).plan.seats[seat].free:
            await self._change(game, taken)

    # ------------------------------------------------------------------------------------------------ meanwhile

    def _after(self, live: Live) -> Table:
        """The table after a change; computer players hear of it too."""
        if self._playing:
            self._crew.wake(live)
        return live.table(self._clerk.now())

    def _come(self, live: Live) -> None:
        """A table comes into memory: let everybody know who has something to do there."""
        self._news.join(live)
        if self._playing:
            live.changed = self._timekeeper.watch
            self._timekeeper.watch(live)
            self._crew.wake(live)

    async def _close(self) -> None:
        """Let everybody go; what is being stored is stored."""
        self._playing = False
        at_work = [live.bots for live in self._live.values() if live.bots]
        for live in self._live.values():
            live.close()
        await ended(*at_work)
        await self._news.leave()
        await self._herald.leave()
        await self._crew.leave()
        await self._clerk.finish()
        self._keys.close()
        self._imports.close()
