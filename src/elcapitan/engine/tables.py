"""What is printed on the components, as one read-only record: the board is an argument of every rule.

`figures.py` fills it from a TOML file; nothing in the engine holds a printed number.
"""

import numpy as np

from elcapitan.engine.record import record
from elcapitan.engine.vocabulary import (
    BONUS_CARDS,
    CARDS,
    CITIES,
    FORTRESS_SITES,
    LOANS,
    MOST_FLORINS,
    MOST_SEALS,
    PHASES,
    PLACES,
    SITES,
    SPACES,
)

BOARD = record(
    [
        # Cities.
        ("harbours", np.int8, (CITIES,)),  # harbour spaces
        ("harbour_price", np.int16, (CITIES, SPACES)),  # of a warehouse, from each space
        ("fortress_sites", np.int8, (CITIES,)),
        ("fortress_price", np.int16, (CITIES, FORTRESS_SITES)),
        # Where so many florins pay for a warehouse from each space, a fortress on each site: one set after another.
        ("for_florins", np.int64, (MOST_FLORINS + 1,)),
        ("track", np.int16, (CITIES, SITES + 1)),  # the numbers on S1 to S12 and on the last space
        ("dark", np.int8, (CITIES, SITES)),  # 1 on a shut-down site
        ("triangle", np.int8, (CITIES,)),  # the site with the triangle, or NO_SITE
        ("distance", np.int8, (CITIES, CITIES)),  # steps on the grid of all slots (G-39)
        ("near", np.int16, (CITIES, MOST_SEALS + 1)),  # cities at distance 1 to n, as bits
        # Sailing cards.
        ("card_city", np.int8, (CARDS, 2)),  # destination: its city twice; link: its two cities
        ("card_price", np.int16, (CARDS,)),
        ("prices", np.int8),  # how many different prices cards have
        ("price", np.int16, (CARDS,)),  # these, the lowest first
        ("cards_at", np.int64, (CARDS,)),  # the cards of each, as bits
        ("cards_at_most", np.int64, (MOST_FLORINS + 1,)),  # the cards that cost at most so many florins, as bits
        ("seals", np.int8, (CARDS,)),  # 0 on links
        ("links_of", np.int64, (CITIES,)),  # the link cards that name a city, as bits
        ("leads", np.int16, (PLACES, CARDS)),  # from a place a card leads to these cities, as bits
        ("usable", np.int64, (PLACES,)),  # the cards that lead somewhere from a place, as bits
        # Money and pieces.
        ("start_cash", np.int16),
        ("loan_amount", np.int16, (LOANS,)),
        ("loan_due", np.int16, (LOANS, 2)),  # pay-back by side of the card
        ("loan_cards", np.int8, (LOANS,)),
        ("chart", np.int16, (CITIES + 1,)),  # proliferation by number of cities
        ("bonus", np.int16, (BONUS_CARDS,)),
        ("charge", np.int16, (PHASES,)),  # protective charge per building
        ("pirate_step", np.int16),
        ("new_houses", np.int8),  # warehouses a phase
        ("new_neutral", np.int8),  # neutral warehouses a phase, with two players
        ("new_fortresses", np.int8),
    ]
)
