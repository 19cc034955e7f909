"""One game of the schedule, played to its end."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass

from elcapitan.arena.ledger import books
from elcapitan.arena.result import GameResult, Merchant
from elcapitan.arena.schedule import Config, Fixture, fixture
from elcapitan.bots.bot import Bot
from elcapitan.engine.rng import generator
from elcapitan.game import Game
from elcapitan.notation import record
from elcapitan.players import seats


@dataclass(frozen=True)
class Played:
    """A game that was played: what came of it, and its record if that was wanted."""

    result: GameResult
    record: str | None


@dataclass(frozen=True)
class Batch:
    """Some games that one worker played one after another."""

    games: tuple[Played, ...]
    seconds: float


def play_batch(config: Config, numbers: Sequence[int], *, with_records: bool) -> Batch:
    """Play some games of the schedule by their numbers: what a worker does."""
    begun = time.perf_counter()
    games = tuple(play_game(config, fixture(config, number), with_record=with_records) for number in numbers)
    return Batch(games, time.perf_counter() - begun)


def play_game(config: Config, scheduled: Fixture, *, with_record: bool = False) -> Played:
    """Play one game; it is decided by the configuration and its place in the schedule alone."""
    game = Game.new(config.players, config.tiles, options=config.options, seed=scheduled.seed, figures=config.board)
    bots: list[Bot] = []
    try:
        for seat, spec in enumerate(scheduled.bots):
            bots.append(seats.create_seat(spec, game.setup, seat, game.figures))
        play_out(game, bots, [scheduled.dice(seat) for seat in range(config.players)])
        faults = [getattr(bot, "fault", None) for bot in bots]
    finally:
        seats.dismiss(bots, game)
    written = json.dumps(record.to_json(game, seats=scheduled.bots), ensure_ascii=False) + "\n" if with_record else None
    return Played(_result(game, scheduled, faults), written)


def play_out(game: Game, bots: Sequence[Bot], seeds: Sequence[int]) -> None:
    """Let the bots play a game to its end, each with dice of its own."""
    dice = [generator(seed) for seed in seeds]
    while (seat := game.seat) is not None:
        game.play(seats.choose_action(bots[seat], game, dice[seat]))


def standing(money: Sequence[int], faults: Sequence[str | None]) -> tuple[list[int], list[float]]:
    """The rank of every seat, and its share of the victory.

    A program that failed has forfeited: it comes last and wins nothing, whatever its stand-in made of the seat.
    """
    stayed = [seat for seat, fault in enumerate(faults) if fault is None]
    last = min(len(stayed) + 1, len(money)) if stayed else len(money)
    ranks = [1 + sum(money[other] > own for other in stayed) for own in money]
    ranks = [rank if seat in stayed else last for seat, rank in enumerate(ranks)]
    winners = [seat for seat in stayed if ranks[seat] == 1]
    return ranks, [1 / len(winners) if seat in winners else 0.0 for seat in range(len(money))]


def _result(game: Game, scheduled: Fixture, faults: Sequence[str | None]) -> GameResult:
    """What came of a game."""
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
