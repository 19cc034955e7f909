"""Where everything stands in the drawing of a city: a U of twelve sites with the harbour in its mouth.

Seven columns and four rows of cells make the U: S1 is top left, the track goes down, along and up again to S12, and
above that is the last space. Cities are wider where only nine are in play.
"""

import functools
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from elcapitan.engine.vocabulary import MAIN_CITIES, SITES

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
    """A rectangle."""

    x: float
    y: float
    w: float
    h: float

    @functools.cached_property
    def corner(self) -> Markup:
        """Where it is, as attributes."""
        return Markup(f'x="{self.x:g}" y="{self.y:g}"')

    @functools.cached_property
    def area(self) -> Markup:
        """Where it is and how large, as attributes."""
        return Markup(f'{self.corner} width="{self.w:g}" height="{self.h:g}"')

    @property
    def cx(self) -> float:
        """Its middle."""
        return round(self.x + self.w / 2, 1)

    @property
    def cy(self) -> float:
        """Its middle."""
        return round(self.y + self.h / 2, 1)

    def middle(self, size: float) -> "Box":
        """A square in its middle."""
        return _box(self.x + self.w / 2 - size / 2, self.y + self.h / 2 - size / 2, size, size)

    @property
    def right(self) -> float:
        """Its right edge."""
        return round(self.x + self.w, 1)

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return round(self.y + self.h, 1)


def _box(x: float, y: float, w: float, h: float) -> Box:
    """A rectangle, with no more digits than anybody can see."""
    return Box(round(x, 1), round(y, 1), round(w, 1), round(h, 1))


@dataclass(frozen=True, eq=False)
class Ground:
    """The ground plan of a city of some width."""

    width: float

    @property
    def height(self) -> float:
        """How high a city is."""
        return HEIGHT

    @property
    def column(self) -> float:
        """From one cell to the next."""
        return (self.width - 10) / COLUMNS

    @property
    def row(self) -> float:
        """From one cell to the next below it."""
        return (HEIGHT - TOP - 5) / ROWS

    @functools.cached_property
    def spaces(self) -> tuple[Box, ...]:
        """The twelve sites and the last space."""
        return tuple(self._cell(*_place(number)) for number in range(SITES + 1))

    def _cell(self, column: int, row: int) -> Box:
        """A cell of the U."""
        x, y = 5 + column * self.column, TOP + row * self.row
        return _box(x + GAP / 2, y + GAP / 2, self.column - GAP, self.row - GAP)

    @functools.cached_property
    def house(self) -> float:
        """How large a warehouse is drawn."""
        return round(min(self.column - 5.5, self.row - 7), 1)

    @functools.cached_property
    def houses(self) -> tuple[Box, ...]:
        """A warehouse on each site."""
        return tuple(cell.middle(self.house) for cell in self.spaces[:SITES])

    @functools.cached_property
    def water(self) -> Box:
        """The harbour basin."""
        return _box(self.column + 8, TOP, self.width - 2 * (self.column + 8), 34)

    @functools.cached_property
    def square(self) -> Box:
        """The picture of the city."""
        return _box(self.water.x, 67, self.water.w, 68)

    def towers(self, count: int) -> tuple[Box, ...]:
        """The fortress sites: one left of the berths, a second right of them."""
        return _towers(self.water, count)

    def berths(self, count: int, towers: int) -> tuple[Box, ...]:
        """The harbour spaces between the fortress sites."""
        return _berths(self.water, count, towers)

    def closed(self, count: int) -> tuple[Box, ...]:
        """Closed warehouses side by side on the square, closer together where there are many."""
        return _closed(self.square, count)


@functools.cache
def _towers(water: Box, count: int) -> tuple[Box, ...]:
    places = (water.x + 2.5, water.right - 2.5 - TOWER)
    return tuple(_box(x, 32, TOWER, TOWER) for x in places[:count])


@functools.cache
def _berths(water: Box, count: int, towers: int) -> tuple[Box, ...]:
    left = water.x + 35
    room = water.right - (35 if towers > 1 else 3) - left
    width = (room - 4 * (count - 1)) / count
    return tuple(_box(left + number * (width + 4), 31, width, 30) for number in range(count))


@functools.cache
def _closed(square: Box, count: int) -> tuple[Box, ...]:
    step = min(SQUARE + 2, (square.w - SQUARE - 8) / max(count - 1, 1))
    left = square.cx - ((count - 1) * step + SQUARE) / 2
    return tuple(_box(left + number * step, 111, SQUARE, SQUARE) for number in range(count))


def _place(number: int) -> tuple[int, int]:
    """Column and row of a space: down, along, up."""
    if number < ROWS:
        return 0, number
    if number < ROWS + COLUMNS - 1:
        return number - ROWS + 1, ROWS - 1
    return COLUMNS - 1, SITES - number


@functools.cache
def ground(cities: int) -> Ground:
    """The ground plan of all cities where so many are in play."""
    return Ground(WIDE if cities <= MAIN_CITIES else NARROW)


@functools.cache
def moored(berth: Box) -> Box:
    """A ship in its berth."""
    return Box(round(berth.x + 1, 1), 31.5, SHIP, SHIP)
