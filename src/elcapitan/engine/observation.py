"""A position as numbers for learners: what a seat sees, in named parts of one row of small integers.

Seats stand in the order in which they follow the one who looks, who is always the first; colours likewise. Every cell
is a count or a yes (1) or no (0) and fits into eight bits; cash is two cells, 256 x the second + the first, and a site
tells the colour that stands there, from 1. Nothing face down is in it: which cards those are follows from all the
others, their order is never looked at.

A learner asks for this at every step, so what lies side by side is written eight cells at a time where that is easy.
"""

import math
from itertools import accumulate
from typing import Any, Final

from elcapitan.engine.jit import lowest, peek, poke, rule, whole
from elcapitan.engine.rules.two_players import two_colours
from elcapitan.engine.state import STATE, State
from elcapitan.engine.vocabulary import (
    BONUS_CARDS,
    CARDS,
    CITIES,
    COLOURS,
    FORTRESS_SITES,
    LOANS,
    NEUTRAL,
    NOBODY,
    OPTION_NAMES,
    PHASES,
    PLACES,
    SEATS,
    SITES,
    SPACES,
    STAGE_NAMES,
    TILES,
    TRANSIT,
)

FEWEST: Final = 2  # players
MOST: Final = 127  # in one cell
FREE_MOVES: Final = 3  # not due, due, made

# Every part with its shape and what it tells.
PARTS: Final[dict[str, tuple[tuple[int, ...], str]]] = {
    # The table.
    "players": ((SEATS - FEWEST + 1,), "how many play: 2, 3, 4 or 5"),
    "tiles": ((TILES,), "Porto, Lisboa, Islas Canarias are in play"),
    "options": ((len(OPTION_NAMES),), "table options, in the order of their bits"),
    "phase": ((PHASES,), "the phase"),
    "round": ((1,), "the round of the phase, from 1; no more than 127 is shown"),
    "stage": ((len(STAGE_NAMES),), "what is to be decided, in the order of STAGE_NAMES"),
    "deciding": ((SEATS,), "who decides"),
    "starter": ((SEATS,), "starting player of the phase"),
    "passes": ((1,), "seats that passed in this round"),
    "free_move": ((FREE_MOVES,), "the free pirate move of this turn: not due, due, made"),
    "pirate_used": ((1,), "the pirate was moved by cards or money in this turn"),
    "pirate": ((CITIES,), "where the pirate lies"),
    "pirate_space": ((SPACES,), "in which harbour space"),
    "pirate_voyage": ((CITIES,), "how far a voyage of the pirate by cards has come"),
    "undecided": ((LOANS,), "small and large loans that the deciding seat has still to settle"),
    "bank": ((LOANS,), "small and large loan cards left at the bank"),
    "decks": ((2,), "destinations and links face down"),
    "display": ((CARDS,), "cards for sale"),
    "discards": ((CARDS,), "cards that were used"),
    # The merchants.
    "florins": ((SEATS, 2), "cash: 256 x the second cell + the first"),
    "stock": ((SEATS, 2), "main and neutral warehouses not yet built"),
    "fortress_stock": ((SEATS,), "fortresses not yet built"),
    "lost": ((SEATS, 2), "main and neutral warehouses gone from the game"),
    "bonus": ((SEATS, BONUS_CARDS), "which bonus card"),
    "loans": ((SEATS, LOANS, 2), "small and large loans, each face up and extended"),
    "ship": ((SEATS, PLACES), "where the ship is: a city, the bank, away"),
    "harbour": ((SEATS, SPACES), "in which harbour space; none in transit"),
    "hand": ((SEATS, CARDS), "sailing cards"),
    "fortified": ((SEATS, CITIES), "cities with a fortress of the seat"),
    # The cities.
    "sites": ((CITIES, SITES), "the colour of the open warehouse on each site, from 1, or 0"),
    "fortress_sites": ((CITIES, FORTRESS_SITES), "the seat whose fortress is on each site, from 1, or 0"),
    "open": ((CITIES, COLOURS), "open warehouses by colour"),
    "closed": ((CITIES, COLOURS), "closed warehouses by colour"),
}
_SIZES: Final = [math.prod(shape) for shape, _ in PARTS.values()]
OFFSETS: Final = dict(zip(PARTS, accumulate([0, *_SIZES]), strict=False))
CELLS: Final = sum(_SIZES)

