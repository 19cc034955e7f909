"""All tables of a database: games are created, played, followed, branched, imported, exported and deleted here.

Every change of a table goes through `Writer.commit`. A move is checked in this order: the game exists, a person of that
seat is to move, the number is current, the action is legal. Then it is stored, in one transaction; only after that does
the table in memory change, and its followers are woken.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from elcapitan.background_tasks import cancel_and_wait, in_background
from elcapitan.board.figures import Figures, packaged
from elcapitan.bots.chances import Chances
from elcapitan.errors import BadRecord, BadSetup, NotYourTurn
from elcapitan.players.seats import Suggestion
from elcapitan.service import decisions, imports_exports, table_settings, waiting_room
from elcapitan.service.bot_pool import BotPool
from elcapitan.service.bots import Bots, Part
from elcapitan.service.commit import TRIES, Decide, Draft, Metrics, Origin, Writer
from elcapitan.service.compiled_rules import CompiledRules
from elcapitan.service.dealt_game import DealtGame, new_game
from elcapitan.service.decisions import Timeouts, check_change, check_may_move, check_seat
from elcapitan.service.imports_exports import Imports
from elcapitan.service.keys import Keys, KeyStore, seat_role
from elcapitan.service.log import LogEntry
from elcapitan.service.open_table import OpenTable, TableCache
from elcapitan.service.sync import Sync
from elcapitan.service.table import GameSummary, Table
from elcapitan.service.table_settings import FRIEND, SUBSTITUTE, Seat, TableSettings, with_seat
from elcapitan.service.turn_notifier import PushNotifier, TurnNotifier
from elcapitan.store.database import connect
from elcapitan.store.game_store import GameStore
from elcapitan.store.location import url_of
from elcapitan.store.push_store import PushStore
from elcapitan.store.schema import bring_up_to_date


class Tables:
    """All tables of one database; created by `Tables.open`."""

    def __init__(
        self, store: GameStore, figures: Figures, workers: int | None, notifier: TurnNotifier, *, bots: bool
    ) -> None:
        self.store = store
        self.writer = Writer(store, figures)
        self._key_store = KeyStore(store)
        self.keys = Keys(self._key_store, self.using, self._commit)
        self._imports = Imports(figures)
        self._cache = TableCache(self.writer.load, self._on_load, self.rules.wait)
        self.bots = Bots(store, self.writer, BotPool(workers), self.using)
        self.timeouts = Timeouts(store, self.writer, self.bots, self.using)
        self._sync = Sync(store, self.writer, self._cache.tables)
        self._playing = bots
        self.push = PushNotifier(PushStore(store), notifier.sender, self._key_store, self.using, notifier.address)
        self.use_notifier(notifier)

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
        address: str = "",
        local_webhooks: bool = False,
        webhook_ports: Collection[int] = (),
    ) -> AsyncIterator["Tables"]:
        """Open a database, a path or a URL, and upgrade it; the computer players of unfinished games go on.

        Without `bots` they rest: for commands that look at games or import them, while a server may be playing. In a
        PostgreSQL they may play by `jobs`, which some processes ask for and others do. Webhooks are told the `address`
        of this server. They may be machines of the own network only with `local_webhooks`, and use other ports than 80
        and 443 only if they are among `webhook_ports`.
        """
        engine = connect(url_of(database))
        try:
            await bring_up_to_date(engine)
            notifier = TurnNotifier(address, anywhere=local_webhooks, ports=webhook_ports)
            tables = cls(GameStore(engine), figures or packaged(), workers, notifier, bots=bots)
            await tables.writer.set_clock()
            try:
                async with in_background(tables._sync.follow()), tables._at_work(jobs) if bots else nullcontext():
                    yield tables
            finally:
                await tables._close()
        finally:
            await engine.dispose()

    @asynccontextmanager
    async def _at_work(self, jobs: Part | None) -> AsyncIterator[None]:
        """Let computer players play and watch the clocks for the duration of a `with` block."""
        async with self.bots.at_work(jobs), in_background(self.timeouts.run()):
            yield

    async def _close(self) -> None:
        """Close all tables and wait until what was begun is stored."""
        self._playing = False
        at_work = [table.bots for table in self.in_memory.values() if table.bots]
        for table in self.in_memory.values():
            table.close()
        await cancel_and_wait(*at_work)
        await self._sync.leave()
        await self.notifier.close()
        await self.push.close()
        await self.bots.close()
        await self.writer.finish()
        self._key_store.close()
        self._imports.close()

    # ------------------------------------------------------------------------------------------------ in memory

    @property
    def in_memory(self) -> Mapping[str, OpenTable]:
        """The tables in memory by their game; those used last come last."""
        return self._cache.tables

    def using(self, game: str) -> AbstractAsyncContextManager[OpenTable]:
        """Load a table if it is not in memory, and keep it there for the duration of a `with` block."""
        return self._cache.using(game)

    def use_notifier(self, notifier: TurnNotifier) -> None:
        """Let another object tell webhooks whose turn it is."""
        self.notifier = notifier
        self.writer.on_turn = self._on_turn

    def _on_turn(self, table: OpenTable) -> None:
        """Tell a webhook and browsers whose turn it is."""
        self.notifier.notify(table)
        self.push.notify(table)

    @property
    def rules(self) -> CompiledRules:
        """The compiled rules: whether they are there yet."""
        return self.writer.rules

    @property
    def metrics(self) -> Metrics:
        """What was counted since this was opened."""
        return self.writer.metrics

    async def check(self) -> None:
        """Raise unless games could be played: the database answers, and the rules are loaded."""
        await self.store.check()
        await self.rules.wait()

    def _on_load(self, table: OpenTable) -> None:
        """Register a newly loaded table with cross-process sync, the clocks and the bots."""
        self._sync.join(table)
        if self._playing:
            table.on_change = self.timeouts.watch
            self.timeouts.watch(table)
            self.bots.wake(table)

    # ------------------------------------------------------------------------------------------------ reading

    async def get(self, game: str) -> Table:
        """Return a table as it stands. Raises `NoSuchGame`."""
        async with self.using(game) as table:
            return table.view(self.writer.now())

    async def summaries(self, among: Collection[str] | None = None) -> list[GameSummary]:
        """Return all games, last changed first; or those among some ids."""
        return [GameSummary.of(row) for row in await self.store.rows(among=among)]

    async def follow(self, game: str, seats: frozenset[int] = frozenset()) -> AsyncGenerator[int, None]:
        """Yield a number at once, and a higher one whenever something has changed that is shown.

        While it runs, the persons of these seats are present, if any come by link at all. A slow consumer misses some
        numbers, never the last. It ends when the game is deleted or the service closes.
        """
        async with self.using(game) as table:
            company = seats if table.settings.company else frozenset()
            table.presence.enter(company)
            told = -1
            try:
                with table.changes.subscribed() as changed:
                    while not table.closed:
                        changed.clear()
                        if table.changes.pulse != told:
                            told = table.changes.pulse
                            yield told
                        else:
                            await changed.wait()
            finally:
                table.presence.leave(company)

    @staticmethod
    def export(table: Table, form: str) -> str:
        """Return the record of a table, "capitan" or "json"."""
        return imports_exports.export(table, form)

    # ------------------------------------------------------------------------------------------------ new games

    async def create(self, settings: TableSettings, *, waiting: bool = False) -> Table:
        """Begin a game with these settings; if people are to gather in a waiting room first, when the host starts."""
        settings = table_settings.checked(settings)
        await self.rules.wait()
        return await self.add(settings, *new_game(settings, self.writer.figures, deal=not waiting))

    async def branch(self, game: str, at: int, seats: Sequence[Seat] | None = None, *, private_to: str = "") -> Table:
        """Begin a new game from when `at` events had happened in another; what is face down is shuffled anew."""
        table = await self.get(game)
        events = table.game.events
        if not 1 <= at <= len(events):
            raise BadRecord("no-such-moment", found=at, most=len(events))
        wanted = table.settings.seats if seats is None else seats
        settings = table_settings.for_branch(table.settings, wanted, private_to)
        if len(settings.seats) != table.game.players:
            raise BadSetup("wrong-seats", found=len(settings.seats), wanted=table.game.players)
        settings = table_settings.checked(table_settings.with_distinct_names(settings))
        return await self.add(settings, *await self._imports.replay(table.game.setup, events[:at]), (game, at))

    async def import_record(self, content: str | bytes, filename: str) -> Table:
        """Import a game from a record; one that is not over can be played on."""
        await self.rules.wait()
        return await self.add(*await self._imports.read(content, filename))

    async def add(
        self, settings: TableSettings, dealt: DealtGame, entries: Sequence[LogEntry], origin: Origin | None = None
    ) -> Table:
        """Store a new game and keep its table in memory."""
        self.notifier.check(settings)
        table = await self.writer.create(settings, dealt, entries, origin)
        self._cache.add(table)
        self.notifier.notify(table)
        return table.view(self.writer.now())

    async def delete(self, game: str) -> None:
        """Delete a game with everything that belongs to it."""
        await self.store.delete(game)
        self._cache.close(game)
        self.timeouts.forget(game)

    # ------------------------------------------------------------------------------------------------ playing

    async def act(
        self,
        game: str,
        number: int,
        actions: Sequence[int],
        seats: Collection[int] | None = None,
        *,
        hold: bool = False,
        end: bool = False,
    ) -> Table:
        """Let the person who is to move act: all of it, or nothing if one of the actions is not legal.

        `seats` are those that the caller decides for; all if they are not given. With `hold`, a last action that would
        end the turn is only held, so that it can be taken back until `play_held`; with `end`, building ends it too.
        """
        step = DealtGame.act_or_hold if hold else DealtGame.act_and_end if end else DealtGame.act
        return await self._move(game, number, seats, step, actions)

    async def play_held(self, game: str, number: int, seats: Collection[int] | None = None) -> Table:
        """Let the person who is to move end the turn by the held action."""
        return await self._move(game, number, seats, DealtGame.play_held)

    async def undo(self, game: str, number: int, count: int = 1, seats: Collection[int] | None = None) -> Table:
        """Take back actions of the running turn; no further than to a card that was turned up."""
        return await self._move(game, number, seats, DealtGame.undo, count)

    async def redo(self, game: str, number: int, count: int = 1, seats: Collection[int] | None = None) -> Table:
        """Repeat actions that were taken back, until something else is done."""
        return await self._move(game, number, seats, DealtGame.redo, count)

    async def _move(self, game: str, number: int, seats: Collection[int] | None, step: Any, *args: Any) -> Table:
        """Commit a step of the person who is to move."""
        return await self._commit(
            game, lambda draft: decisions.move(draft, number, seats, step, *args), at_least=number
        )

    async def prepare(self, game: str, number: int, seat: int, actions: Sequence[int]) -> Table:
        """Prepare a turn that a seat has not begun, or forget it; only that seat may see it."""
        return await self._commit(game, lambda draft: decisions.prepare(draft, seat, actions), at_least=number)

    async def ask_undo(self, game: str, number: int, seat: int, at: int) -> Table:
        """Ask to go back to when `at` events had happened; if it concerns no other person, it is done."""
        return await self._commit(game, lambda draft: decisions.ask_undo(draft, number, seat, at))

    async def answer_undo(self, game: str, number: int, seat: int, *, yes: bool) -> Table:
        """Agree to an undo vote, or end it; when all have agreed, the game goes back."""
        return await self._commit(game, lambda draft: decisions.answer_undo(draft, number, seat, yes=yes))

    async def hint(
        self, game: str, number: int, level: str | None = None, seats: Collection[int] | None = None
    ) -> list[Suggestion]:
        """Return what a computer player would do in the place of the person who is to move, the best first."""
        if level is not None:
            table_settings.check_level(level)
        async with self.using(game) as table:
            if not table.settings.hints:
                raise BadSetup("no-hints")
            check_may_move(table, number, seats)
            advice = await self.bots.advise(table, level)
            check_may_move(table, number, seats)
            return advice

    async def chances(self, game: str) -> tuple[int, Chances | None]:
        """Return the number of a table and the chances of all seats; None on a board without a network.

        Raises `BadSetup` if the host allows no hints.
        """
        async with self.using(game) as table:
            if not table.settings.hints:
                raise BadSetup("no-hints")
            if not table.state.dealt.game.dealt:
                raise NotYourTurn("not-begun")
            number = table.number
            return number, await self.bots.chances(table)

    async def say(self, game: str, seat: int | None, text: str) -> Table:
        """Add a line to the chat, from a seat or from a person without one."""
        async with self.using(game) as table:
            await self.writer.commit(table, lambda draft: decisions.say(draft, seat, text))
            return table.view(self.writer.now())

    async def _commit(self, game: str, decide: Decide, *, at_least: int = 0, tries: int = 1) -> Table:
        """Commit a change and wake computer players; return the table after it."""
        async with self.using(game) as table:
            await self.writer.commit(table, decide, at_least=at_least, tries=tries)
            if self._playing:
                self.bots.wake(table)
            return table.view(self.writer.now())

    # ------------------------------------------------------------------------------------------------ coming

    async def say_ready(self, game: str, seat: int, *, ready: bool) -> Table:
        """Note that the person of a seat is ready for the game to begin, or not any more."""
        return await self._commit(game, lambda draft: waiting_room.say_ready(draft, seat, ready=ready), tries=TRIES)

    async def come_back(self, game: str, seat: int) -> Table:
        """Let a person play again for whom a computer player stands in."""
        return await self._commit(game, lambda draft: waiting_room.come_back(draft, seat), tries=TRIES)

    async def start(self, game: str, *, computers: bool = False) -> Table:
        """Deal the cards; with `computers`, computer players stand in for friends who are absent and not ready."""
        return await self._commit(game, lambda draft: waiting_room.start(draft, computers=computers), tries=TRIES)

    # ------------------------------------------------------------------------------------------------ the host

    async def change(self, game: str, **changes: Any) -> Table:
        """Change settings of a table: pace, forecast, hints, title, chat, ..., and for all seats names and players."""
        return await self._change(game, lambda _settings: changes)

    async def rename(self, game: str, seat: int, name: str) -> Table:
        """Give a merchant another name."""
        return await self._change(
            game, lambda settings: with_seat(settings, check_seat(settings, seat), name=name), seat
        )

    async def stand_in(self, game: str, seat: int, level: str | None) -> Table:
        """Let a computer player stand in for an absent person; without a level the seat is handed back."""

        def changes(settings: TableSettings) -> Mapping[str, Any]:
            free = settings.seats[check_seat(settings, seat, person=True)].free  # the next who comes gets it back
            return with_seat(settings, seat, stand_in=level or "", late=False, free=free)

        return await self._change(game, changes)

    async def remove(self, game: str, seat: int) -> Table:
        """Remove a person: drop the keys to the seat, and let a level stand in until another comes by a new link.

        In the waiting room no level stands in: the host decides that when the game starts.
        """
        values = {"player": FRIEND, "name": "", "late": False, "free": True, "ready": False}

        async def decide(draft: Draft) -> None:
            check_seat(draft.state.settings, seat, person=True)
            values["stand_in"] = "" if draft.state.waiting else SUBSTITUTE
            if draft.first_try:  # later the keys are dropped already
                check_change(draft.table, None)
            await self._key_store.drop(draft.table, seat_role(seat))
            draft.change(with_seat(draft.state.settings, seat, **values))

        return await self._commit(game, decide, tries=TRIES)

    async def end(self, game: str) -> Table:
        """End a game: nothing can be played any more."""
        return await self.change(game, ended=True)

    async def _change(
        self, game: str, changes: Callable[[TableSettings], Mapping[str, Any]], seat: int | None = None
    ) -> Table:
        """Change settings, which may depend on the current ones; the host does, or a seat."""

        def decide(draft: Draft) -> None:
            wanted = changes(draft.state.settings)
            settings = table_settings.changed(draft.state.settings, wanted)
            if draft.first_try and settings != draft.state.settings and not settings.ended:  # ending is never limited
                check_change(draft.table, seat)
            if settings.webhook != draft.state.settings.webhook:  # one that was allowed once hinders no other change
                self.notifier.check(settings)
            draft.change(wanted)

        return await self._commit(game, decide, tries=TRIES)
