"""EXP, LISB, CANA and PIRATE: the tiles of the expansion, Lisboa's payment, and the pirate ship.

Most of what a tile changes stands where the basic rule stands: Porto's third harbour and single fortress site are
figures of the board, its shut-down is in `buildings`, the majority of tile cities in `payday`, sea routes to them in
`sailing`.
"""

from elcapitan.engine.actions import berthing_shift, berthing_space, leg_card
from elcapitan.engine.jit import many, rule, whole
from elcapitan.engine.rules.buildings import colour_of, colours_each, has_fortress
from elcapitan.engine.rules.payday import amount, half, rank
from elcapitan.engine.rules.sailing import arrive, discard, free_space, free_spaces, leg_target, set_out, take_space
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import (
    CANARIAS,
    LISBOA,
    MADE,
    MAIN_CITIES,
    NO_SITE,
    NOBODY,
    PIRATE,
    PIRATE_BEFORE_LOAN,
    SPACES,
    TRANSIT,
)


@rule
def cities_in_play(tiles: int) -> int:
    """[EXP-01, EXP-02, EXP-03, EXP-04, BOARD-01] The nine main cities and the tiles chosen, all alike, as bits."""
    return (1 << MAIN_CITIES) - 1 | tiles << MAIN_CITIES


@rule
def lisboa_payment(s: State, b: Board, city: int, colour: int) -> int:
    """[LISB-01, LISB-03, G-36, G-41] What the builder of a warehouse in Lisboa gets at once, the house standing.

    The amount if she has the majority now, else half of it; nothing for a neutral house, nor for re-opening.
    """
    if city != LISBOA or colour >= s.players:
        return 0
    if rank(s, LISBOA, colour) == 0:
        return amount(s, b, LISBOA)
    return half(amount(s, b, LISBOA))


@rule
def pirate_in_game(s: State) -> bool:
    """[CANA-01] The pirate is in the game only with Islas Canarias."""
    return bool((whole(s.tiles) >> (CANARIAS - MAIN_CITIES)) & 1)


@rule
def pirate_targets(s: State) -> int:
    """[PIRATE-02, PIRATE-04, G-44] Cities in play with a free harbour space, the pirate's own apart, as bits."""
    free = 0
    for space in range(SPACES):
        free |= whole(s.free[space])
    return free & whole(s.in_play) & ~(1 << whole(s.pirate_city))


@rule
def may_berth(s: State, b: Board, city: int, berthing: int) -> bool:
    """[PIRATE-02, PIRATE-03, PIRATE-04, G-42, G-44, G-48, G-53] Whether the pirate may take this berth in a city.

    Another city than its own, with a free space. It takes a free space, or an occupied one whose ship goes to the
    free space; of two free spaces to the one beside it, of two beside it to the one the mover names.
    """
    space, shift = berthing_space(berthing), berthing_shift(berthing)
    if city == s.pirate_city or not (whole(s.in_play) >> city) & 1 or space >= b.harbours[city]:
        return False
    free = free_spaces(s, city, NOBODY)
    if shift == TRANSIT:
        return bool((free >> space) & 1)
    if free == 0 or (free >> space) & 1 or not (free >> shift) & 1:
        return False
    return many(free) == 1 or abs(space - shift) == 1


@rule
def move_pirate(s: State, city: int, berthing: int) -> None:
    """[PIRATE-01, PIRATE-03, G-42, G-49, G-53] The pirate leaves its space and takes another, shifting a ship.

    If that frees a harbour in which the mover's ship is in transit, the ship anchors there.
    """
    space, shift = berthing_space(berthing), berthing_shift(berthing)
    left = whole(s.pirate_city)
    free_space(s, left, whole(s.pirate_space))
    if shift != TRANSIT:
        shifted = whole(s.harbour[city, space])
        take_space(s, city, shift, shifted)
        s.ship_space[shifted] = shift
    take_space(s, city, space, PIRATE)
    s.pirate_city = city
    s.pirate_space = space
    seat = whole(s.seat)
    if s.ship_city[seat] == left and s.ship_space[seat] == TRANSIT:
        arrive(s, seat, left)


