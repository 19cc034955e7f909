"""The clocks of a table, computed from the times of the log's entries; and the clock of a process.

Time runs only for a person who is to decide, not while a computer player stands in. Everything follows from the log, so
it is the same after a restart and in every process. Going back gives no time back: a turn that is taken again goes on
with the time that was left in it, and brings an increment only once. After a payday the clocks rest while pages tell
it, but not once more if the game has gone back before it; how long is stored with the clock, so that clocks of older
logs, which do not rest, stay as they were.

The clock of a process is wall time when the process began, plus the time that has passed since. So setting the
machine's wall clock changes nothing while a process runs. A process that begins with a wall clock behind what is stored
begins at the last stored time instead, so that times in logs never go backwards.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from elcapitan.game.game import Game
from elcapitan.game.history import Act, Reveal, turn_of
from elcapitan.service.log import LogEntry, Note
from elcapitan.service.table_settings import PAYDAY_REST, PERSONS, TimeControl

GRACE: Final = 60.0  # seconds for a person whose time was out, when the seat is handed back; others have what was left

Turn = tuple[int, ...]
Now = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Clocks:
    """How much time each seat has left, as it is shown."""

    kind: str  # "turn" or "bank"
    left: tuple[float, ...]  # seconds of each seat, now
    running: int | None  # whose time runs
    due: datetime | None  # when it is out


@dataclass(frozen=True, slots=True)
class ClockState:
    """The clocks of a table after an entry of the log."""

    clock: TimeControl | None = None
    players: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    left: tuple[float, ...] = ()  # seconds of each seat, at that time
    turn: Turn | None = None  # the last one in which a seat was to decide
    seat: int | None = None  # who was to decide in it
    running: bool = False
    since: datetime | None = None  # that time
    unspent: Mapping[Turn, float] = field(default_factory=dict)  # seconds left in each turn that was left, by turns
    paid: frozenset[Turn] = frozenset()  # the turns that have brought their increment
    late_in: Turn | None = None  # the turn in which a computer player stands in because its time was out
    rest: float = 0.0  # seconds for which the clocks rest after a payday
    rests_until: datetime | None = None  # after the last payday, if that time is not over
    paydays: int = 0  # that were held
    told: int = 0  # paydays that were held at any time, also such as the game has gone back before

    def after(self, what: LogEntry, at: datetime, game: Game, *, refills: bool = False) -> "ClockState":
        """Return the clocks after one more entry, which has led to this game.

        With `refills` earlier turns are forgotten, so that they begin with all their time again: the rule by which
        games went back in older logs.
        """
        if self.clock is None and not (isinstance(what, Note) and what.settings.get("clock")):
            return self
        clocks = self._spent(at)
        if refills:
            clocks = clocks._forgetting()
        if isinstance(what, Note):
            clocks = clocks._noted(what.settings)
        played = isinstance(what, Act | Reveal)
        clocks = clocks._turned(game, played=played)._resting(len(game.paydays), at, played=played)
        return clocks._forgetting() if refills else clocks

    def _forgetting(self) -> "ClockState":
        """Return the clocks without what is known of earlier turns."""
        return replace(self, unspent={}, paid=frozenset())

    def shown(self, now: datetime) -> Clocks | None:
        """Return how much time each seat has left; None without clocks."""
        if self.clock is None:
            return None
        running = self.seat if self.running else None
        left = self._spent(now).left
        return Clocks(self.clock.kind, tuple(max(0.0, each) for each in left), running, self.due)

    @property
    def due(self) -> datetime | None:
        """When the running time is out; None if none runs."""
        begins = self._begins
        if not self.running or begins is None or self.seat is None:
            return None
        return begins + timedelta(seconds=self.left[self.seat])

    @property
    def _begins(self) -> datetime | None:
        """From when on the running time counts: from the last entry, or from the end of the rest after a payday."""
        return max(self.since, self.rests_until) if self.since and self.rests_until else self.since

    def _spent(self, at: datetime) -> "ClockState":
        """Return the clocks at a later time. An earlier time, by a clock set back, counts as the same."""
        left, begins = self.left, self._begins
        if self.running and begins is not None and self.seat is not None:
            left = _with(left, self.seat, left[self.seat] - max(0.0, (at - begins).total_seconds()))
        rests_until = self.rests_until if self.rests_until and self.rests_until > at else None
        return replace(self, left=left, since=at, rests_until=rests_until)

    def _resting(self, paydays: int, at: datetime, *, played: bool) -> "ClockState":
        """Return the clocks after an entry with which so many paydays have been held.

        They rest once for each payday: otherwise a player could go back before it again and again, and think meanwhile.
        """
        if paydays == self.paydays:
            return self
        rests_until = at + timedelta(seconds=self.rest) if played and self.rest and paydays > self.told else None
        return replace(self, paydays=paydays, told=max(paydays, self.told), rests_until=rests_until)

    def _noted(self, settings: Mapping[str, Any]) -> "ClockState":
        """Return the clocks after a change of settings: of the clock itself, or of who decides for a seat."""
        if settings.get("ended"):
            return ClockState()
        clocks = self
        if "clock" in settings:
            clock = TimeControl(**settings["clock"]) if settings["clock"] else None
            left = (float(clock.seconds),) * len(settings["players"]) if clock else ()
            rest = float(settings.get(PAYDAY_REST, 0))
            clocks = replace(clocks, clock=clock, left=left, turn=None, seat=None, running=False, rest=rest)
            clocks = clocks._forgetting()
        players, stand_ins = (settings.get(name, getattr(clocks, name)) for name in ("players", "stand_ins"))
        clocks = replace(clocks, players=tuple(players), stand_ins=tuple(stand_ins))
        clock = clocks.clock
        if clock is None:
            return ClockState()
        back = [seat for seat in range(len(clocks.left)) if clocks.runs_for(seat) and not self.runs_for(seat)]
        if clocks._late_turn_left():
            back = [seat for seat in back if seat != clocks.seat]
        if "late" in settings:
            clocks = replace(clocks, late_in=clocks.turn if any(settings["late"]) else None)
        for seat in back:
            if clocks.left[seat] <= 0:
                clocks = replace(clocks, left=_with(clocks.left, seat, min(GRACE, clock.seconds)))
        return clocks

    def _late_turn_left(self) -> bool:
        """Whether the game has gone back from a turn whose time was out, to one that was begun before."""
        return self.late_in not in (None, self.turn) and self.turn in self.unspent

    def _turned(self, game: Game, *, played: bool) -> "ClockState":
        """Return the clocks when a seat is to decide in this game, perhaps in another turn."""
        clock = self.clock
        if clock is None or game.card_due:
            return self
        if game.over:
            return replace(self, running=False, seat=None, turn=None)
        seat, turn = game.seat, turn_of(game.position)
        assert seat is not None
        clocks = self if turn == self.turn else self._after_turn(clock, played=played)
        if turn != self.turn and clock.kind == "turn":
            left = clocks.unspent.get(turn, float(clock.seconds))
            clocks = replace(clocks, left=_with(clocks.left, seat, left))
        return replace(clocks, turn=turn, seat=seat, running=self.runs_for(seat))

    def _after_turn(self, clock: TimeControl, *, played: bool) -> "ClockState":
        """Return the clocks when a turn ends, or is left because the game goes back."""
        if self.turn is None or self.seat is None:
            return self
        if clock.kind == "turn":
            return replace(self, unspent={**self.unspent, self.turn: self.left[self.seat]})
        if not played or not self.running or self.turn in self.paid:
            return self
        left = _with(self.left, self.seat, self.left[self.seat] + clock.increment)
        return replace(self, left=left, paid=self.paid | {self.turn})

    def runs_for(self, seat: int) -> bool:
        """Whether a person decides for a seat."""
        return bool(self.players) and not self.stand_ins[seat] and self.players[seat] in PERSONS


def _with(left: tuple[float, ...], seat: int, seconds: float) -> tuple[float, ...]:
    """Return the times with other seconds for one seat."""
    return (*left[:seat], seconds, *left[seat + 1 :])


# ------------------------------------------------------------------------------------------- the time of a process


def utc() -> datetime:
    """Return the time of the wall clock."""
    return datetime.now(UTC)


def seconds_since_boot() -> float:
    """Return the seconds since a fixed moment. Time asleep counts too, where the system can tell."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class ProcessClock:
    """A clock that only goes forward, whatever happens to the wall clock."""

    def __init__(self, wall: Now = utc, elapsed: Callable[[], float] = seconds_since_boot) -> None:
        self._elapsed = elapsed
        self._begun = elapsed()
        self._start = wall()

    def __call__(self) -> datetime:
        """Return the current time."""
        return self._start + timedelta(seconds=self._elapsed() - self._begun)

    def not_before(self, moment: datetime) -> None:
        """Go forward to a moment, unless it has passed already."""
        self._start += max(timedelta(0), moment - self())
