"""The cities as they are printed: what never changes during a game."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.engine.rules.warehouses import shuts_down
from elcapitan.engine.vocabulary import MAIN_CITIES, SITES
from elcapitan.figures import Figures
from elcapitan.look import CityLook
from elcapitan.text.names import interpreted, plainly
from elcapitan.web.scene.ground import Box, Ground
from elcapitan.web.scene.sight import Sight

_shuts_down: Final = interpreted(shuts_down)


@dataclass(frozen=True)
class Printed:
    """What is printed along the track of a city."""

    track: tuple[int, ...]
    dark: tuple[bool, ...]
    triangle: int


@functools.lru_cache(maxsize=64)
def printed(figures: Figures, city: int) -> Printed:
    """The figures of a city, read once."""
    board = figures.board
    return Printed(
        track=tuple(board.track[city].tolist()),
        dark=tuple(bool(dark) for dark in board.dark[city].tolist()),
        triangle=plainly(board.triangle[city]),
    )


@dataclass(frozen=True)
class Space:
    """A site, or the last space, as it is printed."""

    box: Box
    value: int
    dark: bool
    triangle: str  # nothing, `mark` or `full` where it closes a warehouse


@dataclass(frozen=True)
class Plan:
    """A city without any piece: this never changes during a game."""

    number: int
    name: str
    tile: bool
    spaces: tuple[Space, ...]
    berths: tuple[tuple[Box, int], ...]  # with the price of a warehouse from there
    towers: tuple[tuple[Box, int], ...]  # with the price of a fortress


def plans(sight: Sight, looks: Sequence[CityLook], ground: Ground) -> list[Plan]:
    """The cities as they are printed."""
    return [_plan(sight, look, ground) for look in looks]


def _plan(sight: Sight, look: CityLook, ground: Ground) -> Plan:
    """One city as it is printed."""
    print_of, city = printed(sight.game.figures, look.number), look.number
    spaces = tuple(
        Space(
            box=box,
            value=print_of.track[number],
            dark=number < SITES and print_of.dark[number],
            triangle=_triangle(sight, city, number) if number == print_of.triangle else "",
        )
        for number, box in enumerate(ground.spaces)
    )
    towers = ground.towers(len(look.fortresses))
    berths = ground.berths(len(look.harbours), len(towers))
    return Plan(
        number=city,
        name=look.name,
        tile=city >= MAIN_CITIES,
        spaces=spaces,
        berths=tuple((box, slot.price) for box, slot in zip(berths, look.harbours, strict=True)),
        towers=tuple((box, slot.price) for box, slot in zip(towers, look.fortresses, strict=True)),
    )


def _triangle(sight: Sight, city: int, site: int) -> str:
    """How the triangle is drawn: full where it closes a warehouse, which depends on how many play."""
    return "full" if _shuts_down(sight.state, sight.game.figures.board, city, site) else "mark"
