"""Bots without thought of their own: they roll the dice of a policy of the engine."""

from collections.abc import Sequence
from typing import Final

from elcapitan.bots.bot import Bot, View
from elcapitan.engine import play
from elcapitan.engine.policies import LIGHT
from elcapitan.engine.rng import Generators


class Wanderer(Bot):
    """Sails where the dice send it and builds where it stands."""

    _policy: Final = LIGHT

    def __init__(self) -> None:
        self._desks = play.desks()

    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """Whatever the dice say first."""
        if len(legal) == 1:
            return legal[0]
        return play.choose(view.states, 0, view.boards, self._desks, 0, rng, self._policy)
