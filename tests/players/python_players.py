"""Players written in Python, good ones and bad ones, as files of somebody else would hold them."""

import sys
from typing import Any

import numpy as np

from elcapitan.players.python_players import Decision

SEEN: list[Decision] = []  # by `Last`, the newest at the end


class Last:
    """Plays the last legal action, and keeps what it was asked."""

    def choose(self, decision: Decision) -> int:
        SEEN.append(decision)
        return decision.actions[-1]

    def choose_many(self, observations: Any, masks: Any) -> Any:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)


class Dicer:
    """Plays at random, with the generator that it is given."""

    def choose(self, decision: Decision) -> Any:
        return decision.rng.choice(decision.actions)


class Vandal:
    """Spoils everything that it is given, and plays on."""

    def choose(self, decision: Decision) -> int:
        found = decision.actions[0]
        decision.view.states.view(np.uint8)[:] = 255
        decision.observation[:] = 0
        decision.mask[:] = False
        decision.actions.clear()
        return found


class Told:
    """Returns what it was told when it was made."""

    def __init__(self, what: str) -> None:
        self.what: Any = {"number": 7000, "true": "yes", "nothing": None, "half": 0.5}.get(what, what)

    def choose(self, decision: Decision) -> Any:
        return self.what


class Thrower:
    """Fails after some decisions."""

    def __init__(self, after: str = "0") -> None:
        self.left = int(after)

    def choose(self, decision: Decision) -> int:
        self.left -= 1
        if self.left < 0:
            raise ValueError("over\nboard")
        return decision.actions[0]


class Quitter:
    """Ends the whole program."""

    def choose(self, decision: Decision) -> int:
        sys.exit(4)


class Stillborn:
    """Cannot be made."""

    def __init__(self) -> None:
        raise RuntimeError

    def choose(self, decision: Decision) -> int:
        raise AssertionError


class Mute:
    """Has no method to be asked by."""


class Box:
    """A class may stand inside another."""

    Last = Last
