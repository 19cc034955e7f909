"""A table as everybody may see it: the game, who sits there, and what can be done next."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar, overload

from elcapitan.errors import Frozen
from elcapitan.game import Game
from elcapitan.notation.shuffles import Promise
from elcapitan.service.plan import Plan, Seat
from elcapitan.service.process_clock import utc
from elcapitan.store.shelf import Line

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish to go back to an earlier moment, which those concerned are asked about."""

    seat: int  # who wishes it
    at: int  # how many events had happened then
    agreed: frozenset[int]
    waiting: frozenset[int]  # those who have not answered; who says no ends the wish
    until: datetime | None = None  # when it lapses


@dataclass(frozen=True, slots=True)
class Clocks:
    """How much time everybody has left."""

    kind: str  # "turn" or "bank"
    left: tuple[float, ...]  # seconds of each seat, now
    running: int | None  # whose time runs
    due: datetime | None  # when it is out


@dataclass(frozen=True, slots=True)
class Trace:
    """Something that happened besides the game, for those who tell its story."""

    number: int  # of its entry
    after: int  # how many events had happened
    at: datetime
    kind: str  # "wish", "answer", "lapse", "back" or "note"
    content: Mapping[str, Any]  # as it is written in the log


class Traces(Sequence[Trace]):
    """A sequence that is never changed; a longer one is made in constant time and shares its memory."""

    __slots__ = ("_known", "_length")

    def __init__(self, traces: Iterable[Trace] = ()) -> None:
        self._known = list(traces)  # shared with longer ones, which append to it
        self._length = len(self._known)

    def and_then(self, trace: Trace) -> "Traces":
        """Return a sequence with one more at its end."""
        if len(self._known) > self._length:  # another was appended already
            return Traces([*self, trace])
        longer = Traces.__new__(Traces)
        longer._known, longer._length = self._known, self._length + 1
        self._known.append(trace)
        return longer

    def __len__(self) -> int:
        """How many there are."""
        return self._length

    @overload
    def __getitem__(self, at: int) -> Trace: ...
    @overload
    def __getitem__(self, at: slice) -> list[Trace]: ...
    def __getitem__(self, at: int | slice) -> Trace | list[Trace]:
        """One of them, or some."""
        if isinstance(at, slice):
            return [self._known[each] for each in range(*at.indices(self._length))]
        if not -self._length <= at < self._length:
            raise IndexError(at)
        return self._known[at % self._length]

    def __eq__(self, other: object) -> bool:
        """Whether the same happened."""
        return isinstance(other, Traces) and list(self) == list(other)

    def __hash__(self) -> int:
        """A number that is the same for equal ones."""
        return hash(self._length)


@dataclass(frozen=True, eq=False)
class Table:
    """A table at one moment; it stays as it is when the game goes on.

    The game was told its cards one by one, as a spectator is: it knows neither the seed nor the face-down order.
    """

    id: str
    plan: Plan
    game: Game
    number: int  # entries in the log so far: the version of the table
    created: datetime
    changed: datetime
    turn_begins: int  # how many events had happened when the running turn began
    undoable: int  # actions that can be taken back
    redoable: int  # actions taken back that can be done again
    thinking: bool  # whether a computer player is at it
    frozen: Frozen | None = None
    origin: tuple[str, int] | None = None  # the game this one branched off, and after how many events
    version: str = ""  # changes with anything that is shown
    present: frozenset[int] = frozenset()  # the seats of those who look on
    talk: tuple[Line, ...] = ()  # what was said last
    wish: Wish | None = None
    clocks: Clocks | None = None
    trace: Sequence[Trace] = ()  # what happened besides the game, in order
    read_at: datetime = field(default_factory=utc)  # when it was as shown here, by the clock of the process
    promises: tuple[Promise, ...] = ()  # the shuffles: hashes only, and what is behind them once nobody plays any more
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)  # by those who show it, while it is in memory

    def once(self, what: object, of: object, make: Callable[[], Made]) -> Made:
        """Something that is made of something else, and only made anew when that has changed.

        It is kept with the game, for all who look at it at any later moment.
        """
        found: tuple[object, Made] | None = self.kept.get(what)
        if found is None or found[0] != of:
            found = self.kept[what] = of, make()
        return found[1]

    @property
    def commitment(self) -> str:
        """The hash of the order in which cards come now; games of the first editions have none."""
        return self.promises[-1].commitment if self.promises else ""

    def colour_of(self, colour: int) -> int:
        """The colour of the palette for a colour of the game, neutral ones included."""
        return self.plan.palette()[colour]

    def names(self) -> list[str]:
        """What the merchants are called; an empty name stands for the colour."""
        return [seat.name for seat in self.plan.seats]

    def human(self, seat: int) -> bool:
        """Whether a person decides for a seat."""
        return self.plan.human(seat)

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.game.over or self.plan.ended

    @property
    def deciding(self) -> int | None:
        """Who decides now; nobody when the game is over."""
        return None if self.plan.ended else self.game.seat


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of games tells about one of them."""

    id: str
    plan: Plan
    number: int
    created: datetime
    changed: datetime
    over: bool
    phase: int
    round: int
    deciding: int | None
    money: tuple[int, ...]
    rules: str
    board: str
    origin: tuple[str, int] | None = None
    due: datetime | None = None  # when a clock runs out or a wish to go back lapses

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where."""
        return self.plan.seats

    @property
    def waits_for_people(self) -> bool:
        """Whether a person is to decide."""
        return self.deciding is not None and self.plan.human(self.deciding)
