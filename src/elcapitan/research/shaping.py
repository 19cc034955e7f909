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

from elcapitan.engine import play
from elcapitan.research.fleet import Fleet

ENDS: Final = ("money", "zero")


class Shaping:
    """The potentials of all seats in a fleet, and what a step changes of them."""

    def __init__(self, fleet: Fleet, scale: float = 0.01, *, discount: float = 1.0, end: str = "money") -> None:
        if end not in ENDS:
            raise ValueError(f"the potential at the end is one of {', '.join(ENDS)}, not {end}")
        self._fleet, self._scale, self._discount = fleet, scale, discount
        self._end = scale if end == "money" else 0.0  # of a florin
        self._forecasts = play.forecasts(fleet.games)
        self._due = fleet.figures.board["loan_due"].astype(np.float32)
        self.reset()

    def reset(self) -> None:
        """Begin anew: with the next step, only what happens from now on is rewarded."""
        self._before = self.potentials()

    def potentials(self) -> npt.NDArray[np.float32]:
        """Return the potential of every seat in every game."""
        fleet, players = self._fleet, self._fleet.setup.players
        play.forecast_all(fleet.states, fleet.figures.boards, self._forecasts)
        debts = (fleet.states["loans"][:, :players] * self._due).sum((2, 3))
        florins = fleet.states["cash"][:, :players] + self._forecasts["total"][:, :players] - debts
        found: npt.NDArray[np.float32] = (florins * self._scale).astype(np.float32)
        return found

    def step(self) -> npt.NDArray[np.float32]:
        """Return what the last step of the fleet is worth to every seat in every game."""
        now = self.potentials()
        after = np.where(self._fleet.finished[:, None], self._fleet.money * self._end, now)
        shaped: npt.NDArray[np.float32] = (self._discount * after - self._before).astype(np.float32)
        self._before = now
        return shaped
