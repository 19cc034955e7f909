"""FORT: building a fortress."""

from elcapitan.engine.jit import rule, whole
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import FORTRESS_SITES, NEVER, NO_SITE


@rule
def fortress_site(s: State, city: int) -> int:
    """[FORT-02, FORT-05, BOARD-02, PORTO-03, G-19] The cheapest free fortress site, or NO_SITE."""
    for site in range(FORTRESS_SITES):
        if (whole(s.unfortified[site]) >> city) & 1:
            return site
    return NO_SITE


@rule
def has_fortress(s: State, city: int, seat: int) -> bool:
    """[FORT-04] Whether the seat has a fortress in the city."""
    return bool((whole(s.fortified[seat]) >> city) & 1)


@rule
def places_to_fortify(s: State, seat: int, site: int) -> int:
    """[FORT-02, FORT-04, FORT-06, G-19] Every city where `site` is the one to build a fortress on, as bits.

    Price and ship aside; no warehouse is needed for it.
    """
    if s.fortresses[seat] == 0:
        return 0
    places = whole(s.unfortified[site]) & ~whole(s.fortified[seat])
    for cheaper in range(site):
        places &= ~whole(s.unfortified[cheaper])
    return places


@rule
def may_fortify(s: State, city: int, seat: int) -> bool:
    """[FORT-02, FORT-04] A fortress may be built in the city, price and ship aside."""
    site = fortress_site(s, city)
    return bool(site != NO_SITE and (places_to_fortify(s, seat, site) >> city) & 1)


@rule
def fortress_price(s: State, b: Board, city: int) -> int:
    """[FORT-02, BOARD-04] The number of the site that the next fortress in a city goes to; NEVER if there is none."""
    site = fortress_site(s, city)
    return NEVER if site == NO_SITE else whole(b.fortress_price[city, site])


@rule
def fortify(s: State, b: Board) -> None:
    """[FORT-01, FORT-02, FORT-03, FORT-07, BOARD-04] Pay the number of the site; the fortress stays for good."""
    seat = whole(s.seat)
    city = whole(s.ship_city[seat])
    site = fortress_site(s, city)
    s.cash[seat] -= b.fortress_price[city, site]
    s.fortresses[seat] -= 1
    s.fortress[city, site] = seat
    s.fortified[seat] = whole(s.fortified[seat]) | 1 << city
    s.unfortified[site] = whole(s.unfortified[site]) & ~(1 << city)
