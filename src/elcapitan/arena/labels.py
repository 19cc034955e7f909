"""What the figures of an arena are called."""

from typing import Final

from elcapitan.arena.ledger import (
    BONUS,
    CARDS,
    FORTRESS_COSTS,
    FORTRESSES,
    LISBOA,
    LOAN_COSTS,
    MAJORITIES,
    PIRATE,
    PROLIFERATION,
    START,
    WAREHOUSES,
)
from elcapitan.text.catalogue import _

SOURCE_NAMES: Final = {
    START: _("money at the start"),
    PROLIFERATION: _("proliferation"),
    MAJORITIES: _("majorities"),
    FORTRESSES: _("fortresses"),
    BONUS: _("bonus cards"),
    LISBOA: _("payments of Lisboa"),
    PIRATE: _("the pirate"),
    CARDS: _("cards bought"),
    WAREHOUSES: _("warehouses built"),
    FORTRESS_COSTS: _("fortresses built"),
    LOAN_COSTS: _("cost of loans"),
}


def percent(share: float) -> str:
    """A share as people read it."""
    return f"{100 * share:.1f} %"


def between(low: float | None, high: float | None) -> str:
    """The interval of a share, in percent."""
    return "" if low is None or high is None else f"{100 * low:.1f}\N{EN DASH}{100 * high:.1f}"


def plus_minus(mean: float, low: float | None, digits: int = 0) -> str:
    """A mean with half of its interval."""
    return f"{mean:.{digits}f}" if low is None else f"{mean:.{digits}f} ± {mean - low:.{digits}f}"
