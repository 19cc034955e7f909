"""What came of one game: a record of plain numbers for each seat, for statistics and for JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Merchant:
    """How one seat fared."""

    bot: str
    seat: int  # from 0
    position: int  # seats after the starting player, 0 for the starting player
    money: int  # at the end
    rank: int  # equals share a rank, as in 1, 2, 2, 4; who has forfeited comes last
    win: float  # 1, a fraction of a shared victory, or 0
    loans: int  # loan cards taken
    paid: tuple[int, ...]  # by each payday
    after_paydays: tuple[int, ...]  # money when each payday was paid and its loans were settled
    sources: Mapping[str, int]  # where the money came from and went to, by SOURCES of `ledger`
    fault: str | None = None  # what a program did wrong: it has forfeited, and another played its seat from then on


@dataclass(frozen=True)
class GameResult:
    """How one game went."""

    number: int  # in the schedule, from 0
    deal: int
    seed: int  # of the deal
    line_up: int
    rotation: int
    first: int  # the seat that began
    rounds: tuple[int, ...]  # by phase
    actions: int
    merchants: tuple[Merchant, ...]  # by seat

    def to_json(self) -> dict[str, Any]:
        """As an object for a program."""
        return asdict(self)
