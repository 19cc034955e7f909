"""What a computer player is: something that chooses one of the legal actions from what its seat may see."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from elcapitan.engine.rng import Generators
from elcapitan.engine.state import Boards, States


@dataclass(frozen=True)
class View:
    """What a seat sees: one position without the order of the face-down cards (`Game.view_for`), and the board."""

    states: States
    boards: Boards

    @property
    def seat(self) -> int:
        """Who is to decide."""
        return int(self.states[0].seat)

    @property
    def players(self) -> int:
        """How many play."""
        return int(self.states[0].players)


class Bot(ABC):
    """A computer player in one seat of one game. It may remember what it thought earlier in the same game."""

    @abstractmethod
    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """One of the legal actions. `rng` is a generator of the engine: the only source of chance a bot may use."""

    def stop_when(self, enough: Callable[[], bool]) -> None:  # noqa: B027 - most bots never think for long
        """Cut thinking short as soon as `enough` returns true, and play the best plan found so far."""

    def close(self) -> None:  # noqa: B027 - most bots hold nothing
        """The game is over for this bot: give back what it holds."""
