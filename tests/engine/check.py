"""What is wrong with a position, as named faults. A sound position has none.

Everything that the game conserves is counted: florins apart (the bank pays without limit), pieces, sailing cards,
loan cards and bonus cards. Everything derived is derived again and compared.
"""

from typing import Final

import numpy as np

from elcapitan.engine import play
from elcapitan.engine.record import Bools, Int8s, Int16s, Int64s, cached
from elcapitan.engine.state import Board, Boards, State, States
from elcapitan.engine.vocabulary import (
    AWAY,
    BANK,
    BONUS_CARDS,
    CARDS,
    CITIES,
    COLOURS,
    DESTINATION_CARDS,
    DESTINATIONS,
    DISPLAYED_DESTINATIONS,
    DISPLAYED_LINKS,
    LINK_CARDS,
    LOANS,
    NEUTRAL_OFFSET,
    NOBODY,
    OVER,
    PHASES,
    PORTO,
    REVEAL,
    SEATS,
    SETTLING,
    TRANSIT,
    UNDER_WAY,
    two_colours,
)

DERIVED: Final = ("harbour", "front", "last", "houses", "free", "room", "shut", "fortified", "unfortified")
MOST_ROUNDS: Final = 500  # in a phase; a guard against a phase that does not end (G-10)
MOST_CASH: Final = 25_000


def faults(states: States, i: int, boards: Boards) -> list[str]:
    """The names of everything that is wrong with a position."""
    s, b = cached(states, i), cached(boards)
    found = [fault.__name__ for fault in FAULTS if not fault(s, b)]
    return found + [f"derived {field}" for field in _stale_fields(states, i, boards)]


def _stale_fields(states: States, i: int, boards: Boards) -> list[str]:
    """Derived fields that do not follow from the others."""
    again = play.states()
    again[0] = states[i]
    play.derive(again, 0, boards)
    return [field for field in DERIVED if not np.array_equal(again[0][field], states[i][field])]


def _numbers(field: Int8s | Int16s | Bools) -> Int64s:
    """A field as wide integers, so that sums do not wrap."""
    return np.asarray(field).astype(np.int64)


def counters_in_bounds(s: State, _b: Board) -> bool:
    """[SET-01, G-10] Every counter is where a game can bring it."""
    seats = 0 <= s.seat < s.players and 0 <= s.starter < s.players and 2 <= s.players <= SEATS
    course = 1 <= s.phase <= PHASES and 0 <= s.round_no <= MOST_ROUNDS and REVEAL <= s.stage <= OVER
    cash = bool((np.abs(_numbers(s.cash)) <= MOST_CASH).all())
    return bool(seats and course and cash and 0 <= s.passes <= s.players)


def pieces_conserved(s: State, b: Board) -> bool:
    """[SET-02, SET-04, AFTER-08, TWO-03, TWO-16] What was handed out is in stock, on the board, or lost in Porto."""
    for colour in range(COLOURS):
        given = _handed_out(s, b, colour)
        built = int(_numbers(s.site == colour).sum() + _numbers(s.closed[:, colour]).sum() + s.lost[colour])
        if int(s.stock[colour]) + built != given:
            return False
    for seat in range(SEATS):
        given = int(b.new_fortresses) * int(s.phase) if seat < s.players else 0
        if int(s.fortresses[seat]) + int(_numbers(s.fortress == seat).sum()) != given:
            return False
    return True


def _handed_out(s: State, b: Board, colour: int) -> int:
    """Warehouses of a colour that players have got by now."""
    if colour < s.players:
        return int(b.new_houses) * int(s.phase)
    if two_colours(int(s.players)) and colour < 2 * NEUTRAL_OFFSET:
        return int(b.new_neutral) * int(s.phase)
    return 0


def cards_conserved(s: State, _b: Board) -> bool:
    """[CARD-01, CARD-07, SET-06, SET-07] Every sailing card is in exactly one place, the display not overfull."""
    face_down = 0
    for deck in range(2):
        for k in range(int(s.deck_left[deck])):
            face_down |= 1 << int(s.deck[deck * DESTINATIONS + k])
    places = [int(s.display), int(s.discard), face_down, *(int(hand) for hand in s.hand)]
    count = sum(place.bit_count() for place in places)
    shown = int(s.display)
    fits = (shown & DESTINATION_CARDS).bit_count() <= DISPLAYED_DESTINATIONS
    fits = fits and (shown & LINK_CARDS).bit_count() <= DISPLAYED_LINKS
    everything = 0
    for place in places:
        everything |= place
    return fits and count == CARDS and everything == (1 << CARDS) - 1


def loan_cards_conserved(s: State, b: Board) -> bool:
    """[SET-08, LOAN-07] Every loan card is at the bank or before a player."""
    held = _numbers(s.loans).sum(axis=(0, 2))
    return all(int(s.loans_left[kind]) + int(held[kind]) == int(b.loan_cards[kind]) for kind in range(LOANS))


def bonus_cards_conserved(s: State, _b: Board) -> bool:
    """[SET-10, PROL-05, G-24] Bonus cards are taken in order, one a player."""
    taken = sorted(int(card) for card in s.bonus if card > 0)
    return taken == list(range(1, len(taken) + 1)) and len(taken) <= BONUS_CARDS


def chains_unbroken(s: State, _b: Board) -> bool:
    """[WARE-05, G-15] The open warehouses of a city stand on neighbouring sites, in cities that are in play."""
    for city in range(CITIES):
        standing = np.flatnonzero(s.site[city] != NOBODY)
        if len(standing) and standing[-1] - standing[0] + 1 != len(standing):
            return False
        used = len(standing) or s.closed[city].any() or (s.fortress[city] != NOBODY).any()
        if used and not (int(s.in_play) >> city) & 1:
            return False
    return not s.closed[PORTO].any()


def one_fortress_each(s: State, b: Board) -> bool:
    """[FORT-04, FORT-05] At most one fortress a player and city, on sites that exist, the cheaper first."""
    for city in range(CITIES):
        owners = [int(owner) for owner in s.fortress[city] if owner != NOBODY]
        in_order = s.fortress[city, 0] != NOBODY or s.fortress[city, 1] == NOBODY
        if len(set(owners)) != len(owners) or len(owners) > b.fortress_sites[city] or not in_order:
            return False
    return True


def ships_in_one_place(s: State, b: Board) -> bool:
    """[SAIL-10, SET-12, PIRATE-01] No two ships on a space; only the mover in transit, and only in a full harbour."""
    spots = set()
    for seat in range(int(s.players)):
        city, space = int(s.ship_city[seat]), int(s.ship_space[seat])
        if city in (BANK, AWAY):
            if space != TRANSIT:
                return False
        elif space == TRANSIT:
            if seat != s.seat or s.stage != UNDER_WAY:
                return False
        elif (city, space) in spots or space >= b.harbours[city] or not (int(s.in_play) >> city) & 1:
            return False
        else:
            spots.add((city, space))
    return (int(s.pirate_city), int(s.pirate_space)) not in spots


def debt_only_by_overdue_loans(s: State, _b: Board) -> bool:
    """[G-28, BUY-07] Nobody is in debt before overdue loans were paid after a payday."""
    return bool(s.phase > 1 or s.stage >= SETTLING or (s.cash >= 0).all())


FAULTS: Final = (
    counters_in_bounds,
    pieces_conserved,
    cards_conserved,
    loan_cards_conserved,
    bonus_cards_conserved,
    chains_unbroken,
    one_fortress_each,
    ships_in_one_place,
    debt_only_by_overdue_loans,
)
