"""The weights by which thinking players judge positions, from a data file that says how they were found."""

import tomllib
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np

from elcapitan.engine.search.search_buffers import FEATURES, WEIGHTS_SHAPE, Weights
from elcapitan.engine.vocabulary import PHASES, SEATS

FILE: Final = "worth.toml"
SPREAD: Final = "spread"  # how far the money at the end usually is from the estimate
ORDER: Final = (*FEATURES, SPREAD)


@cache
def weights(name: str) -> Weights:
    """Return a set of weights by number of players, phase and feature; features that the file omits weigh 0."""
    return read(tomllib.loads((resources.files("elcapitan") / "data" / FILE).read_text("utf-8"))[name])


def read(chosen: dict[str, Any]) -> Weights:
    """Read a set of weights: one for all numbers of players and phases, or one for each."""
    table = np.zeros(WEIGHTS_SHAPE)
    for players in range(2, SEATS + 1):
        for phase in range(1, PHASES + 1):
            given = chosen.get(f"players{players}", chosen)
            given = given.get(f"phase{phase}", given)
            if not set(given) <= set(ORDER):
                raise ValueError(f"{FILE} weighs {', '.join(sorted(set(given) - set(ORDER)))}, which nobody counts")
            if given.get(SPREAD, 0) <= 0:
                raise ValueError(f"{FILE} has no {SPREAD} for {players} players in phase {phase}")
            table[players - 2, phase - 1] = [float(given.get(feature, 0)) for feature in ORDER]
    table.flags.writeable = False
    return table
