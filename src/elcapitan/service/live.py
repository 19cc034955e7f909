"""A table that is in memory: the game as it stands, those who look on, and the computer players at it."""

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from elcapitan.errors import Frozen
from elcapitan.service.allowance import CHANGES_AT_ONCE, CHANGES_PER_SECOND, Allowance
from elcapitan.service.course import Course
from elcapitan.service.minutes import Minutes, wish_of
from elcapitan.service.paperwork import origin, setup_from_json
from elcapitan.service.plan import PACES, Plan, from_json
from elcapitan.service.presence import Presence
from elcapitan.service.table import Table, Wish
from elcapitan.service.talk import KEPT, SHOWN
from elcapitan.store.shelf import Line, Sheet

AFTER_PAYDAY: Final = 3  # times as long, because there is more to look at


def _nobody_told(_live: "Live") -> None:
    """Nobody wants to hear of a table."""


class Bells:
    """Wakes those who wait for news of one table; it knows nothing of the table itself."""

    def __init__(self) -> None:
        self.pulse = 0  # how often something changed that is shown
        self._listeners: set[asyncio.Event] = set()

    def __bool__(self) -> bool:
        """Whether anybody waits for news."""
        return bool(self._listeners)

    def ring(self) -> None:
        """Wake all who wait for news."""
        self.pulse += 1
        for listener in self._listeners:
            listener.set()

    def take(self) -> asyncio.Event:
        """Return an event that is set when there is news; give it back with `leave`."""
        bell = asyncio.Event()
        self._listeners.add(bell)
        return bell

    def leave(self, bell: asyncio.Event) -> None:
        """Give an event back."""
        self._listeners.discard(bell)


class Live:
    """One table. What it holds changes only under its lock, and as a whole."""

    def __init__(self, sheet: Sheet, course: Course, minutes: Minutes, talk: Sequence[Line] = ()) -> None:
        self.sheet = sheet
        self.course = course
        self.minutes = minutes
        self.talk = tuple(talk)  # what was said last
        self._bells = Bells()
        self.presence = Presence(self._bells.ring)
        self.kept: dict[Any, Any] = {}  # by those who show it
        self.roles: dict[str, str] | None = None  # what each hash of a key opens, if it was asked for
        self.changed: Callable[[Live], None] = _nobody_told  # hears of everything that is written, here or elsewhere
        self.plan: Plan = from_json(sheet.plan, setup_from_json(sheet.setup))
        self.lock = asyncio.Lock()
        self._allowances: dict[int | None, Allowance] = {}
        self.closed = False
        self.users = 0  # those who need it to stay in memory
        self.bots: asyncio.Task[None] | None = None
        self.moved_at = time.monotonic()
        self.payday = False  # whether the last move brought one

    def allowance(self, seat: int | None) -> Allowance:
        """How many more changes a seat, or the host, may make that do not move the game on."""
        if seat not in self._allowances:
            self._allowances[seat] = Allowance(CHANGES_AT_ONCE, CHANGES_PER_SECOND)
        return self._allowances[seat]

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
        return not (self.users or self.bots or self._bells or self.lock.locked())

    @property
    def moved(self) -> int:
        """The number of the last entry that changed the game: what was decided since is not stale."""
        return self.minutes.moved

    @property
    def deciding_person(self) -> int | None:
        """The person who is to decide, if one is."""
        seat = self.course.game.seat
        if seat is None or self.course.problem or self.plan.ended or not self.plan.human(seat):
            return None
        return seat

    @property
    def wish(self) -> Wish | None:
        """A wish to go back that is being asked about."""
        return wish_of(self.minutes, self.course, self.plan)

    def wish_at(self, now: datetime) -> Wish | None:
        """The same, unless its time is out."""
        asked = self.minutes.asked
        return self.wish if asked and now < asked.until else None

    @property
    def to_think(self) -> str | None:
        """The computer player that is to decide, if one is; it waits while others are asked about going back."""
        seat = self.course.game.seat
        if seat is None or self.closed or self.course.problem or self.plan.ended or self.plan.human(seat):
            return None
        asked = self.minutes.asked
        return None if asked and asked.holds and self.wish else self.plan.seats[seat].decides

    def become(self, sheet: Sheet, course: Course, minutes: Minutes) -> None:
        """The table has changed, and it is stored: from now on this is how it stands."""
        if minutes.moved > self.minutes.moved:
            self.payday = len(course.game.paydays) > len(self.course.game.paydays)
            self.moved_at = time.monotonic()
        self.sheet, self.course, self.minutes = sheet, course, minutes
        self.plan = from_json(sheet.plan, setup_from_json(sheet.setup))
        self.changed(self)
        self.tell()

    def said(self, lines: Sequence[Line]) -> None:
        """Something was said, and it is stored."""
        known = {line.number: line for line in self.talk}
        new = known | {line.number: line for line in lines}
        if new != known:  # of two who speak in two processes, the first may be heard second
            self.talk = tuple(new[number] for number in sorted(new))[-KEPT:]
            self.tell()

    def close(self) -> None:
        """The game is gone, or the service ends."""
        self.closed = True
        if self.bots:
            self.bots.cancel()
        self.changed(self)
        self.tell()

    def table(self, now: datetime) -> Table:
        """The table as everybody may see it, with a game of its own: who plays with it disturbs nobody."""
        course, sheet = self.course, self.sheet
        said = sum(line.number for line in self.talk)
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
            version=f"{sheet.length}.{said}.{sum(1 << seat for seat in self.presence.present)}",
            present=self.presence.present,
            talk=self.talk[-SHOWN:],
            wish=self.wish_at(now),
            clocks=self.minutes.clockwork.shown(now),
            trace=self.minutes.trace,
            read_at=now,
            promises=course.told_promises(over=course.game.over or self.plan.ended),
            kept=self.kept,
        )

    # ------------------------------------------------------------------------------------------------ telling

    @property
    def pulse(self) -> int:
        """How often something changed that is shown."""
        return self._bells.pulse

    def tell(self) -> None:
        """Wake all who wait for news, because something that is shown has changed."""
        self._bells.ring()

    def listen(self) -> asyncio.Event:
        """Return an event that is set when there is news; give it back with `leave`."""
        return self._bells.take()

    def leave(self, bell: asyncio.Event) -> None:
        """Give an event back."""
        self._bells.leave(bell)

    def forget(self) -> None:
        """Drop everything that is only kept for speed, when the table leaves memory."""
        self.kept.clear()
        self.roles = None

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
