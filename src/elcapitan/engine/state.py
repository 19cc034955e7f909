"""The whole position as one flat record, and the desk on which the rules work something out.

A copy of the bytes is a copy of the game. The fields of the last group could be derived from others; they are here
because rules ask for them all the time. `derive` makes them anew, `check` tells when they disagree.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.record import record
from elcapitan.engine.rng import GENERATOR
from elcapitan.engine.vocabulary import (
    CARDS,
    CITIES,
    COLOURS,
    DISPLAYED_DESTINATIONS,
    DISPLAYED_LINKS,
    FORTRESS_SITES,
    LOANS,
    PLACES,
    SEATS,
    SITES,
    SPACES,
)

# A record reads like an object both compiled and interpreted; its type has no static name.
State: TypeAlias = Any
Board: TypeAlias = Any
Desk: TypeAlias = Any
Forecast: TypeAlias = Any

WORDS = (N_ACTIONS + 63) // 64  # of 64 bits, for a set of actions
WAYS = DISPLAYED_DESTINATIONS + DISPLAYED_LINKS
TRACKED = 4  # cards whose use can be tracked on the desk; for more, room is made when it is needed

STATE = record(
    [
        # What the table agreed on.
        ("players", np.int8),  # 2 to 5
        ("tiles", np.int8),  # bit 0 Porto, bit 1 Lisboa, bit 2 Islas Canarias
        ("options", np.int8),  # bits of OPTION_NAMES
        ("in_play", np.int16),  # the cities in play, as bits
        # Where the game stands.
        ("phase", np.int8),  # 1 to 3
        ("round_no", np.int16),  # from 1 in each phase
        ("starter", np.int8),  # starting player of the phase
        ("seat", np.int8),  # who decides
        ("stage", np.int8),  # what is to be decided
        ("passes", np.int8),  # seats that passed in this round (G-10)
        ("free_move", np.int8),  # NOT_DUE, DUE or MADE: the pirate move owed for Islas Canarias
        ("pirate_used", np.int8),  # 1 once the pirate was moved by cards or money in this turn
        ("pirate_at", np.int8),  # city of the pirate in the middle of a voyage by cards, else NOBODY
        ("undecided", np.int8, (LOANS,)),  # loan cards the deciding seat has yet to repay or extend
        # What the merchants have.
        ("cash", np.int16, (SEATS,)),
        ("stock", np.int8, (COLOURS,)),  # unbuilt warehouses in front of the player, by colour
        ("fortresses", np.int8, (SEATS,)),  # unbuilt fortresses in front of the player
        ("lost", np.int8, (COLOURS,)),  # warehouses gone from the game (PORTO-04)
        ("bonus", np.int8, (SEATS,)),  # 0, or which bonus card: 1 the first, 2 the second, 3 the third
        ("loans", np.int8, (SEATS, LOANS, 2)),  # loan cards by amount and side
        ("loans_left", np.int8, (LOANS,)),  # loan cards at the bank
        # What stands on the board.
        ("ship_city", np.int8, (SEATS,)),  # city, BANK or AWAY
        ("ship_space", np.int8, (SEATS,)),  # harbour space, or TRANSIT
        ("pirate_city", np.int8),  # NOBODY without Islas Canarias
        ("pirate_space", np.int8),
        ("site", np.int8, (CITIES, SITES)),  # colour, or NOBODY
        ("closed", np.int8, (CITIES, COLOURS)),  # warehouses on the picture of the city
        ("fortress", np.int8, (CITIES, FORTRESS_SITES)),  # seat, or NOBODY
        # The sailing cards, as sets of bits, and the face-down order.
        ("display", np.int64),
        ("discard", np.int64),
        ("hand", np.int64, (SEATS,)),
        ("deck", np.int8, (CARDS,)),  # destinations from 0, links from DESTINATIONS; drawn from the end
        ("deck_left", np.int8, (2,)),  # cards left in each deck
        ("rng", GENERATOR),
        # What follows from the above.
        ("harbour", np.int8, (CITIES, SPACES)),  # seat, PIRATE or NOBODY
        ("front", np.int8, (CITIES,)),  # lowest occupied site, or NO_SITE
        ("last", np.int8, (CITIES,)),  # highest occupied site, or NO_SITE
        ("houses", np.int8, (CITIES, COLOURS)),  # open warehouses
        ("free", np.int16, (SPACES,)),  # cities in which a harbour space is free, as bits
        ("room", np.int16, (COLOURS,)),  # cities whose next site a colour may take, as bits
        ("shut", np.int16, (COLOURS,)),  # cities where a colour has a closed warehouse, as bits
        ("fortified", np.int16, (SEATS,)),  # cities where a seat has a fortress, as bits
        ("unfortified", np.int16, (FORTRESS_SITES,)),  # cities in which a fortress site is free, as bits
    ]
)

DESK = record(
    [
        ("legal", np.uint64, (WORDS,)),  # the legal actions, as bits
        ("actions", np.int16, (N_ACTIONS,)),  # the same as a list, ascending
        ("count", np.int16),  # how many of them
        # What arriving ships could build (outlook.py): 0 as things are, 1 after a pirate move being considered.
        ("openings", np.int64, (2,)),  # cities for a house from each space, for a fortress on each site, as bits
        ("reopenings", np.int16, (2,)),  # cities where she may re-open
        ("canarias", np.int16, (2,)),  # cash with which she could arrive at Islas Canarias and build
        ("charged", np.int8, (2,)),  # 1 once the protective charge is counted in that
        ("known", np.int8),  # 1 once the above and below is filled in for the position
        ("good", np.int16),  # cities where she could build with the cash she has, as bits
        ("here", np.int16),  # cash needed to build where the ship lies
        # Voyages of one leg: with any card of the hand, and with displayed cards, as far as they were looked at.
        ("by_hand", np.int16),  # cities that the hand leads to, as bits
        ("direct", np.int64),  # destination cards of the hand whose city is good, as bits
        ("unseen", np.int64),  # displayed cards that serve and can be paid, not looked at yet, as bits
        ("ways", np.int8),  # how many prices were looked at, the lowest first
        ("way", np.int16, (WAYS,)),  # cities that cards of such a price lead to, as bits
        ("fare", np.int16, (WAYS,)),  # the price
        # The map of a longer voyage: places, for every set of used cards among those tracked.
        ("left", np.int16, (PLACES << TRACKED,)),  # the most cash with which a place can be reached
        ("used", np.int64, (PLACES << TRACKED,)),  # the cards used on that way, as bits
        ("seen", np.int16, (1 << TRACKED,)),  # the places reached, as bits
        ("fresh", np.int16, (1 << TRACKED,)),  # those that are to be gone on from
        ("trail", np.int64),  # the cards of the voyage that was found, as bits
    ]
)

FORECAST = record(
    [
        ("cities", np.int8, (SEATS,)),  # cities with an open warehouse of one's main colour
        ("proliferation", np.int16, (SEATS,)),
        ("majority", np.int16, (SEATS, CITIES)),
        ("fortress", np.int16, (SEATS, CITIES)),
        ("bonus", np.int16, (SEATS,)),
        ("total", np.int16, (SEATS,)),
    ]
)


class Opened:
    """A record to read from by plain Python, quicker than NumPy's own: every field is looked up once."""

    def __init__(self, records: NDArray[np.void], i: int = 0) -> None:
        self._records, self._i = records, i

    @property
    def content(self) -> bytes:
        """The record as bytes."""
        return bytes(self._records[self._i].tobytes())

    def __getattr__(self, name: str) -> Any:
        value = self._records[name][self._i]
        setattr(self, name, value)
        return value


def opened(s: State) -> State:
    """A copy of a position whose fields are at hand: asked for often, NumPy's record takes most of the time."""
    return s if isinstance(s, Opened) else Opened(np.frombuffer(s.tobytes(), STATE))
