"""The complete state of a game, as things lie on the table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from .figures import (
    BONUS_CARDS,
    CANARIAS,
    CARDS,
    FORTRESSES_PER_COLOUR,
    GRID,
    HOUSES_PER_COLOUR,
    LOAN_CARDS,
    NEW_NEUTRAL,
    NEW_PIECES,
    PIRATE_START,
    START_MONEY,
    TILES,
)

Action = dict[str, Any]
House = tuple[int, str]  # (seat of the owner, "main" or "neutral")

BANK = "the bank"
OFF_BOARD = "off-board"


@dataclass
class City:
    """One city: open houses by site, closed ones on the picture, removed ones (Porto), fortress owners by site."""

    sites: dict[int, House] = field(default_factory=dict)
    closed: list[House] = field(default_factory=list)
    removed: list[House] = field(default_factory=list)
    fortresses: list[int] = field(default_factory=list)

    def copy(self) -> City:
        return City(dict(self.sites), list(self.closed), list(self.removed), list(self.fortresses))


@dataclass
class Player:
    """One player's purse, ship, cards and pieces.

    A ship in a city with ``harbour`` None is in transit there [SAIL-04].
    """

    money: int
    place: str
    harbour: int | None
    hand: set[str]
    stock: dict[str, int]
    pool: dict[str, int]
    loans: dict[int, int]
    extended: dict[int, int]
    bonus: int

    def copy(self) -> Player:
        return Player(
            self.money,
            self.place,
            self.harbour,
            set(self.hand),
            dict(self.stock),
            dict(self.pool),
            dict(self.loans),
            dict(self.extended),
            self.bonus,
        )


@dataclass
class Turn:
    """What the player to move has done in this turn; stages A, B, C as in the list of decisions."""

    seat: int
    stage: str = "A"
    bought: bool = False
    sailed: bool = False
    free_due: bool = False
    free_moved: bool = False
    paid_moved: bool = False

    def copy(self) -> Turn:
        return replace(self)


def _new_player(players: int) -> Player:
    """Stock, pool and purse at the start [SET-02, SET-03, SET-04, SET-12, TWO-02, TWO-03, TWO-04]."""
    two = players == 2
    neutral = NEW_NEUTRAL if two else 0
    return Player(
        money=START_MONEY,
        place=OFF_BOARD,
        harbour=None,
        hand=set(),
        stock={"main": NEW_PIECES["main"], "neutral": neutral, "fortress": NEW_PIECES["fortress"]},
        pool={
            "main": HOUSES_PER_COLOUR - NEW_PIECES["main"],
            "neutral": HOUSES_PER_COLOUR - neutral if two else 0,
            "fortress": FORTRESSES_PER_COLOUR - NEW_PIECES["fortress"],
        },
        loans=dict.fromkeys(LOAN_CARDS, 0),
        extended=dict.fromkeys(LOAN_CARDS, 0),
        bonus=0,
    )


class Table:
    """A game from its set-up on.

    ``awaiting`` says what must happen next: "deal", "turn", "reveal", "loans", "starter" or "over".
    """

    def __init__(
        self,
        players: int,
        tiles: list[str] | None = None,
        first: int = 0,
        options: dict[str, bool] | None = None,
    ) -> None:
        chosen = list(tiles or [])
        if not 2 <= players <= 5:
            raise ValueError(f"a game for {players} players does not exist [SET-01]")
        if len(set(chosen)) != len(chosen) or not set(chosen) <= set(TILES):
            raise ValueError(f"unknown or repeated tiles: {chosen} [EXP-01]")
        if not 0 <= first < players:
            raise ValueError(f"no seat {first} to begin [SET-11]")
        known = {"buy_before_loan": False, "reopen_shuts": True, "pirate_before_loan": False}
        if not set(options or {}) <= set(known):
            raise ValueError(f"unknown options: {options}")
        self.options: dict[str, bool] = {**known, **(options or {})}
        self.tiles: list[str] = chosen
        self.cities: dict[str, City] = {name: City() for name in GRID if name not in TILES or name in chosen}
        self.players: list[Player] = [_new_player(players) for _ in range(players)]
        self.pirate: tuple[str, int] | None = PIRATE_START if CANARIAS in chosen else None
        self.loan_piles: dict[int, int] = dict(LOAN_CARDS)
        self.bonus_cards: list[int] = list(BONUS_CARDS)
        self.deck: dict[str, set[str]] = {
            kind: {card.name for card in CARDS.values() if card.kind == kind} for kind in ("destination", "link")
        }
        self.discards: dict[str, set[str]] = {"destination": set(), "link": set()}
        self.display: dict[str, set[str]] = {"destination": set(), "link": set()}
        self.phase = 1
        self.round = 1
        self.starter = first
        self.turns_in_round = 0
        self.passes_in_round = 0
        self.turn = Turn(first)
        self.awaiting = "deal"
        self.settlers: list[int] = []
        self.decider = first
        self.paydays: list[dict[str, Any]] = []

    def copy(self) -> Table:
        """An independent copy of everything that can change."""
        twin = Table.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.cities = {name: city.copy() for name, city in self.cities.items()}
        twin.players = [player.copy() for player in self.players]
        twin.loan_piles = dict(self.loan_piles)
        twin.bonus_cards = list(self.bonus_cards)
        twin.deck = {kind: set(cards) for kind, cards in self.deck.items()}
        twin.discards = {kind: set(cards) for kind, cards in self.discards.items()}
        twin.display = {kind: set(cards) for kind, cards in self.display.items()}
        twin.turn = self.turn.copy()
        twin.settlers = list(self.settlers)
        twin.paydays = list(self.paydays)
        return twin

    def seats_from(self, seat: int) -> list[int]:
        """All seats clockwise from the given one; ascending seats are clockwise [TURN-02, G-12, G-59]."""
        count = len(self.players)
        return [(seat + step) % count for step in range(count)]

    def to_act(self) -> int | None:
        """The seat that must decide now, or None when a card must be turned up or the game is over."""
        if self.awaiting in ("turn", "loans", "starter"):
            return self.turn.seat if self.awaiting == "turn" else self.decider
        return None
