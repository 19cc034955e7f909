"""What a ship could build where it lies, and where it would arrive: half of G-06, the other half is how to get there.

Harbours held by others never open during a turn, so where a ship arriving with so much cash could build is a set of
cities that a few operations on bits give (`payable`). An outlook is everything needed for that. There are two on a
desk: as things are, and after a pirate move that is being considered.
"""

from elcapitan.engine.jit import lowest, rule, whole
from elcapitan.engine.rules.buildings import (
    colour_of,
    colours_each,
    may_build,
    may_reopen,
    places_to_build,
    places_to_fortify,
    places_to_reopen,
)
from elcapitan.engine.rules.expansion import charge_in, has_buildings
from elcapitan.engine.rules.sailing import anchored, arrival_space, free_for, free_spaces
from elcapitan.engine.state import Board, Desk, State
from elcapitan.engine.vocabulary import CANARIAS, CITIES, DUE, FORTRESS_SITES, FREE, MOST_FLORINS, NEVER, SPACES

AS_IT_IS = 0  # the two outlooks on a desk
WHAT_IF = 1
EVERY_CITY = (1 << CITIES) - 1
KINDS = SPACES + FORTRESS_SITES  # what can be built: a house from each space, a fortress on each site
EVERY_KIND = sum(1 << kind * CITIES for kind in range(KINDS))  # times a set of cities: that set for every kind


@rule
def need_of(price: int) -> int:
    """[G-58] The cash needed for a price: what costs nothing can be done in debt."""
    return FREE if price == 0 else price


@rule
def cheapest_build(s: State, b: Board, seat: int, city: int, space: int) -> int:
    """[TURN-03, G-06] The least cash with which `seat`, anchored on `space`, could do a main action in the city."""
    need, house = NEVER, need_of(whole(b.harbour_price[city, space]))
    for which in range(colours_each(s)):
        colour = colour_of(seat, which)
        if may_reopen(s, city, colour):
            return FREE
        if may_build(s, city, colour):
            need = house
    for site in range(FORTRESS_SITES):
        fortress = need_of(whole(b.fortress_price[city, site]))
        if (places_to_fortify(s, seat, site) >> city) & 1:
            need = min(need, fortress)
    return need


@rule
def best_charge(s: State, b: Board, seat: int, space: int) -> int:
    """[CANA-03, G-43, G-44] The most that the free move brings a ship anchored on `space` of Islas Canarias."""
    best = 0
    for city in range(CITIES):
        room = free_spaces(s, city, seat)
        if city == CANARIAS:
            room &= ~(1 << space)
        if room != 0 and city != s.pirate_city and (whole(s.in_play) >> city) & 1 and has_buildings(s, city):
            best = max(best, charge_in(s, b, city, seat))
    return best


@rule
def need_at_canarias(s: State, b: Board, seat: int, space: int) -> int:
    """[CANA-04, G-43, G-48, G-50] The same as `cheapest_build` where the free move is due: its charge counts.

    The pirate may also take the mover's own space and push her to the other one, at its price.
    """
    need = cheapest_build(s, b, seat, CANARIAS, space)
    if need == FREE or need == NEVER:
        return need
    need -= best_charge(s, b, seat, space)
    other = free_spaces(s, CANARIAS, seat) & ~(1 << space)
    if s.pirate_city != CANARIAS and other != 0:
        pushed = cheapest_build(s, b, seat, CANARIAS, lowest(other))
        if pushed != FREE:
            pushed -= charge_in(s, b, CANARIAS, seat)
        need = min(need, pushed)
    return need


@rule
def need_here(s: State, b: Board, seat: int) -> int:
    """[TURN-10, TURN-12, G-06] The least cash for a main action where the ship lies; NEVER if it is not anchored."""
    if not anchored(s, seat):
        return NEVER
    city, space = whole(s.ship_city[seat]), whole(s.ship_space[seat])
    if city == CANARIAS and s.free_move == DUE:
        return need_at_canarias(s, b, seat, space)
    return cheapest_build(s, b, seat, city, space)


