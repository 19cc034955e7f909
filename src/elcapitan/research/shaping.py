"""Rewards for every step, from what a payday now would pay: to learn from more than the end of a game.

    from elcapitan.research.shaping import Shaping

    shaping = Shaping(fleet, scale=0.01)
    fleet.step(actions)
    rewards = fleet.rewards + shaping.step()       # games x seats

The potential of a seat is its cash, plus what a payday now would pay it, less what its loans show, times `scale`. A
step is rewarded with `discount` times the potential after it, less the potential before. So without a discount the
rewards of a seat in a game add up to its potential at the end less that at the beginning.

At the end the potential is the money of the seat (`end="money"`): the sum of the rewards then depends on it, and who
learns wants money as well. With `end="zero"` it is 0, which leaves the best policy as it is (Ng, Harada and Russell,
1999), if the discount is that of the learner.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from elcapitan.engine import fleet as engine
from elcapitan.research.arguments import from_zero, one_of
from elcapitan.research.fleet import Fleet

ENDS: Final = ("money", "zero")


class Shaping:
    """The potentials of all seats in a fleet, and what a step changes of them."""

    def __init__(self, fleet: Fleet, scale: float = 0.01, *, discount: float = 1.0, end: str = "money") -> None:
        one_of("end", end, ENDS)
        scale, discount = from_zero("the scale of shaping", scale), from_zero("a discount", discount)
        self._fleet, self._scale, self._discount = fleet, scale, discount
        self._end = scale if end == "money" else 0.0  # of a florin
        self._florins = np.zeros((fleet.games, fleet.setup.players), np.int32)
        self.reset()

    def reset(self) -> None:
        """Begin anew: with the next step, only what happens from now on is rewarded."""
        self._before = self.potentials()

    def potentials(self) -> npt.NDArray[np.float32]:
        """Return the potential of every seat in every game."""
        engine.estimate_money(self._fleet.states, self._fleet.figures.boards, self._florins)
        return (self._florins * self._scale).astype(np.float32)

    def step(self) -> npt.NDArray[np.float32]:
        """Return what the last step of the fleet is worth to every seat in every game."""
        now = self.potentials()
        after = np.where(self._fleet.finished[:, None], self._fleet.money * self._end, now)
        shaped: npt.NDArray[np.float32] = (self._discount * after - self._before).astype(np.float32)
        self._before = now
        return shaped
