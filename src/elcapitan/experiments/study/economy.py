"""All figures of a study of the economy, beside those of published games.

What a merchant lived on, presence in many cities or strength in some, is told by two rules, for different questions.

By its income: a merchant that earned more by presence, that is by proliferation and its bonus cards, than by majorities
and fortresses together has spread out; any other, also after a tie, has played for majorities.

By its table: a merchant that earned a larger share by presence than its table on average leaned to spreading out, any
other to majorities. So there are nearly always both kinds at a table, even if all live on much the same.

The income of all paydays counts; money that comes in otherwise does not.
"""

import functools
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import resources
from statistics import fmean
from typing import Any, Final

from elcapitan.engine.vocabulary import PHASES
from elcapitan.experiments.arena.games import GameResult, Merchant
from elcapitan.experiments.arena.summary import Estimate, Share, Spread, clustered_share, rounded, spread, summarise
from elcapitan.experiments.study.games import StudiedTable, Study
from elcapitan.position.ledger import BONUS, FORTRESSES, MAJORITIES, PROLIFERATION, SOURCES
from elcapitan.text.catalogue import _

FORMAT: Final = "elcapitan-economy/1"
WINNER, MEAN, LAST = "winner", "mean", "last"
SPREAD, MAJORITY = "spread", "majority"
MORE_SPREAD, LESS_SPREAD = "more-spread", "less-spread"
STRATEGIES: Final = {
    SPREAD: _("spread out"),
    MAJORITY: _("for majorities"),
    MORE_SPREAD: _("leaning to spread"),
    LESS_SPREAD: _("leaning to majorities"),
}


@dataclass(frozen=True)
class PublishedGame:
    """A published game, as its players reported it."""

    players: int
    money: tuple[int, ...]  # at the end, the winner first
    after_paydays: tuple[tuple[int, ...], ...]  # money less debt after the first paydays, as far as it is reported
    first_plays: bool  # whether all played for the first time


@dataclass(frozen=True)
class Published:
    """All published games between people."""

    games: tuple[PublishedGame, ...]
    least_rounds: int  # of a phase
    usual_rounds: tuple[int, int]

    def with_players(self, players: int) -> tuple[PublishedGame, ...]:
        """Return the published games of a number of players."""
        return tuple(game for game in self.games if game.players == players)


@functools.cache
def published() -> Published:
    """Read the published games from the data file."""
    content = tomllib.loads(
        (resources.files("elcapitan") / "data" / "published_games.toml").read_text(encoding="utf-8")
    )
    fewest, most = content["rounds"]["usual"]
    return Published(
        games=tuple(
            PublishedGame(
                players=game["players"],
                money=tuple(game["money"]),
                after_paydays=tuple(map(tuple, game["after_paydays"])),
                first_plays=game["first_plays"],
            )
            for game in content["games"]
        ),
        least_rounds=content["rounds"]["least"],
        usual_rounds=(fewest, most),
    )


@dataclass(frozen=True)
class PlaceFigures:
    """The figures of merchants who ended in the same place; of equals, the lower seat comes first."""

    place: int  # 1 for the winner
    worth: tuple[Spread, ...]  # money less debt after each payday; after the third, that is the end
    sources: dict[str, float]  # means, by SOURCES of the arena's ledger


@dataclass(frozen=True)
class PhaseFigures:
    """The figures of one of the three phases."""

    rounds: Spread
    usual: float  # share of games in which it had as many rounds as published games usually have
    loans: Spread  # loan cards taken by a merchant
    extended: float | None  # share of these that were extended; None if none were taken or it cannot be done
    built: float  # share of games in which it ended because a merchant had built everything; else, all passed
    finished: float  # merchants with nothing left to build, mean of all games
    left: float  # pieces left to build of the others, mean of those merchants


@dataclass(frozen=True)
class Comparison:
    """A figure of a published game beside the same figure of our games."""

    what: str  # WINNER, MEAN and LAST at the end, or `payday-1`, `payday-2` for the mean after an earlier payday
    published: float
    mean: float
    least: float
    most: float
    lower: float  # share of our games with a lower figure; an equal one counts one half


