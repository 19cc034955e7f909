"""A position as plain JSON: everything a seat may see, for programs that play.

The words are those of the records: cards and cities by their names, seats from 0, harbour spaces from 1. A colour is
a number, that of its seat; with two players 2 and 3 are the neutral colours of the seats 0 and 1 [TWO-02]. Which
cards are face down is told, sorted by their numbers; in which order they lie is not.

The types are the only description of this JSON: the OpenAPI document of the API is generated from them.
"""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from typing_extensions import TypedDict

from elcapitan.board.figures import Figures
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import AWAY, BANK, CITY_NAMES, NOBODY, PIRATE, SITES, STAGE_NAMES
from elcapitan.game.position_queries import face_down
from elcapitan.position.facts import DecodedPosition, MerchantFacts, PlainFields, bits
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
    position = DecodedPosition(view, figures)
    s = position.fields
    return {
        "phase": s.phase,
        "round": s.round_no,
        "stage": STAGE_NAMES[s.stage],
        "seat": s.seat,
        "starter": s.starter,
        "passes": s.passes,
        "merchants": [
            _merchant(merchant, income_to_json(income), figures)
            for merchant, income in zip(position.merchants, position.incomes, strict=True)
        ],
        "undecided": [
            {"amount": pile.amount, "cards": cards} for pile, cards in zip(position.bank, s.undecided, strict=True)
        ],
        "bank": [{"amount": pile.amount, "cards": pile.left} for pile in position.bank],
        "cities": [_city(position, city) for city in position.in_play],
        "pirate": _pirate(s),
        "display": _names(bits(s.display), figures),
        "discards": _names(bits(s.discard), figures),
        "face_down": [name for deck in face_down(view) for name in _names(deck, figures)],
    }


def _merchant(merchant: MerchantFacts, forecast: IncomeJson, figures: Figures) -> MerchantJson:
    """What a merchant has."""
    main, *neutral = merchant.stock
    lost, *lost_neutral = merchant.lost
    return {
        "money": merchant.cash,
        "warehouses": main,
        "neutral": sum(neutral),
        "fortresses": merchant.fortresses,
        "lost": lost,
        "lost_neutral": sum(lost_neutral),
        "bonus": merchant.bonus,
        "loans": [
            {"amount": loans.amount, "due": loans.due, "extended": loans.extended, "cards": loans.cards}
            for loans in merchant.loans
        ],
        "hand": _names(merchant.hand, figures),
        "ship": {
            "at": PLACES.get(merchant.place) or CITY_NAMES[merchant.place],
            "harbour": merchant.harbour or None,
        },
        "forecast": forecast,
    }


def _city(position: DecodedPosition, city: int) -> CityJson:
    """Who and what is in a city."""
    return {
        "name": CITY_NAMES[city],
        "harbours": ["pirate" if who == PIRATE else who for who in _occupants(position.harbours(city))],
        "sites": _occupants(position.fields.site[city][:SITES]),
        "closed": position.closed(city),
        "fortresses": _occupants(position.fortresses(city)),
    }


def _occupants(places: Iterable[int]) -> list[int | None]:
    """The seat or colour in each place; `None` where it is empty."""
    return [None if who == NOBODY else who for who in places]


def _pirate(s: PlainFields) -> PirateShipJson | None:
    """The pirate, if Islas Canarias is in play."""
    if s.pirate_city == NOBODY:
        return None
    return {
        "at": CITY_NAMES[s.pirate_city],
        "harbour": s.pirate_space + 1,
        "sailing": None if s.pirate_at == NOBODY else CITY_NAMES[s.pirate_at],
        "used": bool(s.pirate_used),
        "free_move": FREE_MOVES[s.free_move],
    }


def _names(cards: Iterable[int], figures: Figures) -> list[str]:
    """The names of some sailing cards."""
    return [figures.cards[card] for card in cards]
