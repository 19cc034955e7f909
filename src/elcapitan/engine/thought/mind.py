"""What a thinking player keeps at hand: ways to the cities, the plans of a turn, and the worth of each."""

from typing import Any, TypeAlias

import numpy as np

from elcapitan.engine.record import record
from elcapitan.engine.vocabulary import CITIES, PHASES, SEATS

Mind: TypeAlias = Any
Weights: TypeAlias = Any

# What a position is judged by, for each seat (worth.py).
FEATURES = (
    "one",  # a constant
    "cash",
    "debt",  # what the loans on hand will cost
    "shortage",  # how far the cash falls short of the pieces still to be built
    "proliferation",  # what the chart pays now
    "next_city",  # what the chart would pay more for one city more
    "cities",
    "first",  # income from first ranks
    "second",  # other income by rank
    "fortress",  # income from fortresses
    "bonus",  # the bonus card
    "closed",  # cities with a closed warehouse, which can be re-opened for nothing
    "stock",  # warehouses still to be built in this phase
    "fortresses",  # fortresses still to be built in this phase
    "hand",  # the prices of the cards in hand
    "lead",  # how many pieces fewer the seat has left than the one with the fewest of the others
)
N_FEATURES = len(FEATURES)
COST_OF_A_PIECE = 7  # florins for card and price, about; for "shortage"

LEGS = 2  # cards of a way
STEPS = 2 * LEGS + 3  # buy and sail for each leg, the free pirate move, the main action, the end
PLANS = 96
DEEPEST = 200  # plans in one walk down a tree
NO_CARD = -1

MIND = record(
    [
        # Ways (ways.py): for every city the cheapest there is, from hand and display.
        ("fare", np.int16, (CITIES,)),  # in half florins; NEVER if there is none
        ("via", np.int8, (CITIES,)),  # where its first leg leads, if it has two
        ("card", np.int8, (CITIES, LEGS)),  # its cards, or NO_CARD
        # Plans (plans.py).
        ("plans", np.int16),  # how many
        ("length", np.int8, (PLANS,)),
        ("steps", np.int16, (PLANS, STEPS)),  # the actions of each
        ("worth", np.float64, (PLANS, SEATS)),  # what the position after it is worth to each seat
        ("x", np.float64, (N_FEATURES,)),
        ("now", np.float64, (SEATS,)),  # the worth of one position
        ("won", np.float64, (SEATS,)),  # the chances to win that go with it
        # Search (tree.py).
        ("chance", np.float64, (PLANS, SEATS)),  # the chances to win after each plan
        ("liking", np.float64, (PLANS,)),  # how much the deciding seat likes it
        ("path", np.int32, (DEEPEST,)),  # nodes of a walk down the tree
    ]
)

# Weights: by number of players (from 2) and phase (from 1). After the weights of the features comes how sure the
# estimate is: florins by which the final money usually differs from it.
WEIGHTS_SHAPE = (SEATS - 1, PHASES, N_FEATURES + 1)
