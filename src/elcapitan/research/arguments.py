"""Checks of what callers give to a fleet: wrong arrays get a sentence, because compiled code would read astray."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.rng import HIGHEST_SEED

LOGIT: Final = np.dtype(np.float32)


def action_numbers(given: npt.ArrayLike, games: int) -> npt.NDArray[Any]:
    """Return one action number for each game.

    Raises TypeError for numbers that are not whole, and ValueError for another count or for numbers of no action.
    """
    actions = np.asarray(given)
    if actions.dtype.kind not in "iu":
        raise TypeError(f"actions are whole numbers, not {actions.dtype}")
    if actions.shape != (games,):
        raise ValueError(f"actions have the shape ({games},), one for each game, not {actions.shape}")
    if ((actions < 0) | (actions >= N_ACTIONS)).any():
        raise ValueError(f"actions are numbers from 0 to {N_ACTIONS - 1}")
    return actions


def logits_of(given: Any, games: int) -> npt.NDArray[np.float32]:
    """Return a row of logits for each game, as the array that was given: nothing is copied.

    Raises TypeError for other numbers than float32, and ValueError for another shape or gaps between the numbers.
    """
    logits = np.asarray(given)
    if logits.dtype != LOGIT:
        raise TypeError(f"logits are float32, not {logits.dtype}")
    if logits.shape != (games, N_ACTIONS):
        raise ValueError(f"logits have the shape ({games}, {N_ACTIONS}), a row for each game, not {logits.shape}")
    if not (logits.flags.c_contiguous and logits.flags.aligned):
        raise ValueError("logits lie row after row without gaps; pass np.ascontiguousarray(logits)")
    return logits


def one_of(what: str, given: object, known: Sequence[str]) -> int:
    """Return the index of a name. Raises ValueError if it is none of those that are known."""
    if given not in known:
        raise ValueError(f"{what} is one of {', '.join(known)}, not {given}")
    return known.index(str(given))


def seed_number(given: object) -> int:
    """Return a seed. Raises ValueError if it is none, TypeError if it is not a whole number."""
    if not isinstance(given, int | np.integer) or isinstance(given, bool):
        raise TypeError(f"a seed is a whole number, not {type(given).__name__}")
    if not 0 <= int(given) <= HIGHEST_SEED:
        raise ValueError(f"a seed is a whole number from 0 to {HIGHEST_SEED}, not {given}")
    return int(given)
