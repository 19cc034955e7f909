"""Results made by hand, and games that are decided by strength and dice alone."""

import random
from collections.abc import Mapping, Sequence

from elcapitan.experiments.arena.games import Config, Fixture, GameResult, Merchant, Played
from elcapitan.experiments.arena.tournament import Results
from elcapitan.position.ledger import SOURCES, START


def made(
    number: int,
    bots: Sequence[str],
    money: Sequence[int],
    *,
    deal: int | None = None,
    first: int = 0,
    loans: Sequence[int] = (),
    faults: Sequence[str | None] = (),
    rounds: tuple[int, ...] = (7, 6, 5),
) -> GameResult:
    """What came of a game in which everybody ended with so much money; a third of it was there after payday 1."""
    best = max(money)
    merchants = tuple(
        Merchant(
            bot=bot,
            seat=seat,
            position=(seat - first) % len(bots),
            money=own,
            rank=1 + sum(other > own for other in money),
            win=1 / list(money).count(best) if own == best else 0.0,
            loans=loans[seat] if loans else 0,
            paid=(own // 2, own // 3, own // 4),
            after_paydays=(own // 3, own // 2, own),
            sources={**dict.fromkeys(SOURCES, 0), START: own},
            fault=faults[seat] if faults else None,
        )
        for seat, (bot, own) in enumerate(zip(bots, money, strict=True))
    )
    return GameResult(
        number=number,
        deal=number if deal is None else deal,
        seed=0,
        line_up=0,
        rotation=0,
        first=first,
        rounds=rounds,
        actions=200 + number,
        merchants=merchants,
    )


def results(*games: GameResult, seed: int = 1) -> Results:
    """Some games as the results of an arena."""
    bots = tuple(dict.fromkeys(merchant.bot for game in games for merchant in game.merchants))
    players = len(games[0].merchants)
    return Results(Config(bots=bots, players=players, games=len(games), seed=seed), games)


def decided(strength: Mapping[str, float], scheduled: Fixture) -> Played:
    """A game won by each bot as often as its strength says; whoever sits in seat 1 has a little more money."""
    dice = random.Random(scheduled.dice(0))
    order = list(range(len(scheduled.bots)))
    money = [0] * len(order)
    for place in range(len(order)):
        (seat,) = dice.choices(order, [strength[scheduled.bots[seat]] for seat in order])
        order.remove(seat)
        money[seat] = 100 - 10 * place
    return Played(made(scheduled.number, scheduled.bots, money, deal=scheduled.deal), None)
