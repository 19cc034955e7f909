"""The figures printed on board and cards: a TOML file becomes the record that every rule takes as an argument.

A board file is written by people, so everything about it is checked once, here, and refused as `BadBoard` with the
file, the key and the reason. What this lets through, the engine can rely on.
"""

import functools
import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np

from elcapitan.board.board_file import SOURCES, Figure, FileTable, nearest, printable, short
from elcapitan.engine.record import from_bytes, zeros
from elcapitan.engine.simd import FOUR
from elcapitan.engine.state import Board, Boards
from elcapitan.engine.vocabulary import (
    BONUS_CARDS,
    CARDS,
    CITIES,
    CITY_NAMES,
    DESTINATIONS,
    FACE_UP,
    FLIPPED,
    FORTRESS_SITES,
    LISBOA,
    MAIN_CITIES,
    MOST_SEALS,
    NEVER,
    NO_SITE,
    PHASES,
    PLACES,
    PORTO,
    SEATS,
    SITES,
    SPACES,
    TILE_NAMES,
)
from elcapitan.errors import BadBoard

__all__ = ["SOURCES", "Figure", "Figures", "load", "packaged"]

MAIN_NAMES: Final = CITY_NAMES[:MAIN_CITIES]
PAIRS: Final = tuple(combinations(range(MAIN_CITIES), 2))  # the link cards, in order
CITY_KEYS: Final = ("place", "harbours", "fortresses", "track", "dark", "triangle")

NAME_LENGTH: Final = 40
MOST_MONEY: Final = 25_000  # in all purses together; they hold int16, and amounts from 30,000 have another meaning
MOST_LOAN_CARDS: Final = 99
FIRST_SHUT_DOWN: Final = 3  # no shut-down site before S3 (G-60)
ROWS: Final = 3
MOST_WAREHOUSES: Final = 7  # a phase: five merchants in three phases then still find room on the board's 108 sites
MOST_FORTRESSES: Final = 1  # a phase: with two they would need 30 of the board's 18 fortress sites


@dataclass(frozen=True, eq=False)  # boards are compared by name
class Figures:
    """A board that can be played with."""

    name: str  # its identity in game records
    boards: Boards  # one record, read-only, in the form that kernels take
    cards: tuple[str, ...]  # the name of each sailing card by its number
    printed: Mapping[str, Figure]  # every figure by its dotted key, in the order of the file

    def __copy__(self) -> "Figures":
        return self  # nothing in it can be written

    def __deepcopy__(self, _memo: object) -> "Figures":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.name, self.boards.tobytes(), self.cards, self.printed)

    @property
    def board(self) -> Board:
        """The record of printed figures that every rule takes."""
        return self.boards[0]

    @property
    def sources(self) -> dict[str, str]:
        """Where each figure comes from: a letter of SOURCES by dotted key."""
        return {key: figure.source for key, figure in self.printed.items()}


def load(path: Path | None = None) -> Figures:
    """Read and check a board file; without a path, the packaged board."""
    if path is None:
        return packaged()
    figures = _parse(str(path), _read(path))
    return _identified(figures)


@functools.cache
def packaged() -> Figures:
    """The board that comes with the package."""
    file = resources.files("elcapitan") / "data" / "mediterranean.toml"
    return _parse(file.name, file.read_bytes())


def _unpickle(name: str, content: bytes, cards: tuple[str, ...], printed: Mapping[str, Figure]) -> Figures:
    """A board from another process: read-only again, which is part of the type that kernels are compiled for."""
    known = packaged()
    if name == known.name and content == known.boards.tobytes():
        return known
    return Figures(name, from_bytes(Board, content), cards, printed)


def _identified(figures: Figures) -> Figures:
    """The same board under the name that tells it from every other: boards with equal figures share one."""
    content = figures.boards.tobytes()
    if content == packaged().boards.tobytes():
        name = packaged().name
    else:
        name = f"{figures.name}@{hashlib.sha256(content).hexdigest()[:8]}"
    return Figures(name, figures.boards, figures.cards, figures.printed)


