"""What a position is worth to each seat, as an estimate of the money at the end, and the buffers of a search.

The worth is a weighted sum of what a seat has and earns, with weights for every number of players and phase. The
weights come from outside; two sets of them make two players.
"""

from typing import Annotated

from elcapitan.engine.jit import lowest, many, rule, whole
from elcapitan.engine.record import Float64s, Int8, Int8s, Int16, Int16s, Int32s, Record, Records
from elcapitan.engine.rules.buildings import colour_of, colours_each, has_fortress
from elcapitan.engine.rules.loans import debt
from elcapitan.engine.rules.payday import amount, half, majority_income, most_houses, open_houses, rank
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import CITIES, OVER, PHASES, SEATS

# What a position is judged by, for each seat.
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
PLANS = 192  # there is room for so many
NARROW_PLANS = 96  # of one turn that are judged by worth
DEEPEST = 200  # plans in one walk down a tree
NO_CARD = -1


class SearchBuffer(Record):
    """Room in which a thinking player plans one turn."""

    # Ways: for every city the cheapest there is, from hand and display.
    fare: Annotated[Int16s, CITIES]  # in half florins; NEVER if there is none
    via: Annotated[Int8s, CITIES]  # where its first leg leads, if it has two
    card: Annotated[Int8s, CITIES, LEGS]  # its cards, or NO_CARD
    # Plans.
    wide: Int8  # 1 where positions after plans are kept, for a network to judge; 0 where they are judged by worth
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


@rule
def pieces_left(s: State, seat: int) -> int:
    """Warehouses and fortresses that a seat has still to build in this phase."""
    left = whole(s.fortresses[seat])
    for which in range(colours_each(s)):
        left += whole(s.stock[colour_of(seat, which)])
    return left


@rule
def hand_prices(s: State, b: Board, seat: int) -> int:
    """What the cards in hand have cost."""
    total, cards = 0, whole(s.hand[seat])
    while cards != 0:
        total += whole(b.card_price[lowest(cards)])
        cards &= cards - 1
    return total


@rule
def note_features(s: State, b: Board, m: SearchBuffer, seat: int, most: int, fewest: int) -> None:
    """Fill `m.x` with what a seat has and earns, in the order of FEATURES."""
    cities, first, second, forts, closed = 0, 0, 0, 0, 0
    for city in range(CITIES):
        if s.houses[city, seat] > 0:
            cities += 1
            earned = majority_income(s, b, seat, city)
            if earned > 0 and rank(s, city, seat) == 0:
                first += earned
            else:
                second += earned
        if has_fortress(s, city, seat):
            worth = amount(s, b, city)
            forts += worth if open_houses(s, city) == most else half(worth)
    closed = many(whole(s.shut[seat]))
    left, cash = pieces_left(s, seat), whole(s.cash[seat])
    chart = whole(b.chart[cities])
    m.x[0] = 1.0
    m.x[1] = cash
    m.x[2] = debt(s, b, seat)
    m.x[3] = max(0, COST_OF_A_PIECE * left - cash)
    m.x[4] = chart
    m.x[5] = whole(b.chart[min(cities + 1, CITIES)]) - chart
    m.x[6] = cities
    m.x[7] = first
    m.x[8] = second
    m.x[9] = forts
    m.x[10] = whole(b.bonus[whole(s.bonus[seat]) - 1]) if s.bonus[seat] > 0 else 0
    m.x[11] = closed
    m.x[12] = left - whole(s.fortresses[seat])
    m.x[13] = s.fortresses[seat]
    m.x[14] = hand_prices(s, b, seat)
    m.x[15] = fewest - left


@rule
def fewest_of_others(s: State, seat: int) -> int:
    """The fewest pieces that one of the others has left: how soon the phase may end."""
    fewest = 99
    for other in range(whole(s.players)):
        if other != seat:
            fewest = min(fewest, pieces_left(s, other))
    return fewest


@rule
def estimate(s: State, b: Board, m: SearchBuffer, w: Weights) -> None:
    """Fill `m.now` with the worth of the position to each seat; at the end of the game that is the money."""
    if s.stage == OVER:
        for seat in range(SEATS):
            m.now[seat] = s.cash[seat]
        return
    most = most_houses(s)
    for seat in range(whole(s.players)):
        note_features(s, b, m, seat, most, fewest_of_others(s, seat))
        total = 0.0
        for i in range(N_FEATURES):
            total += m.x[i] * w[whole(s.players) - 2, whole(s.phase) - 1, i]
        m.now[seat] = total