@rule
def has_buildings(s: State, city: int) -> bool:
    """[PIRATE-05] Whether anything was ever built in a city: a chain once begun does not end."""
    return bool(s.last[city] != NO_SITE or s.fortress[city, 0] != NOBODY)


@rule
def buildings(s: State, city: int, seat: int) -> int:
    """[PIRATE-05, G-36, G-47] A player's buildings in a city: open and closed houses of all her colours, fortress."""
    count = 1 if has_fortress(s, city, seat) else 0
    for which in range(colours_each(s)):
        colour = colour_of(seat, which)
        count += whole(s.houses[city, colour]) + whole(s.closed[city, colour])
    return count


@rule
def charge_due(s: State, b: Board, city: int, seat: int) -> int:
    """[PIRATE-05, PIRATE-06, G-47] What an owner pays: the rate of the phase per building, at most all she has."""
    if s.cash[seat] <= 0:
        return 0
    return min(whole(s.cash[seat]), whole(b.charge[whole(s.phase) - 1]) * buildings(s, city, seat))


@rule
def charge_in(s: State, b: Board, city: int, mover: int) -> int:
    """[PIRATE-05, G-47] What the mover would collect in a city; she pays nothing to herself."""
    total = 0
    for seat in range(whole(s.players)):
        if seat != mover:
            total += charge_due(s, b, city, seat)
    return total


@rule
def collect_charge(s: State, b: Board, city: int) -> None:
    """[CANA-03, PIRATE-05, PIRATE-07, G-47] Every owner in the pirate's new city pays the mover, once."""
    mover = whole(s.seat)
    for seat in range(whole(s.players)):
        if seat != mover:
            due = charge_due(s, b, city, seat)
            s.cash[seat] -= due
            s.cash[mover] += due


@rule
def move_free(s: State, b: Board, city: int, berthing: int) -> None:
    """[CANA-02, CANA-03, CANA-04, G-43, G-44] The free move at Islas Canarias, with its charge."""
    move_pirate(s, city, berthing)
    collect_charge(s, b, city)
    s.free_move = MADE


@rule
def fare(s: State, b: Board, city: int) -> int:
    """[PIRATE-08, G-45, G-59] The price of moving the pirate to a city for money: by grid steps."""
    return whole(b.pirate_step) * whole(b.distance[whole(s.pirate_city), city])


@rule
def note_paid_move(s: State) -> None:
    """[PIRATE-08, TURN-08, G-06, G-45] The turn has had its paid move; without the table option it must then build."""
    s.pirate_used = 1
    if not whole(s.options) & PIRATE_BEFORE_LOAN:
        set_out(s)


@rule
def move_for_money(s: State, b: Board, city: int, berthing: int) -> None:
    """[PIRATE-08, PIRATE-09, CANA-05, G-45, G-57] Once in a turn, paid by the step; nothing is collected."""
    s.cash[whole(s.seat)] -= fare(s, b, city)
    move_pirate(s, city, berthing)
    note_paid_move(s)


@rule
def pirate_place(s: State) -> int:
    """[G-52] Where the pirate is: its city, or how far a voyage by cards has brought it."""
    return whole(s.pirate_city) if s.pirate_at == NOBODY else whole(s.pirate_at)


@rule
def move_by_card(s: State, b: Board, leg: int) -> None:
    """[PIRATE-08, PIRATE-10, G-45, G-52] One card of a voyage moves the pirate on as if it were the ship."""
    discard(s, whole(s.seat), leg_card(leg))
    s.pirate_at = leg_target(b, leg)
    note_paid_move(s)


@rule
def land(s: State, berthing: int) -> None:
    """[PIRATE-08, PIRATE-09, G-52] The voyage by cards ends where the pirate now is; nothing is collected."""
    city = whole(s.pirate_at)
    s.pirate_at = NOBODY
    move_pirate(s, city, berthing)
