"""The clocks of a table: how much time everybody has left, by the times at which things were written down.

Time runs only for persons who are to decide; whoever has somebody standing in has no clock. Everything follows from
the log, so it is the same after a restart and in every process. Going back gives no time back: a turn that is taken
again goes on with the time that was left in it, and brings an increment only once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from elcapitan.game import Game
from elcapitan.history import Act, Reveal, turn_of
from elcapitan.service.entries import Happening, Note
from elcapitan.service.plan import PERSONS, Clock
from elcapitan.service.table import Clocks

GRACE: Final = 60.0  # seconds for a person whose time was out, when the seat is handed back; others have what was left

Turn = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Clockwork:
    """The clocks after an entry of the log."""

    clock: Clock | None = None
    players: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    left: tuple[float, ...] = ()  # seconds of each seat, at that time
    turn: Turn | None = None  # the last one in which somebody was to decide
    seat: int | None = None  # who was to decide in it
    running: bool = False
    since: datetime | None = None  # that time
    unspent: Mapping[Turn, float] = field(default_factory=dict)  # seconds left in each turn that was left, by turns
    paid: frozenset[Turn] = frozenset()  # the turns that have brought their increment
    late_in: Turn | None = None  # the turn in which a computer player stands in because its time was out

    def heard(self, what: Happening, at: datetime, game: Game, *, refills: bool = False) -> "Clockwork":
        """The clocks after one more entry, which has led to this game.

        With `refills` turns before it are forgotten, so that they begin with all their time again: by this rule games
        went back in older logs.
        """
        if self.clock is None and not (isinstance(what, Note) and what.settings.get("clock")):
            return self
        clocks = self._spent(at)
        if refills:
            clocks = clocks._forgetting()
        if isinstance(what, Note):
            clocks = clocks._noted(what.settings)
        clocks = clocks._turned(game, played=isinstance(what, Act | Reveal))
        return clocks._forgetting() if refills else clocks

    def _forgetting(self) -> "Clockwork":
        """The clocks without what is known of earlier turns."""
        return replace(self, unspent={}, paid=frozenset())

    def shown(self, now: datetime) -> Clocks | None:
        """How much time everybody has left."""
        if self.clock is None:
            return None
        running = self.seat if self.running else None
        left = self._spent(now).left
        return Clocks(self.clock.kind, tuple(max(0.0, each) for each in left), running, self.due)

    @property
    def due(self) -> datetime | None:
        """When somebody's time is out."""
        if not self.running or self.since is None or self.seat is None:
            return None
        return self.since + timedelta(seconds=self.left[self.seat])

    def _spent(self, at: datetime) -> "Clockwork":
        """The clocks at a later time; one that is earlier by a clock set back counts as the same."""
        left = self.left
        if self.running and self.since is not None and self.seat is not None:
            left = _with(left, self.seat, left[self.seat] - max(0.0, (at - self.since).total_seconds()))
        return replace(self, left=left, since=at)

    def _noted(self, settings: Mapping[str, Any]) -> "Clockwork":
        """The clocks after a change of settings: set anew, or somebody stands in, or a seat is handed back."""
        if settings.get("ended"):
            return Clockwork()
        clocks = self
        if "clock" in settings:
            clock = Clock(**settings["clock"]) if settings["clock"] else None
            left = (float(clock.seconds),) * len(settings["players"]) if clock else ()
            clocks = replace(clocks, clock=clock, left=left, turn=None, seat=None, running=False)._forgetting()
        players, stand_ins = (settings.get(name, getattr(clocks, name)) for name in ("players", "stand_ins"))
        clocks = replace(clocks, players=tuple(players), stand_ins=tuple(stand_ins))
        clock = clocks.clock
        if clock is None:
            return Clockwork()
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

    def _turned(self, game: Game, *, played: bool) -> "Clockwork":
        """The clocks when somebody is to decide in this game, perhaps in another turn."""
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

    def _after_turn(self, clock: Clock, *, played: bool) -> "Clockwork":
        """The clocks when a turn is left: to its end, or because the game goes back."""
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
    """The same with other seconds for a seat."""
    return (*left[:seat], seconds, *left[seat + 1 :])
