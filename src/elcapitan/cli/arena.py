"""`elcapitan arena` and `dataset`: many games between computer players, to measure strength or to write as rows."""

import contextlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.table import Table

from elcapitan.board.figures import load
from elcapitan.cli.arena_folder import RESULTS, ArenaFolder, open_folder, seed_in
from elcapitan.cli.command_line import INTERRUPTED, BadInput, Terminal, json_text, plain_table, terminal, writing
from elcapitan.cli.options import (
    MOST_GAMES,
    BoardFile,
    BotSeconds,
    BuyBeforeLoan,
    Jobs,
    Json,
    NoReopenShuts,
    PirateBeforeLoan,
    Players,
    Seed,
    Tiles,
    number_option,
    some_seed,
    table_options,
    tile_names,
    value_option,
)
from elcapitan.cli.record_files import write_text
from elcapitan.cli.simulate import print_speed
from elcapitan.experiments.arena.games import Config, Played
from elcapitan.experiments.arena.report import by_chance, charts, fault_sentences, lead, money_rows, page
from elcapitan.experiments.arena.summary import (
    BotFigures,
    Share,
    Summary,
    between,
    percent,
    plus_minus,
    summarise,
    to_json,
)
from elcapitan.experiments.arena.tournament import Results, all_cores, check, play_arena, run_facts, versions
from elcapitan.players.seats import split
from elcapitan.text.catalogue import _

ARENA_HELP: Final = _(
    "Let computer players play many games and print how strong they are. One deal, that is the cards and who begins, "
    "is played once in each rotation of the bots round the table, so that every bot sits in every seat with the same "
    "cards. If fewer bots are named than there are seats, the last one fills the other seats: “--bots A,B --players 4” "
    "is one A against three B. If more are named, all line-ups are played, so that every bot plays equally often. The "
    "same seed gives the same results, on any number of cores and on any cluster. With --out, a run that was "
    "interrupted continues when the same command is given again; a higher --games extends it."
)
FORFEITED: Final = 3  # exit code if a program failed in a game; 1 is for mistakes of our own

RUN: Final = "run.json"  # when, where and how long
CHANGED: Final = _(
    "The program has changed since the first games in {folder} were played: its computer players may play "
    "differently now."
)
BESIDE: Final = 4  # bots beside one another, where each has a column
NAME_WIDTH: Final = 24

DATASET_HELP: Final = _(
    "Let computer players play many games and write every decision to Parquet files: what the seat saw, what was "
    "legal, what it did and what came of it. The games are those of “elcapitan arena” with the same bots and seed. A "
    "command that was broken off goes on where it was when it is given again with the same folder."
)
LARGEST_FILE: Final = 100_000


def arena(
    context: typer.Context,
    bots: Annotated[
        str,
        value_option(
            "--bots",
            "BOTS",
            _("Computer players by name, with commas between them; the same name may stand there several times."),
        ),
    ],
    players: Players = 4,
    tiles: Tiles = "none",
    games: Annotated[
        int,
        number_option("--games", "K", 1, MOST_GAMES, _("How many games; rounded up to whole deals.")),
    ] = 100,
    seed: Seed = None,
    out: Annotated[
        Path | None,
        value_option(
            "--out",
            "FOLDER",
            _("Write figures, a report with charts and every game into this folder; games already there are kept."),
        ),
    ] = None,
    as_json: Json = False,
    bot_seconds: BotSeconds = 5,
    jobs: Jobs = None,
    cluster: Annotated[
        str | None,
        value_option(
            "--cluster",
            "ADDRESS",
            _("Play on the Dask cluster whose scheduler is at this address, such as tcp://127.0.0.1:8786."),
        ),
    ] = None,
    board: BoardFile = None,
    buy_before_loan: BuyBeforeLoan = False,
    no_reopen_shuts: NoReopenShuts = False,
    pirate_before_loan: PirateBeforeLoan = False,
) -> None:
    """Play all games, then print and write what came of them."""
    if jobs is not None and cluster is not None:
        raise BadInput("jobs-and-cluster")
    chosen = some_seed(seed_in(out) if out and seed is None else seed)
    options = table_options(buy=buy_before_loan, no_reopen_shuts=no_reopen_shuts, pirate=pirate_before_loan)
    config = arena_config(bots, players, tiles, games, chosen, options, board, bot_seconds)
    check(config)
    with open_folder(out, config) if out else contextlib.nullcontext() as folder:
        _run(terminal(context), config, folder, jobs=jobs, cluster=cluster, as_json=as_json)


