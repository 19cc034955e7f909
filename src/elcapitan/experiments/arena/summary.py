"""The figures of an arena: shares of victories, ratings, money and rounds, with 95 % confidence intervals.

The games of one deal are not independent, so deals and not games are what was sampled. `clustered` takes the spread
from deal to deal, with Student's t because deals may be few. For a share of victories, `clustered_share` turns this
spread into the number of independent games it corresponds to and asks Wilson's formula, which stays between 0 and 1
and works for bots that win always or never. That number is held between the number of deals and the number of games.

Ratings follow the Plackett-Luce model of openskill. A bot in several seats of a game takes part once, with the mean of
its ranks: against itself it can neither win nor lose. Games are counted in the order of the schedule.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Final

from openskill.models import PlackettLuce, PlackettLuceRating

from elcapitan.engine.vocabulary import PHASES
from elcapitan.experiments.arena.games import Config, GameResult, Merchant
from elcapitan.experiments.arena.tournament import Results
from elcapitan.position.ledger import SOURCES

FORMAT: Final = "elcapitan-arena/1"
DECIMALS: Final = 6  # what different machines agree on

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


NOTHING_KNOWN: Final = Estimate(0.0, None, None)
Seen = tuple[int, Merchant]  # a merchant and the deal it was seen in


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
    return rate(mean_ranks((merchant.bot, merchant.rank) for merchant in game.merchants) for game in games)


def rate(games: Iterable[Mapping[str, float]]) -> dict[str, Rating]:
    """Rate every bot after some games, told by the mean ranks of their bots."""
    model = PlackettLuce()
    current: dict[str, PlackettLuceRating] = defaultdict(model.rating)
    for placed in games:
        teams = [[current[bot]] for bot in placed]
        if len(teams) > 1:
            order = sorted(set(placed.values()))
            places = [order.index(rank) for rank in placed.values()]  # the library would cut fractions off
            rated = model.rate(teams, ranks=[float(place) for place in places])
            current.update({bot: team[0] for bot, team in zip(placed, rated, strict=True)})
    return {bot: Rating(rating.mu, rating.sigma) for bot, rating in current.items()}


def mean_ranks(seats: Iterable[tuple[str, int]]) -> dict[str, float]:
    """Return the mean of the ranks of every bot of a game, of which each seat has its bot and its rank."""
    ranks: dict[str, list[int]] = defaultdict(list)
    for bot, rank in seats:
        ranks[bot].append(rank)
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


@dataclass(frozen=True)
class Share:
    """The victories in some games, and their share."""

    games: int
    wins: float
    share: Estimate  # deals are what was sampled


@dataclass(frozen=True)
class Fault:
    """A fault of a bot, and in how many games it happened."""

    what: str
    games: int


@dataclass(frozen=True)
class BotFigures:
    """The figures of one bot. A bot in several seats of a game counts once for each.

    A game that it forfeited counts as lost; what its stand-in earned there is left out of all means but the rank's.
    """

    bot: str
    games: int
    forfeits: int
    wins: float
    share: Estimate  # of victories; deals are what was sampled
    wilson: Estimate  # the same as if all games were independent
    chance: float  # the share expected by chance
    rank: float
    money: Estimate
    loans: float
    rating: Rating
    by_seat: tuple[Share | None, ...]  # None where it never sat
    by_position: tuple[Share | None, ...]  # by the distance from the starting player
    after_paydays: tuple[float, ...]  # mean money
    paid: tuple[float, ...]  # mean of what each payday paid
    sources: dict[str, float]  # means, by SOURCES of `ledger`
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class Spread:
    """The mean, the least and the most of some numbers."""

    mean: float
    least: int
    most: int


@dataclass(frozen=True)
class Summary:
    """All figures of an arena."""

    config: Config
    played: int  # games
    deals: int  # that they belong to
    bots: tuple[BotFigures, ...]  # in the order of the command
    by_seat: tuple[Share | None, ...]
    by_position: tuple[Share | None, ...]
    rounds: tuple[Spread, ...]  # by phase
    actions: Spread

    @property
    def standings(self) -> tuple[BotFigures, ...]:
        """The bots in the order of their share of victories."""
        return tuple(sorted(self.bots, key=lambda bot: (-bot.share.mean, bot.rank)))


def summarise(results: Results) -> Summary:
    """Compute all figures; there must be at least one game."""
    games, config = results.games, results.config
    seen = [(game.deal, merchant) for game in games for merchant in game.merchants]
    rated = ratings(games)
    return Summary(
        config=config,
        played=len(games),
        deals=len({game.deal for game in games}),
        bots=tuple(
            _bot_figures(bot, games, config.players, rated[bot]) for bot in dict.fromkeys(config.bots) if bot in rated
        ),
        by_seat=_shares(seen, config.players, lambda merchant: merchant.seat),
        by_position=_shares(seen, config.players, lambda merchant: merchant.position),
        rounds=tuple(spread([game.rounds[phase] for game in games]) for phase in range(PHASES)),
        actions=spread([game.actions for game in games]),
    )


def _bot_figures(bot: str, games: Sequence[GameResult], players: int, rating: Rating) -> BotFigures:
    """Compute the figures of one bot."""
    seen = [(game.deal, merchant) for game in games for merchant in game.merchants if merchant.bot == bot]
    deals = [deal for deal, _merchant in seen]
    wins = [merchant.win for _deal, merchant in seen]
    stayed = [(deal, merchant) for deal, merchant in seen if merchant.fault is None]
    merchants = [merchant for _deal, merchant in stayed]
    return BotFigures(
        bot=bot,
        games=len(seen),
        forfeits=len(seen) - len(stayed),
        wins=sum(wins),
        share=clustered_share(wins, deals),
        wilson=wilson(fmean(wins), len(wins)),
        chance=1 / players,
        rank=fmean(merchant.rank for _deal, merchant in seen),
        money=clustered([merchant.money for merchant in merchants], [deal for deal, _merchant in stayed])
        if stayed
        else NOTHING_KNOWN,
        loans=_mean(merchant.loans for merchant in merchants),
        rating=rating,
        by_seat=_shares(seen, players, lambda merchant: merchant.seat),
        by_position=_shares(seen, players, lambda merchant: merchant.position),
        after_paydays=tuple(
            _mean(merchant.after_paydays[number] for merchant in merchants) for number in range(PHASES)
        ),
        paid=tuple(_mean(merchant.paid[number] for merchant in merchants) for number in range(PHASES)),
        sources={source: _mean(merchant.sources[source] for merchant in merchants) for source in SOURCES},
        faults=_faults(bot, games),
    )


def _mean(numbers: Iterable[int]) -> float:
    """Return the mean of some numbers; 0 if there are none, because every game was forfeited."""
    found = list(numbers)
    return fmean(found) if found else 0.0


def _shares(seen: Sequence[Seen], players: int, place: Callable[[Merchant], int]) -> tuple[Share | None, ...]:
    """Count victories by seat, or by distance from the starting player."""
    return tuple(_share([each for each in seen if place(each[1]) == number]) for number in range(players))


def _share(seen: Sequence[Seen]) -> Share | None:
    """Count the victories of some merchants; None if there are none."""
    if not seen:
        return None
    wins = [merchant.win for _deal, merchant in seen]
    return Share(len(seen), sum(wins), clustered_share(wins, [deal for deal, _merchant in seen]))


def _faults(bot: str, games: Iterable[GameResult]) -> tuple[Fault, ...]:
    """Count the faults of a bot, the most frequent first."""
    found: Counter[str] = Counter()
    for game in games:
        found.update({merchant.fault for merchant in game.merchants if merchant.bot == bot and merchant.fault})
    return tuple(Fault(what, number) for what, number in sorted(found.items(), key=lambda each: (-each[1], each[0])))


def spread(numbers: Sequence[int]) -> Spread:
    """Compute mean, least and most of some numbers."""
    return Spread(fmean(numbers), min(numbers), max(numbers))


def to_json(summary: Summary, versions: dict[str, str]) -> dict[str, Any]:
    """Return all figures as JSON, the same on every machine."""
    config = summary.config
    whole: dict[str, Any] = rounded(
        {
            "format": FORMAT,
            "versions": versions,
            "config": {
                "bots": list(config.bots),
                "players": config.players,
                "tiles": list(config.setup.tiles),
                "options": dict(config.setup.options),
                "board": config.figures.name,
                "games": config.games,
                "seed": config.seed,
            },
            "schedule": {
                "line_ups": [list(line_up) for line_up in config.line_ups],
                "deals": config.deals,
                "games_per_deal": config.games_per_deal,
                "games": config.scheduled,
            },
            "played": summary.played,
            "deals": summary.deals,
            "bots": [asdict(bot) for bot in summary.bots],
            "by_seat": [share and asdict(share) for share in summary.by_seat],
            "by_position": [share and asdict(share) for share in summary.by_position],
            "rounds": [asdict(spread) for spread in summary.rounds],
            "actions": asdict(summary.actions),
        }
    )
    return whole


def rounded(value: Any) -> Any:
    """Round all fractions in a JSON value, so that machines with different arithmetic agree."""
    if isinstance(value, float):
        return round(value, DECIMALS)
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    return value
