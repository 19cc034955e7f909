"""What the last turn changed on the board: it is marked, so that one can follow computer players."""

from collections.abc import Sequence
from dataclasses import dataclass

from elcapitan.engine.vocabulary import NOBODY, PIRATE
from elcapitan.game import Act, Moment
from elcapitan.look import CityLook
from elcapitan.text.names import plainly


@dataclass(frozen=True)
class Changes:
    """Places where something has just happened."""

    sites: frozenset[tuple[int, int]] = frozenset()  # city and site with a new warehouse
    towers: frozenset[tuple[int, int]] = frozenset()  # city and site with a new fortress
    ships: frozenset[int] = frozenset()  # seats whose ship has moved
    pirate: bool = False

    def within(self, look: CityLook) -> "Changes":
        """What of it happened in a city."""
        present = {slot.occupant for slot in look.harbours}
        return Changes(
            sites=frozenset(each for each in self.sites if each[0] == look.number),
            towers=frozenset(each for each in self.towers if each[0] == look.number),
            ships=self.ships & present,
            pirate=self.pirate and PIRATE in present,
        )


def changes(moments: Sequence[Moment]) -> Changes:
    """What the seat that acted last has done in its turn."""
    turn = _last_turn(moments)
    if not turn:
        return Changes()
    before, after = turn[0].before[0], turn[-1].after[0]
    sites = (after.site != before.site) & (after.site != NOBODY)
    towers = (after.fortress != before.fortress) & (after.fortress != NOBODY)
    moved = (after.ship_city != before.ship_city) | (after.ship_space != before.ship_space)
    return Changes(
        sites=frozenset((int(city), int(site)) for city, site in zip(*sites.nonzero(), strict=True)),
        towers=frozenset((int(city), int(site)) for city, site in zip(*towers.nonzero(), strict=True)),
        ships=frozenset(seat for seat in range(plainly(after.players)) if moved[seat]),
        pirate=plainly(after.pirate_city) != plainly(before.pirate_city),
    )


def _last_turn(moments: Sequence[Moment]) -> Sequence[Moment]:
    """The moments of the last turn in which somebody acted, with whatever cards were turned up after it."""
    seat: int | None = None
    first = len(moments)
    for number in range(len(moments) - 1, -1, -1):
        event = moments[number].event
        if not isinstance(event, Act):
            if seat is not None:
                break
            continue
        if seat is not None and event.seat != seat:
            break
        seat, first = event.seat, number
    return moments[first:] if seat is not None else ()
