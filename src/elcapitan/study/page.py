"""One page about a study: its sheets, and charts that the arena draws, complete in one file."""

import copy
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from statistics import fmean

from jinja2 import Environment, StrictUndefined

from elcapitan.arena.charts import money_chart, position_chart, source_chart
from elcapitan.arena.result import GameResult
from elcapitan.arena.schedule import Config
from elcapitan.arena.summary import Summary, summarise
from elcapitan.arena.svg import Chart, style
from elcapitan.arena.tournament import Results
from elcapitan.study.economy import Economy, order, renamed
from elcapitan.study.playing import Plan, Table
from elcapitan.study.published import published
from elcapitan.study.sheets import borrowing, notes, seats, sheets, source_sheet
from elcapitan.text.catalogue import Translator


def charts(t: Translator, tables: Sequence[Table]) -> dict[int, list[Chart]]:
    """All charts by number of players; those that compare the numbers of players have none, 0."""
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
    plan: Plan,
    economies: Sequence[Economy],
    drawn: Mapping[int, Sequence[Chart]],
    versions: Mapping[str, str],
) -> str:
    """The study as HTML, without scripts and without anything from elsewhere."""
    template = resources.files("elcapitan.study") / "templates" / "economy.html"
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template.read_text(encoding="utf-8")).render(
        language=t.language,
        style=style(),
        title=t.text("El Capitán: the economy"),
        lead=lead(t, plan, economies),
        sections=[
            {
                "title": title_of(t, economy),
                "remark": borrowing(t, economy),
                "sheets": sheets(t, economy),
                "charts": _shown(drawn[economy.players]),
            }
            for economy in economies
        ],
        together={
            "title": t.text("All numbers of players"),
            "remark": "",
            "sheets": [source_sheet(t, economies)],
            "charts": _shown(drawn[0]),
        },
        reading=t.text("How to read this"),
        notes=notes(t),
        facts=[
            (t.text("board"), plan.figures.name),
            (t.text("versions"), ", ".join(f"{name} {version}".strip() for name, version in versions.items())),
        ],
        again=t.text("The same games again"),
        command=command(plan),
    )


def lead(t: Translator, plan: Plan, economies: Sequence[Economy]) -> str:
    """What was played, in a line."""
    return t.plural(
        "{number} game of {bot} against itself, seed {seed}, board {board}",
        "{number} games of {bot} against itself, seed {seed}, board {board}",
        sum(economy.played for economy in economies),
        bot=plan.bot,
        seed=plan.seed,
        board=plan.figures.name,
    )


def title_of(t: Translator, economy: Economy) -> str:
    """The number of players and of games."""
    return t.plural(
        "{players} players, {number} game", "{players} players, {number} games", economy.played, players=economy.players
    )


def command(plan: Plan) -> str:
    """The command line that plays the same games again."""
    words = ["elcapitan", "study", "economy", "--bot", plan.bot, "--players", ",".join(map(str, plan.players))]
    words += ["--games", str(plan.games), "--seed", str(plan.seed)]
    words += ["--board", "FILE"] * (plan.board is not None)
    return shlex.join(words)


def _shown(charts: Sequence[Chart]) -> list[dict[str, str]]:
    """Charts as the page takes them."""
    return [{"title": chart.title, "name": chart.name, "svg": chart.inside()} for chart in charts]


def _summary(games: Sequence[GameResult], names: Sequence[str]) -> Summary:
    """Games whose merchants go by other names, as the arena counts them."""
    most = max(len(game.merchants) for game in games)
    return summarise(Results(Config(bots=tuple(names), players=most, games=len(games)), tuple(games)))


def _by_rank(t: Translator, table: Table) -> Summary:
    """The arena's figures, with ranks in place of bots."""
    names = [t.text("rank {rank}", rank=place + 1) for place in range(table.results.config.players)]
    return _summary(renamed(table, lambda game, seat, _: names[order(game).index(seat)]), names)


def _all_tables(t: Translator, tables: Sequence[Table]) -> Summary:
    """The arena's figures, with numbers of players in place of bots."""
    names = [seats(t, table.results.config.players) for table in tables]
    games = [
        replace(game, deal=game.deal * len(tables) + number)
        for number, table in enumerate(tables)
        for game in renamed(table, lambda game, _seat, _merchant: seats(t, len(game.merchants)))
    ]
    return _summary(games, names)


def _with_published(t: Translator, summary: Summary) -> Summary:
    """The same with the mean of a published game as one more line, where every payday of one is known."""
    paydays = len(summary.rounds)
    lines = [
        tuple(fmean(amounts) for amounts in (*game.after_paydays, game.money))
        for game in published().with_players(summary.config.players)
        if len(game.after_paydays) == paydays - 1
    ]
    reported = [replace(summary.bots[0], bot=t.text("published, mean"), after_paydays=line) for line in lines]
    return replace(summary, bots=(*summary.bots, *reported))


def _called(chart: Chart, suffix: str, addition: str = "") -> Chart:
    """A chart under a name of its own, because a page has several of its kind."""
    name, drawing = f"{chart.name}-{suffix}", copy.deepcopy(chart.drawing)
    title, description = drawing[0], drawing[1]
    title.set("id", f"{name}-title")
    description.set("id", f"{name}-desc")
    drawing.set("aria-labelledby", f"{name}-title {name}-desc")
    title.text = f"{chart.title}, {addition}" if addition else chart.title
    return Chart(name, title.text, drawing)
