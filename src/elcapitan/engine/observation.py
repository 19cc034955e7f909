"""A position as numbers for learners: what a seat sees, in named parts of one row of small integers.

Seats stand in the order in which they follow the one who looks, who is always the first; colours likewise. Every cell
is a count or a yes (1) or no (0) and fits into eight bits; cash is two cells, 256 x the second + the first, and a site
tells the colour that stands there, from 1. Nothing face down is in it: which cards those are follows from all the
others, their order is never looked at.

A learner asks for this at every step, so what lies side by side is written eight or sixty-four cells at a time. A part
may then write zeros over the beginning of the next, so parts are written in the order in which they stand.
"""

import math
from itertools import accumulate
from typing import Final

from elcapitan.engine.actions import SAIL, leg_card
from elcapitan.engine.jit import rule, whole
from elcapitan.engine.record import Int8s
from elcapitan.engine.rules.buildings import two_colours
from elcapitan.engine.simd import WIDE, peek, poke, poke_merged, poke_renamed, poke_set
from elcapitan.engine.state import STATE, State
from elcapitan.engine.vocabulary import (
    BONUS_CARDS,
    CARDS,
    CITIES,
    COLOURS,
    DONE,
    FORTRESS_SITES,
    LOANS,
    NOBODY,
    PHASES,
    PIRATE_BEFORE_LOAN,
    PLACES,
    SEATS,
    SITES,
    SPACES,
    STAGE_NAMES,
    START,
    TILES,
)

VERSION: Final = 2  # of the row: new parts are added at its end, so no offset of an earlier version moves
OPTIONS: Final = 2  # table options of the first version; later ones have parts of their own, at the end
FEWEST: Final = 2  # players
MOST: Final = 127  # in one cell
FREE_MOVES: Final = 3  # not due, due, made

# Every part with its shape and what it tells.
PARTS: Final[dict[str, tuple[tuple[int, ...], str]]] = {
    # The table.
    "players": ((SEATS - FEWEST + 1,), "how many play: 2, 3, 4 or 5"),
    "tiles": ((TILES,), "Porto, Lisboa, Islas Canarias are in play"),
    "options": ((OPTIONS,), "table options: cards before a loan; re-opening shuts down"),
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
    # The bank.
    "undecided": ((LOANS,), "small and large loans that the deciding seat has still to settle"),
    "bank": ((LOANS,), "small and large loan cards left at the bank"),
    "decks": ((2,), "destinations and links face down"),
    # Added by version 2.
    "pirate_before_loan": ((1,), "table option: the paid pirate move before a loan"),
}
_SIZES: Final = [math.prod(shape) for shape, _ in PARTS.values()]
OFFSETS: Final = dict(zip(PARTS, accumulate([0, *_SIZES]), strict=False))
CELLS: Final = sum(_SIZES)

PLAYERS_AT: Final = OFFSETS["players"]
TILES_AT: Final = OFFSETS["tiles"]
OPTIONS_AT: Final = OFFSETS["options"]
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
PIRATE_BEFORE_LOAN_AT: Final = OFFSETS["pirate_before_loan"]
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


FOUR_CELLS: Final = 0xFFFFFFFF
EVEN_CELLS: Final = 0x00FF00FF
TWO_OF_FOUR: Final = 0x0000FFFF0000FFFF
FOUR_PAIRS: Final = 0x00FF00FF00FF00FF
PLACES_FROM_1: Final = 0x0504030201  # the names of the places, side by side
EACH_CITY: Final = sum(1 << COLOURS * city for city in range(CITIES))  # the first colour of each city, as bits
FIRST_OF_PAIRS: Final = 0b0101
PAIRS: Final = 0b1111
# Where some fields begin in a record.
STOCK_BYTES: Final = STATE.fields["stock"][1]  # type: ignore[index]
FORTRESS_STOCK_BYTES: Final = STATE.fields["fortresses"][1]  # type: ignore[index]
LOST_BYTES: Final = STATE.fields["lost"][1]  # type: ignore[index]
LOAN_BYTES: Final = STATE.fields["loans"][1]  # type: ignore[index]
SITE_BYTES: Final = STATE.fields["site"][1]  # type: ignore[index]
HOUSE_BYTES: Final = STATE.fields["houses"][1]  # type: ignore[index]
CLOSED_BYTES: Final = STATE.fields["closed"][1]  # type: ignore[index]
FORTRESS_BYTES: Final = STATE.fields["fortress"][1]  # type: ignore[index]


