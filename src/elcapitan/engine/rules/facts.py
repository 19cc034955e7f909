"""What follows from a position: prices, fares, next sites, ranks and why a payday pays, for those who show it.

Nothing outside the engine works these out again. `derive` makes the fields of a position anew that follow from its
others: for positions that were read, not played.
"""

from elcapitan.engine.jit import rule, whole
from elcapitan.engine.rules.buildings import (
    build_price,
    closed_next,
    fortress_price,
    next_site,
    note_room,
    on_site,
    shuts_down,
)
from elcapitan.engine.rules.expansion import fare, pirate_in_game
from elcapitan.engine.rules.loans import cash_with_loan, debt, debt_with_loan, owed
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
from elcapitan.engine.rules.sailing import anchored, free_space, take_space
from elcapitan.engine.state import Board, PositionFacts, State
from elcapitan.engine.vocabulary import (
    CITIES,
    COLOURS,
    FORTRESS_SITES,
    LOANS,
    NEVER,
    NO_SITE,
    NOBODY,
    PIRATE,
    SEATS,
    SITES,
)


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
    for kind in range(LOANS):
        f.cash_with_loan[kind] = cash_with_loan(s, b, seat, kind)
        f.debt_with_loan[kind] = debt_with_loan(s, b, seat, kind)


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


@rule
def derive_harbours(s: State, b: Board) -> None:
    """[SAIL-03, BOARD-02, PIRATE-01] Who lies on which harbour space, and which are free."""
    s.free[:] = 0
    s.harbour[:] = NOBODY
    for city in range(CITIES):
        for space in range(whole(b.harbours[city])):
            free_space(s, city, space)
    for seat in range(whole(s.players)):
        if anchored(s, seat):
            take_space(s, whole(s.ship_city[seat]), whole(s.ship_space[seat]), seat)
    if s.pirate_city != NOBODY:
        take_space(s, whole(s.pirate_city), whole(s.pirate_space), PIRATE)


@rule
def derive_chain(s: State, city: int) -> None:
    """[WARE-09] The front, the end and the numbers of open warehouses of a city."""
    s.front[city] = NO_SITE
    s.last[city] = NO_SITE
    s.houses[city, :] = 0
    for site in range(SITES):
        colour = whole(s.site[city, site])
        if colour != NOBODY:
            s.houses[city, colour] += 1
            s.last[city] = site
            if s.front[city] == NO_SITE:
                s.front[city] = site


@rule
def derive_fortresses(s: State, b: Board, city: int) -> None:
    """[FORT-05, FORT-04] Which fortress sites are free and who has a fortress where."""
    for site in range(whole(b.fortress_sites[city])):
        owner = whole(s.fortress[city, site])
        if owner == NOBODY:
            s.unfortified[site] = whole(s.unfortified[site]) | 1 << city
        else:
            s.fortified[owner] = whole(s.fortified[owner]) | 1 << city


@rule
def derive(s: State, b: Board) -> None:
    """[SET-12, SHUT-04] Everything that follows from where the pieces are."""
    derive_harbours(s, b)
    for colour in range(COLOURS):
        s.room[colour] = 0
        s.shut[colour] = 0
    for seat in range(SEATS):
        s.fortified[seat] = 0
    for site in range(FORTRESS_SITES):
        s.unfortified[site] = 0
    for city in range(CITIES):
        derive_chain(s, city)
        derive_fortresses(s, b, city)
        note_room(s, city)
        for colour in range(COLOURS):
            if s.closed[city, colour] > 0:
                s.shut[colour] = whole(s.shut[colour]) | 1 << city
