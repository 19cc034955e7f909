"""The one write path: `Writer.commit` takes a table's lock, lets a decision say what happens, stores it, publishes it.

People, computer players, clocks and hosts differ only in the decision they pass. It checks whether it may happen and
works on a draft, so that nothing has happened if it raises. What is stored is the log; a table in memory changes only
after its entries are stored. If another process has written to the same log, the table follows it.
"""

import asyncio
import secrets
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Final

from elcapitan.background_tasks import charged_call, charged_task, kept
from elcapitan.board.figures import Figures
from elcapitan.errors import NoSuchGame, StaleVersion
from elcapitan.game.game import RULES_VERSION
from elcapitan.game.history import turn_of
from elcapitan.service import log, table_settings
from elcapitan.service.clock import Now, ProcessClock
from elcapitan.service.compiled_rules import CompiledRules
from elcapitan.service.dealt_game import DealtGame
from elcapitan.service.log import LogEntry, Note
from elcapitan.service.open_table import CHAT_KEPT, OpenTable, ignore
from elcapitan.service.state import TableState, continued, replayed, without_secrets
from elcapitan.service.table_settings import TableSettings
from elcapitan.store.game_store import ChatLine, GameRow, GameStore

LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"  # none that looks like another
TRIES: Final = 3  # to change settings while other processes write too
TIDIED: Final = ("title", "names", "webhook")  # settings whose texts are tidied when they are checked
ID_LENGTH: Final = 12  # 60 bits: a game cannot be found by guessing
QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds
SLOW: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

Origin = tuple[str, int]  # the game a table branched off, and after how many events
Step = Callable[..., list[LogEntry]]  # changes a `DealtGame` and returns the entries that say so


