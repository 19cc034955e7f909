"""What a merchant lived on: presence in many cities, or strength in some. There are two rules, for different questions.

By its income: whoever earned more by presence, that is by proliferation and its bonus cards, than by majorities and
fortresses together has spread out; everybody else, also after a tie, has played for majorities.

By its table: whoever earned a larger share by presence than this table on average leaned to spreading out, everybody
else to majorities. So there are nearly always both kinds at a table, even if all live on much the same.

The income of all paydays counts; money that comes in otherwise does not.
"""

from statistics import fmean
from typing import Final

from elcapitan.arena.ledger import BONUS, FORTRESSES, MAJORITIES, PROLIFERATION
from elcapitan.arena.result import GameResult, Merchant
from elcapitan.text.catalogue import _

SPREAD, MAJORITY = "spread", "majority"
MORE_SPREAD, LESS_SPREAD = "more-spread", "less-spread"
STRATEGIES: Final = {
    SPREAD: _("spread out"),
    MAJORITY: _("for majorities"),
    MORE_SPREAD: _("leaning to spread"),
    LESS_SPREAD: _("leaning to majorities"),
}


def presence(merchant: Merchant) -> float:
    """The share of a merchant's income that came by presence; one half if there was none at all."""
    by_presence = merchant.sources[PROLIFERATION] + merchant.sources[BONUS]
    by_strength = merchant.sources[MAJORITIES] + merchant.sources[FORTRESSES]
    return by_presence / (by_presence + by_strength) if by_presence + by_strength else 0.5


def by_income(game: GameResult) -> list[str]:
    """What every merchant of a game lived on, by seat."""
    return [SPREAD if presence(merchant) > 0.5 else MAJORITY for merchant in game.merchants]


def by_table(game: GameResult) -> list[str]:
    """What every merchant of a game leaned to, by seat."""
    usual = fmean(map(presence, game.merchants))
    return [MORE_SPREAD if presence(merchant) > usual else LESS_SPREAD for merchant in game.merchants]
