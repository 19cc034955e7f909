"""What can be read off the cities: next site, amount, rows, ranks, harbours, ways of the pirate."""

from __future__ import annotations

from .figures import CHARGE, PRINTED, SITES
from .table import City, House, Table


def next_sites(city: City) -> list[int]:
    """The sites on which the next house may be put, two in an empty city [WARE-03..06, BACK-02, BACK-06]."""
    occupied = sorted(city.sites)
    if not occupied:
        return [1, 2]
    if occupied == [2]:
        return [1]
    if SITES not in city.sites:
        return [occupied[-1] + 1]
    return [occupied[0] - 1] if occupied[0] > 1 else []


def amount(table: Table, name: str) -> int:
    """The amount of a city: the number right of the end of the chain, S1's when empty [MAJ-02, MAJ-06, G-17]."""
    track = PRINTED[name].track
    return track[max(table.cities[name].sites, default=0)]


def half(number: int) -> int:
    """Half, rounded down [MAJ-03]."""
    return number // 2


def _run(owners: dict[int, bool], site: int) -> int:
    """Length of the unbroken line of sites marked True that contains the site."""
    first = last = site
    while owners.get(first - 1, False):
        first -= 1
    while owners.get(last + 1, False):
        last += 1
    return last - first + 1


def row_allows(city: City, site: int, house: House) -> bool:
    """Three of one colour, four of one player's two colours, the new one included [WARE-07, TWO-07, G-15, G-33]."""
    same_colour = {at: other == house for at, other in city.sites.items()}
    same_player = {at: other[0] == house[0] for at, other in city.sites.items()}
    return _run(same_colour, site) <= 3 and _run(same_player, site) <= 4


def shuts_down(table: Table, name: str, site: int) -> bool:
    """Whether a house coming to stand on the site closes the front one, asked before it is placed.

    [SHUT-01, SHUT-02, BOARD-08, BOARD-09, BACK-05, G-16]
    """
    if SITES in table.cities[name].sites:
        return False
    printed = PRINTED[name]
    return site in printed.dark or (len(table.players) <= 3 and site == printed.triangle)


def ranking(city: City) -> list[House]:
    """Colours with an open house: most houses first, then the one further forward [MAJ-01, MAJ-04, G-22]."""
    colours = set(city.sites.values())

    def key(colour: House) -> tuple[int, int]:
        own = [site for site, house in city.sites.items() if house == colour]
        return (-len(own), min(own))

    return sorted(colours, key=key)


def spread(table: Table, seat: int) -> int:
    """In how many cities a player has an open house of the main colour [PROL-01..03, TWO-10, EXP-10]."""
    return sum((seat, "main") in city.sites.values() for city in table.cities.values())


def spaces(name: str) -> list[int]:
    """The harbour spaces of a city, numbered from 1 [BOARD-02, PORTO-01]."""
    return list(range(1, len(PRINTED[name].harbours) + 1))


def ships_at(table: Table, name: str) -> dict[int, int]:
    """Which seat's ship lies on which harbour space; ships in transit lie on none."""
    return {
        player.harbour: seat
        for seat, player in enumerate(table.players)
        if player.place == name and player.harbour is not None
    }


def free_spaces(table: Table, name: str) -> list[int]:
    """Harbour spaces without a ship and without the pirate [PIRATE-01, G-48]."""
    ships = ships_at(table, name)
    return [space for space in spaces(name) if space not in ships and table.pirate != (name, space)]


def _shifts(name: str, old: int, free: list[int]) -> list[int]:
    """Where a ship on the old space may be shifted to by the pirate [PIRATE-03, G-42, G-48]."""
    if len(free) == 1:
        return list(free)
    return [space for space in free if abs(space - old) == 1]


def landings(table: Table, name: str) -> list[tuple[int, int | None]]:
    """All (harbour space, shift) with which the pirate may land in a city [PIRATE-02..04, G-44, G-53]."""
    if table.pirate is None or table.pirate[0] == name:
        return []
    free = free_spaces(table, name)
    ways: list[tuple[int, int | None]] = [(space, None) for space in free]
    if free:
        for old in ships_at(table, name):
            ways.extend((old, shift) for shift in _shifts(name, old, free))
    return ways


def charges(table: Table, mover: int, name: str) -> dict[int, int]:
    """What each other owner pays for buildings in the city of the pirate [PIRATE-05, PIRATE-06, G-36, G-47]."""
    city = table.cities[name]
    owners = [house[0] for house in city.sites.values()] + [house[0] for house in city.closed] + city.fortresses
    dues: dict[int, int] = {}
    for seat, player in enumerate(table.players):
        if seat != mover:
            dues[seat] = max(0, min(player.money, CHARGE[table.phase] * owners.count(seat)))
    return dues
