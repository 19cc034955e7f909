"""The fields of a position that follow from the others, made anew: for positions that were read, not played."""

from elcapitan.engine.jit import rule, whole
from elcapitan.engine.rules.sailing import anchored, free_space, take_space
from elcapitan.engine.rules.warehouses import note_room
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import (
    CITIES,
    COLOURS,
    FORTRESS_SITES,
    NO_SITE,
    NOBODY,
    PIRATE,
    SEATS,
    SITES,
)


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
