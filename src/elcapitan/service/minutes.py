"""The minutes of a table: what its log tells besides the game itself.

Which entry moved last, a wish to go back and who has agreed to it, the clocks, and what there is to tell of all this.
Like the course of the game they are never changed: every entry makes new ones.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from elcapitan.service.clock import Clockwork
from elcapitan.service.course import Course
from elcapitan.service.entries import Answer, Ask, Back, Happening, Note, written
from elcapitan.service.plan import Plan
from elcapitan.service.table import Trace, Traces, Wish

SECRET: Final = ("webhook",)  # settings that only the host may see


@dataclass(frozen=True, slots=True)
class Asked:
    """A wish to go back, as far as the log tells of it."""

    seat: int
    at: int
    number: int  # of its entry: who answered an earlier one did not mean this
    agreed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Minutes:
    """What the log tells up to an entry."""

    number: int = 0  # of that entry
    moved: int = 0  # the last one that changed the game: what was decided since is not stale
    asked: Asked | None = None
    clockwork: Clockwork = field(default_factory=Clockwork)
    trace: Traces = field(default_factory=Traces)

    def heard(self, what: Happening, at: datetime, course: Course) -> "Minutes":
        """The minutes after one more entry, which has led to this course."""
        number = self.number + 1
        minutes = replace(self, number=number, clockwork=self.clockwork.heard(what, at, course.game))
        match what:
            case Ask(seat, moment):
                minutes = replace(minutes, asked=Asked(seat, moment, number))
            case Answer(seat, yes):
                agreed = replace(self.asked, agreed=self.asked.agreed | {seat}) if self.asked and yes else None
                minutes = replace(minutes, asked=agreed)
            case Note():
                pass
            case _:
                minutes = replace(minutes, moved=number, asked=None)
        if isinstance(what, Ask | Answer | Back | Note):
            minutes = replace(minutes, trace=self._kept(course.events).and_then(_trace(what, number, at, course)))
        return minutes

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
    return Trace(number, course.events, at, kind, {name: content[name] for name in content if name not in SECRET})


def wish_of(minutes: Minutes, course: Course, plan: Plan) -> Wish | None:
    """The wish that is being asked about; who has somebody standing in wishes nothing."""
    asked = minutes.asked
    if asked is None or not plan.human(asked.seat) or plan.ended:
        return None
    persons = concerned(course, plan, asked.seat, asked.at)
    return Wish(asked.seat, asked.at, asked.agreed & persons, persons - asked.agreed)


def concerned(course: Course, plan: Plan, seat: int, at: int) -> frozenset[int]:
    """Whom it concerns if a seat goes back: persons who have acted since then and have nobody standing in."""
    return frozenset(filter(plan.human, course.acted_since(at))) - {seat}