def _run(
    screen: Terminal,
    config: Config,
    folder: ArenaFolder | None,
    *,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Play the games that are missing, then print and write what came of all."""
    before = len(folder.kept) if folder else 0
    if folder and folder.changed:
        screen.say(screen.text(CHANGED, folder=folder.path), error=True)
    if not as_json:
        _announce(screen, config, before)
    if before < config.scheduled:
        screen.compile_rules()
    begun = time.perf_counter()
    results = _play(screen, config, folder, jobs=jobs, cluster=cluster)
    if results.games:
        _report(screen, results, folder, len(results.games) - before, time.perf_counter() - begun, as_json=as_json)
    if not results.complete:
        print_stopped(screen, len(results.games), config.scheduled)
        if folder:
            screen.say(screen.text("Run the same command again to continue."), error=True)
    if results.problem:
        raise results.problem
    if results.stopped:
        raise typer.Exit(INTERRUPTED)
    if results.forfeited:
        raise typer.Exit(FORFEITED)


def _report(
    screen: Terminal, results: Results, folder: ArenaFolder | None, played: int, seconds: float, *, as_json: bool
) -> None:
    """Write and print what came of all games, of which so many were played in so many seconds just now."""
    summary = summarise(results)
    text = json_text(to_json(summary, versions()))
    if folder:
        _write(screen, folder, results, summary, text)
        if played:
            write_text(folder.path / RUN, json_text(run_facts(played, seconds, complete=results.complete)))
    if as_json:
        print(text, end="")  # noqa: T201 - not to be wrapped
    else:
        _print_summary(screen, summary, played=played, seconds=seconds, out=folder.path if folder else None)


def arena_config(
    bots: str,
    players: int,
    tiles: str,
    games: int,
    seed: int,
    options: Mapping[str, bool],
    board: Path | None,
    seconds: int,
) -> Config:
    """Read the options that decide which games computer players play; raise `BadInput` if a bot has no name."""
    specs = split(bots)
    if not specs or not all(specs):
        raise BadInput("bad-bots", found=bots)
    figures = load(board) if board else None
    return Config(specs, players, tile_names(tiles or "none"), games, seed, options, figures, seconds)


def _announce(screen: Terminal, config: Config, before: int) -> None:
    """Say beforehand that more games are played than wanted, and how many are there already."""
    if config.scheduled > config.games:
        remark = screen.text(
            "Games asked for: {wanted}; scheduled: {scheduled}, in whole deals of {each}.",
            wanted=config.games,
            scheduled=config.scheduled,
            each=config.games_per_deal,
        )
        screen.print_text(remark, "dim")
    if before:
        remark = screen.text(
            "Games played earlier: {before} of {scheduled}.", before=before, scheduled=config.scheduled
        )
        screen.print_text(remark, "dim")


def _play(
    screen: Terminal, config: Config, folder: ArenaFolder | None, *, jobs: int | None, cluster: str | None
) -> Results:
    """Play all games that are missing under a progress bar, and write each when it is finished."""
    kept = folder.kept if folder else ()
    with screen.games_bar() as bar:
        task = bar.add_task(screen.text("Games"), total=config.scheduled, completed=len(kept))

        def finished(played: Played) -> None:
            if folder:
                folder.add(played)
            bar.advance(task)

        return play_arena(
            config, jobs=jobs, cluster=cluster, with_records=folder is not None, watch=finished, kept=kept
        )


def _write(screen: Terminal, folder: ArenaFolder, results: Results, summary: Summary, text: str) -> None:
    """Write everything but the records of the games, which are there already."""
    write_text(folder.path / RESULTS, text)
    drawn = charts(screen.translator, summary)
    for name, chart in drawn.items():
        write_text(folder.path / f"{name}.svg", chart.alone())
    write_text(folder.path / "report.html", page(screen.translator, summary, drawn, versions()))
    folder.put_in_order(results.games)


def print_stopped(screen: Terminal, played: int, scheduled: int) -> None:
    """Print how many games were played before a run was stopped."""
    text = screen.text("Stopped early; games played: {played} of {scheduled}.", played=played, scheduled=scheduled)
    screen.say(text, error=True)


def _print_summary(screen: Terminal, summary: Summary, *, played: int, seconds: float, out: Path | None) -> None:
    """Print all tables of an arena."""
    bots = summary.standings
    screen.print_text(lead(screen.translator, summary), "bold")
    screen.out.print()
    screen.out.print(_strength(screen, summary))
    screen.print_text(by_chance(screen.translator, summary), "dim")
    screen.out.print()
    screen.print_text(screen.text("Victories by seat, and by seats after the starting player (+0)"), "bold")
    screen.out.print(_places(screen, summary))
    for first in range(0, len(bots), BESIDE):
        screen.out.print()
        screen.out.print(_money(screen, bots[first : first + BESIDE]))
    screen.out.print()
    screen.print_text(
        screen.text(
            "Rounds of the three phases, on average: {rounds}; actions in a game: {actions:.0f}.",
            rounds=" + ".join(f"{phase.mean:.1f}" for phase in summary.rounds),
            actions=summary.actions.mean,
        )
    )
    if played:
        print_speed(screen, played, seconds)
    for fault in fault_sentences(screen.translator, summary):
        screen.print_text(fault, "bold")
    if out:
        screen.print_text(screen.text("Figures, report and games are in {folder}.", folder=out))


def _bot_table(screen: Terminal, titles: Sequence[str]) -> Table:
    """Create a table with one line for each bot."""
    table = plain_table()
    table.add_column(screen.text("bot"), overflow="fold", max_width=NAME_WIDTH)
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    return table


def _strength(screen: Terminal, summary: Summary) -> Table:
    """Tabulate how strong the bots are."""
    titles = [screen.text("games"), screen.text("wins"), "95 %", screen.text("rank"), screen.text("money")]
    table = _bot_table(screen, [*titles, screen.text("loans"), screen.text("rating")])
    for bot in summary.standings:
        table.add_row(
            bot.bot,
            str(bot.games),
            percent(bot.share.mean),
            between(bot.share.low, bot.share.high),
            f"{bot.rank:.2f}",
            plus_minus(bot.money.mean, bot.money.low),
            f"{bot.loans:.1f}",
            str(bot.rating) if len(summary.bots) > 1 else "",
        )
    return table


def _places(screen: Terminal, summary: Summary) -> Table:
    """Tabulate victories by place at the table, of every bot and of all together."""
    players = range(summary.config.players)
    table = _bot_table(screen, [*(str(seat + 1) for seat in players), *(f"+{position}" for position in players)])
    for bot in summary.standings:
        table.add_row(bot.bot, *_shares(bot.by_seat), *_shares(bot.by_position))
    if len(summary.bots) > 1:
        table.add_row(screen.text("all"), *_shares(summary.by_seat), *_shares(summary.by_position), style="dim")
    return table


def _shares(shares: Sequence[Share | None]) -> list[str]:
    """Format shares of victories."""
    return ["-" if share is None else f"{100 * share.share.mean:.0f} %" for share in shares]


def _money(screen: Terminal, bots: Sequence[BotFigures]) -> Table:
    """Tabulate the mean money of some bots: after each payday, and where it came from."""
    table = plain_table()
    table.add_column(screen.text("mean money"), no_wrap=True)
    for bot in bots:
        table.add_column(bot.bot, justify="right", overflow="fold")
    for rows in money_rows(screen.translator, bots):
        for name, cells in rows:
            table.add_row(name, *cells)
        table.add_section()
    return table


def dataset(
    context: typer.Context,
    out: Annotated[Path, value_option("--out", "FOLDER", _("Where to write the files."))],
    bots: Annotated[
        str,
        value_option("--bots", "BOTS", _("Computer players by name, with commas between them.")),
    ] = "wanderer",
    players: Players = 4,
    tiles: Tiles = "none",
    games: Annotated[int, number_option("--games", "K", 1, MOST_GAMES, _("How many games."))] = 1000,
    seed: Seed = None,
    portion: Annotated[
        int,
        number_option("--portion", "K", 1, LARGEST_FILE, _("How many games to write to one file.")),
    ] = 100,
    bot_seconds: BotSeconds = 5,
    jobs: Jobs = None,
    board: BoardFile = None,
    buy_before_loan: BuyBeforeLoan = False,
    no_reopen_shuts: NoReopenShuts = False,
    pirate_before_loan: PirateBeforeLoan = False,
) -> None:
    """Play games and write every decision of them to Parquet files; files that are there are kept."""
    from elcapitan.research import dataset as data  # noqa: PLC0415 - an extra that need not be installed

    screen = terminal(context)
    chosen = some_seed(data.seed_in(out) if seed is None else seed)
    options = table_options(buy=buy_before_loan, no_reopen_shuts=no_reopen_shuts, pirate=pirate_before_loan)
    config = arena_config(bots, players, tiles, games, chosen, options, board, bot_seconds)
    check(config)
    plan = data.DatasetPlan(config, portion)
    try:
        with writing(out):
            wanted = data.prepare(out, plan)
    except data.OtherData:
        raise BadInput("data-there", folder=out) from None
    screen.compile_rules()
    there = games - sum(map(len, wanted))
    with screen.games_bar() as bar:
        task = bar.add_task(screen.text("Games"), total=games, completed=there)
        for written in data.write_all(out, plan, wanted, jobs or all_cores()):
            bar.update(task, advance=written)
    screen.out.print(
        screen.text("Games in {folder}: {games} (there before: {there}).", games=games, folder=out, there=there),
        soft_wrap=True,
    )
