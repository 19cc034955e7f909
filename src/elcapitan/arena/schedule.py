"""Which games are played: line-ups, deals and rotations.

A deal is one seed: it decides the cards and who begins. Every line-up plays every deal once in each rotation, so every
bot sits in every seat with the same cards. A game is told by its number alone, so it can be played anywhere.
"""

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations, permutations

from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.figures import Figures, packaged
from elcapitan.setup import Setup

LineUp = tuple[str, ...]


@dataclass(frozen=True)
class Config:
    """What is to be played. Bots are told by their specs, as `seats.create_seat` takes them."""

    bots: tuple[str, ...]
    players: int = 4
    tiles: tuple[str, ...] = ()
    games: int = 100  # wanted; whole deals are played
    seed: int = 0
    options: Mapping[str, bool] = field(default_factory=dict)
    board: Figures | None = None  # None: the packaged one

    @property
    def figures(self) -> Figures:
        """The figures played with."""
        return self.board or packaged()

    @property
    def setup(self) -> Setup:
        """What the tables agree on, checked; who begins is drawn for every deal."""
        return Setup.of(self.players, self.tiles, 0, self.options)

    @property
    def line_ups(self) -> tuple[LineUp, ...]:
        """Who plays against whom."""
        return line_ups(self.bots, self.players)

    @property
    def games_per_deal(self) -> int:
        """One for every line-up and rotation."""
        return len(self.line_ups) * self.players

    @property
    def deals(self) -> int:
        """How many deals make at least the games wanted."""
        return -(-self.games // self.games_per_deal)

    @property
    def scheduled(self) -> int:
        """How many games that is."""
        return self.deals * self.games_per_deal


@dataclass(frozen=True)
class Fixture:
    """One game of the schedule."""

    number: int  # in the schedule, from 0
    deal: int  # from 0
    seed: int  # of the deal
    line_up: int  # from 0
    rotation: int  # by how many seats the line-up has moved on
    bots: LineUp  # by seat

    def dice(self, seat: int) -> int:
        """The seed of a seat's dice, which know nothing of the cards."""
        return hashed(self.seed, f"dice {self.line_up} {self.rotation} {seat}")


@functools.cache
def line_ups(bots: tuple[str, ...], players: int) -> tuple[LineUp, ...]:
    """Who plays against whom.

    As many bots as seats are one line-up. If there are fewer, the last one fills the other seats. If there are more,
    every choice of as many as can sit down is a line-up, so all play equally often.
    """
    if len(bots) > players:
        return tuple(combinations(bots, players))
    return (bots + bots[-1:] * (players - len(bots)),)


@functools.cache
def circles(line_up: LineUp) -> tuple[LineUp, ...]:
    """Every order round the table that is not a rotation of another, the one as written first."""
    found: dict[LineUp, LineUp] = {}
    for rest in permutations(line_up[1:]):
        circle = line_up[:1] + rest
        found.setdefault(min(rotated(circle, by) for by in range(len(circle))), circle)
    return tuple(found.values())


def rotated(circle: LineUp, by: int) -> LineUp:
    """The same order with everybody so many seats further on."""
    return circle[len(circle) - by :] + circle[: len(circle) - by]


def fixture(config: Config, number: int) -> Fixture:
    """A game by its number. From deal to deal other neighbours sit side by side."""
    deal, table = divmod(number, config.games_per_deal)
    line_up, rotation = divmod(table, config.players)
    orders = circles(config.line_ups[line_up])
    seats = rotated(orders[deal % len(orders)], rotation)
    return Fixture(number, deal, hashed(config.seed, f"deal {deal}"), line_up, rotation, seats)


def hashed(seed: int, what: str) -> int:
    """A seed that follows from another, the same on every machine; neighbours have nothing in common."""
    return int.from_bytes(hashlib.sha256(f"{seed} {what}".encode()).digest()) & HIGHEST_SEED
