"""Which games are played, line-ups, deals and rotations, and the record of what came of each.

A deal is one seed: it decides the cards and who begins. Every line-up plays every deal once in each rotation, so every
bot sits in every seat with the same cards. A game is told by its number alone, so it can be played anywhere.
"""

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import combinations, permutations
from typing import Any

from elcapitan.board.figures import Figures, packaged
from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.game.setup import Setup

LineUp = tuple[str, ...]


@dataclass(frozen=True)
class Config:
    """Which games an arena plays. Bots are named by their specs, as `seats.create_seat` takes them."""

    bots: tuple[str, ...]
    players: int = 4
    tiles: tuple[str, ...] = ()
    games: int = 100  # wanted; whole deals are played
    seed: int = 0
    options: Mapping[str, bool] = field(default_factory=dict)
    board: Figures | None = None  # None: the packaged one

    @property
    def figures(self) -> Figures:
        """The board's figures that are played with."""
        return self.board or packaged()

    @property
    def setup(self) -> Setup:
        """The checked setup of all games; who begins is drawn for every deal."""
        return Setup.of(self.players, self.tiles, 0, self.options)

    @property
    def line_ups(self) -> tuple[LineUp, ...]:
        """All choices of bots that play against one another."""
        return line_ups(self.bots, self.players)

    @property
    def games_per_deal(self) -> int:
        """The number of games of one deal: one for every line-up and rotation."""
        return len(self.line_ups) * self.players

    @property
    def deals(self) -> int:
        """The number of deals that make at least the games wanted."""
        return -(-self.games // self.games_per_deal)

    @property
    def scheduled(self) -> int:
        """The number of games in all deals."""
        return self.deals * self.games_per_deal


@dataclass(frozen=True)
class Fixture:
    """One game of the schedule, told by its number."""

    number: int  # in the schedule, from 0
    deal: int  # from 0
    seed: int  # of the deal
    line_up: int  # from 0
    rotation: int  # by how many seats the line-up has moved on
    bots: LineUp  # by seat

    def dice(self, seat: int) -> int:
        """Derive the seed of a seat's generator, which is independent of the cards."""
        return hashed(self.seed, f"dice {self.line_up} {self.rotation} {seat}")


@functools.cache
def line_ups(bots: tuple[str, ...], players: int) -> tuple[LineUp, ...]:
    """Return all line-ups.

    As many bots as seats are one line-up. If there are fewer, the last one fills the other seats. If there are more,
    every choice of as many as can sit down is a line-up, so all play equally often.
    """
    if len(bots) > players:
        return tuple(combinations(bots, players))
    return (bots + bots[-1:] * (players - len(bots)),)


@functools.cache
def circles(line_up: LineUp) -> tuple[LineUp, ...]:
    """Return every order round the table that is not a rotation of another, the one as written first."""
    found: dict[LineUp, LineUp] = {}
    for rest in permutations(line_up[1:]):
        circle = line_up[:1] + rest
        found.setdefault(min(rotated(circle, by) for by in range(len(circle))), circle)
    return tuple(found.values())


def rotated(circle: LineUp, by: int) -> LineUp:
    """Move all bots of an order some seats further on."""
    return circle[len(circle) - by :] + circle[: len(circle) - by]


def fixture(config: Config, number: int) -> Fixture:
    """Return a game by its number. Neighbours change from deal to deal."""
    deal, table = divmod(number, config.games_per_deal)
    line_up, rotation = divmod(table, config.players)
    orders = circles(config.line_ups[line_up])
    seats = rotated(orders[deal % len(orders)], rotation)
    return Fixture(number, deal, hashed(config.seed, f"deal {deal}"), line_up, rotation, seats)


def hashed(seed: int, what: str) -> int:
    """Derive a seed from another, the same on every machine; neighbouring seeds have nothing in common."""
    return int.from_bytes(hashlib.sha256(f"{seed} {what}".encode()).digest()) & HIGHEST_SEED


@dataclass(frozen=True)
class Merchant:
    """The result of one seat of a game, in plain numbers."""

    bot: str
    seat: int  # from 0
    position: int  # seats after the starting player, 0 for the starting player
    money: int  # at the end
    rank: int  # equals share a rank, as in 1, 2, 2, 4; who has forfeited comes last
    win: float  # 1, a fraction of a shared victory, or 0
    loans: int  # loan cards taken
    paid: tuple[int, ...]  # by each payday
    after_paydays: tuple[int, ...]  # money when each payday was paid and its loans were settled
    sources: Mapping[str, int]  # where the money came from and went to, by SOURCES of `ledger`
    fault: str | None = None  # what a program did wrong: it has forfeited, and another played its seat from then on


@dataclass(frozen=True)
class GameResult:
    """The result of one game, in plain numbers."""

    number: int  # in the schedule, from 0
    deal: int
    seed: int  # of the deal
    line_up: int
    rotation: int
    first: int  # the seat that began
    rounds: tuple[int, ...]  # by phase
    actions: int
    merchants: tuple[Merchant, ...]  # by seat

    def to_json(self) -> dict[str, Any]:
        """Return the result as a JSON object."""
        return asdict(self)
