"""WARE, BACK, SHUT, REOPEN, FORT and TWO: the warehouses of a city, its fortresses, and the colours of a player."""

from elcapitan.engine.jit import rule, whole
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import (
    BONUS_CARDS,
    CITIES,
    CITIES_FOR_BONUS,
    FORTRESS_SITES,
    NEUTRAL_OFFSET,
    NEVER,
    NO_SITE,
    NOBODY,
    PLAYERS_WITH_TWO_COLOURS,
    PORTO,
    REOPEN_SHUTS,
    SEATS,
    SITES,
)

ROW_LIMIT = 3  # [WARE-07]
ROW_LIMIT_BOTH = 4  # [TWO-07]
FEWEST_PLAYERS_WITHOUT_TRIANGLE = 4  # [BOARD-09]

# What a site without a warehouse is, beside the colours of warehouses.
FREE_SITE = NOBODY
SHUTTING_SITE = -2  # free, and a warehouse on it shuts the front warehouse down
VACATED_SITE = -3  # was built on, and is out of use


@rule
def two_colours(s: State) -> bool:
    """[TWO-01, TWO-02] With two players each has a main and a neutral colour."""
    return bool(s.players == PLAYERS_WITH_TWO_COLOURS)


@rule
def colours_each(s: State) -> int:
    """[TWO-02] How many colours a player has."""
    return 2 if two_colours(s) else 1


@rule
def colours_in_play(s: State) -> int:
    """[TWO-12] How many colours are ranked in a city."""
    return whole(s.players) * colours_each(s)


@rule
def colour_of(seat: int, which: int) -> int:
    """[TWO-02] The main (0) or neutral (1) colour of a seat."""
    return seat + which * NEUTRAL_OFFSET


@rule
def limits_both_colours(s: State) -> bool:
    """[TWO-07] Whether rows of a player's two colours together are limited too."""
    return two_colours(s)


@rule
def balance_kept(s: State, colour: int) -> bool:
    """[TWO-06, G-34] After building this colour the stock holds more main than neutral warehouses, or none at all."""
    if not two_colours(s):
        return True
    seat = colour % NEUTRAL_OFFSET
    main, neutral = whole(s.stock[seat]), whole(s.stock[seat + NEUTRAL_OFFSET])
    if colour == seat:
        main -= 1
    else:
        neutral -= 1
    return main > neutral or main + neutral == 0


@rule
def next_site(s: State, city: int) -> int:
    """[WARE-05, WARE-06, BACK-02, BACK-06] The site the next warehouse goes to, or NO_SITE.

    In an empty city that is S1, and S2 is open as well [WARE-03]; if S2 alone is taken it is S1 [WARE-04].
    """
    front, last = whole(s.front[city]), whole(s.last[city])
    if last == NO_SITE:
        return 0
    if last == SITES - 1:
        return front - 1  # NO_SITE once the front is on S1
    if front == last == 1:
        return 0
    return last + 1


@rule
def row(s: State, city: int, site: int, colour: int, other: int) -> int:
    """[WARE-07, TWO-07, G-15] The row of one colour (or either of two) that a house on `site` would belong to.

    Only open houses on neighbouring sites count; the new house counts before any shut-down it causes.
    """
    length = 1
    i = site - 1
    while i >= 0 and (s.site[city, i] == colour or s.site[city, i] == other):
        length += 1
        i -= 1
    i = site + 1
    while i < SITES and (s.site[city, i] == colour or s.site[city, i] == other):
        length += 1
        i += 1
    return length


@rule
def row_kept(s: State, city: int, site: int, colour: int) -> bool:
    """[WARE-07, WARE-08, BACK-03, BACK-04, REOPEN-06, TWO-07, TWO-08, G-15, G-33] The limit on rows is kept."""
    own = whole(s.houses[city, colour])
    if own >= ROW_LIMIT and row(s, city, site, colour, colour) > ROW_LIMIT:
        return False
    if not limits_both_colours(s) or own + whole(s.houses[city, colour ^ NEUTRAL_OFFSET]) < ROW_LIMIT_BOTH:
        return True
    return row(s, city, site, colour, colour ^ NEUTRAL_OFFSET) <= ROW_LIMIT_BOTH


@rule
def note_room(s: State, city: int) -> None:
    """[WARE-06, WARE-08, BACK-06] Note which colours may take the city's next site, if there is one."""
    site = next_site(s, city)
    for colour in range(colours_in_play(s)):
        room = whole(s.room[colour]) & ~(1 << city)
        if site != NO_SITE and row_kept(s, city, site, colour):
            room |= 1 << city
        s.room[colour] = room


@rule
def may_build(s: State, city: int, colour: int) -> bool:
    """[WARE-02, WARE-09, TWO-06] A warehouse of this colour may be built on the next site, price and ship aside."""
    return bool((places_to_build(s, colour) >> city) & 1)


@rule
def places_to_build(s: State, colour: int) -> int:
    """[WARE-02, TWO-06] Every city where a warehouse of this colour may be built, price and ship aside, as bits."""
    if s.stock[colour] == 0 or not balance_kept(s, colour):
        return 0
    return whole(s.room[colour])


@rule
def may_reopen(s: State, city: int, colour: int) -> bool:
    """[REOPEN-01, REOPEN-05, REOPEN-06, REOPEN-08, PORTO-04, G-18, G-32] A closed warehouse may be re-opened."""
    return bool((places_to_reopen(s, colour) >> city) & 1)


@rule
def places_to_reopen(s: State, colour: int) -> int:
    """[REOPEN-01, REOPEN-06, G-18] Every city where a warehouse of this colour may be re-opened, as bits.

    In Porto there are no closed warehouses.
    """
    return whole(s.shut[colour]) & whole(s.room[colour])


