"""One number for the strength of each bot, with its uncertainty, by the Plackett-Luce model of openskill.

A bot that sits in several seats of a game takes part once, with the mean of its ranks: against itself it can neither
win nor lose. The games are counted in the order of the schedule.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from openskill.models import PlackettLuce, PlackettLuceRating

from elcapitan.arena.result import GameResult


@dataclass(frozen=True)
class Rating:
    """The strength of a bot: it lies within two sigma of mu, 95 times in 100."""

    mu: float
    sigma: float


def ratings(games: Iterable[GameResult]) -> dict[str, Rating]:
    """The rating of every bot after some games."""
    model = PlackettLuce()
    current: dict[str, PlackettLuceRating] = defaultdict(model.rating)
    for game in games:
        placed = mean_ranks(game)
        teams = [[current[bot]] for bot in placed]
        if len(teams) > 1:
            order = sorted(set(placed.values()))
            places = [order.index(rank) for rank in placed.values()]  # the library would cut fractions off
            rated = model.rate(teams, ranks=[float(place) for place in places])
            current.update({bot: team[0] for bot, team in zip(placed, rated, strict=True)})
    return {bot: Rating(rating.mu, rating.sigma) for bot, rating in current.items()}


def mean_ranks(game: GameResult) -> dict[str, float]:
    """Every bot of a game with the mean of its ranks."""
    ranks: dict[str, list[int]] = defaultdict(list)
    for merchant in game.merchants:
        ranks[merchant.bot].append(merchant.rank)
    return {bot: fmean(found) for bot, found in ranks.items()}