@rule
def only(number: int) -> int:
    """A yes in the cell `number` of eight, from 1; none for 0."""
    return (1 << 8 * number) >> 8


@rule
def write_table(s: State, rows: Int8s, i: int) -> None:
    """What the table agreed on, and where the game stands."""
    rows[i, PLAYERS_AT + whole(s.players) - FEWEST] = 1
    for tile in range(TILES):
        rows[i, TILES_AT + tile] = whole(s.tiles) >> tile & 1
    for option in range(OPTIONS):
        rows[i, OPTIONS_AT + option] = whole(s.options) >> option & 1
    rows[i, PHASE_AT + whole(s.phase) - 1] = 1
    rows[i, ROUND_AT] = min(whole(s.round_no), MOST)
    rows[i, STAGE_AT + whole(s.stage)] = 1
    rows[i, PASSES_AT] = s.passes


@rule
def write_pirate(s: State, rows: Int8s, i: int) -> None:
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
def in_turn(row: int, players: int, viewer: int, two: bool) -> int:
    """Cells by colour, side by side in a word, in the order in which the one who looks counts the colours."""
    if two:
        row &= FOUR_CELLS
        return (row & EVEN_CELLS) << 8 | row >> 8 & EVEN_CELLS if viewer == 1 else row
    taken = (1 << 8 * players) - 1
    row &= taken
    return (row >> 8 * viewer | row << 8 * (players - viewer)) & taken


@rule
def write_pairs(rows: Int8s, i: int, at: int, row: int, two: bool) -> None:
    """Cells by colour, seen in turn, as main and neutral ones of each seat."""
    if two:
        rows[i, at] = row & MOST
        rows[i, at + 1] = row >> 16 & MOST
        rows[i, at + 2] = row >> 8 & MOST
        rows[i, at + 3] = row >> 24 & MOST
        return
    rows[i, at + 8] = row >> 32 & MOST
    row &= FOUR_CELLS
    row = (row | row << 16) & TWO_OF_FOUR
    poke(rows, i, at, (row | row << 8) & FOUR_PAIRS)


@rule
def write_cash(s: State, rows: Int8s, i: int, place: int, seat: int) -> None:
    """Write the cash of a seat at its place."""
    cash = whole(s.cash[seat])
    high = (cash + MOST + 1) >> 8
    rows[i, FLORINS_AT + 2 * place] = cash - (high << 8)
    rows[i, FLORINS_AT + 2 * place + 1] = high


@rule
def write_merchants(s: State, rows: Int8s, i: int, viewer: int) -> None:
    """What the merchants have, each at the place where the one who looks sees them."""
    players, two = whole(s.players), two_colours(s)
    write_pairs(rows, i, STOCK_AT, in_turn(peek(s, STOCK_BYTES), players, viewer, two), two)
    poke(rows, i, FORTRESS_STOCK_AT, in_turn(peek(s, FORTRESS_STOCK_BYTES), players, viewer, False))
    write_pairs(rows, i, LOST_AT, in_turn(peek(s, LOST_BYTES), players, viewer, two), two)
    for place in range(players):
        write_cash(s, rows, i, place, seat_at(s, viewer, place))
    for place in range(players):
        poke(rows, i, BONUS_AT + BONUS_CARDS * place, only(whole(s.bonus[seat_at(s, viewer, place)])))
    for place in range(players):
        loans = peek(s, LOAN_BYTES + 2 * LOANS * seat_at(s, viewer, place)) & FOUR_CELLS
        poke(rows, i, LOANS_AT + 2 * LOANS * place, loans)
    for place in range(players):
        seat = seat_at(s, viewer, place)
        rows[i, SHIP_AT + PLACES * place + whole(s.ship_city[seat])] = 1
        poke(rows, i, HARBOUR_AT + SPACES * place, only(whole(s.ship_space[seat]) + 1))
    for place in range(SEATS):
        hand = whole(s.hand[seat_at(s, viewer, place)]) if place < players else 0
        poke_set(rows, i, HAND_AT + CARDS * place, hand)
    for place in range(SEATS):
        fortified = whole(s.fortified[seat_at(s, viewer, place)]) if place < players else 0
        poke_set(rows, i, FORTIFIED_AT + CITIES * place, fortified)