class Draft:
    """What a decision wants to happen at a table: its next state, which is not yet stored."""

    def __init__(self, table: OpenTable, now: Now, *, first_try: bool = True) -> None:
        self.table = table
        self.first_try = first_try  # False if another process was faster and the decision is made again
        self.state = table.state
        self.now = now()
        self.entries: list[LogEntry] = []
        self.chat: list[ChatLine] = []  # lines to add
        self.played = False
        self._at = max(self.now, table.row.changed)  # the clock of another process may be a little ahead of ours

    def play(self, step: Step, *arguments: object) -> None:
        """Let `step` change a copy of the game. If the turn is over, a stand-in for a late person leaves."""
        dealt, turn = self.state.dealt.copy(), turn_of(self.state.dealt.game.position)
        entries = step(dealt, *arguments)
        self.played = True
        self._add(replace(self.state, dealt=dealt), entries)
        if turn_of(dealt.game.position) != turn and (handed_back := table_settings.turn_over(self.state.settings)):
            self.change(handed_back)

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change settings. Adds no entry if they already have these values. Raises `BadSetup`, `BadBot` or `Ended`.

        Older games may have texts that are tidied with any change; the entry then holds these texts too.
        """
        before, settings = self.state.settings, table_settings.changed(self.state.settings, changes)
        if settings == before:
            return
        tidied = [
            name
            for name in TIDIED
            if table_settings.settings_of(settings, [name]) != table_settings.settings_of(before, [name])
        ]
        self._add(self.state, [Note(table_settings.settings_of(settings, dict.fromkeys([*changes, *tidied])))])

    def take_free_seat(self, seat: int | None) -> None:
        """Note that a seat is taken, if a person acts for it whose link was never opened, as programs may do.

        Otherwise that person would not be asked when others want to go back.
        """
        settings = self.state.settings
        if seat is not None and seat in settings.persons and settings.human(seat) and settings.seats[seat].free:
            self.change(table_settings.with_seat(settings, seat, free=False))

    def _add(self, state: TableState, entries: Sequence[LogEntry]) -> None:
        self.state = state.after_all(entries, self._at)
        self.entries += entries

    def row(self) -> GameRow:
        """Return the row of the game after the draft."""
        before, state = self.table.row, self.state
        return replace(
            before,
            changed=self._at,
            plan=before.plan if state.settings is self.table.settings else table_settings.to_json(state.settings),
            length=before.length + len(self.entries),
            over=state.over,
            standing=state.standing,
        )


Decide = Callable[[Draft], Awaitable[None] | None]


def decide_nothing(_draft: Draft) -> None:
    """Change nothing: to follow what other processes have written."""


class Writer:
    """Reads tables from the store and commits changes to them."""

    def __init__(self, store: GameStore, figures: Figures) -> None:
        self.figures = figures
        self.metrics = Metrics()
        self.on_turn: Callable[[OpenTable], None] = ignore  # called if another person is to decide now
        self._clock = ProcessClock()
        self.now: Now = self._clock
        self._store = store
        self._commits: set[asyncio.Task[list[LogEntry]]] = set()
        self.rules = CompiledRules()

    async def set_clock(self) -> None:
        """Start the clock no earlier than the last entry of an unfinished game, whatever the wall clock says."""
        latest = await self._store.latest()
        if latest:
            self._clock.not_before(latest)

    async def load(self, game: str) -> OpenTable:
        """Read a table from the store and replay its log."""
        row, rows, snapshot = await self._store.read(game)
        await self.rules.wait()
        state = await asyncio.to_thread(charged_call(replayed), row, rows, snapshot, self.figures)
        return OpenTable(row, state, await self._store.chat(game, CHAT_KEPT))

    async def create(
        self, settings: TableSettings, dealt: DealtGame, entries: Sequence[LogEntry], origin: Origin | None
    ) -> OpenTable:
        """Store a new game and the entries that have led to it, and return its table."""
        now = self.now()
        if settings.clock:
            entries = [*entries, Note(table_settings.settings_of(settings, ["clock"]))]
        setup = dealt.game.setup
        settings = replace(settings, tiles=setup.tiles, options=setup.options, first=setup.first, seed=None)
        state = TableState(dealt, settings).after_all(entries, now)
        stored = table_settings.to_json(settings)
        row = GameRow(
            id="".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH)),
            created=now,
            changed=now,
            rules=RULES_VERSION,
            board=self.figures.name,
            setup=table_settings.setup_to_json(setup),
            plan=stored,
            length=len(entries),
            over=state.over,
            standing=state.standing,
            origin=origin[0] if origin else None,
            origin_event=origin[1] if origin else None,
        )
        await self._store.add(row, log.rows_of(entries, 0, now, self.figures, without_secrets(stored)), state.snapshot)
        return OpenTable(row, state)

    async def commit(self, table: OpenTable, decide: Decide, *, at_least: int = 0, tries: int = 1) -> list[LogEntry]:
        """Change a table: `decide` checks and says what happens; return the entries that were stored.

        Other processes are followed first if the log is known to have `at_least` so many entries and the table has
        fewer. If another process writes at the same time, the decision is made again while there are `tries`; then
        `StaleVersion` is raised. Raises `NoSuchGame` if the game was deleted, and whatever `decide` raises. Runs to
        completion even if the caller is cancelled.
        """
        return await asyncio.shield(kept(charged_task(self._commit(table, decide, at_least, tries)), self._commits))

    async def _commit(self, table: OpenTable, decide: Decide, at_least: int, tries: int) -> list[LogEntry]:
        async with table.lock:
            if table.closed:
                raise NoSuchGame(table.id)
            if table.number < at_least:
                await self._follow(table)
            for left in reversed(range(tries)):
                began, deciding = perf_counter(), table.state.deciding_person
                draft = Draft(table, self.now, first_try=left == tries - 1)
                waiting = decide(draft)
                if waiting is not None:
                    await waiting
                try:
                    await self._store_draft(table, draft)
                except StaleVersion:
                    if not left:
                        raise
                    continue
                if table.state.deciding_person != deciding:
                    self.on_turn(table)
                if draft.played:
                    self.metrics.moves.add(perf_counter() - began)
                return draft.entries
        raise AssertionError("a commit without a try")

    async def _store_draft(self, table: OpenTable, draft: Draft) -> None:
        """Store the entries and chat of a draft, then update the table."""
        if draft.entries:
            await self._append(table, draft)
        for line in draft.chat:
            table.add_chat([await self._store.say(table.id, line)])

    async def _append(self, table: OpenTable, draft: Draft) -> None:
        """Append entries to the log, then update the table. If another process has written, follow it and raise."""
        row, state = draft.row(), draft.state
        rows = log.rows_of(draft.entries, table.number, row.changed, self.figures)
        snapshot = state.snapshot if state.moved > table.state.moved else None
        try:
            await self._store.append(table.number, row, rows, snapshot)
        except StaleVersion:
            await self._follow(table)
            raise
        except NoSuchGame:
            table.close()
            raise
        table.update(row, state)

    async def catch_up(self, table: OpenTable, number: int | None = None) -> None:
        """Follow what other processes have written; if a number is given, only if the log is shorter here."""
        with suppress(NoSuchGame):
            await self.commit(table, decide_nothing, at_least=table.number + 1 if number is None else number)

    async def _follow(self, table: OpenTable) -> None:
        """Read the entries that other processes have written. The table's lock is held."""
        try:
            row, rows = await self._store.read_since(table.id, table.number)
            if not rows:
                return
            state = continued(table.state, rows)
            if state is None:
                fresh = await self.load(table.id)
                row, state = fresh.row, fresh.state
            table.update(row, state)
        except NoSuchGame:
            table.close()
            raise

    async def finish(self) -> None:
        """Wait until every commit that was begun is stored."""
        await self.rules.close()
        await asyncio.gather(*self._commits, return_exceptions=True)
        await self._store.finish()


# ------------------------------------------------------------------------------------------------------------- figures


class Durations:
    """A histogram of durations: how many were no longer than each of some bounds, and their sum."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)  # the last one: longer than all bounds
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Add one measured duration, in seconds."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count how long a `with` block takes, unless it raises."""
        began = perf_counter()
        yield
        self.add(perf_counter() - began)


@dataclass
class Metrics:
    """Durations since the service was opened."""

    moves: Durations = field(default_factory=lambda: Durations(QUICK))  # checked and stored
    thoughts: Durations = field(default_factory=lambda: Durations(SLOW))  # of computer players, asked from here
