"""The named parts of an observation: where each begins in a row, its shape, and what it tells.

    from elcapitan.research.layout import PARTS, part

    cash = part(observations, "florins")     # a view of shape (games, 5, 2)
    PARTS["florins"].about                   # "cash: 256 x the second cell + the first"

Every observation is seen from one seat. Wherever a part has one entry for each seat or colour, the first belongs to
the one who looks and the others follow clockwise; those of empty seats are 0. With two players the colours
are one's own, the other's, one's own neutral one and the other's.

`VERSION` counts the forms a row has had. A new version only adds parts at the end, so offsets stay valid: version 1 had
950 cells, version 2 adds `pirate_before_loan`.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from elcapitan.engine import observation

CELLS: Final = observation.CELLS
VERSION: Final = observation.VERSION
HUNDRED: Final = 100.0
A_DOZEN: Final = 12.0


@dataclass(frozen=True)
class Part:
    """Some cells of an observation that belong together."""

    name: str
    begin: int
    shape: tuple[int, ...]
    about: str

    @property
    def end(self) -> int:
        """The index of the first cell after the part."""
        return self.begin + int(np.prod(self.shape))


PARTS: Final = {
    name: Part(name, observation.OFFSETS[name], shape, about) for name, (shape, about) in observation.PARTS.items()
}


def part(observations: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """Return one part of an observation, or of an array of them, as a view of its own shape."""
    wanted = PARTS[name]
    return observations[..., wanted.begin : wanted.end].reshape(*observations.shape[:-1], *wanted.shape)


def scales() -> npt.NDArray[np.float32]:
    """Return a factor for each cell that scales its numbers to about 0 to 1, as networks need them."""
    factors = np.ones(CELLS, np.float32)
    for name in ("round", "bank", "decks", "stock", "sites", "open"):
        part(factors, name)[...] = 1 / A_DOZEN
    part(factors, "florins")[:] = (1 / HUNDRED, 256 / HUNDRED)
    return factors


def markdown() -> str:
    """Return the table of all parts, for the documentation."""
    rows = [
        f"| `{each.name}` | {each.begin} | {' x '.join(map(str, each.shape))} | {each.about} |"
        for each in PARTS.values()
    ]
    return "\n".join(["| part | begins at | shape | what it tells |", "|---|---:|---|---|", *rows]) + "\n"