def _read(path: Path) -> bytes:
    """The content of a board file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise BadBoard(str(path), "", "no-file") from None
    except OSError as error:
        raise BadBoard(str(path), "", "unreadable", problem=error.strerror or error) from None


def _parse(file: str, content: bytes) -> Figures:
    """A board from the content of a file, under the name written in it [G-46]."""
    try:
        tables = tomllib.loads(content.decode("utf-8-sig"))  # some editors begin a file with a byte order mark
    except (ValueError, RecursionError) as error:  # bad UTF-8 and bad TOML are ValueErrors both
        raise BadBoard(file, "", "not-toml", problem=error) from None
    root = FileTable(file, "", tables, {})
    root.expect(("name", "cities", "expansion", "cards", "money", "pieces"))

    boards = zeros(Board, 1)
    board = boards[0]
    name = _read_name(root)
    _read_cities(root, board)
    cards = root.table("cards", ("destinations", "links"))
    names = _read_destinations(cards, board) + _read_links(cards, board)
    _sort_by_price(board)
    _chart_legs(board)
    money = root.table("money", ("start", "chart", "bonus", "charge", "pirate_step", "loans"))
    _read_money(money, board)
    _read_loans(money.table("loans", ("small", "large")), board)
    _read_pieces(root.table("pieces", ("warehouses", "neutral_warehouses", "fortresses")), board)
    _check_money(money, board)
    boards.flags.writeable = False
    return Figures(name, boards, names, root.printed)


def _read_name(root: FileTable) -> str:
    """The board's name, which stands in game records."""
    name = root.content["name"]
    if not isinstance(name, str):
        root.refuse("name", "not-text")
    if len(name) > NAME_LENGTH or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        root.refuse("name", "bad-name", found=short(name), most=NAME_LENGTH)
    return name


def _read_cities(root: FileTable, board: Board) -> None:
    """[BOARD-01, BOARD-14, EXP-02, G-46] Both tables of cities, then what follows from where the cities lie."""
    places: dict[tuple[int, ...], str] = {}
    for section, names in (("cities", MAIN_NAMES), ("expansion", TILE_NAMES)):
        tables = root.table(section)
        tables.expect_cities(names)
        for name in names:
            city = tables.table(name, CITY_KEYS)
            place = _read_place(city, tile=section == "expansion")
            if place in places:
                city.refuse("place", "place-taken", city=places[place])
            places[place] = name
            _read_prices(city, board, CITY_NAMES.index(name))
            _read_track(city, board, CITY_NAMES.index(name))
    _measure(board, {name: place for place, name in places.items()})


def _read_place(city: FileTable, *, tile: bool) -> tuple[int, ...]:
    """Row and column of a city: the tiles of the expansion lie in the column west of the board."""
    first, last = (0, 0) if tile else (1, 3)
    row, column = place = city.numbers("place", 2)
    if not (1 <= row <= ROWS and first <= column <= last):
        city.refuse("place", "wrong-place", first=first, last=last)
    return place


def _read_prices(city: FileTable, board: Board, number: int) -> None:
    """[BOARD-02, BOARD-15, LISB-02, PORTO-01, PORTO-03, G-60] What harbours and fortress sites cost.

    One that a city does not have costs more than any player has.
    """
    spaces = SPACES if number == PORTO else SPACES - 1  # [PORTO-01]
    sites = FORTRESS_SITES - 1 if number == PORTO else FORTRESS_SITES  # [PORTO-03]
    board.harbours[number] = spaces
    board.harbour_price[number] = NEVER
    board.harbour_price[number, :spaces] = city.numbers("harbours", spaces)
    board.fortress_sites[number] = sites
    board.fortress_price[number] = NEVER
    board.fortress_price[number, :sites] = city.rising("fortresses", sites)