PLAYERS_AT: Final = OFFSETS["players"]
TILES_AT: Final = OFFSETS["tiles"]
OPTIONS_AT: Final = OFFSETS["options"]
OPTIONS: Final = len(OPTION_NAMES)
PHASE_AT: Final = OFFSETS["phase"]
ROUND_AT: Final = OFFSETS["round"]
STAGE_AT: Final = OFFSETS["stage"]
DECIDING_AT: Final = OFFSETS["deciding"]
STARTER_AT: Final = OFFSETS["starter"]
PASSES_AT: Final = OFFSETS["passes"]
FREE_MOVE_AT: Final = OFFSETS["free_move"]
PIRATE_USED_AT: Final = OFFSETS["pirate_used"]
PIRATE_AT: Final = OFFSETS["pirate"]
PIRATE_SPACE_AT: Final = OFFSETS["pirate_space"]
PIRATE_VOYAGE_AT: Final = OFFSETS["pirate_voyage"]
UNDECIDED_AT: Final = OFFSETS["undecided"]
BANK_AT: Final = OFFSETS["bank"]
DECKS_AT: Final = OFFSETS["decks"]
DISPLAY_AT: Final = OFFSETS["display"]
DISCARDS_AT: Final = OFFSETS["discards"]
FLORINS_AT: Final = OFFSETS["florins"]
STOCK_AT: Final = OFFSETS["stock"]
FORTRESS_STOCK_AT: Final = OFFSETS["fortress_stock"]
LOST_AT: Final = OFFSETS["lost"]
BONUS_AT: Final = OFFSETS["bonus"]
LOANS_AT: Final = OFFSETS["loans"]
SHIP_AT: Final = OFFSETS["ship"]
HARBOUR_AT: Final = OFFSETS["harbour"]
HAND_AT: Final = OFFSETS["hand"]
FORTIFIED_AT: Final = OFFSETS["fortified"]
SITES_AT: Final = OFFSETS["sites"]
FORTRESS_SITES_AT: Final = OFFSETS["fortress_sites"]
OPEN_AT: Final = OFFSETS["open"]
CLOSED_AT: Final = OFFSETS["closed"]


EACH: Final = 0x0101010101010101  # 1 in each of the eight cells of a word
HALVES: Final = 0x0000000F0000000F
QUARTERS: Final = 0x0003000300030003
FOUR_CELLS: Final = 0xFFFFFFFF
EVEN_CELLS: Final = 0x00FF00FF
COLOUR_BITS: Final = 7 * EACH
LOW_BITS: Final = 0x7F * EACH
# Where the sites begin in a record, and how many words they are.
SITE_BYTES: Final = STATE.fields["site"][1]  # type: ignore[index]
SITE_WORDS: Final = CITIES * SITES // 8
HOUSE_BYTES: Final = STATE.fields["houses"][1]  # type: ignore[index]
CLOSED_BYTES: Final = STATE.fields["closed"][1]  # type: ignore[index]
FORTRESS_BYTES: Final = STATE.fields["fortress"][1]  # type: ignore[index]
FORTRESS_WORDS: Final = CITIES * FORTRESS_SITES // 8


@rule
def spread(members: int) -> int:
    """Eight bits as the lowest bits of the eight cells of a word."""
    members = (members | members << 28) & HALVES
    members = (members | members << 14) & QUARTERS
    return (members | members << 7) & EACH


