"""An observation read off a position once more, slowly and part by part."""

from typing import Any

import numpy as np

from elcapitan.engine.state import State
from elcapitan.research.layout import PARTS


def bits(members: Any, count: int) -> list[int]:
    return [int(members) >> n & 1 for n in range(count)]


def plain(s: State, viewer: int) -> np.ndarray[Any, Any]:
    """What a seat sees, as one row."""
    seen = {part.name: np.zeros(part.shape, int) for part in PARTS.values()}
    _table(s, viewer, seen)
    for seat in range(s.players):
        _merchant(s, seat, (seat - viewer) % s.players, seen)
    _cities(s, viewer, seen)
    return np.concatenate([cells.ravel() for cells in seen.values()])


def _table(s: State, viewer: int, seen: dict[str, Any]) -> None:
    seen["players"][s.players - 2] = 1
    seen["tiles"][:] = bits(s.tiles, 3)
    seen["options"][:] = bits(s.options, 2)
    seen["phase"][s.phase - 1] = 1
    seen["round"][0] = s.round_no
    seen["stage"][s.stage] = 1
    seen["deciding"][(s.seat - viewer) % s.players] = 1
    seen["starter"][(s.starter - viewer) % s.players] = 1
    seen["passes"][0] = s.passes
    seen["free_move"][s.free_move] = 1
    seen["pirate_used"][0] = s.pirate_used
    if s.pirate_city >= 0:
        seen["pirate"][s.pirate_city] = seen["pirate_space"][s.pirate_space] = 1
    if s.pirate_at >= 0:
        seen["pirate_voyage"][s.pirate_at] = 1
    seen["undecided"][:] = s.undecided
    seen["bank"][:] = s.loans_left
    seen["decks"][:] = s.deck_left
    seen["pirate_before_loan"][0] = int(s.options) >> 2 & 1
    seen["display"][:] = bits(s.display, 54)
    seen["discards"][:] = bits(s.discard, 54)


def _merchant(s: State, seat: int, place: int, seen: dict[str, Any]) -> None:
    high = (int(s.cash[seat]) + 128) // 256
    seen["florins"][place] = (int(s.cash[seat]) - 256 * high, high)
    colours = (seat, seat + 2) if s.players == 2 else (seat,)
    for which, colour in enumerate(colours):
        seen["stock"][place, which] = s.stock[colour]
        seen["lost"][place, which] = s.lost[colour]
    seen["fortress_stock"][place] = s.fortresses[seat]
    if s.bonus[seat]:
        seen["bonus"][place, s.bonus[seat] - 1] = 1
    seen["loans"][place] = s.loans[seat]
    seen["ship"][place, s.ship_city[seat]] = 1
    if s.ship_space[seat] >= 0:
        seen["harbour"][place, s.ship_space[seat]] = 1
    seen["hand"][place] = bits(s.hand[seat], 54)
    for city, owners in enumerate(s.fortress.tolist()):
        seen["fortified"][place, city] = seat in owners


def _cities(s: State, viewer: int, seen: dict[str, Any]) -> None:
    def colour(number: int) -> int:
        if s.players == 2:
            return (number % 2 - viewer) % 2 + number // 2 * 2
        return int((number - viewer) % s.players)

    for city in range(12):
        for site, stands in enumerate(s.site[city].tolist()):
            if stands >= 0:
                seen["sites"][city, site] = 1 + colour(stands)
                seen["open"][city, colour(stands)] += 1
        for number, count in enumerate(s.closed[city].tolist()):
            if count:
                seen["closed"][city, colour(number)] = count
        for site, seat in enumerate(s.fortress[city].tolist()):
            if seat >= 0:
                seen["fortress_sites"][city, site] = 1 + (seat - viewer) % s.players
