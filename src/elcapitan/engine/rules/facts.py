"""What the rules say about a position to those who show it: prices, fares, next sites, ranks, and why a payday pays.

Nothing outside the engine works these out again.
"""

from elcapitan.engine.jit import rule, whole
from elcapitan.engine.rules.fortresses import fortress_price
from elcapitan.engine.rules.loans import debt, owed
from elcapitan.engine.rules.payday import (
    amount,
    amount_after,
    bonus_worth,
    fortress_reason,
    majority_reason,
    most_houses,
    open_houses,
    paying_space,
    rank,
    spread_reason,
)
from elcapitan.engine.rules.pirate import fare, pirate_in_game
from elcapitan.engine.rules.sailing import anchored
from elcapitan.engine.rules.warehouses import build_price, closed_next, next_site, on_site, shuts_down
from elcapitan.engine.state import Board, PositionFacts, State
from elcapitan.engine.vocabulary import CITIES, COLOURS, LOANS, NEVER, NO_SITE, SITES


@rule
def facts(s: State, b: Board, f: PositionFacts) -> None:
    """[BOARD-03, BOARD-04] Write down the facts of a position."""
    most = most_houses(s)
    for city in range(CITIES):
        note_city(s, b, f, city, most)
    for seat in range(whole(s.players)):
        f.debt[seat] = debt(s, b, seat)
        for kind in range(LOANS):
            for side in range(2):
                f.owed[seat, kind, side] = owed(s, b, seat, kind, side)
        f.bonus[seat] = bonus_worth(s, b, seat)
        f.why_spread[seat] = spread_reason(s, seat)
    seat = whole(s.seat)
    f.build_price = build_price(s, b, seat) if anchored(s, seat) else NEVER


@rule
def note_city(s: State, b: Board, f: PositionFacts, city: int, most: int) -> None:
    """[MAJ-01, MAJ-02, WARE-05, SHUT-01, FORTPAY-02, PIRATE-08] Write down the facts of a city."""
    f.paying_space[city] = paying_space(s, city)
    f.pays[city] = amount(s, b, city)
    f.open_houses[city] = open_houses(s, city)
    f.fullest[city] = 1 if open_houses(s, city) == most else 0
    site = next_site(s, city)
    f.next_site[city] = site
    f.closes_next[city] = closed_next(s, b, city)
    f.pays_next[city] = amount(s, b, city) if site == NO_SITE else amount_after(s, b, city, site)
    for each in range(SITES):
        f.on_site[city, each] = on_site(s, b, city, each)
        f.shuts[city, each] = 1 if shuts_down(s, b, city, each) else 0
    for colour in range(COLOURS):
        f.rank[city, colour] = rank(s, city, colour)
        f.why_ranked[city, colour] = majority_reason(s, city, colour)
    f.why_fortress[city] = fortress_reason(s, city, most)
    f.fortress_price[city] = fortress_price(s, b, city)
    f.pirate_fare[city] = fare(s, b, city) if pirate_in_game(s) else NEVER