@rule
def write_set(rows: Any, i: int, at: int, members: int, count: int) -> None:
    """A set of so many things as yes and no, in whole words: up to seven cells after it become 0 as well."""
    for k in range((count + 7) >> 3):
        poke(rows, i, at + 8 * k, spread(members >> 8 * k & 0xFF))


@rule
def write_few(rows: Any, i: int, at: int, members: int) -> None:
    """The few members of a set as yes; where nothing is written there is a no already."""
    while members != 0:
        rows[i, at + lowest(members)] = 1
        members &= members - 1


@rule
def write_table(s: State, rows: Any, i: int) -> None:
    """What the table agreed on, where the game stands, and the cards that belong to nobody."""
    rows[i, PLAYERS_AT + whole(s.players) - FEWEST] = 1
    for tile in range(TILES):
        rows[i, TILES_AT + tile] = whole(s.tiles) >> tile & 1
    for option in range(OPTIONS):
        rows[i, OPTIONS_AT + option] = whole(s.options) >> option & 1
    rows[i, PHASE_AT + whole(s.phase) - 1] = 1
    rows[i, ROUND_AT] = min(whole(s.round_no), MOST)
    rows[i, STAGE_AT + whole(s.stage)] = 1
    rows[i, PASSES_AT] = s.passes
    for kind in range(LOANS):
        rows[i, UNDECIDED_AT + kind] = s.undecided[kind]
        rows[i, BANK_AT + kind] = s.loans_left[kind]
        rows[i, DECKS_AT + kind] = s.deck_left[kind]
    write_set(rows, i, DISPLAY_AT, whole(s.display), CARDS)
    write_set(rows, i, DISCARDS_AT, whole(s.discard), CARDS)


@rule
def write_pirate(s: State, rows: Any, i: int) -> None:
    """Where the pirate is and what became of it in this turn."""
    rows[i, FREE_MOVE_AT + whole(s.free_move)] = 1
    rows[i, PIRATE_USED_AT] = s.pirate_used
    if s.pirate_city != NOBODY:
        rows[i, PIRATE_AT + whole(s.pirate_city)] = 1
        rows[i, PIRATE_SPACE_AT + whole(s.pirate_space)] = 1
    if s.pirate_at != NOBODY:
        rows[i, PIRATE_VOYAGE_AT + whole(s.pirate_at)] = 1


@rule
def seen_seat(s: State, viewer: int, seat: int) -> int:
    """How many places after the one who looks a seat comes."""
    place = seat - viewer
    return place if place >= 0 else place + whole(s.players)


@rule
def seat_at(s: State, viewer: int, place: int) -> int:
    """The seat so many places after the one who looks."""
    seat = viewer + place
    return seat if seat < whole(s.players) else seat - whole(s.players)


@rule
def write_merchant(s: State, rows: Any, i: int, seat: int, place: int) -> None:
    """What a merchant has, at the place where the one who looks sees them."""
    cash = whole(s.cash[seat])
    high = (cash + MOST + 1) >> 8
    rows[i, FLORINS_AT + 2 * place] = cash - (high << 8)
    rows[i, FLORINS_AT + 2 * place + 1] = high
    rows[i, STOCK_AT + 2 * place] = s.stock[seat]
    rows[i, LOST_AT + 2 * place] = s.lost[seat]
    if two_colours(s):
        rows[i, STOCK_AT + 2 * place + 1] = s.stock[seat + NEUTRAL]
        rows[i, LOST_AT + 2 * place + 1] = s.lost[seat + NEUTRAL]
    rows[i, FORTRESS_STOCK_AT + place] = s.fortresses[seat]
    if s.bonus[seat] > 0:
        rows[i, BONUS_AT + BONUS_CARDS * place + whole(s.bonus[seat]) - 1] = 1
    for kind in range(LOANS):
        for side in range(2):
            rows[i, LOANS_AT + 2 * (LOANS * place + kind) + side] = s.loans[seat, kind, side]
    rows[i, SHIP_AT + PLACES * place + whole(s.ship_city[seat])] = 1
    if s.ship_space[seat] != TRANSIT:
        rows[i, HARBOUR_AT + SPACES * place + whole(s.ship_space[seat])] = 1
    write_few(rows, i, HAND_AT + CARDS * place, whole(s.hand[seat]))
    write_few(rows, i, FORTIFIED_AT + CITIES * place, whole(s.fortified[seat]))


