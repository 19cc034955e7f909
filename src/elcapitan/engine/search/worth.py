"""What a position is worth to each seat: an estimate of the money at the end of the game.

A weighted sum of what a seat has and earns, with weights for every number of players and phase. The weights come from
outside; two sets of them make two players.
"""

from elcapitan.engine.jit import lowest, many, rule, whole
from elcapitan.engine.rules.fortresses import has_fortress
from elcapitan.engine.rules.payday import amount, half, majority_income, most_houses, open_houses, rank
from elcapitan.engine.rules.two_players import colour_of, colours_each
from elcapitan.engine.search.search_buffers import COST_OF_A_PIECE, N_FEATURES, SearchBuffer, Weights
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import CITIES, LOANS, OVER, SEATS


@rule
def pieces_left(s: State, seat: int) -> int:
    """Warehouses and fortresses that a seat has still to build in this phase."""
    left = whole(s.fortresses[seat])
    for which in range(colours_each(s)):
        left += whole(s.stock[colour_of(seat, which)])
    return left


@rule
def debt(s: State, b: Board, seat: int) -> int:
    """What the loans on hand will cost."""
    owed = 0
    for kind in range(LOANS):
        for side in range(2):
            owed += whole(s.loans[seat, kind, side]) * whole(b.loan_due[kind, side])
    return owed


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
