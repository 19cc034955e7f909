"""Players that are no part of this package. Their mistakes are recorded, and the lowest level plays on for them."""

from abc import abstractmethod
from collections.abc import Sequence

from elcapitan.bots import registry
from elcapitan.bots.bot import Bot, View
from elcapitan.engine.rng import Generators
from elcapitan.errors import BotFault, ElCapitanError


class ForeignBot(Bot):
    """A player that may fail: once it has had a fault, the lowest level plays its seat for the rest of the game."""

    def __init__(self, title: str) -> None:
        self.title = title  # as it was asked for
        self.name = ""  # as it calls itself
        self.problem: BotFault | None = None
        self._stand_in = registry.create(registry.LOWEST)

    @property
    def fault(self) -> str | None:
        """The fault as one English sentence; `problem` can be translated."""
        return str(self.problem) if self.problem else None

    @abstractmethod
    def decide(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """Ask the player for a legal action; raise `ElCapitanError` if it gives none."""

    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """Ask the player; once it has had a fault, ask the lowest level instead."""
        if self.problem is None:
            try:
                return self.decide(view, legal, rng)
            except ElCapitanError as error:
                self.give_up(error)
        return self._stand_in.choose(view, legal, rng)

    def give_up(self, error: ElCapitanError) -> None:
        """Record the fault; from now on the stand-in plays."""
        self.problem = BotFault(self.title, error, self.last_words(error))

    def last_words(self, error: ElCapitanError) -> tuple[str, ...]:  # noqa: ARG002 - for those that have some
        """Return lines that may help to find the mistake behind a fault."""
        return ()

    def close(self) -> None:
        """Close the stand-in, too."""
        self._stand_in.close()
