"""A position as programs get it: the same as in the protocol of docs/bots.md, described key by key."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class LoanCards(BaseModel):
    """How many loan cards of an amount."""

    amount: int
    cards: int


class Loan(BaseModel):
    """Loans of a merchant, all alike."""

    amount: int
    due: Annotated[int, Field(description="What each costs to be paid back")]
    extended: bool
    cards: int


class Ship(BaseModel):
    """Where a ship is."""

    at: Annotated[str, Field(description="A city, `bank` or `away`")]
    harbour: int | None


class Income(BaseModel):
    """What a payday pays a seat, item by item."""

    seat: int
    cities: int
    proliferation: int
    majority: dict[str, int]
    fortress: dict[str, int]
    bonus: int
    total: int


class Merchant(BaseModel):
    """What a merchant has."""

    money: int
    warehouses: int
    neutral: int
    fortresses: int
    lost: int
    lost_neutral: int
    bonus: int
    loans: list[Loan]
    hand: list[str]
    ship: Ship
    forecast: Annotated[Income, Field(description="What a payday now would pay")]


class City(BaseModel):
    """Who and what is in a city; a colour is the number of its seat, with two players 2 and 3 are the neutral ones."""

    name: str
    harbours: list[int | Literal["pirate"] | None]
    sites: list[int | None]
    closed: list[int]
    fortresses: list[int | None]


class PirateShip(BaseModel):
    """Where the pirate is."""

    at: str
    harbour: int
    sailing: str | None
    used: bool
    free_move: Literal["not due", "due", "made"]


class Position(BaseModel):
    """Everything that can be seen on the table; which cards are face down is known, but not in which order."""

    phase: int
    round: int
    stage: Literal["reveal", "start", "bought", "under way", "done", "settling", "naming", "over"]
    seat: int
    starter: int
    passes: int
    merchants: list[Merchant]
    undecided: list[LoanCards]
    bank: list[LoanCards]
    cities: list[City]
    pirate: PirateShip | None
    display: list[str]
    discards: list[str]
    face_down: Annotated[list[str], Field(description="Sorted, whatever their order is")]
