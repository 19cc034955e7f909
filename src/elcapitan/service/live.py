"""A table that is in memory: the game as it stands, those who look on, and the computer players at it."""

import asyncio
import time
from typing import Final

from elcapitan.errors import Frozen
from elcapitan.service.course import Course
from elcapitan.service.paperwork import origin, setup_from_json
from elcapitan.service.plan import HUMAN, PACES, Plan, from_json
from elcapitan.service.table import Table
from elcapitan.store.shelf import Sheet

AFTER_PAYDAY: Final = 3  # times as long, because there is more to look at


class Live:
    """One table. What it holds changes only under its lock, and as a whole."""

    def __init__(self, sheet: Sheet, course: Course, moved: int) -> None:
        self.sheet = sheet
        self.course = course
        self.moved = moved  # the number of the last entry that is no note: what was decided since is not stale
        self.plan: Plan = from_json(sheet.plan, setup_from_json(sheet.setup))
        self.lock = asyncio.Lock()
        self.closed = False
        self.users = 0  # those who need it to stay in memory
        self.bots: asyncio.Task[None] | None = None
        self.moved_at = time.monotonic()
        self.payday = False  # whether the last move brought one
        self._listeners: set[asyncio.Event] = set()

    @property
    def id(self) -> str:
        """Which game this is."""
        return self.sheet.id

    @property
    def number(self) -> int:
        """Entries in the log so far."""
        return self.sheet.length

    @property
    def idle(self) -> bool:
        """Whether nobody would miss it in memory."""
        return not (self.users or self.bots or self._listeners or self.lock.locked())

    @property
    def to_think(self) -> str | None:
        """The computer player that is to decide, if one is."""
        seat = self.course.game.seat
        if seat is None or self.closed or self.course.problem:
            return None
        player = self.plan.seats[seat].player
        return None if player == HUMAN else player

    def become(self, sheet: Sheet, course: Course, *, moved: bool) -> None:
        """The table has changed, and it is stored: from now on this is how it stands."""
        if moved:
            self.payday = len(course.game.paydays) > len(self.course.game.paydays)
            self.moved, self.moved_at = sheet.length, time.monotonic()
        self.sheet, self.course = sheet, course
        self.plan = from_json(sheet.plan, setup_from_json(sheet.setup))
        self.tell()

    def close(self) -> None:
        """The game is gone, or the service ends."""
        self.closed = True
        if self.bots:
            self.bots.cancel()
        self.tell()

    def table(self) -> Table:
        """The table as everybody may see it, with a game of its own: who plays with it disturbs nobody."""
        course, sheet = self.course, self.sheet
        return Table(
            id=sheet.id,
            plan=self.plan,
            game=course.game.copy(),
            number=sheet.length,
            created=sheet.created,
            changed=sheet.changed,
            turn_begins=course.turn_begins,
            undoable=course.undoable,
            redoable=course.redoable,
            thinking=self.to_think is not None,
            frozen=Frozen(course.problem) if course.problem else None,
            origin=origin(sheet),
        )

    # ------------------------------------------------------------------------------------------------ telling

    def tell(self) -> None:
        """Wake all who wait for news."""
        for listener in self._listeners:
            listener.set()

    def listen(self) -> asyncio.Event:
        """A bell that rings when there is news; whoever takes one gives it back with `leave`."""
        bell = asyncio.Event()
        self._listeners.add(bell)
        return bell

    def leave(self, bell: asyncio.Event) -> None:
        """Give a bell back."""
        self._listeners.discard(bell)

    async def pause(self) -> None:
        """Wait until a computer player's next move is due at the pace of the table, which may change meanwhile."""
        bell = self.listen()
        try:
            while not self.closed:
                pace = PACES[self.plan.pace] * (AFTER_PAYDAY if self.payday else 1)
                left = self.moved_at + pace - time.monotonic()
                if left <= 0:
                    return
                bell.clear()
                try:
                    await asyncio.wait_for(bell.wait(), left)
                except TimeoutError:
                    return
        finally:
            self.leave(bell)
