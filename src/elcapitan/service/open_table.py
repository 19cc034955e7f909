"""The tables in memory: the state of each, those who follow it, and the task of its computer players."""

import asyncio
import math
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from datetime import datetime
from typing import Any, Final
from weakref import WeakValueDictionary

from elcapitan.errors import Frozen
from elcapitan.service.state import TableState
from elcapitan.service.table import Table, origin_of
from elcapitan.service.table_settings import PACES, TableSettings
from elcapitan.store.game_store import ChatLine, GameRow
from elcapitan.store.push_store import Subscriber

AFTER_PAYDAY: Final = 3  # times as long, because there is more to look at
AHEAD: Final = 0.2  # seconds between turns that pages show later: enough to send each to all who look on
LEAVING_SECONDS: Final = 3.0  # until a person who has left counts as absent
CHAT_KEPT: Final = 100  # lines in memory: enough to count those of a minute
CHAT_SHOWN: Final = 50
MOST_LIVE: Final = 64  # tables kept in memory besides those in use
LOADS_AT_ONCE: Final = 4  # games loaded at the same time: long logs must not hold up all others
CHANGES_AT_ONCE: Final = 120  # changes of settings and plans, undos, redos, votes by one seat or the host, after a rest
CHANGES_PER_SECOND: Final = 0.5  # such changes by one seat or the host a second, in the long run


class Subscribers:
    """Wakes those who wait for a change of one table; it has no reference to the table."""

    def __init__(self) -> None:
        self.pulse = 0  # how often something changed that is shown
        self._waiting: set[asyncio.Event] = set()

    def __bool__(self) -> bool:
        """Whether there are any subscribers."""
        return bool(self._waiting)

    def wake(self) -> None:
        """Count a change and set the events of all subscribers."""
        self.pulse += 1
        for event in self._waiting:
            event.set()

    @contextmanager
    def subscribed(self) -> Iterator[asyncio.Event]:
        """Yield an event that is set at every change, for the duration of a `with` block."""
        event = asyncio.Event()
        self._waiting.add(event)
        try:
            yield event
        finally:
            self._waiting.discard(event)


def ignore(_changed: object) -> None:
    """Do nothing about a change, where no listener is set."""


class Presence:
    """The seats whose persons are connected to one table, here and in other processes.

    A person who leaves may only be changing pages or losing a connection for a moment, so that is published a little
    later, and not at all if they are back by then. `publish` must not refer to what holds this, or a table would stay
    in memory until garbage is collected.
    """

    def __init__(self, publish: Callable[[], None]) -> None:
        self.on_change: Callable[[Presence], None] = ignore  # called at every change in this process
        self._publish = publish
        self._streams: Counter[int] = Counter()  # of each seat in this process
        self._elsewhere: frozenset[int] = frozenset()
        self.here: frozenset[int] = frozenset()  # the seats whose persons are connected to this process

    @property
    def present(self) -> frozenset[int]:
        """The seats that are present."""
        return self.here | self._elsewhere

    def enter(self, seats: Iterable[int]) -> None:
        """Count one more connection of these seats."""
        self._streams.update(seats)
        self._update()

    def leave(self, seats: Iterable[int]) -> None:
        """Count one connection of these seats less."""
        self._streams.subtract(seats)
        asyncio.get_running_loop().call_later(LEAVING_SECONDS, self._update)

    def set_elsewhere(self, seats: frozenset[int]) -> None:
        """Set the seats that are present in other processes."""
        before, self._elsewhere = self.present, seats
        self._publish_unless(before)

    def _update(self) -> None:
        """Publish the seats that have connections now."""
        before, here = self.present, self.here
        self.here = frozenset(seat for seat, streams in self._streams.items() if streams > 0)
        self._publish_unless(before)
        if self.here != here:
            self.on_change(self)

    def _publish_unless(self, before: frozenset[int]) -> None:
        """Publish who is present, unless it is the same as before."""
        if self.present != before:
            self._publish()


