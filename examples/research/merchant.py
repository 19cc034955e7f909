"""The merchant that train.py has trained, as a player of its own. It needs nothing but NumPy.

    elcapitan arena --bots py:examples.research.merchant:Merchant:training/merchant.npz,trader --players 2

The network is told what `research.layout` describes, and what a payday now would pay.
"""

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from elcapitan.board.figures import Figures
from elcapitan.engine import play
from elcapitan.engine.actions import FREE_PIRATE
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import CITIES, SEATS
from elcapitan.players.python_players import Decision
from elcapitan.research.layout import CELLS, part, scales

HUNDRED = 100.0
EXTRA = SEATS + 3 * CITIES  # forecasts of all seats; own income by city and fortress; sites taken in a city
ACTIONS = FREE_PIRATE  # without Islas Canarias there is no pirate, and his actions come last
LAYERS = ("body.0", "body.2", "policy")  # as they are named in train.py

Row = npt.NDArray[np.float32]


class Eyes:
    """Observations of some games as networks like them: about 0 to 1, with what a payday now would pay."""

    def __init__(self, games: int, players: int, figures: Figures) -> None:
        self.players, self.figures = players, figures
        self.scales = scales()
        self.forecasts = play.forecasts(games)
        self.due = figures.board["loan_due"].astype(np.float32)
        self.every = np.arange(games)
        self.inputs: Row = np.zeros((games, CELLS + EXTRA), np.float32)

    def look(self, observations: npt.NDArray[np.int8], states: States, seats: Any) -> tuple[Row, Row]:
        """What these seats see, and the lead that each would have after a payday now, in hundreds of florins."""
        play.forecast_all(states, self.figures.boards, self.forecasts)
        order = (seats[:, None] + np.arange(self.players)) % self.players
        incomes = self.forecasts["total"][self.every[:, None], order] / np.float32(HUNDRED)
        debts = (states["loans"][:, : self.players] * self.due).sum((2, 3))
        wealth = (states["cash"][:, : self.players] - debts) / np.float32(HUNDRED)
        ends = wealth[self.every[:, None], order] + incomes
        lead = ends[:, 0] - ends[:, 1:].max(1)
        row = self.inputs
        np.multiply(observations, self.scales, out=row[:, :CELLS])
        taken = part(observations, "sites") > 0
        part(row[:, :CELLS], "sites")[:] = taken
        row[:, CELLS : CELLS + self.players] = incomes
        own = self.every, seats
        row[:, -3 * CITIES : -2 * CITIES] = self.forecasts["majority"][own] / 20
        row[:, -2 * CITIES : -CITIES] = self.forecasts["fortress"][own] / 20
        row[:, -CITIES:] = taken.sum(2) / CITIES
        return row, lead.astype(np.float32)


@functools.cache
def weights_in(file: str) -> dict[str, npt.NDArray[Any]]:
    """Read the weights once for all games."""
    with np.load(file) as content:
        return {
            name: array.astype(np.float32) if array.dtype == np.float16 else array for name, array in content.items()
        }


class Merchant:
    """Plays the action that the network of a file likes best."""

    def __init__(self, file: str) -> None:
        self.weights = weights_in(file)
        self.players = int(self.weights["players"])
        self.eyes: Eyes | None = None

    def choose(self, decision: Decision) -> int:
        """Return the legal action with the highest logit."""
        if decision.view.players != self.players or max(decision.actions) >= ACTIONS:
            raise ValueError(f"this network has learned to play with {self.players} merchants and without the pirate")
        if self.eyes is None:
            self.eyes = Eyes(1, self.players, decision.figures)
        row, _lead = self.eyes.look(decision.observation[None], decision.view.states, np.array([decision.view.seat]))
        logits = self.logits(row[:, self.weights["used"]])[0]
        return int(np.where(decision.mask[:ACTIONS], logits, -np.inf).argmax())

    def logits(self, deep: Row) -> Row:
        """Return what the network thinks of every action, for each row."""
        for layer in LAYERS:
            deep = deep @ self.weights[f"{layer}.weight"].T + self.weights[f"{layer}.bias"]
            if layer != LAYERS[-1]:
                deep = np.maximum(deep, 0)
        return deep
