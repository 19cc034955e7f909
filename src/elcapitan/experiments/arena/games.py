"""The games of an arena: which ones are played, playing them, and the result of each.

A deal is one seed: it decides the cards and who begins. Every line-up plays every deal once in each rotation, so every
bot sits in every seat with the same cards. A game is told by its number alone, so it can be played anywhere; workers
play batches of them that are worth sending.
"""

import contextlib
import functools
import hashlib
import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations, permutations
from typing import Any, Final

from elcapitan.board.figures import Figures, packaged
from elcapitan.bots.bot import Bot
from elcapitan.engine.rng import HIGHEST_SEED, Generators, generator
from elcapitan.game.game import Game
from elcapitan.game.setup import Setup
from elcapitan.players import seats
from elcapitan.players.external import SECONDS
from elcapitan.position.ledger import ledger_of
from elcapitan.records import json_record as record

LONG_ENOUGH: Final = 0.5  # seconds of play in a batch
MOST: Final = 1000  # games of a batch

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
    seconds: float = SECONDS  # that an external program may take for a decision

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


@dataclass(frozen=True)
class Played:
    """A finished game: its result, and its record if that was wanted."""

    result: GameResult
    record: str | None


@dataclass(frozen=True)
class Batch:
    """Games that one worker played one after another, and how long it took."""

    games: tuple[Played, ...]
    seconds: float


def play_batch(config: Config, numbers: Sequence[int], *, with_records: bool) -> Batch:
    """Play some games of the schedule by their numbers; this runs in a worker."""
    begun = time.perf_counter()
    games = tuple(play_game(config, fixture(config, number), with_record=with_records) for number in numbers)
    return Batch(games, time.perf_counter() - begun)


def play_game(config: Config, scheduled: Fixture, *, with_record: bool = False) -> Played:
    """Play one game; it depends on the configuration and its place in the schedule alone."""
    with seated(config, scheduled) as (game, bots, dice):
        while (seat := game.seat) is not None:
            game.play(seats.choose_action(bots[seat], game, dice[seat]))
        faults = [getattr(bot, "fault", None) for bot in bots]
    written = json.dumps(record.to_json(game, seats=scheduled.bots), ensure_ascii=False) + "\n" if with_record else None
    return Played(result_of(game, scheduled, faults), written)


@contextlib.contextmanager
def seated(config: Config, scheduled: Fixture) -> Iterator[tuple[Game, list[Bot], list[Generators]]]:
    """Set up a game of the schedule, its bots and a generator for each; close the bots at the end of the block."""
    game = Game.new(config.players, config.tiles, options=config.options, seed=scheduled.seed, figures=config.board)
    bots: list[Bot] = []
    try:
        for seat, spec in enumerate(scheduled.bots):
            bots.append(seats.create_seat(spec, game.setup, seat, game.figures, config.seconds))
        yield game, bots, [generator(scheduled.dice(seat)) for seat in range(config.players)]
    finally:
        seats.dismiss(bots, game)


def standing(money: Sequence[int], faults: Sequence[str | None]) -> tuple[list[int], list[float]]:
    """Return the rank of every seat, and its share of the victory.

    A program that failed has forfeited: it comes last and wins nothing, whatever its stand-in achieved.
    """
    stayed = [seat for seat, fault in enumerate(faults) if fault is None]
    last = min(len(stayed) + 1, len(money)) if stayed else len(money)
    ranks = [1 + sum(money[other] > own for other in stayed) for own in money]
    ranks = [rank if seat in stayed else last for seat, rank in enumerate(ranks)]
    winners = [seat for seat in stayed if ranks[seat] == 1]
    return ranks, [1 / len(winners) if seat in winners else 0.0 for seat in range(len(money))]


def result_of(game: Game, scheduled: Fixture, faults: Sequence[str | None]) -> GameResult:
    """Collect the result of a finished game."""
    ledger = ledger_of(game)
    first = game.setup.first
    ranks, wins = standing(game.money, faults)
    merchants = tuple(
        Merchant(
            bot=bot,
            seat=seat,
            position=(seat - first) % game.players,
            money=game.money[seat],
            rank=ranks[seat],
            win=wins[seat],
            loans=ledger.loans[seat],
            paid=tuple(ledger.paid[seat]),
            after_paydays=tuple(ledger.settled[seat]),
            sources=ledger.sources[seat],
            fault=faults[seat],
        )
        for seat, bot in enumerate(scheduled.bots)
    )
    return GameResult(
        number=scheduled.number,
        deal=scheduled.deal,
        seed=scheduled.seed,
        line_up=scheduled.line_up,
        rotation=scheduled.rotation,
        first=first,
        rounds=tuple(ledger.rounds),
        actions=ledger.actions,
        merchants=merchants,
    )


class Batches:
    """Splits the numbers of games into batches: single games first, then as many as last long enough."""

    def __init__(self, numbers: Sequence[int], workers: int) -> None:
        self._numbers = numbers
        self._workers = workers
        self._handed_out = 0
        self._pace = math.inf  # seconds of the quickest game so far

    def note(self, batch: Batch) -> None:
        """Measure how long games take; the quickest counts, because workers are slow at first."""
        self._pace = min(self._pace, batch.seconds / len(batch.games))

    def __iter__(self) -> Iterator[Sequence[int]]:
        return self

    def __next__(self) -> Sequence[int]:
        left = len(self._numbers) - self._handed_out
        if not left:
            raise StopIteration
        first = self._handed_out
        self._handed_out += min(self._size(), -(-left // self._workers))
        return self._numbers[first : self._handed_out]

    def _size(self) -> int:
        """Return how many games make a batch long enough."""
        if math.isinf(self._pace):
            return 1
        return MOST if self._pace * MOST <= LONG_ENOUGH else math.ceil(LONG_ENOUGH / self._pace)
