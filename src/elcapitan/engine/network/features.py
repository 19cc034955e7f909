"""A position as a row of small integers for the network, seen from one seat.

Seats stand in the order in which they follow the one who looks, who is always the first; colours likewise. A row has a
block for each city, one for each seat, one for the table, and sets of cards. Most cells are a yes (1) or no (0); for
the others `SCALES` holds factors that bring them to about -1 to 1. Nothing face down is in it.

What the rules say of a position (ranks, incomes, prices) is asked of them and written down as it is.
"""

import math
from itertools import accumulate
from typing import Final

import numpy as np

from elcapitan.engine.jit import lowest, many, rule, whole
from elcapitan.engine.record import Int8s
from elcapitan.engine.rules.buildings import colours_in_play, fortress_price, next_site, shuts_down, two_colours
from elcapitan.engine.rules.loans import debt
from elcapitan.engine.rules.payday import amount, bonus_worth, foremost, half, majority_income, most_houses, open_houses
from elcapitan.engine.search.worth import fewest_of_others, hand_prices, pieces_left
from elcapitan.engine.simd import WIDE, poke_set
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import (
    AWAY,
    BANK,
    BONUS_CARDS,
    CITIES,
    COLOURS,
    FORTRESS_SITES,
    LOANS,
    NEUTRAL_OFFSET,
    NEVER,
    NO_SITE,
    OPTION_NAMES,
    PHASES,
    SEATS,
    SITES,
    SPACES,
    STAGE_NAMES,
    TILES,
)

VERSION: Final = 1  # of the row
MOST: Final = 127  # in one cell
MOST_STOCK: Final = 6
LEVELS_OF_CASH: Final = (3, 5, 7, 9, 12, 15, 20, 30)  # "at least so many florins"

Parts = dict[str, tuple[tuple[int, ...], float, str]]  # shape, scale, what it tells

