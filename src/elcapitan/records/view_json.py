"""A position as plain JSON: everything a seat may see, for programs that play.

The words are those of the records: cards and cities by their names, seats from 0, harbour spaces from 1. A colour is
a number, that of its seat; with two players 2 and 3 are the neutral colours of the seats 0 and 1 [TWO-02]. Which
cards are face down is told, sorted by their numbers; in which order they lie is not.

The types are the only description of this JSON: the OpenAPI document of the API is generated from them.
"""

from typing import Final, Literal, TypeAlias

from typing_extensions import TypedDict

from elcapitan.board.figures import Figures
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
from elcapitan.game.income import forecast_of
from elcapitan.records.json_record import IncomeJson, income_to_json

Stage: TypeAlias = Literal["reveal", "start", "bought", "under way", "done", "settling", "naming", "over"]
FreeMove: TypeAlias = Literal["not due", "due", "made"]

PLACES: Final = {BANK: "bank", AWAY: "away"}  # where a ship can be besides a city
FREE_MOVES: Final[tuple[FreeMove, ...]] = ("not due", "due", "made")


class LoanCardsJson(TypedDict):
    """How many loan cards of an amount there are."""

    amount: int
    cards: int


class LoanJson(TypedDict):
    """Loans of a merchant, all alike; `due` is what each of them costs to be paid back now."""

    amount: int
    due: int
    extended: bool
    cards: int


class ShipJson(TypedDict):
    """Where a ship is: at a city, `bank` or `away`. Without a harbour space it only passes through a full city."""

    at: str
    harbour: int | None


class MerchantJson(TypedDict):
    """What a merchant has; `forecast` is what a payday now would pay."""

    money: int
    warehouses: int
    neutral: int
    fortresses: int
    lost: int
    lost_neutral: int
    bonus: int
    loans: list[LoanJson]
    hand: list[str]
    ship: ShipJson
    forecast: IncomeJson


class CityJson(TypedDict):
    """Who and what is in a city; a colour is the number of its seat, with two players 2 and 3 are the neutral ones."""

    name: str
    harbours: list[int | Literal["pirate"] | None]
    sites: list[int | None]
    closed: list[int]
    fortresses: list[int | None]


class PirateShipJson(TypedDict):
    """Where the pirate is, how far a voyage by cards has come, and whether cards or money moved it in this turn."""

    at: str
    harbour: int
    sailing: str | None
    used: bool
    free_move: FreeMove


class PositionJson(TypedDict):
    """Everything that can be seen on the table; the cards that are face down are sorted, whatever their order is."""

    phase: int
    round: int
    stage: Stage
    seat: int
    starter: int
    passes: int
    merchants: list[MerchantJson]
    undecided: list[LoanCardsJson]
    bank: list[LoanCardsJson]
    cities: list[CityJson]
    pirate: PirateShipJson | None
    display: list[str]
    discards: list[str]
    face_down: list[str]


def view_to_json(view: States, figures: Figures) -> PositionJson:
    """Return what `Game.view_for` shows as JSON."""
    s = view[0]
    return {
        "phase": int(s.phase),
        "round": int(s.round_no),
        "stage": STAGE_NAMES[s.stage],
        "seat": int(s.seat),
        "starter": int(s.starter),
        "passes": int(s.passes),
        "merchants": [_merchant(s, figures, income_to_json(income)) for income in forecast_of(view, figures)],
        "undecided": _loan_cards(s.undecided, figures),
        "bank": _loan_cards(s.loans_left, figures),
        "cities": [_city(s, figures, city) for city in range(CITIES) if s.in_play >> city & 1],
        "pirate": _pirate(s),
        "display": _cards(int(s.display), figures),
        "discards": _cards(int(s.discard), figures),
        "face_down": _cards(_face_down(s), figures),
    }


def _merchant(s: State, figures: Figures, forecast: IncomeJson) -> MerchantJson:
    """What the merchant of a forecast has."""
    seat = forecast["seat"]
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
        "forecast": forecast,
    }


def _loans(s: State, figures: Figures, seat: int) -> list[LoanJson]:
    """The loans of a merchant by kind and side."""
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


def _loan_cards(counts: Int8s, figures: Figures) -> list[LoanCardsJson]:
    """How many loan cards of each amount there are."""
    return [
        {"amount": int(amount), "cards": int(count)}
        for amount, count in zip(figures.board.loan_amount, counts, strict=True)
    ]


def _ship(s: State, seat: int) -> ShipJson:
    """Where the ship of a seat is."""
    place, space = int(s.ship_city[seat]), int(s.ship_space[seat])
    return {"at": PLACES.get(place) or CITY_NAMES[place], "harbour": None if space == TRANSIT else space + 1}


def _city(s: State, figures: Figures, city: int) -> CityJson:
    """Who and what is in a city."""
    board = figures.board
    return {
        "name": CITY_NAMES[city],
        "harbours": [
            "pirate" if each == PIRATE else _occupant(each) for each in s.harbour[city, : board.harbours[city]].tolist()
        ],
        "sites": [_occupant(colour) for colour in s.site[city, :SITES].tolist()],
        "closed": [colour for colour, count in enumerate(s.closed[city].tolist()) for _ in range(count)],
        "fortresses": [_occupant(seat) for seat in s.fortress[city, : board.fortress_sites[city]].tolist()],
    }


def _occupant(who: int) -> int | None:
    """The seat or colour in a place; `None` if it is empty."""
    return None if who == NOBODY else who


def _pirate(s: State) -> PirateShipJson | None:
    """The pirate, if Islas Canarias is in play."""
    if s.pirate_city == NOBODY:
        return None
    return {
        "at": CITY_NAMES[s.pirate_city],
        "harbour": int(s.pirate_space) + 1,
        "sailing": None if s.pirate_at == NOBODY else CITY_NAMES[s.pirate_at],
        "used": bool(s.pirate_used),
        "free_move": FREE_MOVES[s.free_move],
    }


def _face_down(s: State) -> int:
    """The face-down cards as a set, without their order."""
    decks = (s.deck[first : first + int(left)] for first, left in zip((0, DESTINATIONS), s.deck_left, strict=True))
    return sum(1 << int(card) for deck in decks for card in deck)


def _cards(bits: int, figures: Figures) -> list[str]:
    """The names of a set of cards."""
    return [figures.cards[card] for card in range(CARDS) if bits >> card & 1]
