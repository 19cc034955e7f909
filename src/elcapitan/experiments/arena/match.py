"""Playing the games of a schedule: one by one, and in batches that are worth sending to a worker."""

import contextlib
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.bots.bot import Bot
from elcapitan.engine.rng import Generators, generator
from elcapitan.experiments.arena.schedule import Config, Fixture, GameResult, Merchant, fixture
from elcapitan.game.game import Game
from elcapitan.players import seats
from elcapitan.position.ledger import books
from elcapitan.records import json_record as record

LONG_ENOUGH: Final = 0.5  # seconds of play
MOST: Final = 1000  # games


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
    return Played(_result(game, scheduled, faults), written)


@contextlib.contextmanager
def seated(config: Config, scheduled: Fixture) -> Iterator[tuple[Game, list[Bot], list[Generators]]]:
    """Set up a game of the schedule, its bots and a generator for each; close the bots at the end of the block."""
    game = Game.new(config.players, config.tiles, options=config.options, seed=scheduled.seed, figures=config.board)
    bots: list[Bot] = []
    try:
        for seat, spec in enumerate(scheduled.bots):
            bots.append(seats.create_seat(spec, game.setup, seat, game.figures))
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


def _result(game: Game, scheduled: Fixture, faults: Sequence[str | None]) -> GameResult:
    """Collect the result of a finished game."""
    ledger = books(game)
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
    """Splits the numbers of all games into batches: single games first, then as many as last long enough."""

    def __init__(self, games: int, workers: int) -> None:
        self._games = games
        self._workers = workers
        self._handed_out = 0
        self._pace = math.inf  # seconds of the quickest game so far

    def note(self, batch: Batch) -> None:
        """Measure how long games take; the quickest counts, because workers are slow at first."""
        self._pace = min(self._pace, batch.seconds / len(batch.games))

    def __iter__(self) -> Iterator[range]:
        return self

    def __next__(self) -> range:
        left = self._games - self._handed_out
        if not left:
            raise StopIteration
        first = self._handed_out
        self._handed_out += min(self._size(), -(-left // self._workers))
        return range(first, self._handed_out)

    def _size(self) -> int:
        """Return how many games make a batch long enough."""
        if math.isinf(self._pace):
            return 1
        return MOST if self._pace * MOST <= LONG_ENOUGH else math.ceil(LONG_ENOUGH / self._pace)
