"""Checks of what callers give to a fleet: wrong arrays get a sentence, because compiled code would read astray."""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from elcapitan.board.board_file import short
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.rng import HIGHEST_SEED

LOGIT: Final = np.dtype(np.float32)


def action_numbers(given: npt.ArrayLike, games: int) -> npt.NDArray[Any]:
    """Return one action number for each game.

    Raises TypeError for numbers that are not whole, and ValueError for another count or for numbers of no action.
    """
    actions = one_each("actions", given, games)
    if outside(actions).any():
        raise ValueError(f"actions are numbers from 0 to {N_ACTIONS - 1}")
    return actions


def outside(actions: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which of some numbers are those of no action."""
    return (actions < 0) | (actions >= N_ACTIONS)


def one_each(what: str, given: npt.ArrayLike, games: int) -> npt.NDArray[Any]:
    """Return one whole number for each game. Raises TypeError for other numbers, and ValueError for another count."""
    numbers = np.asarray(given)
    if numbers.dtype.kind not in "iu":
        raise TypeError(f"{what} are whole numbers, not {numbers.dtype}")
    if numbers.shape != (games,):
        raise ValueError(f"{what} have the shape ({games},), one for each game, not {numbers.shape}")
    return numbers


def flags_of(given: npt.ArrayLike, games: int) -> npt.NDArray[np.bool_]:
    """Return a flag for each game. Raises TypeError for anything but bool, and ValueError for another count."""
    flags = np.asarray(given)
    if flags.dtype != np.bool_:
        raise TypeError(f"games are chosen by an array of bool, not {flags.dtype}")
    if flags.shape != (games,):
        raise ValueError(f"a flag for each game has the shape ({games},), not {flags.shape}")
    return flags


def logits_of(given: Any, games: int) -> npt.NDArray[np.float32]:
    """Return a row of logits for each game, as the array that was given: nothing is copied.

    Raises TypeError for other numbers than float32, and ValueError for another shape or gaps between the numbers.
    """
    kind = getattr(given, "dtype", None)  # of an array of another library, perhaps one that NumPy does not know
    if kind is not None and not str(kind).endswith(LOGIT.name):
        raise TypeError(f"logits are float32, not {kind}")
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


def count_of(what: str, given: object) -> int:
    """Return how many there are of something. Raises ValueError if there are none, TypeError if it is not whole."""
    if not isinstance(given, int | np.integer) or isinstance(given, bool):
        raise TypeError(f"the number of {what} is a whole number, not {short(given)}")
    if given < 1:
        raise ValueError(f"a fleet has at least one of its {what}, not {given}")
    return int(given)


def from_zero(what: str, given: object) -> float:
    """Return a number that is not negative. Raises ValueError for anything else."""
    if not isinstance(given, int | float | np.integer | np.floating) or not 0 <= float(given) < math.inf:
        raise ValueError(f"{what} is a number from 0 up, not {short(given)}")
    return float(given)


def render_mode_of(given: str | None, known: Sequence[str]) -> str | None:
    """Return a way to render, or None for none. Raises ValueError for one that is not known."""
    if given is not None:
        one_of("render_mode", given, known)
    return given
