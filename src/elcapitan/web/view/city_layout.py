"""Where everything stands in the drawing of a city, and what is printed there.

A city is a U of twelve sites with the harbour in its mouth. Seven columns and four rows of cells make the U: S1 is top
left, the track goes down, along and up again to S12, and above that is the last space. Cities are wider where only nine
are in play.
"""

import functools
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from elcapitan.board.figures import Figures
from elcapitan.engine.vocabulary import MAIN_CITIES, SITES
from elcapitan.position.facts import CityFacts
from elcapitan.web.view.context import ViewContext

HEIGHT: Final = 179.3
WIDE: Final = 268.0  # a city where three stand in a row
NARROW: Final = 231.5  # where four do
TOP: Final = 29.0  # where the track begins, below name and ranks
COLUMNS: Final = 7
ROWS: Final = 4
GAP: Final = 3.0  # between two cells
TOWER: Final = 28.0
SHIP: Final = 28.0
SQUARE: Final = 22.0  # a closed warehouse in the middle


@dataclass(frozen=True)
class Box:
    """A rectangle in the drawing."""

    x: float
    y: float
    w: float
    h: float

    @functools.cached_property
    def corner(self) -> Markup:
        """Position as SVG attributes."""
        return Markup(f'x="{self.x:g}" y="{self.y:g}"')

    @functools.cached_property
    def area(self) -> Markup:
        """Position and size as SVG attributes."""
        return Markup(f'{self.corner} width="{self.w:g}" height="{self.h:g}"')

    @property
    def cx(self) -> float:
        """The x of its centre."""
        return round(self.x + self.w / 2, 1)

    @property
    def cy(self) -> float:
        """The y of its centre."""
        return round(self.y + self.h / 2, 1)

    def middle(self, size: float) -> "Box":
        """Return a square around its centre."""
        return _box(self.x + self.w / 2 - size / 2, self.y + self.h / 2 - size / 2, size, size)

    @property
    def right(self) -> float:
        """The x of its right edge."""
        return round(self.x + self.w, 1)

    @property
    def bottom(self) -> float:
        """The y of its lower edge."""
        return round(self.y + self.h, 1)


def _box(x: float, y: float, w: float, h: float) -> Box:
    """Make a rectangle, rounded to one digit."""
    return Box(round(x, 1), round(y, 1), round(w, 1), round(h, 1))


@dataclass(frozen=True, eq=False)
class CityLayout:
    """The layout of all cities of a given width."""

    width: float

    @property
    def height(self) -> float:
        """The height of a city."""
        return HEIGHT

    @property
    def column(self) -> float:
        """The distance from one column of cells to the next."""
        return (self.width - 10) / COLUMNS

    @property
    def row(self) -> float:
        """The distance from one row of cells to the next."""
        return (HEIGHT - TOP - 5) / ROWS

    @functools.cached_property
    def spaces(self) -> tuple[Box, ...]:
        """The boxes of the twelve sites and the last space."""
        return tuple(self._cell(*_place(number)) for number in range(SITES + 1))

    def _cell(self, column: int, row: int) -> Box:
        """Return the box of a cell of the U."""
        x, y = 5 + column * self.column, TOP + row * self.row
        return _box(x + GAP / 2, y + GAP / 2, self.column - GAP, self.row - GAP)

    @functools.cached_property
    def house(self) -> float:
        """The size of a warehouse."""
        return round(min(self.column - 5.5, self.row - 7), 1)

    @functools.cached_property
    def houses(self) -> tuple[Box, ...]:
        """The box of a warehouse on each site."""
        return tuple(cell.middle(self.house) for cell in self.spaces[:SITES])

    @functools.cached_property
    def water(self) -> Box:
        """The box of the harbour basin."""
        return _box(self.column + 8, TOP, self.width - 2 * (self.column + 8), 34)

    @functools.cached_property
    def square(self) -> Box:
        """The box of the city's picture."""
        return _box(self.water.x, 67, self.water.w, 68)


@functools.cache
def tower_boxes(layout: CityLayout, count: int) -> tuple[Box, ...]:
    """Return the boxes of the fortress sites: one left of the berths, a second right of them."""
    places = (layout.water.x + 2.5, layout.water.right - 2.5 - TOWER)
    return tuple(_box(x, 32, TOWER, TOWER) for x in places[:count])


