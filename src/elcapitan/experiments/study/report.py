"""The report of a study: its tables, for screen and page alike, and a page with charts, complete in one file."""

import copy
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

from elcapitan.experiments.arena.charts import money_chart, position_chart, source_chart
from elcapitan.experiments.arena.games import Config, GameResult
from elcapitan.experiments.arena.report import render, versions_fact
from elcapitan.experiments.arena.summary import Spread, Summary, between, percent, summarise
from elcapitan.experiments.arena.tournament import Results
from elcapitan.experiments.drawing import Chart
from elcapitan.experiments.study.economy import (
    LAST,
    MEAN,
    STRATEGIES,
    WINNER,
    Comparison,
    Economy,
    PublishedGame,
    order,
    published,
    renamed,
)
from elcapitan.experiments.study.games import StudiedTable, Study
from elcapitan.text.catalogue import Translator, _
from elcapitan.text.names import SOURCE_NAMES

DASH: Final = "\N{EN DASH}"
UNKNOWN: Final = "-"
COMPARED: Final = {WINNER: _("winner"), MEAN: _("mean of all"), LAST: _("last place")}


@dataclass(frozen=True)
class ReportTable:
    """A table whose first column has names, the others numbers."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def sheets(t: Translator, economy: Economy) -> list[ReportTable]:
    """Return all tables of one number of players."""
    return [
        money_sheet(t, economy),
        *comparison_sheets(t, economy),
        phase_sheet(t, economy),
        victory_sheet(t, economy),
    ]


def money_sheet(t: Translator, economy: Economy) -> ReportTable:
    """Tabulate money less debt after each payday, by rank, beside the results of published games."""
    reported = published().with_players(economy.players)
    paydays = range(len(economy.phases))
    return ReportTable(
        title=t.text("Money less debt after each payday: mean, least and most by final rank"),
        head=(
            t.text("rank"),
            *(t.text("payday {number}", number=payday + 1) for payday in paydays),
            *(t.text("published") for _ in reported),
        ),
        rows=tuple(
            (
                str(place.place),
                *(_with_range(t, worth) for worth in place.worth),
                *(str(game.money[number]) for game in reported),
            )
            for number, place in enumerate(economy.places)
        ),
    )


def comparison_sheets(t: Translator, economy: Economy) -> list[ReportTable]:
    """Tabulate every published game of this number of players beside ours."""
    games = published().with_players(economy.players)
    return [
        ReportTable(
            title=headline(t, game),
            head=(
                t.text("florins"),
                t.text("published"),
                t.text("our mean"),
                t.text("our range"),
                t.text("our games below"),
            ),
            rows=tuple(
                (
                    compared(t, comparison),
                    f"{comparison.published:.0f}",
                    f"{comparison.mean:.0f}",
                    span(t, comparison.least, comparison.most),
                    f"{100 * comparison.lower:.0f} %",
                )
                for comparison in group
            ),
        )
        for game, group in zip(games, economy.comparisons, strict=True)
    ]


def headline(t: Translator, game: PublishedGame) -> str:
    """Describe a published game in a line."""
    scores = " / ".join(map(str, game.money))
    if game.first_plays:
        return t.text("A published game, first plays, beside ours: {scores}", scores=scores)
    return t.text("A published game beside ours: {scores}", scores=scores)


def compared(t: Translator, comparison: Comparison) -> str:
    """Name the figure that is compared."""
    if comparison.what in COMPARED:
        return t.template(COMPARED[comparison.what])
    return t.text("mean after payday {number}", number=comparison.what.rpartition("-")[2])


def phase_sheet(t: Translator, economy: Economy) -> ReportTable:
    """Tabulate rounds, loans and the end of each phase."""
    fewest, most = published().usual_rounds
    return ReportTable(
        title=t.text("Rounds, loans and the end of each phase"),
        head=(
            t.text("phase"),
            t.text("rounds"),
            t.text("{fewest} to {most}", fewest=fewest, most=most),
            t.text("loans each"),
            t.text("extended"),
            t.text("built"),
            t.text("finished"),
            t.text("left over"),
        ),
        rows=tuple(
            (
                str(number),
                _with_range(t, phase.rounds),
                f"{100 * phase.usual:.0f} %",
                _with_range(t, phase.loans),
                UNKNOWN if phase.extended is None else f"{100 * phase.extended:.0f} %",
                f"{100 * phase.built:.0f} %",
                f"{phase.finished:.1f}",
                f"{phase.left:.1f}",
            )
            for number, phase in enumerate(economy.phases, start=1)
        ),
    )


def victory_sheet(t: Translator, economy: Economy) -> ReportTable:
    """Tabulate victories by the distance from the starting player, and by strategy."""
    rows = [
        (
            t.text("starts") if not position else t.text("{number} after the start", number=position),
            str(share.games),
            percent(share.share.mean),
            between(share.share.low, share.share.high),
            percent(1 / economy.players),
        )
        for position, share in enumerate(economy.by_position)
        if share
    ]
    for kind in economy.strategies:
        if kind.share and kind.chance is not None:
            shown = (percent(kind.share.mean), between(kind.share.low, kind.share.high), percent(kind.chance))
        else:
            shown = (UNKNOWN, UNKNOWN, UNKNOWN)
        rows.append((t.template(STRATEGIES[kind.strategy]), str(kind.merchants), *shown))
    return ReportTable(
        title=t.text("Victories by seat and by strategy"),
        head=(t.text("merchants"), t.text("number"), t.text("wins"), "95 %", t.text("by chance")),
        rows=tuple(rows),
    )


def source_sheet(t: Translator, economies: Sequence[Economy]) -> ReportTable:
    """Tabulate where the money came from and went to, for all numbers of players."""
    used = [source for source in SOURCE_NAMES if any(economy.sources[source] for economy in economies)]
    money = [f"{economy.money.mean:.1f}" for economy in economies]
    return ReportTable(
        title=t.text("Where the money came from, and where it went"),
        head=("", *(seats(t, economy.players) for economy in economies)),
        rows=(
            *(
                (t.template(SOURCE_NAMES[source]), *(f"{economy.sources[source]:+.1f}" for economy in economies))
                for source in used
            ),
            (t.text("money at the end"), *money),
        ),
    )


def seats(t: Translator, players: int) -> str:
    """Write a number of players."""
    return t.text("{players} players", players=players)


def borrowing(t: Translator, economy: Economy) -> str:
    """Write how many merchants borrowed, and how much."""
    return t.text(
        "{share} of the merchants borrowed, {loans:.1f} loan cards each in a game.",
        share=percent(economy.borrowers),
        loans=economy.loans,
    )


def notes(t: Translator) -> list[str]:
    """Explain how to read the figures."""
    return [
        t.text("Money after a payday is what is left when everything still owed is taken off."),
        t.text(
            "Our games below: the share of our games whose figure is lower than that of the published game. At 0 % and "
            "at 100 % it lies outside of all our games."
        ),
        t.text(
            "Built: the share of games in which the phase ended because somebody had built everything; else everybody "
            "passed. Finished: merchants with nothing left to build. Left over: pieces that each of the others had."
        ),
        t.text(
            "Whoever earned more by proliferation and bonus cards than by majorities and fortresses has spread out; "
            "whoever earned a larger share by them than the others at the table leaned to it. Only games with both "
            "kinds at the table count, and chance would give each kind its share of the seats."
        ),
    ]


def span(t: Translator, least: float, most: float) -> str:
    """Format a range; with words beside a minus sign, where a dash would be hard to read."""
    if least < 0:
        return t.text("{fewest} to {most}", fewest=f"{least:.0f}", most=f"{most:.0f}")
    return f"{least:.0f}{DASH}{most:.0f}"


def _with_range(t: Translator, found: Spread) -> str:
    """Format a mean with the least and the most."""
    return f"{found.mean:.1f} ({span(t, found.least, found.most)})"


def charts(t: Translator, tables: Sequence[StudiedTable]) -> dict[int, list[Chart]]:
    """Draw all charts, by number of players; under 0 those that compare numbers of players."""
    together = _all_tables(t, tables)
    drawn = {0: [_called(draw(t, together), "all") for draw in (money_chart, source_chart)]}
    for table in tables:
        by_rank = _by_rank(t, table)
        with_yardstick = _with_published(t, by_rank)
        found = (money_chart(t, with_yardstick), source_chart(t, by_rank), position_chart(t, summarise(table.results)))
        players = table.results.config.players
        drawn[players] = [_called(chart, str(players), seats(t, players)) for chart in found]
    return drawn


def page(
    t: Translator,
    study: Study,
    economies: Sequence[Economy],
    drawn: Mapping[int, Sequence[Chart]],
    versions: Mapping[str, str],
) -> str:
    """Render the study as HTML."""
    return render(
        t,
        "economy.html",
        title=t.text("El Capitán: the economy"),
        lead=lead(t, study, economies),
        sections=[
            {
                "title": title_of(t, economy),
                "remark": borrowing(t, economy),
                "sheets": sheets(t, economy),
                "charts": drawn[economy.players],
            }
            for economy in economies
        ],
        together={
            "title": t.text("All numbers of players"),
            "remark": "",
            "sheets": [source_sheet(t, economies)],
            "charts": drawn[0],
        },
        notes=notes(t),
        facts=[(t.text("board"), study.figures.name), versions_fact(t, versions)],
        command=command(study),
    )


def lead(t: Translator, study: Study, economies: Sequence[Economy]) -> str:
    """Describe in a line what was played."""
    return t.plural(
        "{number} game of {bot} against itself, seed {seed}, board {board}",
        "{number} games of {bot} against itself, seed {seed}, board {board}",
        sum(economy.played for economy in economies),
        bot=study.bot,
        seed=study.seed,
        board=study.figures.name,
    )


def title_of(t: Translator, economy: Economy) -> str:
    """Write the number of players and of games."""
    return t.plural(
        "{players} players, {number} game", "{players} players, {number} games", economy.played, players=economy.players
    )


def command(study: Study) -> str:
    """Return the command line that plays the same games again."""
    words = ["elcapitan", "study", "economy", "--bot", study.bot, "--players", ",".join(map(str, study.players))]
    words += ["--games", str(study.games), "--seed", str(study.seed)]
    words += ["--board", "FILE"] * (study.board is not None)
    return shlex.join(words)


def _summary(games: Sequence[GameResult], names: Sequence[str]) -> Summary:
    """Compute the arena's figures for games with renamed merchants."""
    most = max(len(game.merchants) for game in games)
    return summarise(Results(Config(bots=tuple(names), players=most, games=len(games)), tuple(games)))