@rule
def is_site(s: State, city: int, site: int) -> bool:
    """[WARE-03, WARE-04, WARE-05, BACK-01, SHUT-06] Whether `site` is where the next house may go."""
    due = next_site(s, city)
    if due == NO_SITE:
        return False
    return bool(site == due or (site == 1 and s.last[city] == NO_SITE))


@rule
def shuts_down(s: State, b: Board, city: int, site: int) -> bool:
    """[BOARD-08, BOARD-09, SHUT-01, SHUT-02, TWO-05, LISB-04] A dark site, or with 2 or 3 players the triangle."""
    if b.dark[city, site] == 1:
        return True
    return bool(s.players < FEWEST_PLAYERS_WITHOUT_TRIANGLE and b.triangle[city] == site)


@rule
def shuts_front(s: State, b: Board, city: int, site: int) -> bool:
    """[SHUT-01, BACK-05, G-16] Whether a warehouse that is built on `site` now shuts the front one down.

    Shut-downs stop once S12 is occupied; a house on S12 itself still counts as placed forward.
    """
    return bool(s.last[city] != SITES - 1 and shuts_down(s, b, city, site))


@rule
def on_site(s: State, b: Board, city: int, site: int) -> int:
    """[WARE-04, BACK-01, SHUT-01, SHUT-06] The colour that stands on a site, or what kind of empty site it is."""
    colour, front = whole(s.site[city, site]), whole(s.front[city])
    if colour != NOBODY:
        return colour
    if front == NO_SITE or site > front:
        return SHUTTING_SITE if shuts_front(s, b, city, site) else FREE_SITE
    if s.last[city] == SITES - 1 or site == next_site(s, city):
        return FREE_SITE
    return VACATED_SITE


@rule
def closed_next(s: State, b: Board, city: int) -> int:
    """[SHUT-01, BACK-05] The site whose warehouse the next one that is built would shut down, or NO_SITE."""
    site, front = next_site(s, city), whole(s.front[city])
    if front == NO_SITE or site < front or not shuts_front(s, b, city, site):
        return NO_SITE
    return front


@rule
def shut_front(s: State, city: int) -> None:
    """[SHUT-01, SHUT-03, SHUT-04, PORTO-04, G-14, G-42] The front house goes to the city picture.

    In Porto it leaves the game instead.
    """
    front = whole(s.front[city])
    colour = whole(s.site[city, front])
    s.site[city, front] = NOBODY
    s.front[city] = front + 1
    s.houses[city, colour] -= 1
    if city == PORTO:
        s.lost[colour] += 1
    else:
        s.closed[city, colour] += 1
        s.shut[colour] = whole(s.shut[colour]) | 1 << city


@rule
def put_house(s: State, city: int, site: int, colour: int) -> None:
    """[WARE-09] A house comes to stand on a site."""
    s.site[city, site] = colour
    s.houses[city, colour] += 1
    if s.last[city] == NO_SITE:
        s.front[city] = site
        s.last[city] = site
    elif site < s.front[city]:
        s.front[city] = site
    else:
        s.last[city] = site


@rule
def place(s: State, b: Board, city: int, site: int, colour: int, shutting: bool) -> None:
    """[SHUT-01, BACK-05, G-13, G-24] A house is placed, the site does its work, the bonus is looked at."""
    shuts = shutting and shuts_front(s, b, city, site)
    put_house(s, city, site, colour)
    if shuts:
        shut_front(s, city)
    note_room(s, city)
    claim_bonus(s, colour)


@rule
def build_price(s: State, b: Board, seat: int) -> int:
    """[WARE-02, BOARD-03] The number of the harbour space on which a seat's ship is anchored."""
    return whole(b.harbour_price[whole(s.ship_city[seat]), whole(s.ship_space[seat])])


@rule
def build(s: State, b: Board, site: int, colour: int) -> None:
    """[WARE-01, WARE-02, WARE-10, BOARD-03, BOARD-07] Pay the number of the harbour space, build from the stock."""
    seat = whole(s.seat)
    city = whole(s.ship_city[seat])
    s.cash[seat] -= build_price(s, b, seat)
    s.stock[colour] -= 1
    place(s, b, city, site, colour, True)


@rule
def reopen(s: State, b: Board, site: int, colour: int) -> None:
    """[REOPEN-02, REOPEN-03, REOPEN-09, BOARD-10, G-13, G-18] Back from the picture to the next site, free."""
    city = whole(s.ship_city[whole(s.seat)])
    s.closed[city, colour] -= 1
    if s.closed[city, colour] == 0:
        s.shut[colour] = whole(s.shut[colour]) & ~(1 << city)
    place(s, b, city, site, colour, (whole(s.options) & REOPEN_SHUTS) != 0)


@rule
def cities_with_house(s: State, colour: int) -> int:
    """[PROL-01, PROL-02, PROL-03, SHUT-05, EXP-11] In how many cities a colour has an open warehouse."""
    count = 0
    for city in range(CITIES):
        if s.houses[city, colour] > 0:
            count += 1
    return count


@rule
def claim_bonus(s: State, colour: int) -> None:
    """[PROL-05, PROL-06, SHUT-08, TWO-11, SET-10, EXP-11, G-24] The next bonus card for whoever stands in nine cities.

    One card a player, kept for good. A neutral colour claims nothing.
    """
    if colour >= s.players or s.bonus[colour] != 0 or cities_with_house(s, colour) < CITIES_FOR_BONUS:
        return
    taken = 0
    for seat in range(SEATS):
        if s.bonus[seat] != 0:
            taken += 1
    if taken < BONUS_CARDS:
        s.bonus[colour] = taken + 1


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