@functools.cache
def berth_boxes(layout: CityLayout, count: int, towers: int) -> tuple[Box, ...]:
    """Return the boxes of the harbour spaces, between the fortress sites."""
    left = layout.water.x + 35
    room = layout.water.right - (35 if towers > 1 else 3) - left
    width = (room - 4 * (count - 1)) / count
    return tuple(_box(left + number * (width + 4), 31, width, 30) for number in range(count))


@functools.cache
def closed_boxes(layout: CityLayout, count: int) -> tuple[Box, ...]:
    """Return boxes for closed warehouses on the square, closer together where there are many."""
    step = min(SQUARE + 2, (layout.square.w - SQUARE - 8) / max(count - 1, 1))
    left = layout.square.cx - ((count - 1) * step + SQUARE) / 2
    return tuple(_box(left + number * step, 111, SQUARE, SQUARE) for number in range(count))


def _place(number: int) -> tuple[int, int]:
    """Return column and row of a space: down, along, up."""
    if number < ROWS:
        return 0, number
    if number < ROWS + COLUMNS - 1:
        return number - ROWS + 1, ROWS - 1
    return COLUMNS - 1, SITES - number


@functools.cache
def city_layout(cities: int) -> CityLayout:
    """Return the layout for a number of cities in play."""
    return CityLayout(WIDE if cities <= MAIN_CITIES else NARROW)


@functools.cache
def moored(berth: Box) -> Box:
    """Return the box of a ship in its berth."""
    return Box(round(berth.x + 1, 1), 31.5, SHIP, SHIP)


# ------------------------------------------------------------------------------------------------------- printed cities


@dataclass(frozen=True)
class PrintedTrack:
    """The figures printed along the track of a city."""

    track: tuple[int, ...]
    dark: tuple[bool, ...]
    triangle: int


@functools.lru_cache(maxsize=64)
def printed_track(figures: Figures, city: int) -> PrintedTrack:
    """Return the figures of a city, read once."""
    board = figures.board
    return PrintedTrack(
        track=tuple(board.track[city].tolist()),
        dark=tuple(bool(dark) for dark in board.dark[city].tolist()),
        triangle=int(board.triangle[city]),
    )


@dataclass(frozen=True)
class Space:
    """A site, or the last space, as it is printed."""

    box: Box
    value: int
    dark: bool
    triangle: str  # nothing, `mark` or `full` where it closes a warehouse


@dataclass(frozen=True)
class PrintedCity:
    """A city without any piece; it never changes during a game."""

    number: int
    name: str
    tile: bool
    spaces: tuple[Space, ...]
    berths: tuple[tuple[Box, int], ...]  # with the price of a warehouse from there
    towers: tuple[tuple[Box, int], ...]  # with the price of a fortress


def printed_cities(context: ViewContext, layout: CityLayout) -> list[PrintedCity]:
    """Return the cities as they are printed."""
    return [_printed_city(context, city, layout) for city in context.position.cities]


def _printed_city(context: ViewContext, city: CityFacts, layout: CityLayout) -> PrintedCity:
    """Return a city as it is printed. A triangle is full where it closes a warehouse, with two or three players."""
    printed = printed_track(context.game.figures, city.number)
    shuts = context.position.facts.shuts[city.number]
    spaces = tuple(
        Space(
            box=box,
            value=printed.track[number],
            dark=number < SITES and printed.dark[number],
            triangle=("full" if shuts[number] else "mark") if number == printed.triangle else "",
        )
        for number, box in enumerate(layout.spaces)
    )
    towers = tower_boxes(layout, len(city.fortresses))
    berths = berth_boxes(layout, len(city.harbours), len(towers))
    return PrintedCity(
        number=city.number,
        name=city.name,
        tile=city.number >= MAIN_CITIES,
        spaces=spaces,
        berths=tuple((box, slot.price) for box, slot in zip(berths, city.harbours, strict=True)),
        towers=tuple((box, slot.price) for box, slot in zip(towers, city.fortresses, strict=True)),
    )
