"""The interface of computer players: choose one of the legal actions from what the seat may see."""

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
        """The seat that has to decide."""
        return int(self.states[0].seat)

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.states[0].players)


class Bot(ABC):
    """A computer player in one seat of one game.

    It may keep what it thought earlier, but must not depend on it: a server makes a new one for every turn.
    """

    @abstractmethod
    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """Return one of the legal actions. `rng`, a generator of the engine, is the only allowed source of chance."""

    def stop_when(self, enough: Callable[[], bool]) -> None:  # noqa: B027 - most bots never think for long
        """Stop thinking as soon as `enough` returns true, and play the best plan found so far."""

    def close(self) -> None:  # noqa: B027 - most bots hold nothing
        """Release what the bot holds; it is not asked again."""
