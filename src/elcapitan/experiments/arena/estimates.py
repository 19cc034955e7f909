"""How strong bots are and how sure that is: 95 % confidence intervals and ratings, and how both are written.

The games of one deal are not independent, so deals and not games are what was sampled. `clustered` takes the spread
from deal to deal, with Student's t because deals may be few. For a share of victories, `clustered_share` turns this
spread into the number of independent games it corresponds to and asks Wilson's formula, which stays between 0 and 1
and works for bots that win always or never. That number is held between the number of deals and the number of games.

Ratings follow the Plackett-Luce model of openskill. A bot in several seats of a game takes part once, with the mean of
its ranks: against itself it can neither win nor lose. Games are counted in the order of the schedule.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

from elcapitan.experiments.arena.schedule import GameResult

Z: Final = 1.959964  # 95 % of a normal distribution lie within so many standard deviations
# The same for Student's t with 1, 2, 3 ... degrees of freedom.
STUDENT: Final = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % confidence interval; without bounds if there is only one cluster."""

    mean: float
    low: float | None
    high: float | None


def student(freedom: int) -> float:
    """Return how many standard errors make an interval, by Student's t."""
    return STUDENT[freedom - 1] if freedom <= len(STUDENT) else Z * (1 + (Z * Z + 1) / (4 * freedom))


def wilson(share: float, games: float) -> Estimate:
    """Compute Wilson's interval of a share observed in independent games."""
    z2 = Z * Z / games
    middle = (share + z2 / 2) / (1 + z2)
    half = Z / (1 + z2) * math.sqrt(share * (1 - share) / games + z2 / games / 4)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))


def variance_of_mean(values: Sequence[float], clusters: Sequence[Hashable]) -> float | None:
    """Estimate the variance of a mean of clustered values; None if there is only one cluster."""
    mean = fmean(values)
    surplus: dict[Hashable, float] = defaultdict(float)
    for value, cluster in zip(values, clusters, strict=True):
        surplus[cluster] += value - mean
    count = len(surplus)
    if count < 2:
        return None
    return count / (count - 1) * math.fsum(each * each for each in surplus.values()) / len(values) ** 2


def clustered(values: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    """Estimate the mean of clustered values."""
    mean, variance = fmean(values), variance_of_mean(values, clusters)
    if variance is None:
        return Estimate(mean, None, None)
    half = student(len(set(clusters)) - 1) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half)


def clustered_share(wins: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    """Estimate a share of victories in clustered games."""
    return wilson(fmean(wins), worth(wins, clusters))


def worth(wins: Sequence[float], clusters: Sequence[Hashable]) -> float:
    """Return the number of independent games with the same information: at least the clusters, at most the games."""
    share, variance = fmean(wins), variance_of_mean(wins, clusters)
    fewest = len(set(clusters))
    if variance is None or not 0 < share < 1:
        return fewest
    few = (Z / student(fewest - 1)) ** 2  # what is known about the spread itself from so few clusters
    return min(max(share * (1 - share) / variance * few, fewest), len(wins)) if variance else len(wins)


@dataclass(frozen=True)
class Rating:
    """The strength of a bot: 95 times in 100 it lies within two sigma of mu."""

    mu: float
    sigma: float

    def __str__(self) -> str:
        return f"{self.mu:.1f} ± {2 * self.sigma:.1f}"


def ratings(games: Iterable[GameResult]) -> dict[str, Rating]:
    """Rate every bot after some games."""
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
    """Return the mean of the ranks of every bot of a game."""
    ranks: dict[str, list[int]] = defaultdict(list)
    for merchant in game.merchants:
        ranks[merchant.bot].append(merchant.rank)
    return {bot: fmean(found) for bot, found in ranks.items()}


def percent(share: float) -> str:
    """Format a share as a percentage."""
    return f"{100 * share:.1f} %"


def between(low: float | None, high: float | None) -> str:
    """Format the interval of a share in percent; empty without bounds."""
    return "" if low is None or high is None else f"{100 * low:.1f}\N{EN DASH}{100 * high:.1f}"


def plus_minus(mean: float, low: float | None, digits: int = 0) -> str:
    """Format a mean with half of its interval."""
    return f"{mean:.{digits}f}" if low is None else f"{mean:.{digits}f} ± {mean - low:.{digits}f}"
