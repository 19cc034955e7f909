"""All figures of a study of the economy."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any, Final

from elcapitan.arena.intervals import Estimate, clustered_share
from elcapitan.arena.ledger import SOURCES
from elcapitan.arena.result import GameResult, Merchant
from elcapitan.arena.summary import Share, Spread, rounded, summarise
from elcapitan.engine.vocabulary import PHASES
from elcapitan.study.playing import Plan, Table
from elcapitan.study.published import PublishedGame, published
from elcapitan.study.strategy import STRATEGIES, by_income, by_table

FORMAT: Final = "elcapitan-economy/1"
WINNER, MEAN, LAST = "winner", "mean", "last"


@dataclass(frozen=True)
class PlaceFigures:
    """How those fared who ended a game in one place. Of equals, the one in the lower seat comes first."""

    place: int  # 1 for the winner
    worth: tuple[Spread, ...]  # money less debt after each payday; after the third, that is the end
    sources: dict[str, float]  # means, by SOURCES of the arena's ledger


@dataclass(frozen=True)
class PhaseFigures:
    """How one of the three phases went."""

    rounds: Spread
    usual: float  # share of games in which it had as many rounds as published games usually have
    loans: Spread  # loan cards taken by a merchant
    extended: float | None  # share of these that were extended; None if none were taken or it cannot be done
    built: float  # share of games in which it ended because somebody had built everything; else, all passed
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
    """How those fared who lived on the same."""

    strategy: str  # of STRATEGIES
    merchants: int
    games: int  # with both kinds at the table; only these decide anything
    wins: float  # of these games
    share: Estimate | None  # the same as a share, None without such games
    chance: float | None  # share of the seats in these games


@dataclass(frozen=True)
class Economy:
    """The figures of one number of players."""

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


def measure(table: Table) -> Economy:
    """The figures of one number of players; there must be at least one game."""
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
    """The seats of a game from the winner to the last; of equals, the lower seat first."""
    return sorted(range(len(game.merchants)), key=lambda seat: -game.merchants[seat].money)


def spread(numbers: Sequence[int]) -> Spread:
    """Mean, least and most."""
    return Spread(fmean(numbers), min(numbers), max(numbers))


def _place(table: Table, place: int) -> PlaceFigures:
    """Those who ended in one place, from 0."""
    games = table.results.games
    seats = [order(game)[place] for game in games]
    books = [accounts[seat] for accounts, seat in zip(table.accounts, seats, strict=True)]
    return PlaceFigures(
        place=place + 1,
        worth=tuple(spread([each.worth[payday] for each in books]) for payday in range(PHASES)),
        sources=_sources([game.merchants[seat] for game, seat in zip(games, seats, strict=True)]),
    )


def _sources(merchants: Sequence[Merchant]) -> dict[str, float]:
    """Where the money came from and went to, on average."""
    return {source: fmean(merchant.sources[source] for merchant in merchants) for source in SOURCES}


def _phase(table: Table, phase: int, usual: tuple[int, int]) -> PhaseFigures:
    """One phase, from 0, in all games."""
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


def compare(table: Table, game: PublishedGame) -> tuple[Comparison, ...]:
    """A published game beside ours."""
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
    """The share of some numbers that are lower than a bound; equal ones count one half."""
    return fmean((number < bound) + (number == bound) / 2 for number in numbers)


def _strategy(games: Sequence[GameResult], wanted: str) -> StrategyFigures:
    """Those of one kind: their victories in games in which not everybody was of it."""
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
    wins = [sum(merchant.win for merchant in of_kind) for _, of_kind in mixed]
    players = len(games[0].merchants)
    return StrategyFigures(
        strategy=wanted,
        merchants=sum(map(len, seen)),
        games=len(mixed),
        wins=sum(wins),
        share=clustered_share(wins, [deal for deal, _ in mixed]) if mixed else None,
        chance=fmean(len(of_kind) / players for _, of_kind in mixed) if mixed else None,
    )


def renamed(table: Table, name: Callable[[GameResult, int, Merchant], str]) -> list[GameResult]:
    """The games with every merchant under another name, and with debts taken off its money after each payday.

    So the arena's own charts can be drawn for ranks or numbers of players in place of bots.
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


def to_json(plan: Plan, economies: Sequence[Economy], versions: dict[str, str]) -> dict[str, Any]:
    """Everything counted, for a program; the same on every machine."""
    whole: dict[str, Any] = rounded(
        {
            "format": FORMAT,
            "versions": versions,
            "config": {
                "bot": plan.bot,
                "players": list(plan.players),
                "games": plan.games,
                "seed": plan.seed,
                "board": plan.figures.name,
            },
            "scheduled": plan.scheduled,
            "played": sum(economy.played for economy in economies),
            "published": asdict(published()),
            "tables": [asdict(economy) for economy in economies],
        }
    )
    return whole
