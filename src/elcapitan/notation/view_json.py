"""A position as plain JSON: everything a seat may see, for programs that play.

The words are those of the records: cards and cities by their names, seats from 0, harbour spaces from 1. A colour is
a number, that of its seat; with two players 2 and 3 are the neutral colours of the seats 0 and 1 [TWO-02]. Which
cards are face down is told, sorted by their numbers; in which order they lie is not.
"""

from typing import Any, Final

from elcapitan.engine.record import Int8s
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import (
    AWAY,
    BANK,
    CARDS,
    CITIES,
    CITY_NAMES,
    DESTINATIONS,
    FACE_UP,
    FLIPPED,
    LOANS,
    NEUTRAL,
    NOBODY,
    PIRATE,
    SITES,
    STAGE_NAMES,
    TRANSIT,
)
from elcapitan.figures import Figures
from elcapitan.notation.record import income_to_json
from elcapitan.report import forecast_of

PLACES: Final = {BANK: "bank", AWAY: "away"}  # where a ship can be besides a city
FREE_MOVES: Final = ("not due", "due", "made")


def view_to_json(view: States, figures: Figures) -> dict[str, Any]:
    """What `Game.view_for` shows, as JSON."""
    s = view[0]
    incomes = forecast_of(view, figures)
    return {
        "phase": int(s.phase),
        "round": int(s.round_no),
        "stage": STAGE_NAMES[s.stage],
        "seat": int(s.seat),
        "starter": int(s.starter),
        "passes": int(s.passes),
        "merchants": [{**_merchant(s, figures, income.seat), "forecast": income_to_json(income)} for income in incomes],
        "undecided": _loan_cards(s.undecided, figures),
        "bank": _loan_cards(s.loans_left, figures),
        "cities": [_city(s, figures, city) for city in range(CITIES) if s.in_play >> city & 1],
        "pirate": _pirate(s),
        "display": _cards(int(s.display), figures),
        "discards": _cards(int(s.discard), figures),
        "face_down": _cards(_face_down(s), figures),
    }


def _merchant(s: State, figures: Figures, seat: int) -> dict[str, Any]:
    """What a merchant has."""
    two = s.players == 2
    bonus = int(s.bonus[seat])
    return {
        "money": int(s.cash[seat]),
        "warehouses": int(s.stock[seat]),
        "neutral": int(s.stock[seat + NEUTRAL]) if two else 0,
        "fortresses": int(s.fortresses[seat]),
        "lost": int(s.lost[seat]),
        "lost_neutral": int(s.lost[seat + NEUTRAL]) if two else 0,
        "bonus": int(figures.board.bonus[bonus - 1]) if bonus else 0,
        "loans": _loans(s, figures, seat),
        "hand": _cards(int(s.hand[seat]), figures),
        "ship": _ship(s, seat),
    }


def _loans(s: State, figures: Figures, seat: int) -> list[dict[str, Any]]:
    """The loans of a merchant, each kind with what one such card would cost now."""
    board = figures.board
    return [
        {
            "amount": int(board.loan_amount[kind]),
            "due": int(board.loan_due[kind, side]),
            "extended": side == FLIPPED,
            "cards": int(s.loans[seat, kind, side]),
        }
        for kind in range(LOANS)
        for side in (FACE_UP, FLIPPED)
        if s.loans[seat, kind, side]
    ]


def _loan_cards(counts: Int8s, figures: Figures) -> list[dict[str, int]]:
    """How many loan cards of each amount."""
    return [
        {"amount": int(amount), "cards": int(count)}
        for amount, count in zip(figures.board.loan_amount, counts, strict=True)
    ]


def _ship(s: State, seat: int) -> dict[str, Any]:
    """Where a ship is; one that only passes through a full city has no harbour."""
    place, space = int(s.ship_city[seat]), int(s.ship_space[seat])
    return {"at": PLACES.get(place) or CITY_NAMES[place], "harbour": None if space == TRANSIT else space + 1}


def _city(s: State, figures: Figures, city: int) -> dict[str, Any]:
    """Who and what is in a city."""
    board = figures.board
    return {
        "name": CITY_NAMES[city],
        "harbours": [_occupant(each) for each in s.harbour[city, : board.harbours[city]]],
        "sites": [_occupant(colour) for colour in s.site[city, :SITES]],
        "closed": [colour for colour, count in enumerate(s.closed[city].tolist()) for _ in range(count)],
        "fortresses": [_occupant(seat) for seat in s.fortress[city, : board.fortress_sites[city]]],
    }


def _occupant(who: State) -> int | str | None:
    """A seat, a colour, the pirate or nobody."""
    return None if who == NOBODY else "pirate" if who == PIRATE else int(who)


def _pirate(s: State) -> dict[str, Any] | None:
    """The pirate, if Islas Canarias is in play."""
    if s.pirate_city == NOBODY:
        return None
    return {
        "at": CITY_NAMES[s.pirate_city],
        "harbour": int(s.pirate_space) + 1,
        "sailing": None if s.pirate_at == NOBODY else CITY_NAMES[s.pirate_at],  # how far a voyage by cards has come
        "used": bool(s.pirate_used),  # whether it was moved by cards or money in this turn
        "free_move": FREE_MOVES[s.free_move],
    }


def _face_down(s: State) -> int:
    """The face-down cards as a set, without their order."""
    decks = (s.deck[first : first + int(left)] for first, left in zip((0, DESTINATIONS), s.deck_left, strict=True))
    return sum(1 << int(card) for deck in decks for card in deck)


def _cards(bits: int, figures: Figures) -> list[str]:
    """The names of a set of cards."""
    return [figures.cards[card] for card in range(CARDS) if bits >> card & 1]
