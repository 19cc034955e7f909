"""How sure a figure is: 95 % confidence intervals, also for games that share their cards.

The games of one deal are not independent, so deals and not games are what was sampled. `clustered` takes the spread
from deal to deal, with Student's t because deals may be few. For a share of victories, `clustered_share` turns this
spread into the number of independent games it corresponds to and asks Wilson's formula, which stays between 0 and 1
and works for bots that win always or never. That number is held between the number of deals and the number of games.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

Z: Final = 1.959964  # 95 % of a normal distribution lie within so many standard deviations
# The same for Student's t with 1, 2, 3 ... degrees of freedom.
STUDENT: Final = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


@dataclass(frozen=True)
class Estimate:
    """A mean and the interval in which the true one lies, 95 times in 100; without bounds if nothing is known."""

    mean: float
    low: float | None
    high: float | None


def student(freedom: int) -> float:
    """How many standard errors make an interval."""
    return STUDENT[freedom - 1] if freedom <= len(STUDENT) else Z * (1 + (Z * Z + 1) / (4 * freedom))


def wilson(share: float, games: float) -> Estimate:
    """Wilson's interval of a share seen in so many independent games."""
    z2 = Z * Z / games
    middle = (share + z2 / 2) / (1 + z2)
    half = Z / (1 + z2) * math.sqrt(share * (1 - share) / games + z2 / games / 4)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))


def variance_of_mean(values: Sequence[float], clusters: Sequence[Hashable]) -> float | None:
    """The variance of a mean whose values are drawn cluster by cluster; unknown if there is only one cluster."""
    mean = fmean(values)
    surplus: dict[Hashable, float] = defaultdict(float)
    for value, cluster in zip(values, clusters, strict=True):
        surplus[cluster] += value - mean
    count = len(surplus)
    if count < 2:
        return None
    return count / (count - 1) * math.fsum(each * each for each in surplus.values()) / len(values) ** 2


def clustered(values: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    """A mean of values that come in clusters."""
    mean, variance = fmean(values), variance_of_mean(values, clusters)
    if variance is None:
        return Estimate(mean, None, None)
    half = student(len(set(clusters)) - 1) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half)


def clustered_share(wins: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    """A share of victories in games that come in clusters."""
    return wilson(fmean(wins), worth(wins, clusters))


def worth(wins: Sequence[float], clusters: Sequence[Hashable]) -> float:
    """How many independent games would tell as much: no fewer than the clusters, no more than the games."""
    share, variance = fmean(wins), variance_of_mean(wins, clusters)
    fewest = len(set(clusters))
    if variance is None or not 0 < share < 1:
        return fewest
    few = (Z / student(fewest - 1)) ** 2  # what is known about the spread itself from so few clusters
    return min(max(share * (1 - share) / variance * few, fewest), len(wins)) if variance else len(wins)
