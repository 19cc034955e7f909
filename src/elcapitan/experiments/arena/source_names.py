"""What the sources of a merchant's money are called."""

from typing import Final

from elcapitan.position.ledger import (
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