@dataclass(frozen=True)
class StrategyFigures:
    """The figures of merchants with the same strategy."""

    strategy: str  # of STRATEGIES
    merchants: int
    games: int  # with both kinds at the table; only these decide anything
    wins: float  # of these games
    share: Estimate | None  # the same as a share, None without such games
    chance: float | None  # share of the seats in these games


@dataclass(frozen=True)
class Economy:
    """All figures of one number of players."""

    players: int
    played: int  # games
    money: Spread  # at the end
    places: tuple[PlaceFigures, ...]
    phases: tuple[PhaseFigures, ...]
    borrowers: float  # share of the merchants who took a loan at all
    loans: float  # loan cards taken by a merchant in the whole game, mean
    comparisons: tuple[tuple[Comparison, ...], ...]  # one group for each published game of so many players
    by_position: tuple[Share | None, ...]  # victories by seats after the starting player
    strategies: tuple[StrategyFigures, ...]
    sources: dict[str, float]  # means, by SOURCES of the arena's ledger


def measure(table: StudiedTable) -> Economy:
    """Compute all figures of one number of players; there must be at least one game."""
    yardstick = published()
    games = table.results.games
    merchants = [merchant for game in games for merchant in game.merchants]
    books = [seat for seats in table.accounts for seat in seats]
    players = table.results.config.players
    return Economy(
        players=players,
        played=len(games),
        money=spread([merchant.money for merchant in merchants]),
        places=tuple(_place(table, place) for place in range(players)),
        phases=tuple(_phase(table, phase, yardstick.usual_rounds) for phase in range(PHASES)),
        borrowers=fmean(sum(each.taken) > 0 for each in books),
        loans=fmean(sum(each.taken) for each in books),
        comparisons=tuple(compare(table, game) for game in yardstick.with_players(players)),
        by_position=summarise(table.results).by_position,
        strategies=tuple(_strategy(games, each) for each in STRATEGIES),
        sources=_sources(merchants),
    )


def order(game: GameResult) -> list[int]:
    """Return the seats of a game from the winner to the last; of equals, the lower seat first."""
    return sorted(range(len(game.merchants)), key=lambda seat: -game.merchants[seat].money)


def _place(table: StudiedTable, place: int) -> PlaceFigures:
    """Compute the figures of the merchants who ended in one place, from 0."""
    games = table.results.games
    seats = [order(game)[place] for game in games]
    books = [accounts[seat] for accounts, seat in zip(table.accounts, seats, strict=True)]
    return PlaceFigures(
        place=place + 1,
        worth=tuple(spread([each.worth[payday] for each in books]) for payday in range(PHASES)),
        sources=_sources([game.merchants[seat] for game, seat in zip(games, seats, strict=True)]),
    )


def _sources(merchants: Sequence[Merchant]) -> dict[str, float]:
    """Compute mean amounts by source of money."""
    return {source: fmean(merchant.sources[source] for merchant in merchants) for source in SOURCES}


def _phase(table: StudiedTable, phase: int, usual: tuple[int, int]) -> PhaseFigures:
    """Compute the figures of one phase, from 0."""
    rounds = [game.rounds[phase] for game in table.results.games]
    books = [seat for seats in table.accounts for seat in seats]
    finished = [sum(seat.left[phase] == 0 for seat in seats) for seats in table.accounts]
    taken = sum(each.taken[phase] for each in books)
    unfinished = [each.left[phase] for each in books if each.left[phase]]
    return PhaseFigures(
        rounds=spread(rounds),
        usual=fmean(usual[0] <= number <= usual[1] for number in rounds),
        loans=spread([each.taken[phase] for each in books]),
        extended=sum(each.extended[phase] for each in books) / taken if taken and phase < PHASES - 1 else None,
        built=fmean(number > 0 for number in finished),
        finished=fmean(finished),
        left=fmean(unfinished) if unfinished else 0.0,
    )