def _by_rank(t: Translator, table: StudiedTable) -> Summary:
    """Compute the arena's figures, with ranks instead of bots."""
    names = [t.text("rank {rank}", rank=place + 1) for place in range(table.results.config.players)]
    return _summary(renamed(table, lambda game, seat, _: names[order(game).index(seat)]), names)


def _all_tables(t: Translator, tables: Sequence[StudiedTable]) -> Summary:
    """Compute the arena's figures, with numbers of players instead of bots."""
    names = [seats(t, table.results.config.players) for table in tables]
    games = [
        replace(game, deal=game.deal * len(tables) + number)
        for number, table in enumerate(tables)
        for game in renamed(table, lambda game, _seat, _merchant: seats(t, len(game.merchants)))
    ]
    return _summary(games, names)


def _with_published(t: Translator, summary: Summary) -> Summary:
    """Add the mean of each published game as one more line, if all its paydays are known."""
    paydays = len(summary.rounds)
    lines = [
        tuple(fmean(amounts) for amounts in (*game.after_paydays, game.money))
        for game in published().with_players(summary.config.players)
        if len(game.after_paydays) == paydays - 1
    ]
    reported = [replace(summary.bots[0], bot=t.text("published, mean"), after_paydays=line) for line in lines]
    return replace(summary, bots=(*summary.bots, *reported))


def _called(chart: Chart, suffix: str, addition: str = "") -> Chart:
    """Rename a chart, because a page has several of its kind."""
    name, drawing = f"{chart.name}-{suffix}", copy.deepcopy(chart.drawing)
    title, description = drawing[0], drawing[1]
    title.set("id", f"{name}-title")
    description.set("id", f"{name}-desc")
    drawing.set("aria-labelledby", f"{name}-title {name}-desc")
    title.text = f"{chart.title}, {addition}" if addition else chart.title
    return Chart(name, title.text, drawing)
