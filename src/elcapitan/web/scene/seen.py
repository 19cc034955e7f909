"""What a scene needs to know of a table and of whoever looks at it; nothing else of the service is used."""

from collections.abc import Sequence
from typing import Protocol

from elcapitan.game import Game
from elcapitan.text.catalogue import Translator


class ViewerSeen(Protocol):
    """Whoever looks."""

    @property
    def t(self) -> Translator:
        """All messages in their language."""

    @property
    def language(self) -> str:
        """Their language."""


class SeatSeen(Protocol):
    """A seat as the table agreed on it."""

    @property
    def player(self) -> str:
        """`human`, or a level of the computer players."""


class PlanSeen(Protocol):
    """What the table agreed on."""

    @property
    def seats(self) -> Sequence[SeatSeen]:
        """Who sits there."""

    @property
    def forecast(self) -> str:
        """Whose payday is forecast: off, own or all."""

    @property
    def hints(self) -> bool:
        """Whether hints may be asked for."""

    @property
    def pace(self) -> str:
        """How fast computer players move."""

    @property
    def title(self) -> str:
        """What the game is called."""


class TableSeen(Protocol):
    """A table with a game on it."""

    @property
    def id(self) -> str:
        """The name of the game in addresses."""

    @property
    def plan(self) -> PlanSeen:
        """What the table agreed on."""

    @property
    def game(self) -> Game:
        """The game."""

    @property
    def number(self) -> int:
        """How many entries its log has."""

    @property
    def undoable(self) -> int:
        """How many actions can be taken back."""

    @property
    def redoable(self) -> int:
        """How many can be played again."""

    @property
    def thinking(self) -> bool:
        """Whether a computer player is being asked."""

    def colour_of(self, colour: int, /) -> int:
        """The place of a colour in the palette."""

    def names(self) -> Sequence[str]:
        """What the merchants are called."""

    def human(self, seat: int, /) -> bool:
        """Whether somebody here plays a seat."""