def compare(table: StudiedTable, game: PublishedGame) -> tuple[Comparison, ...]:
    """Compare a published game with ours."""
    ours = [sorted((merchant.money for merchant in each.merchants), reverse=True) for each in table.results.games]
    wanted: list[tuple[str, float, list[float]]] = [
        (WINNER, game.money[0], [money[0] for money in ours]),
        (MEAN, fmean(game.money), [fmean(money) for money in ours]),
        (LAST, game.money[-1], [money[-1] for money in ours]),
    ]
    for payday, amounts in enumerate(game.after_paydays):
        means = [fmean(seat.worth[payday] for seat in seats) for seats in table.accounts]
        wanted.append((f"payday-{payday + 1}", fmean(amounts), means))
    return tuple(
        Comparison(what, found, fmean(own), min(own), max(own), _lower(own, found)) for what, found, own in wanted
    )


def _lower(numbers: Sequence[float], bound: float) -> float:
    """Return the share of numbers below a bound; equal ones count one half."""
    return fmean((number < bound) + (number == bound) / 2 for number in numbers)


def presence(merchant: Merchant) -> float:
    """Return the share of a merchant's income that came by presence; one half without any income."""
    by_presence = merchant.sources[PROLIFERATION] + merchant.sources[BONUS]
    by_strength = merchant.sources[MAJORITIES] + merchant.sources[FORTRESSES]
    return by_presence / (by_presence + by_strength) if by_presence + by_strength else 0.5


def by_income(game: GameResult) -> list[str]:
    """Return the strategy of every merchant of a game by its income."""
    return [SPREAD if presence(merchant) > 0.5 else MAJORITY for merchant in game.merchants]


def by_table(game: GameResult) -> list[str]:
    """Return the strategy of every merchant of a game compared with its table."""
    usual = fmean(map(presence, game.merchants))
    return [MORE_SPREAD if presence(merchant) > usual else LESS_SPREAD for merchant in game.merchants]


def _strategy(games: Sequence[GameResult], wanted: str) -> StrategyFigures:
    """Compute the victories of one strategy, in games where other strategies were played, too."""
    kinds = [by_income(game) + by_table(game) for game in games]
    seen = [
        [merchant for merchant, kind in zip(game.merchants * 2, of_game, strict=True) if kind == wanted]
        for game, of_game in zip(games, kinds, strict=True)
    ]
    mixed = [
        (game.deal, of_kind)
        for game, of_kind in zip(games, seen, strict=True)
        if 0 < len(of_kind) < len(game.merchants)
    ]
    wins = [sum(merchant.win for merchant in of_kind) for _deal, of_kind in mixed]
    players = len(games[0].merchants)
    return StrategyFigures(
        strategy=wanted,
        merchants=sum(map(len, seen)),
        games=len(mixed),
        wins=sum(wins),
        share=clustered_share(wins, [deal for deal, _merchants in mixed]) if mixed else None,
        chance=fmean(len(of_kind) / players for _deal, of_kind in mixed) if mixed else None,
    )


def renamed(table: StudiedTable, name: Callable[[GameResult, int, Merchant], str]) -> list[GameResult]:
    """Rename every merchant of the games, and subtract debts from its money after each payday.

    The arena's charts can then be drawn for ranks or numbers of players instead of bots.
    """
    return [
        replace(
            game,
            merchants=tuple(
                replace(merchant, bot=name(game, seat, merchant), after_paydays=accounts[seat].worth)
                for seat, merchant in enumerate(game.merchants)
            ),
        )
        for game, accounts in zip(table.results.games, table.accounts, strict=True)
    ]


def to_json(study: Study, economies: Sequence[Economy], versions: dict[str, str]) -> dict[str, Any]:
    """Return all figures as JSON, the same on every machine."""
    whole: dict[str, Any] = rounded(
        {
            "format": FORMAT,
            "versions": versions,
            "config": {
                "bot": study.bot,
                "players": list(study.players),
                "games": study.games,
                "seed": study.seed,
                "board": study.figures.name,
            },
            "scheduled": study.scheduled,
            "played": sum(economy.played for economy in economies),
            "published": asdict(published()),
            "tables": [asdict(economy) for economy in economies],
        }
    )
    return whole