CITY_PARTS: Final[Parts] = {
    "in_play": ((1,), 1, "the city is in play"),
    "any": ((COLOURS,), 1, "colours with an open warehouse"),
    "two": ((COLOURS,), 1, "colours with two or more"),
    "three": ((COLOURS,), 1, "colours with three or more"),
    "houses": ((COLOURS,), 1 / 4, "open warehouses by colour"),
    "foremost": ((COLOURS,), 1 / 12, "how far forward the first of each stands"),
    "closed": ((COLOURS,), 1 / 2, "closed warehouses by colour"),
    "room": ((COLOURS,), 1, "colours that may take the next site"),
    "front": ((COLOURS,), 1, "the colour that stands first"),
    "second": ((COLOURS,), 1, "the colour on the site after it"),
    "last": ((COLOURS,), 1, "the colour that stands last"),
    "row": ((2,), 1, "the last two, and the last three, are of one colour"),
    "majority": ((SEATS,), 1 / 20, "what the rank of each seat pays"),
    "fortress": ((SEATS,), 1, "seats with a fortress"),
    "fortress_pays": ((SEATS,), 1 / 20, "what it pays"),
    "ship": ((SEATS,), 1, "seats whose ship is there"),
    "space": ((SEATS,), 1, "those in the second or third harbour space"),
    "pays": ((3,), 1 / 24, "what first rank pays: now, with one warehouse more, with two"),
    "shuts": ((2,), 1, "the next warehouse, and the one after it, shut the first one down"),
    "full": ((1,), 1, "the last site is taken"),
    "open": ((1,), 1 / 12, "open warehouses"),
    "fullest": ((1,), 1, "no city has more"),
    "spaces": ((1,), 1 / 2, "free harbour spaces"),
    "price": ((1,), 1 / 6, "of a warehouse from the first of them"),
    "fortress_sites": ((1,), 1 / 2, "free fortress sites"),
    "fortress_price": ((1,), 1 / 12, "of the next fortress"),
    "pirate": ((1,), 1, "the pirate is there"),
}
SEAT_PARTS: Final[Parts] = {
    "present": ((1,), 1, "somebody plays this seat"),
    "cash": ((1,), 1 / 64, "half of the cash"),
    "little_cash": ((1,), 1 / 12, "cash, at most 24 florins of it"),
    "cash_levels": ((len(LEVELS_OF_CASH),), 1, "cash for builds of all kinds"),
    "debt": ((1,), 1 / 40, "what all loans show"),
    "loans": ((LOANS, 2), 1 / 2, "small and large loans, each face up and extended"),
    "stock": ((1,), 1 / 6, "warehouses of the main colour to be built"),
    "stock_is": ((MOST_STOCK + 1,), 1, "the same, one cell for each number"),
    "neutral_stock": ((1,), 1 / 2, "warehouses of the neutral colour to be built"),
    "fortresses": ((1,), 1, "fortresses to be built"),
    "left": ((2,), 1, "nothing, or one piece, is left to be built"),
    "cities": ((CITIES + 1,), 1, "cities with an open warehouse, one cell for each number"),
    "bonus": ((BONUS_CARDS,), 1, "the bonus card"),
    "income": ((1,), 1 / 64, "half of what a payday would pay"),
    "majority": ((1,), 1 / 64, "half of what ranks pay"),
    "fortress": ((1,), 1 / 32, "what fortresses pay"),
    "chart": ((1,), 1 / 64, "what the chart pays"),
    "promise": ((1,), 1 / 32, "a quarter of the money at the end if nothing changed"),
    "away": ((2,), 1, "the ship is away, or in the bank harbour"),
    "cards": ((1,), 1 / 4, "cards in hand"),
    "card_prices": ((1,), 1 / 16, "their prices"),
    "lead": ((1,), 1 / 4, "pieces fewer than the one with the fewest of the others"),
}
TABLE_PARTS: Final[Parts] = {
    "players": ((SEATS - 1,), 1, "how many play: 2, 3, 4 or 5"),
    "tiles": ((TILES,), 1, "Porto, Lisboa, Islas Canarias are in play"),
    "options": ((len(OPTION_NAMES),), 1, "the table options"),
    "phase": ((PHASES,), 1, "the phase"),
    "round": ((1,), 1 / 8, "its round"),
    "stage": ((len(STAGE_NAMES),), 1, "what is to be decided"),
    "deciding": ((SEATS,), 1, "who decides"),
    "starter": ((SEATS,), 1, "starting player of the phase"),
    "passes": ((1,), 1 / 4, "seats that passed in this round"),
    "decks": ((2,), 1 / 16, "destinations and links face down"),
    "bank": ((LOANS,), 1 / 12, "small and large loans left at the bank"),
    "undecided": ((LOANS,), 1 / 2, "loans that the deciding seat has still to settle"),
}
CARD_SETS: Final = ("display", "discards", *(f"hand {seat}" for seat in range(SEATS)))


def _sizes(parts: Parts) -> list[int]:
    """Return the number of cells of each part."""
    return [math.prod(shape) for shape, _scale, _tells in parts.values()]


def _offsets(parts: Parts) -> dict[str, int]:
    """Return the first cell of each part, within its block."""
    return dict(zip(parts, accumulate([0, *_sizes(parts)]), strict=False))