@rule
def least_price(b: Board, openings: int) -> int:
    """[G-06, G-58] The least cash that pays for one of some openings; NEVER if there are none.

    What pays for none of them is counted, always as far as the highest price: where to stop could not be foreseen.
    """
    if openings == 0:
        return NEVER
    too_low = 0
    for i in range(whole(b.build_prices)):
        too_low += 1 if openings & whole(b.for_florins[whole(b.build_price[i])]) == 0 else 0
    return need_of(whole(b.build_price[too_low]))


@rule
def look_out(s: State, b: Board, d: Desk, outlook: int) -> None:
    """[SAIL-03, SAIL-05, G-01, G-02, G-06] Where the seat's ship, arriving, would get which space and could build."""
    seat = whole(s.seat)
    to_build, to_reopen, openings = 0, 0, 0
    for which in range(colours_each(s)):
        to_build |= places_to_build(s, colour_of(seat, which))
        to_reopen |= places_to_reopen(s, colour_of(seat, which))
    free = 0
    for space in range(SPACES):
        arriving = free_for(s, space, seat) & ~free & whole(s.in_play)
        openings |= (arriving & to_build & ~(1 << CANARIAS)) << space * CITIES
        free |= arriving
    for site in range(FORTRESS_SITES):
        fortresses = free & places_to_fortify(s, seat, site) & ~(1 << CANARIAS)
        openings |= fortresses << (SPACES + site) * CITIES
    d.openings[outlook] = openings
    d.reopenings[outlook] = free & to_reopen
    d.least[outlook] = FREE if free & to_reopen != 0 else least_price(b, openings)
    d.canarias[outlook] = NEVER
    d.charged[outlook] = 0
    if (free >> CANARIAS) & 1:
        d.canarias[outlook] = cheapest_build(s, b, seat, CANARIAS, arrival_space(s, CANARIAS, seat))


@rule
def count_charge(s: State, b: Board, d: Desk, outlook: int) -> None:
    """[CANA-03, G-43] Count the charge in the cash needed at Islas Canarias, if she could arrive there."""
    if d.canarias[outlook] != NEVER and d.charged[outlook] == 0:
        seat = whole(s.seat)
        d.charged[outlook] = 1
        d.canarias[outlook] = need_at_canarias(s, b, seat, arrival_space(s, CANARIAS, seat))


@rule
def payable_at_canarias(s: State, b: Board, d: Desk, outlook: int, cash: int) -> bool:
    """[G-43, G-50] A ship arriving at Islas Canarias with this cash could build; the charge is counted when needed."""
    if d.canarias[outlook] > cash:
        count_charge(s, b, d, outlook)
    return bool(d.canarias[outlook] <= cash)


@rule
def payable_openings(b: Board, d: Desk, outlook: int, cash: int) -> int:
    """[G-06, G-58] Of the openings of an outlook those that this cash pays for."""
    return whole(d.openings[outlook]) & whole(b.for_florins[min(max(cash, 0), MOST_FLORINS)])


@rule
def payable_cities(b: Board, d: Desk, outlook: int, cash: int) -> int:
    """[G-06, G-58] The cities, Islas Canarias aside, where a ship arriving with this cash could build, as bits."""
    kinds = payable_openings(b, d, outlook, cash)
    cities = whole(d.reopenings[outlook])
    for kind in range(KINDS):
        cities |= kinds >> kind * CITIES
    return cities & EVERY_CITY


@rule
def goals(s: State, b: Board, d: Desk, outlook: int, cash: int) -> int:
    """[G-06, G-58] Every city where a ship arriving with this cash could build, as bits."""
    cities = payable_cities(b, d, outlook, cash)
    if payable_at_canarias(s, b, d, outlook, cash):
        cities |= 1 << CANARIAS
    return cities


@rule
def payable(s: State, b: Board, d: Desk, outlook: int, cash: int, goals: int) -> bool:
    """[G-06, G-58] Whether a ship arriving with this cash could build in one of the `goals`."""
    if payable_openings(b, d, outlook, cash) & goals * EVERY_KIND != 0 or whole(d.reopenings[outlook]) & goals != 0:
        return True
    return (goals >> CANARIAS) & 1 == 1 and payable_at_canarias(s, b, d, outlook, cash)
