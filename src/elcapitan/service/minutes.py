"""The minutes of a table: what its log tells besides the game itself.

Which entry moved last, a wish to go back and who has agreed to it, the clocks, and what there is to tell of all this.
Like the course of the game they are never changed: every entry makes new ones.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from elcapitan.history import Event, Reveal
from elcapitan.service.clock import Clockwork
from elcapitan.service.course import Course
from elcapitan.service.entries import Answer, Ask, Back, Happening, Lapse, Note, written
from elcapitan.service.plan import Plan
from elcapitan.service.table import Trace, Traces, Wish

SECRET: Final = ("webhook",)  # settings that only the host may see
WISH_SECONDS: Final = 60  # seconds after which an unanswered wish to go back lapses


@dataclass(frozen=True, slots=True)
class Asked:
    """A wish to go back, as far as the log tells of it."""

    seat: int
    at: int
    number: int  # of its entry: who answered an earlier one did not mean this
    until: datetime  # when it lapses
    asked: frozenset[int] | None = None  # the seats that must agree; older logs do not tell
    holds: bool = True  # whether computer players wait for it: only for the first one of a seat after a move
    agreed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Minutes:
    """What the log tells up to an entry."""

    number: int = 0  # of that entry
    moved: int = 0  # the last one that changed the game: what was decided since is not stale
    asked: Asked | None = None
    have_asked: frozenset[int] = frozenset()  # the seats that have wished to go back since that last move
    clockwork: Clockwork = field(default_factory=Clockwork)
    trace: Traces = field(default_factory=Traces)

    def heard(self, what: Happening, at: datetime, course: Course) -> "Minutes":
        """The minutes after one more entry, which has led to this course."""
        number = self.number + 1
        refills = isinstance(what, Back) and (self.asked is None or self.asked.asked is None)  # an older log
        clockwork = self.clockwork.heard(what, at, course.game, refills=refills)
        minutes = replace(self, number=number, clockwork=clockwork)
        match what:
            case Ask(seat, moment, asked):
                others = None if asked is None else frozenset(asked)
                minutes = minutes._asked(Asked(seat, moment, number, at + timedelta(seconds=WISH_SECONDS), others))
            case Answer(seat, yes):
                agreed = replace(self.asked, agreed=self.asked.agreed | {seat}) if self.asked and yes else None
                minutes = replace(minutes, asked=agreed)
            case Lapse():
                minutes = replace(minutes, asked=None)
            case Note(settings):
                minutes = replace(minutes, asked=None) if _ends_wish(settings, self.asked) else minutes
            case _:
                minutes = replace(minutes, moved=number, asked=None, have_asked=frozenset())
        if isinstance(what, Ask | Answer | Lapse | Back | Note):
            minutes = replace(minutes, trace=self._kept(course.event_count).and_then(_trace(what, number, at, course)))
        return minutes

    def _asked(self, wish: Asked) -> "Minutes":
        """The minutes after a wish."""
        seat = wish.seat
        wish = replace(wish, holds=seat not in self.have_asked)
        return replace(self, asked=wish, have_asked=self.have_asked | {seat})

    @property
    def wish_due(self) -> datetime | None:
        """When a wish lapses, if one is open: after a while, or earlier with the clock of the running turn."""
        if self.asked is None:
            return None
        return min(self.asked.until, self.clockwork.due or self.asked.until)

    @property
    def due(self) -> datetime | None:
        """When a clock runs out or a wish lapses, whichever is first."""
        return self.wish_due or self.clockwork.due  # a wish lapses no later than the clock

    def _kept(self, events: int) -> Traces:
        """What there was to tell; if the game has gone back, it happened at the latest then.

        None comes before the one before it, so the last one tells whether there is anything to do.
        """
        if not self.trace or self.trace[-1].after <= events:
            return self.trace
        return Traces(each if each.after <= events else replace(each, after=events) for each in self.trace)


def heard_all(minutes: Minutes, happened: Iterable[Happening], at: datetime, course: Course) -> Minutes:
    """The minutes after several entries of one time."""
    for what in happened:
        minutes = minutes.heard(what, at, course)
    return minutes


def _trace(what: Happening, number: int, at: datetime, course: Course) -> Trace:
    """What there is to tell about an entry."""
    kind, content = written(what, course.figures)
    return Trace(number, course.event_count, at, kind, {name: content[name] for name in content if name not in SECRET})


def _ends_wish(settings: Mapping[str, Any], asked: Asked | None) -> bool:
    """Whether a change of settings ends a wish: the game is ended, or a computer player stands in for the asker."""
    return bool(settings.get("ended") or (asked and settings.get("stand_ins") and settings["stand_ins"][asked.seat]))


def wish_of(minutes: Minutes, course: Course, plan: Plan) -> Wish | None:
    """The wish that is being asked about; who has somebody standing in wishes nothing."""
    wish = minutes.asked
    if wish is None or not plan.human(wish.seat) or plan.ended:
        return None
    asked = wish.asked
    if asked is None:
        asked = concerned(course, minutes.trace, plan, wish.seat, wish.at)
    return Wish(wish.seat, wish.at, wish.agreed & asked, asked - wish.agreed, minutes.wish_due)


def concerned(course: Course, trace: Sequence[Trace], plan: Plan, seat: int, at: int) -> frozenset[int]:
    """The other persons who must agree if a seat goes back."""
    return must_agree(course.game.events[at:], course.acted_since(at), persons_since(trace, plan, at)) - {seat}


def must_agree(since: Sequence[Event], acted: Collection[int], persons: frozenset[int]) -> frozenset[int]:
    """The persons who must agree if these events are taken back: all, if one of them turned a card up."""
    return persons if any(isinstance(event, Reveal) for event in since) else persons.intersection(acted)


def persons_since(trace: Sequence[Trace], plan: Plan, at: int) -> frozenset[int]:
    """The seats of persons at a table, also of those for whom a computer player stands in.

    A seat whose person was removed since then counts: so removing a person is no way to go back without them. Until
    another person takes that seat, there is nobody to agree.
    """
    removed: set[int] = set()
    free: Sequence[bool] = (False,) * len(plan.seats)
    stand_ins: Sequence[str] = ("",) * len(plan.seats)
    for each in trace:
        before, free = free, each.content.get("free", free)
        stand_ins = each.content.get("stand_ins", stand_ins)
        if each.after > at:  # in a seat that was never taken, no computer player stands in
            removed |= {seat for seat in plan.persons if free[seat] and not before[seat] and stand_ins[seat]}
    return frozenset(seat for seat in plan.persons if seat in removed or not plan.seats[seat].free)
