"""Every action is one small integer with a fixed meaning, whatever the position.

| family       | how many | operand                                                                            |
|--------------|---------:|------------------------------------------------------------------------------------|
| buy          |       54 | card                                                                               |
| sail         |      306 | leg of the ship                                                                    |
| build        |       24 | main or neutral x 12 + site                                                        |
| reopen       |       24 | main or neutral x 12 + site                                                        |
| fortress     |        1 |                                                                                    |
| loan         |        2 | small, large                                                                       |
| end          |        1 |                                                                                    |
| pass         |        1 |                                                                                    |
| repay        |        2 | small, large                                                                       |
| extend       |        2 | small, large                                                                       |
| starter      |        5 | seat                                                                               |
| free_pirate  |      108 | city x 9 + berthing: the free move at Islas Canarias                               |
| paid_pirate  |      108 | city x 9 + berthing: for money                                                     |
| pirate_sail  |      306 | leg of the pirate: one card of a voyage by cards                                   |
| pirate_land  |        9 | berthing: the end of a voyage by cards, where the pirate then is                   |

A **leg** is a card and its use: 18 destination uses (the card), 216 sea-route uses (card x 12 + city), 72 link uses
(link x 2 + which of its cities is sailed to). A **berthing** is harbour space x 3 + shift; shift 0: the space is
free; 1 or 2: the ship there is moved to the first or second of the other two spaces (G-53).
"""

from typing import Final

from elcapitan.engine.jit import rule
from elcapitan.engine.vocabulary import CARDS, CITIES, DESTINATIONS, LINKS, LOANS, SEATS, SITES, SPACES

ROUTE_LEGS: Final = DESTINATIONS  # destination uses come first
LINK_LEGS: Final = ROUTE_LEGS + DESTINATIONS * CITIES
LEGS: Final = LINK_LEGS + LINKS * 2
BERTHS_A_SPACE: Final = 3  # the space is free, or its ship goes to the first or second of the others
BERTHINGS: Final = SPACES * BERTHS_A_SPACE

BUY: Final = 0
SAIL: Final = BUY + CARDS
BUILD: Final = SAIL + LEGS
REOPEN: Final = BUILD + 2 * SITES
FORTRESS: Final = REOPEN + 2 * SITES
LOAN: Final = FORTRESS + 1
END: Final = LOAN + LOANS
PASS: Final = END + 1
REPAY: Final = PASS + 1
EXTEND: Final = REPAY + LOANS
STARTER: Final = EXTEND + LOANS
FREE_PIRATE: Final = STARTER + SEATS
PAID_PIRATE: Final = FREE_PIRATE + CITIES * BERTHINGS
PIRATE_SAIL: Final = PAID_PIRATE + CITIES * BERTHINGS
PIRATE_LAND: Final = PIRATE_SAIL + LEGS
N_ACTIONS: Final = PIRATE_LAND + BERTHINGS

FAMILIES: Final = {
    "buy": (BUY, SAIL),
    "sail": (SAIL, BUILD),
    "build": (BUILD, REOPEN),
    "reopen": (REOPEN, FORTRESS),
    "fortress": (FORTRESS, LOAN),
    "loan": (LOAN, END),
    "end": (END, PASS),
    "pass": (PASS, REPAY),
    "repay": (REPAY, EXTEND),
    "extend": (EXTEND, STARTER),
    "starter": (STARTER, FREE_PIRATE),
    "free_pirate": (FREE_PIRATE, PAID_PIRATE),
    "paid_pirate": (PAID_PIRATE, PIRATE_SAIL),
    "pirate_sail": (PIRATE_SAIL, PIRATE_LAND),
    "pirate_land": (PIRATE_LAND, N_ACTIONS),
}


def family(action: int) -> str:
    """The family's name of an action number."""
    for name, (first, beyond) in FAMILIES.items():
        if first <= action < beyond:
            return name
    raise ValueError(f"{action} is no action: they run from 0 to {N_ACTIONS - 1}")


@rule
def route_leg(card: int, city: int) -> int:
    """The leg of a destination card used as sea route to a city."""
    return ROUTE_LEGS + card * CITIES + city


@rule
def link_leg(card: int, end: int) -> int:
    """The leg of a link card to its first (0) or second (1) city."""
    return LINK_LEGS + (card - DESTINATIONS) * 2 + end


@rule
def leg_card(leg: int) -> int:
    """The card a leg is sailed with."""
    if leg < ROUTE_LEGS:
        return leg
    if leg < LINK_LEGS:
        return (leg - ROUTE_LEGS) // CITIES
    return DESTINATIONS + (leg - LINK_LEGS) // 2


@rule
def berthing(space: int, shift: int) -> int:
    """The berthing of the pirate on a space, shifting the ship there to another (or TRANSIT: no ship is shifted)."""
    if shift < 0:
        return space * BERTHS_A_SPACE
    return space * BERTHS_A_SPACE + 1 + shift - (1 if shift > space else 0)


@rule
def berthing_space(b: int) -> int:
    """The harbour space the pirate takes."""
    return b // BERTHS_A_SPACE


@rule
def berthing_shift(b: int) -> int:
    """The space the ship there is shifted to, or TRANSIT."""
    space, shift = b // BERTHS_A_SPACE, b % BERTHS_A_SPACE - 1
    if shift < 0:
        return -1
    return shift + 1 if shift >= space else shift
