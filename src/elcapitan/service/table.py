"""A table as everybody may see it: the game, who sits there, and what can be done next."""

from dataclasses import dataclass
from datetime import datetime

from elcapitan.errors import Frozen
from elcapitan.game import Game
from elcapitan.service.plan import Plan, Seat


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

    def colour_of(self, colour: int) -> int:
        """The colour of the palette for a colour of the game, neutral ones included."""
        return self.plan.palette()[colour]

    def names(self) -> list[str]:
        """What the merchants are called; an empty name stands for the colour."""
        return [seat.name for seat in self.plan.seats]

    def human(self, seat: int) -> bool:
        """Whether a person plays a seat."""
        return self.plan.human(seat)

    @property
    def deciding(self) -> int | None:
        """Who decides now; nobody when the game is over."""
        return self.game.seat


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

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where."""
        return self.plan.seats

    @property
    def waits_for_people(self) -> bool:
        """Whether a person is to decide."""
        return self.deciding is not None and self.plan.human(self.deciding)