@rule
def write_sites(s: State, rows: Int8s, i: int, viewer: int) -> None:
    """Which colours stand on the building sites, and whose fortresses on theirs."""
    players, two = whole(s.players), two_colours(s)
    # The colour k comes so many places after the one who looks: the other way round.
    names = in_turn(PLACES_FROM_1, players, (players - viewer) % players, two)
    for k in range(0, CITIES * SITES, WIDE):
        poke_renamed(rows, i, SITES_AT + k, s, SITE_BYTES + k, names)
    poke_renamed(rows, i, FORTRESS_SITES_AT, s, FORTRESS_BYTES, names)


@rule
def write_houses(s: State, rows: Int8s, i: int, viewer: int) -> None:
    """How many warehouses of each colour are open and closed in each city, in the order of the one who looks.

    Of the colours of each city, those from the one who looks on come first, then those before.
    """
    players = whole(s.players)
    if two_colours(s):
        one = (FIRST_OF_PAIRS if viewer == 1 else PAIRS) * EACH_CITY
        other = (FIRST_OF_PAIRS << 1 if viewer == 1 else 0) * EACH_CITY
    else:
        one = ((1 << players - viewer) - 1) * EACH_CITY
        other = ((1 << players) - 1) * EACH_CITY - one
    back = viewer - players
    poke_merged(rows, i, OPEN_AT, s, HOUSE_BYTES + viewer, one, HOUSE_BYTES + back, other)
    poke_merged(rows, i, CLOSED_AT, s, CLOSED_BYTES + viewer, one, CLOSED_BYTES + back, other)


@rule
def write_bank(s: State, rows: Int8s, i: int) -> None:
    """Write the bank's stock, and what the deciding seat has to settle with the bank."""
    for kind in range(LOANS):
        rows[i, UNDECIDED_AT + kind] = s.undecided[kind]
        rows[i, BANK_AT + kind] = s.loans_left[kind]
        rows[i, DECKS_AT + kind] = s.deck_left[kind]


@rule
def observe(s: State, rows: Int8s, i: int, viewer: int) -> None:
    """Write what a seat sees into row `i`, from the first cell to the last: what is wide writes 0 over what follows."""
    for at in range(0, DISPLAY_AT, WIDE):
        poke_set(rows, i, at, 0)
    for at in range(FLORINS_AT, HAND_AT, WIDE):
        poke_set(rows, i, at, 0)
    write_table(s, rows, i)
    write_pirate(s, rows, i)
    rows[i, DECIDING_AT + seen_seat(s, viewer, whole(s.seat))] = 1
    rows[i, STARTER_AT + seen_seat(s, viewer, whole(s.starter))] = 1
    poke_set(rows, i, DISPLAY_AT, whole(s.display))
    poke_set(rows, i, DISCARDS_AT, whole(s.discard))
    write_merchants(s, rows, i, viewer)
    write_sites(s, rows, i, viewer)
    write_houses(s, rows, i, viewer)
    write_bank(s, rows, i)
    rows[i, PIRATE_BEFORE_LOAN_AT] = 1 if whole(s.options) & PIRATE_BEFORE_LOAN else 0


@rule
def observe_move(s: State, rows: Int8s, i: int, action: int) -> None:
    """Bring row `i`, which tells what the deciding seat saw before it bought or sailed, up to date: what that changed.

    Both are its own doing and turn nothing up, so all else stands as it was.
    """
    seat = whole(s.seat)
    for stage in range(START, DONE):
        rows[i, STAGE_AT + stage] = 1 if stage == s.stage else 0
    if action < SAIL:
        rows[i, DISPLAY_AT + action] = 0
        rows[i, HAND_AT + action] = 1
        write_cash(s, rows, i, 0, seat)
        return
    card = leg_card(action - SAIL)
    rows[i, HAND_AT + card] = 0
    rows[i, DISCARDS_AT + card] = 1
    for move in range(FREE_MOVES):
        rows[i, FREE_MOVE_AT + move] = 1 if move == s.free_move else 0
    for place in range(PLACES):
        rows[i, SHIP_AT + place] = 1 if place == s.ship_city[seat] else 0
    for space in range(SPACES):
        rows[i, HARBOUR_AT + space] = 1 if space == s.ship_space[seat] else 0