def _read_track(city: FileTable, board: Board, number: int) -> None:
    """[BOARD-05, BOARD-06, BOARD-08, BOARD-09, LISB-04, G-40] The numbers along the track and its shut-down sites."""
    track = city.numbers("track", SITES + 1)
    if track[0] != 0:  # [BOARD-06]
        city.refuse("track", "first-not-zero", found=track[0])
    board.track[number] = track

    dark = city.numbers("dark", None, least=1, most=SITES)
    for site in dark:
        _check_shut_down(city, "dark", site)
        if board.dark[number, site - 1]:
            city.refuse("dark", "twice", found=site)
        board.dark[number, site - 1] = 1

    triangle = city.number("triangle", most=SITES)
    board.triangle[number] = NO_SITE
    if triangle:
        _check_shut_down(city, "triangle", triangle)
        if triangle in dark:
            city.refuse("triangle", "dark-triangle", found=triangle)
        board.triangle[number] = triangle - 1


def _check_shut_down(city: FileTable, name: str, site: int) -> None:
    """A shut-down site needs a chain of two before it, or it would close the warehouse just built [G-60]."""
    if site < FIRST_SHUT_DOWN:
        city.refuse(name, "too-early", found=site, least=FIRST_SHUT_DOWN)


def _measure(board: Board, places: Mapping[str, tuple[int, ...]]) -> None:
    """[BOARD-13, EXP-09, G-39] Steps between any two cities, empty slots counted; which cities so many seals reach."""
    for one, other in np.ndindex(CITIES, CITIES):
        (row, column), (to_row, to_column) = places[CITY_NAMES[one]], places[CITY_NAMES[other]]
        steps = abs(row - to_row) + abs(column - to_column)
        board.distance[one, other] = steps
        for seals in range(steps, MOST_SEALS + 1):
            if one != other:
                board.near[one, seals] |= 1 << other


def _read_destinations(cards: FileTable, board: Board) -> tuple[str, ...]:
    """The destination cards: two for each main city [CARD-02, CARD-10]; their names."""
    tables = cards.table("destinations")
    tables.expect_cities(MAIN_NAMES)
    names: list[str] = []
    for city, name in enumerate(MAIN_NAMES):
        for copy, card in enumerate(tables.items(name, 2)):
            card.expect(("seals", "price"))
            number = 2 * city + copy
            seals = card.number("seals", 1, MOST_SEALS)
            board.card_city[number] = city
            board.seals[number] = seals
            board.card_price[number] = card.number("price")
            card_name = f"{name}/{seals}"
            names.append(card_name + "b" if card_name in names else card_name)
    return tuple(names)


def _read_links(cards: FileTable, board: Board) -> tuple[str, ...]:
    """The link cards: one for each pair of main cities [CARD-06, CARD-10], written in either order; their names."""
    table = cards.table("links")
    written: dict[tuple[int, ...], str] = {}
    for key in table.content:
        pair = _read_pair(table, key)
        if pair in written:
            table.refuse(key, "pair-twice")
        written[pair] = key
    names = tuple(f"{CITY_NAMES[one]}-{CITY_NAMES[other]}" for one, other in PAIRS)
    for number, (pair, name) in enumerate(zip(PAIRS, names, strict=True), start=DESTINATIONS):
        if pair not in written:
            table.refuse(name, "missing")
        board.card_city[number] = pair
        board.card_price[number] = table.number(written[pair])
        for city in pair:
            board.links_of[city] |= 1 << number
    return names


def _read_pair(table: FileTable, key: str) -> tuple[int, ...]:
    """The two cities of a key such as Marseille-Napoli, the lower number first."""
    cities = key.split("-")
    for city in cities:
        if city not in MAIN_NAMES:
            table.refuse(key, "unknown-city", city=printable(city), nearest=nearest(city, MAIN_NAMES))
    pair = tuple(sorted({MAIN_NAMES.index(city) for city in cities}))
    if len(cities) != 2 or len(pair) != 2:
        table.refuse(key, "not-a-pair", example=f"{MAIN_NAMES[0]}-{MAIN_NAMES[1]}")
    return pair


def _sort_by_price(board: Board) -> None:
    """For every amount of florins the cities where it buys a warehouse or a fortress, and the cards it buys."""
    for city in range(CITIES):
        for kind, price in enumerate([*board.harbour_price[city], *board.fortress_price[city]]):
            board.for_florins[int(price) :] |= 1 << kind * CITIES + city
    costs = sorted({*board.harbour_price.ravel().tolist(), *board.fortress_price.ravel().tolist()})
    costs = [cost for cost in costs if cost != NEVER]
    board.build_prices = len(costs)
    board.build_price[: len(costs)] = costs
    prices = sorted({int(price) for price in board.card_price})
    board.prices = len(prices)
    board.price[: len(prices)] = prices
    for card, price in enumerate(board.card_price):
        board.cards_at_most[int(price) :] |= 1 << card
        board.cards_at[prices.index(int(price))] |= 1 << card