class Allowance:
    """A token bucket: `size` tokens at most, `rate` more each second."""

    def __init__(self, size: int, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._size, self._rate, self._clock = size, rate, clock
        self._left, self._when = float(size), clock()

    def take(self) -> int:
        """Take a token and return 0; if there is none, return the seconds until there is one."""
        now = self._clock()
        self._left = min(self._size, self._left + (now - self._when) * self._rate)
        self._when = now
        if self._left < 1:
            return math.ceil((1 - self._left) / self._rate)
        self._left -= 1
        return 0


class OpenTable:
    """One table in memory. Only `Writer.commit` changes its state, as a whole and under the table's lock."""

    def __init__(self, row: GameRow, state: TableState, chat: Sequence[ChatLine] = ()) -> None:
        self.row = row
        self.state = state
        self.chat = tuple(chat)  # the last lines
        self.changes = Subscribers()
        self.presence = Presence(self.changes.wake)
        self.cache: dict[Any, Any] = {}  # of those who show the table
        self.roles: dict[str, str] | None = None  # the role that each hash of a key opens, once they are looked up
        self.subscribers: tuple[Subscriber, ...] | None = None  # who is told by push, once that is looked up
        self.key_changes = 0  # how often a key or a subscription has changed
        self.on_change: Callable[[OpenTable], None] = ignore  # called after every change, here or elsewhere
        self.lock = asyncio.Lock()
        # For changes that do not move the game on, by seat; None is the host.
        self.allowances = defaultdict[int | None, Allowance](lambda: Allowance(CHANGES_AT_ONCE, CHANGES_PER_SECOND))
        self.closed = False
        self.users = 0  # requests and tasks that need it to stay in memory
        self.bots: asyncio.Task[None] | None = None
        self.moved_at = time.monotonic()
        self.payday = False  # whether the last move brought one

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.row.id

    @property
    def number(self) -> int:
        """How many entries the log has."""
        return self.row.length

    @property
    def settings(self) -> TableSettings:
        """The settings of the table."""
        return self.state.settings

    @property
    def idle(self) -> bool:
        """Whether it can leave memory."""
        return not (self.users or self.bots or self.changes or self.lock.locked())

    @property
    def bot_to_move(self) -> str | None:
        """The computer player who is to decide; None if none is."""
        return None if self.closed else self.state.bot_to_move

    def update(self, row: GameRow, state: TableState) -> None:
        """Replace the state by one that is stored, and publish the change."""
        if state.moved > self.state.moved:
            self.payday = len(state.dealt.game.paydays) > len(self.state.dealt.game.paydays)
            self.moved_at = time.monotonic()
        self.row, self.state = row, state
        self.on_change(self)
        self.changes.wake()

    def add_chat(self, lines: Sequence[ChatLine]) -> None:
        """Add lines that are stored. Of two that are said in two processes, the first may come second."""
        known = {line.number: line for line in self.chat}
        new = known | {line.number: line for line in lines}
        if new != known:
            self.chat = tuple(new[number] for number in sorted(new))[-CHAT_KEPT:]
            self.changes.wake()

    def close(self) -> None:
        """End everything at this table, because the game was deleted or the service ends."""
        self.closed = True
        if self.bots:
            self.bots.cancel()
        self.on_change(self)
        self.changes.wake()

    def forget_keys(self) -> None:
        """Forget all keys and subscriptions, because some have changed."""
        self.key_changes += 1
        self.roles = self.subscribers = None

    def drop_caches(self) -> None:
        """Drop everything that is only kept for speed, when the table leaves memory."""
        self.cache.clear()
        self.forget_keys()

    def view(self, now: datetime) -> Table:
        """Return the table as it is shown, with a copy of the game that the caller may change."""
        row, state, dealt = self.row, self.state, self.state.dealt
        said = sum(line.number for line in self.chat)
        return Table(
            id=row.id,
            settings=state.settings,
            game=dealt.game.copy(),
            number=row.length,
            created=row.created,
            changed=row.changed,
            turn_begins=dealt.turn_begins,
            undoable=dealt.undoable,
            held_action=dealt.held_action,
            turn=tuple(dealt.turn),
            prepared=state.prepared,
            redoable=dealt.redoable,
            thinking=self.bot_to_move is not None,
            moved_at=state.moved_at,
            frozen=Frozen(dealt.problem) if dealt.problem else None,
            origin=origin_of(row),
            version=f"{row.length}.{said}.{sum(1 << seat for seat in self.presence.present)}",
            present=self.presence.present,
            chat=self.chat[-CHAT_SHOWN:],
            undo_vote=state.undo_vote_at(now),
            clocks=state.clocks.shown(now),
            table_events=state.table_events,
            read_at=now,
            promises=dealt.told_promises(over=state.over),
            kept=self.cache,
        )

    @property
    def between_turns(self) -> float:
        """Seconds from the last move to a computer player's next turn.

        Where a person will decide, turns are committed at once, and pages show them one after another at their pace: so
        computer players think meanwhile, and a click shows the rest. With a clock the pace is kept here, because the
        time of a person must not run while their page still shows others' moves; and also where no person plays.
        """
        pace = PACES[self.settings.pace]
        if self.settings.clock is None and any(map(self.settings.human, range(len(self.settings.seats)))):
            return min(pace, AHEAD)
        return pace * (AFTER_PAYDAY if self.payday else 1)

    async def pause(self) -> None:
        """Wait until a computer player's next turn is due; the pace of the table may change meanwhile."""
        with self.changes.subscribed() as changed:
            while not self.closed:
                left = self.moved_at + self.between_turns - time.monotonic()
                if left <= 0:
                    return
                changed.clear()
                try:
                    await asyncio.wait_for(changed.wait(), left)
                except TimeoutError:
                    return


Using = Callable[[str], AbstractAsyncContextManager[OpenTable]]  # keeps a table in memory for a `with` block


class TableCache:
    """Loads tables when they are asked for, and drops those used longest ago."""

    def __init__(
        self,
        load: Callable[[str], Awaitable[OpenTable]],
        on_load: Callable[[OpenTable], None],
        wait_for_rules: Callable[[], Awaitable[None]],
    ) -> None:
        self.tables: OrderedDict[str, OpenTable] = OrderedDict()  # those used last come last
        self._load_from_store = load
        self._on_load = on_load  # called with every table that comes in
        self._wait_for_rules = wait_for_rules
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of games that are being loaded
        self._loads = asyncio.Semaphore(LOADS_AT_ONCE)

    @asynccontextmanager
    async def using(self, game: str) -> AsyncIterator[OpenTable]:
        """Load a table if it is not in memory, and keep it there for the duration of a `with` block."""
        table = self.tables.get(game) or await self._load(game)
        table.users += 1
        self.tables.move_to_end(table.id)
        try:
            yield table
        finally:
            table.users -= 1
            if table.closed:
                self._drop(table)
            elif table.idle:
                self._drop_some()

    async def _load(self, game: str) -> OpenTable:
        """Load a table; once, if several requests want it at the same time. Each waits for the rules on its own."""
        await self._wait_for_rules()
        lock = self._loading.setdefault(game, asyncio.Lock())
        async with lock:
            table = self.tables.get(game)
            if table is None:
                async with self._loads:
                    table = await self._load_from_store(game)
                self._add(table)
        return table

    def add(self, table: OpenTable) -> None:
        """Add the table of a new game."""
        self._add(table)
        self._drop_some()

    def _add(self, table: OpenTable) -> None:
        self.tables[table.id] = table
        self._on_load(table)

    def close(self, game: str) -> None:
        """Close a table and drop it, because its game was deleted or must be read again."""
        table = self.tables.get(game)
        if table:
            table.close()
            self._drop(table)

    def _drop_some(self) -> None:
        """Drop idle tables if there are too many, those used longest ago first."""
        if len(self.tables) > MOST_LIVE:
            idle = [each for each in self.tables.values() if each.idle]
            for table in idle[: max(0, len(idle) - MOST_LIVE)]:
                self._drop(table)

    def _drop(self, table: OpenTable) -> None:
        """Take a table out of memory, unless another was loaded in its place."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]
        table.drop_caches()
