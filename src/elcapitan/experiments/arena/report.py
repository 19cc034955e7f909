"""The report of an arena: one page with tables and charts, complete in one file."""

import shlex
from collections.abc import Mapping, Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined

from elcapitan.engine.vocabulary import PHASES
from elcapitan.experiments.arena.charts import money_chart, position_chart, rating_chart, seat_chart, source_chart
from elcapitan.experiments.arena.games import Config
from elcapitan.experiments.arena.summary import BotFigures, Fault, Summary, between, percent, plus_minus
from elcapitan.experiments.drawing import Chart
from elcapitan.players.external import SECONDS
from elcapitan.text.catalogue import Translator
from elcapitan.text.names import SOURCE_NAMES


def charts(t: Translator, summary: Summary) -> dict[str, Chart]:
    """Draw all charts, by the names of their files; there are no ratings of a single bot."""
    drawn = [money_chart, seat_chart, position_chart, source_chart]
    if len(summary.bots) > 1:
        drawn.insert(0, rating_chart)
    found = [draw(t, summary) for draw in drawn]
    return {chart.name: chart for chart in found}


def page(t: Translator, summary: Summary, drawn: Mapping[str, Chart], versions: Mapping[str, str]) -> str:
    """Render the report as HTML."""
    return render(
        t,
        "arena.html",
        title=t.text("El Capitán: arena"),
        words=_words(t),
        lead=lead(t, summary),
        chance=by_chance(t, summary),
        facts=[*_facts(t, summary), versions_fact(t, versions), *_options(t, summary.config)],
        standings=_standings(summary),
        bots=[bot.bot for bot in summary.standings],
        money=money_rows(t, summary.standings),
        charts=drawn.values(),
        faults=fault_sentences(t, summary),
        notes=_notes(t),
        command=command(summary.config),
    )


def render(t: Translator, template: str, **content: object) -> str:
    """Fill in a template that extends `report.html`; the page needs nothing from elsewhere and has no scripts."""
    environment = Environment(
        loader=PackageLoader("elcapitan.experiments"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(
        language=t.language,
        reading=t.text("How to read this"),
        again=t.text("The same games again"),
        **content,
    )


def _words(t: Translator) -> dict[str, str]:
    """Translate headings and column titles."""
    return {
        "standings": t.text("Standings"),
        "bot": t.text("bot"),
        "games": t.text("games"),
        "wins": t.text("wins"),
        "rank": t.text("rank"),
        "money": t.text("money"),
        "loans": t.text("loans"),
        "rating": t.text("rating"),
        "charts": t.text("Charts"),
        "means": t.text("Mean money"),
        "faults": t.text("Faults"),
    }


def lead(t: Translator, summary: Summary) -> str:
    """Describe in a line what was played."""
    config = summary.config
    return t.plural(
        "{number} game, {players} players, seed {seed}, deals: {deals}",
        "{number} games, {players} players, seed {seed}, deals: {deals}",
        summary.played,
        deals=summary.deals,
        players=config.players,
        seed=config.seed,
    )


def by_chance(t: Translator, summary: Summary) -> str:
    """Write which share of victories is expected by chance."""
    share = percent(1 / summary.config.players)
    return t.text("By chance a bot wins {share} of its games. 95 %: confidence interval.", share=share)


def versions_fact(t: Translator, versions: Mapping[str, str]) -> tuple[str, str]:
    """List the versions that a result depends on."""
    return t.text("versions"), ", ".join(f"{name} {version}".strip() for name, version in versions.items())


def _facts(t: Translator, summary: Summary) -> list[tuple[str, str]]:
    """List the other settings, and averages of the games."""
    config = summary.config
    return [
        (t.text("expansion"), ", ".join(config.setup.tiles) or t.text("none")),
        (t.text("board"), config.figures.name),
        (t.text("rounds by phase"), ", ".join(f"{phase.mean:.1f}" for phase in summary.rounds)),
        (t.text("actions a game"), f"{summary.actions.mean:.0f}"),
    ]


def _options(t: Translator, config: Config) -> list[tuple[str, str]]:
    """List the table options that are not the usual ones, if there are any."""
    options = ", ".join(f"{name} = {chosen}" for name, chosen in config.setup.unusual.items())
    return [(t.text("table options"), options)] if options else []


def _standings(summary: Summary) -> list[dict[str, str | int]]:
    """Format the table of all bots."""
    return [
        {
            "bot": bot.bot,
            "games": bot.games,
            "wins": percent(bot.share.mean),
            "interval": between(bot.share.low, bot.share.high),
            "rank": f"{bot.rank:.2f}",
            "money": plus_minus(bot.money.mean, bot.money.low, 1),
            "loans": f"{bot.loans:.1f}",
            "rating": str(bot.rating) if len(summary.bots) > 1 else "",
        }
        for bot in summary.standings
    ]


def money_rows(t: Translator, bots: Sequence[BotFigures]) -> list[list[tuple[str, list[str]]]]:
    """Tabulate the mean money of some bots in two groups of rows: after each payday, and where it came from."""
    paydays = [
        (t.text("after payday {phase}", phase=number + 1), [f"{bot.after_paydays[number]:.1f}" for bot in bots])
        for number in range(PHASES)
    ]
    sources = [
        (t.template(name), [f"{bot.sources[source]:+.1f}" for bot in bots])
        for source, name in SOURCE_NAMES.items()
        if any(bot.sources[source] for bot in bots)
    ]
    return [paydays, sources]


def _notes(t: Translator) -> list[str]:
    """Explain how to read the figures."""
    return [
        t.text("A shared victory counts as a fraction. A bot in several seats counts once for each."),
        t.text(
            "Every deal is played in all rotations, so that every bot has every seat with the same cards. Deals are "
            "what was sampled: the intervals hold the true figure 95 times in 100."
        ),
        t.text("The rating is by the Plackett-Luce model; it begins at 25, and the strength lies within two sigma."),
        t.text("Money after a payday is what is left when its loans are settled."),
        t.text(
            "A program that fails forfeits the game: it comes last and wins nothing, and what its stand-in earns is "
            "not counted."
        ),
    ]


def fault_sentences(t: Translator, summary: Summary) -> list[str]:
    """Describe the faults of programs, and how many games they forfeited."""
    return [fault_sentence(t, bot.bot, fault) for bot in summary.bots for fault in bot.faults]


def fault_sentence(t: Translator, bot: str, fault: Fault) -> str:
    """Describe a fault of a program, and how many games it forfeited."""
    return t.plural(
        "{bot} forfeited {number} game: {what}.",
        "{bot} forfeited {number} games: {what}.",
        fault.games,
        bot=bot,
        what=fault.what.removeprefix(f"{bot.removeprefix('cmd:')}: ").rstrip("."),
    )


def command(config: Config) -> str:
    """Return the command line that plays the same games again."""
    words = ["elcapitan", "arena", "--bots", ",".join(config.bots), "--players", str(config.players)]
    if config.tiles:
        words += ["--tiles", ",".join(config.tiles)]
    words += ["--games", str(config.games), "--seed", str(config.seed)]
    options = config.setup.unusual
    words += ["--buy-before-loan"] * ("buy_before_loan" in options)
    words += ["--no-reopen-shuts"] * ("reopen_shuts" in options)
    words += ["--pirate-before-loan"] * ("pirate_before_loan" in options)
    words += ["--board", "FILE"] * (config.board is not None)
    words += ["--bot-seconds", f"{config.seconds:g}"] * (config.seconds != SECONDS)
    return shlex.join(words)
