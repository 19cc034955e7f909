"""A position as numbers for learners: the row of cells that a seat sees, and the legal actions as a mask."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from elcapitan.engine import fleet
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.observation import CELLS
from elcapitan.engine.state import States


def observe(states: States, seat: int) -> npt.NDArray[np.int8]:
    """Return the observation of the first position from a seat, as a new row of cells."""
    rows = np.empty((1, CELLS), np.int8)
    fleet.look(states, 0, seat, rows, 0)
    return rows.reshape(CELLS)


def mask_of(legal: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Return a new row with a flag for every action number: whether it is among these."""
    flags = np.zeros(N_ACTIONS, np.bool_)
    flags[list(legal)] = True
    return flags
