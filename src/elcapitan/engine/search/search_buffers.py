"""What a thinking player keeps at hand: ways to the cities, the plans of a turn, and the worth of each."""

from typing import Annotated

from elcapitan.engine.record import Float64s, Int8s, Int16, Int16s, Int32s, Record, Records
from elcapitan.engine.vocabulary import CITIES, PHASES, SEATS

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


class SearchBuffer(Record):
    """Room in which a thinking player plans one turn."""

    # Ways: for every city the cheapest there is, from hand and display.
    fare: Annotated[Int16s, CITIES]  # in half florins; NEVER if there is none
    via: Annotated[Int8s, CITIES]  # where its first leg leads, if it has two
    card: Annotated[Int8s, CITIES, LEGS]  # its cards, or NO_CARD
    # Plans.
    plans: Int16  # how many
    length: Annotated[Int8s, PLANS]
    steps: Annotated[Int16s, PLANS, STEPS]  # the actions of each
    worth: Annotated[Float64s, PLANS, SEATS]  # what the position after it is worth to each seat
    x: Annotated[Float64s, N_FEATURES]
    now: Annotated[Float64s, SEATS]  # the worth of one position
    won: Annotated[Float64s, SEATS]  # the chances to win that go with it
    # Search.
    chance: Annotated[Float64s, PLANS, SEATS]  # the chances to win after each plan
    liking: Annotated[Float64s, PLANS]  # how much the deciding seat likes it
    path: Annotated[Int32s, DEEPEST]  # nodes of a walk down the tree


SearchBuffers = Records[SearchBuffer]

# Weights: by number of players (from 2) and phase (from 1). After the weights of the features comes how sure the
# estimate is: florins by which the final money usually differs from it.
WEIGHTS_SHAPE = (SEATS - 1, PHASES, N_FEATURES + 1)
Weights = Float64s
