"""The clocks of a table: how much time everybody has left, by the times at which things were written down.

Time runs only for persons who are to decide; whoever has somebody standing in has no clock. Everything follows from
the log, so it is the same after a restart and in every process.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from elcapitan.game import Game
from elcapitan.history import Act, Reveal, turn_of
from elcapitan.service.entries import Happening, Note
from elcapitan.service.plan import PERSONS, Clock
from elcapitan.service.table import Clocks

GRACE: Final = 60.0  # seconds that somebody has at least when a seat is handed back

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

    def heard(self, what: Happening, at: datetime, game: Game) -> "Clockwork":
        """The clocks after one more entry, which has led to this game."""
        if self.clock is None and not (isinstance(what, Note) and what.settings.get("clock")):
            return self
        clocks = self._spent(at)
        if isinstance(what, Note):
            clocks = clocks._noted(what.settings)
        return clocks._turned(game, played=isinstance(what, Act | Reveal))

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
        """The clocks at a later time."""
        left = self.left
        if self.running and self.since is not None and self.seat is not None:
            left = _with(left, self.seat, left[self.seat] - (at - self.since).total_seconds())
        return replace(self, left=left, since=at)

    def _noted(self, settings: Mapping[str, Any]) -> "Clockwork":
        """The clocks after a change of settings: set anew, or somebody stands in, or a seat is handed back."""
        if settings.get("ended"):
            return Clockwork()
        clocks = self
        if "clock" in settings:
            clock = Clock(**settings["clock"]) if settings["clock"] else None
            left = (float(clock.seconds),) * len(settings["players"]) if clock else ()
            clocks = replace(clocks, clock=clock, left=left, turn=None, seat=None, running=False)
        players, stand_ins = (settings.get(name, getattr(clocks, name)) for name in ("players", "stand_ins"))
        clocks = replace(clocks, players=tuple(players), stand_ins=tuple(stand_ins))
        if clocks.clock is None:
            return Clockwork()
        back = [seat for seat in range(len(clocks.left)) if clocks.runs_for(seat) and not self.runs_for(seat)]
        least = float(clocks.clock.seconds) if clocks.clock.kind == "turn" else min(GRACE, clocks.clock.seconds)
        for seat in back:
            clocks = replace(clocks, left=_with(clocks.left, seat, max(clocks.left[seat], least)))
        return clocks

    def _turned(self, game: Game, *, played: bool) -> "Clockwork":
        """The clocks when somebody is to decide in this game, perhaps in another turn."""
        clock = self.clock
        if clock is None or game.card_due:
            return self
        if game.over:
            return replace(self, running=False, seat=None, turn=None)
        seat, turn, left = game.seat, turn_of(game.position), self.left
        assert seat is not None
        if turn != self.turn:
            if played and self.running and self.seat is not None and clock.kind == "bank":
                left = _with(left, self.seat, left[self.seat] + clock.increment)
            if clock.kind == "turn":
                left = _with(left, seat, float(clock.seconds))
        return replace(self, left=left, turn=turn, seat=seat, running=self.runs_for(seat))

    def runs_for(self, seat: int) -> bool:
        """Whether a person decides for a seat."""
        return bool(self.players) and not self.stand_ins[seat] and self.players[seat] in PERSONS


def _with(left: tuple[float, ...], seat: int, seconds: float) -> tuple[float, ...]:
    """The same with other seconds for a seat."""
    return (*left[:seat], seconds, *left[seat + 1 :])