@rule
def write_owners(rows: Any, i: int, at: int, owners: int, players: int, viewer: int, two: bool) -> None:
    """Eight colours or seats as the one who looks counts them, from 1; NOBODY, all bits of a cell, becomes 0."""
    free = owners >> 7 & EACH
    if two:
        seen = ((owners & COLOUR_BITS) ^ viewer * EACH) + EACH
    else:
        seen = (owners & COLOUR_BITS) + (1 + players - viewer) * EACH
        beyond = seen + (MOST - players) * EACH >> 7 & EACH
        seen -= beyond * players
    poke(rows, i, at, seen & (free + LOW_BITS))


@rule
def write_sites(s: State, rows: Any, i: int, viewer: int) -> None:
    """Which colours stand on the building sites, and whose fortresses on theirs."""
    players, two = whole(s.players), two_colours(s)
    for k in range(SITE_WORDS):
        write_owners(rows, i, SITES_AT + 8 * k, peek(s, SITE_BYTES + 8 * k), players, viewer, two)
    for k in range(FORTRESS_WORDS):
        write_owners(rows, i, FORTRESS_SITES_AT + 8 * k, peek(s, FORTRESS_BYTES + 8 * k), players, viewer, two)


@rule
def seen_row(row: int, players: int, viewer: int, two: bool) -> int:
    """Cells by colour, side by side in a word, in the order in which the one who looks counts the colours."""
    if two:
        row &= FOUR_CELLS
        return (row & EVEN_CELLS) << 8 | row >> 8 & EVEN_CELLS if viewer == 1 else row
    taken = (1 << 8 * players) - 1
    row &= taken
    return (row >> 8 * viewer | row << 8 * (players - viewer)) & taken


@rule
def write_houses(s: State, rows: Any, i: int, viewer: int) -> None:
    """How many warehouses of each colour are open and closed in each city.

    Words are longer than what belongs to a city, so a word is written before what follows it; after the last city
    there is nothing, so its cells are written one by one.
    """
    players, two = whole(s.players), two_colours(s)
    for city in range(CITIES):
        poke(rows, i, OPEN_AT + COLOURS * city, seen_row(peek(s, HOUSE_BYTES + COLOURS * city), players, viewer, two))
    for city in range(CITIES - 1):
        row = seen_row(peek(s, CLOSED_BYTES + COLOURS * city), players, viewer, two)
        if row != 0:
            poke(rows, i, CLOSED_AT + COLOURS * city, row)
    row = seen_row(peek(s, CLOSED_BYTES + COLOURS * (CITIES - 1)), players, viewer, two)
    for colour in range(COLOURS):
        rows[i, CLOSED_AT + COLOURS * (CITIES - 1) + colour] = row >> 8 * colour & MOST


@rule
def observe(s: State, rows: Any, i: int, viewer: int) -> None:
    """Write what a seat sees into row `i`, part after part."""
    for cell in range(CELLS):
        rows[i, cell] = 0
    players = whole(s.players)
    write_table(s, rows, i)
    write_pirate(s, rows, i)
    rows[i, DECIDING_AT + seen_seat(s, viewer, whole(s.seat))] = 1
    rows[i, STARTER_AT + seen_seat(s, viewer, whole(s.starter))] = 1
    for place in range(players):
        write_merchant(s, rows, i, seat_at(s, viewer, place), place)
    write_sites(s, rows, i, viewer)
    write_houses(s, rows, i, viewer)
