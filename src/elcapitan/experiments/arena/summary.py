"""The figures of an arena: shares of victories, ratings, money and rounds."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Final

from elcapitan.engine.vocabulary import PHASES
from elcapitan.experiments.arena.estimates import Estimate, Rating, clustered, clustered_share, ratings, wilson
from elcapitan.experiments.arena.schedule import Config, GameResult, Merchant
from elcapitan.experiments.arena.tournament import Results
from elcapitan.position.ledger import SOURCES

FORMAT: Final = "elcapitan-arena/1"
DECIMALS: Final = 6  # what different machines agree on
NOTHING_KNOWN: Final = Estimate(0.0, None, None)

Seen = tuple[int, Merchant]  # a merchant and the deal it was seen in


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