def _chart_legs(board: Board) -> None:
    """Where every card leads from every place [CARD-04, CARD-05, CARD-06, SAIL-06, G-03, G-04].

    A destination can be sailed to from anywhere, by a sea route or a link only from a city; no card leads back to
    where it starts from. Tile cities are charted as if all were in play.
    """
    for place, card in np.ndindex(PLACES, CARDS):
        one, other = (1 << int(city) for city in board.card_city[card])
        here = 1 << place
        targets = 0
        if card < DESTINATIONS:
            targets = one | (int(board.near[place, board.seals[card]]) if place < CITIES else 0)
        elif here & (one | other):
            targets = one | other
        board.leads[place, card] = targets & ~here
        if targets & ~here:
            board.usable[place] |= 1 << card
        for city in range(CITIES):
            leading = (targets & ~here) >> city << card & 1 << card
            board.cards_to[place, city] |= leading
            for some in range(1 << FOUR):
                if some >> city % FOUR & 1:
                    board.cards_into[city // FOUR << FOUR | some, place] |= leading


def _read_money(money: FileTable, board: Board) -> None:
    """What is paid and charged [SET-03, SET-10, BOARD-12, G-23]."""
    board.start_cash = money.number("start")
    board.chart[:] = money.rising("chart", CITIES + 1)
    board.bonus[:] = money.numbers("bonus", BONUS_CARDS)
    board.charge[:] = money.numbers("charge", PHASES)
    board.pirate_step = money.number("pirate_step")


def _read_loans(loans: FileTable, board: Board) -> None:
    """[SET-08, LOAN-08, G-26] Two kinds of loan, told apart by their amounts: the large brings more, none is a gift."""
    least = 1
    for number, name in enumerate(("small", "large")):
        loan = loans.table(name, ("amount", "cards", "due", "extended"))
        amount = loan.number("amount", least)
        due = loan.number("due", amount)
        board.loan_amount[number] = amount
        board.loan_cards[number] = loan.number("cards", 1, MOST_LOAN_CARDS)
        board.loan_due[number, FACE_UP] = due
        board.loan_due[number, FLIPPED] = loan.number("extended", due)
        least = amount + 1


def _read_pieces(pieces: FileTable, board: Board) -> None:
    """What every merchant gets for a phase [SET-02, AFTER-08, TWO-03]."""
    board.new_houses = pieces.number("warehouses", 1, MOST_WAREHOUSES)
    board.new_neutral = pieces.number("neutral_warehouses", 0, MOST_WAREHOUSES)
    board.new_fortresses = pieces.number("fortresses", 0, MOST_FORTRESSES)


def _check_money(money: FileTable, board: Board) -> None:
    """Refuse figures with which a purse, or a debt, could outgrow its field."""
    owed = int((board.loan_cards.astype(int) * board.loan_due[:, FLIPPED]).sum())
    most = max(_most_income(board), owed)
    if most > MOST_MONEY:
        raise BadBoard(money.file, money.key, "too-much-money", most=most, limit=MOST_MONEY)


def _most_income(board: Board) -> int:
    """More money than can ever be in all purses together, whichever seat has it (the pirate moves it about)."""
    peaks: Any = board.track.astype(int).max(axis=1)
    # A city pays at most once in full, four times half and its two fortresses in full.
    payday = SEATS * int(board.chart[CITIES]) + 5 * int(peaks.sum())
    at_once = 2 * SITES * int(peaks[LISBOA])  # every warehouse built there, re-opened ones included [LISB-03]
    lent = int((board.loan_cards.astype(int) * board.loan_amount).sum())
    return SEATS * int(board.start_cash) + lent + PHASES * payday + at_once + int(board.bonus.sum())
