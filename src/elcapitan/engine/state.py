"""The whole position as one flat record, and the desk on which the rules work something out.

A copy of the bytes is a copy of the game. Fields that could be derived from others (`front`, `last`, `houses`,
`harbour`) are here because rules ask for them all the time; `check` tells when they disagree.
"""

from typing import Any, TypeAlias

import numpy as np

from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.rng import GENERATOR
from elcapitan.engine.vocabulary import (
    CARDS,
    CITIES,
    COLOURS,
    FORTRESS_SITES,
    LOANS,
    SEATS,
    SITES,
    SPACES,
)

# A record reads like an object both compiled and interpreted; its type has no static name.
State: TypeAlias = Any
Board: TypeAlias = Any
Desk: TypeAlias = Any
Forecast: TypeAlias = Any

STATE = np.dtype(
    (
        np.record,
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
            ("harbour", np.int8, (CITIES, SPACES)),  # seat, PIRATE or NOBODY
            ("site", np.int8, (CITIES, SITES)),  # colour, or NOBODY
            ("front", np.int8, (CITIES,)),  # lowest occupied site, or NO_SITE
            ("last", np.int8, (CITIES,)),  # highest occupied site, or NO_SITE
            ("houses", np.int8, (CITIES, COLOURS)),  # open warehouses
            ("closed", np.int8, (CITIES, COLOURS)),  # warehouses on the picture of the city
            ("fortress", np.int8, (CITIES, FORTRESS_SITES)),  # seat, or NOBODY
            # The sailing cards, as sets of bits, and the face-down order.
            ("display", np.int64),
            ("discard", np.int64),
            ("hand", np.int64, (SEATS,)),
            ("deck", np.int8, (CARDS,)),  # destinations from 0, links from DESTINATIONS; drawn from the end
            ("deck_left", np.int8, (2,)),  # cards left in each deck
            ("rng", GENERATOR),
        ],
    )
)

DESK = np.dtype(
    (
        np.record,
        [
            ("actions", np.int16, (N_ACTIONS,)),  # the legal actions, ascending
            ("count", np.int16),  # how many of them
            ("need", np.int16, (CITIES,)),  # cash with which the seat could arrive there and build (reach.py)
            ("what_if", np.int16, (CITIES,)),  # the same after a pirate move that is being considered
            ("known", np.int8),  # 1 once `need` and the witnesses are filled in for the position
            ("here", np.int16),  # cash needed to build where the ship lies
            ("slack", np.int16, (2,)),  # cash left over by the two most frugal ways to a build in two cities
            ("witness", np.int8, (2,)),  # those two cities
        ],
    )
)

FORECAST = np.dtype(
    (
        np.record,
        [
            ("cities", np.int8, (SEATS,)),  # cities with an open warehouse of one's main colour
            ("proliferation", np.int16, (SEATS,)),
            ("majority", np.int16, (SEATS, CITIES)),
            ("fortress", np.int16, (SEATS, CITIES)),
            ("bonus", np.int16, (SEATS,)),
            ("total", np.int16, (SEATS,)),
        ],
    )
)