_CITY, _SEAT, _TABLE = _offsets(CITY_PARTS), _offsets(SEAT_PARTS), _offsets(TABLE_PARTS)
CITY_CELLS: Final = sum(_sizes(CITY_PARTS))
SEAT_CELLS: Final = sum(_sizes(SEAT_PARTS))
SEATS_AT: Final = CITIES * CITY_CELLS
TABLE_AT: Final = SEATS_AT + SEATS * SEAT_CELLS
_TABLE_CELLS: Final = sum(_sizes(TABLE_PARTS))
CARDS_AT: Final = TABLE_AT + _TABLE_CELLS
CELLS: Final = -(-(CARDS_AT + len(CARD_SETS) * WIDE) // WIDE) * WIDE  # whole words of 64 bytes
PRESENT_AT: Final = tuple(SEATS_AT + seat * SEAT_CELLS for seat in range(SEATS))  # whether a seat is played


def _scales() -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    """Return the factor of every cell."""
    found = np.ones(CELLS, np.float32)
    blocks = [(city * CITY_CELLS, CITY_PARTS) for city in range(CITIES)]
    blocks += [(at, SEAT_PARTS) for at in PRESENT_AT] + [(TABLE_AT, TABLE_PARTS)]
    for at, parts in blocks:
        for (_shape, scale, _tells), begin, size in zip(
            parts.values(), _offsets(parts).values(), _sizes(parts), strict=False
        ):
            found[at + begin : at + begin + size] = scale
    return found


SCALES: Final = _scales()

# Compiled code reads plain numbers.
IN_PLAY, ANY, TWO, THREE, HOUSES = (_CITY[name] for name in ("in_play", "any", "two", "three", "houses"))
FOREMOST, CLOSED, ROOM, FRONT = (_CITY[name] for name in ("foremost", "closed", "room", "front"))
SECOND, LAST, ROW, MAJORITY = (_CITY[name] for name in ("second", "last", "row", "majority"))
FORTRESS, FORTRESS_PAYS, SHIP, SPACE = (_CITY[name] for name in ("fortress", "fortress_pays", "ship", "space"))
PAYS, SHUTS, FULL, OPEN, FULLEST = (_CITY[name] for name in ("pays", "shuts", "full", "open", "fullest"))
SPACES_FREE, PRICE, FORTRESS_SITES_FREE = (_CITY[name] for name in ("spaces", "price", "fortress_sites"))
FORTRESS_PRICE, PIRATE_HERE = (_CITY[name] for name in ("fortress_price", "pirate"))
CASH, LITTLE_CASH, CASH_LEVELS, DEBT = (_SEAT[name] for name in ("cash", "little_cash", "cash_levels", "debt"))
LOANS_OF, STOCK, STOCK_IS, NEUTRAL_STOCK = (_SEAT[name] for name in ("loans", "stock", "stock_is", "neutral_stock"))
FORTRESSES, LEFT, CITIES_OF, BONUS = (_SEAT[name] for name in ("fortresses", "left", "cities", "bonus"))
INCOME, MAJORITIES, FORTRESS_INCOME, CHART = (_SEAT[name] for name in ("income", "majority", "fortress", "chart"))
PROMISE, AWAY_AT, CARDS_OF, CARD_PRICES = (_SEAT[name] for name in ("promise", "away", "cards", "card_prices"))
LEAD: Final = _SEAT["lead"]
PLAYERS, TILES_OF, OPTIONS, PHASE = (TABLE_AT + _TABLE[name] for name in ("players", "tiles", "options", "phase"))
ROUND, STAGE, DECIDING, STARTER = (TABLE_AT + _TABLE[name] for name in ("round", "stage", "deciding", "starter"))
PASSES, DECKS, AT_BANK, UNDECIDED = (TABLE_AT + _TABLE[name] for name in ("passes", "decks", "bank", "undecided"))
N_OPTIONS: Final = len(OPTION_NAMES)
N_LEVELS: Final = len(LEVELS_OF_CASH)


@rule
def clip(number: int) -> int:
    """A number as near as a cell can hold it."""
    return max(-MOST, min(MOST, number))


@rule
def seen_from(s: State, me: int, seat: int) -> int:
    """How many seats after `me` a seat comes."""
    after = seat - me
    return after if after >= 0 else after + whole(s.players)


@rule
def colour_from(s: State, me: int, colour: int) -> int:
    """The place of a colour, as seen from a seat: with two players the neutral colours come after the main ones."""
    if two_colours(s):
        return seen_from(s, me, colour % NEUTRAL_OFFSET) + (colour - colour % NEUTRAL_OFFSET)
    return seen_from(s, me, colour)


@rule
def write_features(s: State, b: Board, rows: Int8s, n: int, me: int) -> None:
    """Write a position, as seen from seat `me`, into row `n`."""
    for at in range(0, CELLS, WIDE):
        poke_set(rows, n, at, 0)
    most, cities = most_houses(s), whole(s.in_play)
    while cities != 0:
        city = lowest(cities)
        cities &= cities - 1
        write_city(s, b, rows, n, city)
        write_colours(s, rows, n, city, me)
        write_seats_in_city(s, b, rows, n, city, me, most)
    for seat in range(whole(s.players)):
        write_seat(s, b, rows, n, seat, me)
    write_table(s, rows, n, me)
    write_cards(s, rows, n, me)


@rule
def write_city(s: State, b: Board, rows: Int8s, n: int, city: int) -> None:
    """[MAJ-02, SHUT-01, FORTPAY-02, WARE-05] What a city pays and costs."""
    o = city * CITY_CELLS
    rows[n, o + IN_PLAY] = 1
    last, site = whole(s.last[city]), next_site(s, city)
    pays = clip(amount(s, b, city))
    rows[n, o + PAYS] = pays
    rows[n, o + PAYS + 1] = pays
    rows[n, o + PAYS + 2] = pays
    if last == SITES - 1:
        rows[n, o + FULL] = 1
    elif site != NO_SITE:
        end = max(site, last)
        rows[n, o + PAYS + 1] = clip(whole(b.track[city, end + 1]))
        rows[n, o + PAYS + 2] = clip(whole(b.track[city, min(end + 2, SITES)]))
        if shuts_down(s, b, city, site):
            rows[n, o + SHUTS] = 1
        if site + 1 < SITES and shuts_down(s, b, city, site + 1):
            rows[n, o + SHUTS + 1] = 1
    rows[n, o + OPEN] = open_houses(s, city)
    free, price = 0, 0
    for space in range(SPACES - 1, -1, -1):
        if (whole(s.free[space]) >> city) & 1:
            free += 1
            price = whole(b.harbour_price[city, space])
    rows[n, o + SPACES_FREE] = free
    rows[n, o + PRICE] = clip(price)
    sites = 0
    for k in range(FORTRESS_SITES):
        sites += (whole(s.unfortified[k]) >> city) & 1
    rows[n, o + FORTRESS_SITES_FREE] = sites
    if fortress_price(s, b, city) < NEVER:
        rows[n, o + FORTRESS_PRICE] = clip(fortress_price(s, b, city))
    if s.pirate_city == city:
        rows[n, o + PIRATE_HERE] = 1


@rule
def write_colours(s: State, rows: Int8s, n: int, city: int, me: int) -> None:
    """[WARE-07, MAJ-04] Which colours stand where in a city, and which may build on."""
    o, front, last = city * CITY_CELLS, whole(s.front[city]), whole(s.last[city])
    for colour in range(colours_in_play(s)):
        r, houses = colour_from(s, me, colour), whole(s.houses[city, colour])
        if houses > 0:
            rows[n, o + ANY + r] = 1
            rows[n, o + TWO + r] = 1 if houses > 1 else 0
            rows[n, o + THREE + r] = 1 if houses > 2 else 0
            rows[n, o + HOUSES + r] = houses
            rows[n, o + FOREMOST + r] = SITES - foremost(s, city, colour)
        rows[n, o + CLOSED + r] = s.closed[city, colour]
        rows[n, o + ROOM + r] = (whole(s.room[colour]) >> city) & 1
    if last == NO_SITE:
        return
    end = whole(s.site[city, last])
    rows[n, o + FRONT + colour_from(s, me, whole(s.site[city, front]))] = 1
    rows[n, o + LAST + colour_from(s, me, end)] = 1
    if front < last:
        rows[n, o + SECOND + colour_from(s, me, whole(s.site[city, front + 1]))] = 1
        if s.site[city, last - 1] == end:
            rows[n, o + ROW] = 1
            if front < last - 1 and s.site[city, last - 2] == end:
                rows[n, o + ROW + 1] = 1


@rule
def write_seats_in_city(s: State, b: Board, rows: Int8s, n: int, city: int, me: int, most: int) -> None:
    """[MAJ-01, FORTPAY-01] What each seat has and earns in a city, and where its ship is."""
    o, worth = city * CITY_CELLS, amount(s, b, city)
    fullest = open_houses(s, city) == most
    rows[n, o + FULLEST] = 1 if fullest else 0
    for seat in range(whole(s.players)):
        r = seen_from(s, me, seat)
        if s.houses[city, seat] > 0:
            rows[n, o + MAJORITY + r] = clip(majority_income(s, b, seat, city))
        if (whole(s.fortified[seat]) >> city) & 1:
            rows[n, o + FORTRESS + r] = 1
            rows[n, o + FORTRESS_PAYS + r] = clip(worth if fullest else half(worth))
        if s.ship_city[seat] == city:
            rows[n, o + SHIP + r] = 1
            rows[n, o + SPACE + r] = 1 if s.ship_space[seat] > 0 else 0


@rule
def write_seat(s: State, b: Board, rows: Int8s, n: int, seat: int, me: int) -> None:
    """[PAY-01, LOAN-08] What a merchant has, owes and would be paid."""
    r = seen_from(s, me, seat)
    o, cash, owed = SEATS_AT + r * SEAT_CELLS, whole(s.cash[seat]), debt(s, b, seat)
    rows[n, o] = 1
    rows[n, o + CASH] = clip(cash // 2)
    rows[n, o + LITTLE_CASH] = max(-24, min(24, cash))
    for k in range(N_LEVELS):
        rows[n, o + CASH_LEVELS + k] = 1 if cash >= LEVELS_OF_CASH[k] else 0
    rows[n, o + DEBT] = clip(owed)
    for kind in range(LOANS):
        for side in range(2):
            rows[n, o + LOANS_OF + 2 * kind + side] = s.loans[seat, kind, side]
    stock, left = whole(s.stock[seat]), pieces_left(s, seat)
    rows[n, o + STOCK] = stock
    rows[n, o + STOCK_IS + min(stock, MOST_STOCK)] = 1
    if two_colours(s):
        rows[n, o + NEUTRAL_STOCK] = s.stock[seat + NEUTRAL_OFFSET]
    rows[n, o + FORTRESSES] = s.fortresses[seat]
    if left < 2:
        rows[n, o + LEFT + left] = 1
    cities, majority, fortress = 0, 0, 0
    for city in range(CITIES):
        at = city * CITY_CELLS + r
        cities += whole(rows[n, at + ANY])
        majority += whole(rows[n, at + MAJORITY])
        fortress += whole(rows[n, at + FORTRESS_PAYS])
    chart = whole(b.chart[cities])
    income = chart + majority + fortress
    rows[n, o + CITIES_OF + cities] = 1
    if s.bonus[seat] > 0:
        rows[n, o + BONUS + whole(s.bonus[seat]) - 1] = 1
    rows[n, o + INCOME] = clip(income // 2)
    rows[n, o + MAJORITIES] = clip(majority // 2)
    rows[n, o + FORTRESS_INCOME] = clip(fortress)
    rows[n, o + CHART] = clip(chart)
    paydays = PHASES + 1 - whole(s.phase)
    rows[n, o + PROMISE] = clip((cash - owed + bonus_worth(s, b, seat) + income * paydays) // 4)
    rows[n, o + AWAY_AT] = 1 if s.ship_city[seat] == AWAY else 0
    rows[n, o + AWAY_AT + 1] = 1 if s.ship_city[seat] == BANK else 0
    rows[n, o + CARDS_OF] = many(whole(s.hand[seat]))
    rows[n, o + CARD_PRICES] = clip(hand_prices(s, b, seat))
    rows[n, o + LEAD] = clip(fewest_of_others(s, seat) - left)


@rule
def write_table(s: State, rows: Int8s, n: int, me: int) -> None:
    """[SET-01, PHASE-01] What belongs to nobody: the set-up, the phase, whose turn it is, decks and bank."""
    rows[n, PLAYERS + whole(s.players) - 2] = 1
    for tile in range(TILES):
        rows[n, TILES_OF + tile] = (whole(s.tiles) >> tile) & 1
    for option in range(N_OPTIONS):
        rows[n, OPTIONS + option] = (whole(s.options) >> option) & 1
    rows[n, PHASE + min(whole(s.phase), PHASES) - 1] = 1
    rows[n, ROUND] = clip(whole(s.round_no))
    rows[n, STAGE + whole(s.stage)] = 1
    rows[n, DECIDING + seen_from(s, me, whole(s.seat))] = 1
    rows[n, STARTER + seen_from(s, me, whole(s.starter))] = 1
    rows[n, PASSES] = s.passes
    for deck in range(2):
        rows[n, DECKS + deck] = s.deck_left[deck]
    for kind in range(LOANS):
        rows[n, AT_BANK + kind] = s.loans_left[kind]
        rows[n, UNDECIDED + kind] = s.undecided[kind]


@rule
def write_cards(s: State, rows: Int8s, n: int, me: int) -> None:
    """[CARD-01] The open cards: display, discards, and all hands."""
    poke_set(rows, n, CARDS_AT, whole(s.display))
    poke_set(rows, n, CARDS_AT + WIDE, whole(s.discard))
    for seat in range(whole(s.players)):
        poke_set(rows, n, CARDS_AT + (2 + seen_from(s, me, seat)) * WIDE, whole(s.hand[seat]))
