"""The figures printed on board and cards, typed in by hand a second time.

A site number 1..12 is an index into a track: ``track[site - 1]`` is its number, ``track[12]`` is the last space T.
"""

from __future__ import annotations

from dataclasses import dataclass

SITES = 12
START_MONEY = 20
DISPLAY_SIZE: dict[str, int] = {"destination": 4, "link": 6}
LOAN_CARDS: dict[int, int] = {10: 18, 16: 12}
PAY_BACK: dict[int, int] = {10: 12, 16: 20}
PAY_BACK_EXTENDED: dict[int, int] = {10: 16, 16: 30}
CHART: list[int] = [0, 1, 2, 5, 10, 15, 20, 30, 40, 60, 75, 90, 110]
BONUS_CARDS: list[int] = [15, 10, 5]
BONUS_CITIES = 9
CHARGE: dict[int, int] = {1: 1, 2: 2, 3: 3}
PIRATE_STEP = 2
PHASES = 3
HOUSES_PER_COLOUR = 18
FORTRESSES_PER_COLOUR = 3
NEW_PIECES: dict[str, int] = {"main": 6, "fortress": 1}
NEW_NEUTRAL = 2

PORTO = "Porto"
LISBOA = "Lisboa"
CANARIAS = "Islas Canarias"
TILES: list[str] = [PORTO, LISBOA, CANARIAS]
PIRATE_START = (CANARIAS, 2)

# (row, column); column 0 holds the tiles of the expansion.
GRID: dict[str, tuple[int, int]] = {
    "Porto": (1, 0),
    "Marseille": (1, 1),
    "Venezia": (1, 2),
    "Constantinople": (1, 3),
    "Lisboa": (2, 0),
    "Valencia": (2, 1),
    "Napoli": (2, 2),
    "Athina": (2, 3),
    "Islas Canarias": (3, 0),
    "Tanger": (3, 1),
    "Tunis": (3, 2),
    "Alexandria": (3, 3),
}
MAIN_CITIES: list[str] = [name for name in GRID if name not in TILES]


@dataclass(frozen=True)
class Print:
    """What is printed on one city."""

    harbours: tuple[int, ...]
    fortresses: tuple[int, ...]
    track: tuple[int, ...]
    dark: tuple[int, ...]
    triangle: int | None


_LOW_TRACK = (0, 2, 4, 6, 8, 10, 12, 14, 16, 14, 12, 10, 8)
_MIDDLE_TRACK = (0, 3, 6, 9, 12, 15, 18, 21, 24, 21, 18, 15, 12)
_HIGH_TRACK = (0, 4, 8, 12, 16, 20, 24, 28, 32, 28, 24, 20, 16)
_PORTO_TRACK = (0, 5, 10, 15, 20, 25, 30, 35, 40, 35, 30, 25, 20)
_LOW = Print((2, 3), (4, 6), _LOW_TRACK, (7, 9, 11), 5)
_MIDDLE = Print((3, 4), (6, 8), _MIDDLE_TRACK, (7, 9, 11), 5)
_HIGH = Print((4, 5), (8, 10), _HIGH_TRACK, (7, 9, 11), 5)

PRINTED: dict[str, Print] = {
    "Marseille": _HIGH,
    "Constantinople": _HIGH,
    "Alexandria": _HIGH,
    "Venezia": _MIDDLE,
    "Valencia": _MIDDLE,
    "Napoli": _MIDDLE,
    "Athina": _LOW,
    "Tanger": _LOW,
    "Tunis": _LOW,
    "Lisboa": Print((0, 1), (6, 8), _LOW_TRACK, (7, 10), None),
    "Porto": Print((5, 6, 7), (12,), _PORTO_TRACK, (7, 9, 11), 5),
    "Islas Canarias": Print((3, 4), (6, 8), _MIDDLE_TRACK, (7, 9, 11), 5),
}

_SEALS: dict[str, tuple[int, int]] = {
    "Marseille": (3, 1),
    "Venezia": (2, 1),
    "Constantinople": (3, 2),
    "Valencia": (1, 2),
    "Napoli": (1, 3),
    "Athina": (2, 3),
    "Tanger": (2, 1),
    "Tunis": (3, 1),
    "Alexandria": (3, 2),
}


def distance(one: str, other: str) -> int:
    """Grid distance over all slots, whether or not a tile lies on them [G-39, G-59, BOARD-13]."""
    return abs(GRID[one][0] - GRID[other][0]) + abs(GRID[one][1] - GRID[other][1])


@dataclass(frozen=True)
class Card:
    """A sailing card; ``cities`` has one name (destination) or two (interconnection) [CARD-02, CARD-06]."""

    name: str
    kind: str
    cities: tuple[str, ...]
    seals: int
    price: int


def _print_cards() -> dict[str, Card]:
    """All 54 sailing cards by their name; a pair is named in alphabetical order [CARD-01, CARD-10]."""
    cards: dict[str, Card] = {}
    for city, both in _SEALS.items():
        for seals in both:
            name = f"{city}/{seals}"
            cards[name] = Card(name, "destination", (city,), seals, 3 + seals)
    ordered = sorted(MAIN_CITIES)
    for index, one in enumerate(ordered):
        for other in ordered[index + 1 :]:
            name = f"{one}-{other}"
            cards[name] = Card(name, "link", (one, other), 0, min(3, distance(one, other)))
    return cards


CARDS: dict[str, Card] = _print_cards()


def card_name(text: str) -> str:
    """The name we use for a card written in either order of its cities; an unknown text comes back unchanged."""
    if text in CARDS:
        return text
    turned = "-".join(reversed(text.split("-")))
    return turned if turned in CARDS else text
