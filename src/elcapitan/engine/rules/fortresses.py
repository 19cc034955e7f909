"""FORT: building a fortress."""

from elcapitan.engine.jit import rule, whole
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import NO_SITE, NOBODY


@rule
def fortress_site(s: State, b: Board, city: int) -> int:
    """[FORT-02, FORT-05, BOARD-02, PORTO-03, G-19] The cheapest free fortress site, or NO_SITE."""
    for site in range(whole(b.fortress_sites[city])):
        if s.fortress[city, site] == NOBODY:
            return site
    return NO_SITE


@rule
def has_fortress(s: State, b: Board, city: int, seat: int) -> bool:
    """[FORT-04] Whether the seat has a fortress in the city."""
    for site in range(whole(b.fortress_sites[city])):
        if s.fortress[city, site] == seat:
            return True
    return False


@rule
def may_fortify(s: State, b: Board, city: int, seat: int) -> bool:
    """[FORT-02, FORT-04, FORT-06] A fortress may be built, price and ship aside; no warehouse is needed for it."""
    if s.fortresses[seat] == 0 or fortress_site(s, b, city) == NO_SITE:
        return False
    return not has_fortress(s, b, city, seat)


@rule
def fortify(s: State, b: Board) -> None:
    """[FORT-01, FORT-02, FORT-03, FORT-07, BOARD-04] Pay the number of the site; the fortress stays for good."""
    seat = whole(s.seat)
    city = whole(s.ship_city[seat])
    site = fortress_site(s, b, city)
    s.cash[seat] -= b.fortress_price[city, site]
    s.fortresses[seat] -= 1
    s.fortress[city, site] = seat
