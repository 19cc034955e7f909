"""`elcapitan study`: what strong play tells about the game itself."""

import time
from pathlib import Path
from typing import Annotated, Final

import typer

from elcapitan.board.figures import load
from elcapitan.cli.arena import print_stopped
from elcapitan.cli.command_line import (
    INTERRUPTED,
    BadInput,
    Terminal,
    command_group,
    json_text,
    plain_table,
    terminal,
    writing,
)
from elcapitan.cli.options import FEWEST_PLAYERS, BoardFile, Jobs, Json, Seed, number_option, some_seed, value_option
from elcapitan.cli.record_files import write_text
from elcapitan.engine.vocabulary import SEATS
from elcapitan.experiments.arena.games import Played
from elcapitan.experiments.arena.tournament import run_facts, versions
from elcapitan.experiments.study import report
from elcapitan.experiments.study.economy import Economy, measure, to_json
from elcapitan.experiments.study.games import StudiedTable, Study, check_study, play
from elcapitan.experiments.study.report import ReportTable, charts, page
from elcapitan.text.catalogue import _

HELP: Final = _("Study the game itself by letting strong computer players play it against their like.")
ECONOMY_SHORT: Final = _("Compare the economy of the board with published games.")
ECONOMY_HELP: Final = _(
    "Let a computer player play against itself with two to five players, and compare the economy with published games: "
    "money after each payday, final scores, loans, rounds, how phases end, victories by seat and by strategy, and "
    "where the money came from. With --board this shows what other figures of the board would change. Every game has "
    "cards of its own; the same seed gives the same results, on any number of cores."
)
DEFAULT_BOT: Final = "navigator"
MOST_GAMES: Final = 1_000_000
FIGURES: Final = "economy.json"  # the same on every machine
PAGE: Final = "economy.html"
RUN: Final = "run.json"  # when, where and how long
ALL_PLAYERS: Final = ",".join(map(str, range(FEWEST_PLAYERS, SEATS + 1)))


def read_players(text: str) -> str:
    """Parse numbers of players with commas between them; returns each once, ascending."""
    found = {word.strip() for word in str(text).split(",")}
    if not found <= set(ALL_PLAYERS.split(",")):
        raise BadInput("bad-players-list", found=text, least=FEWEST_PLAYERS, most=SEATS)
    return ",".join(sorted(found))


def economy(
    context: typer.Context,
    bot: Annotated[
        str,
        value_option("--bot", "BOT", _("Computer player that plays every seat, by name.")),
    ] = DEFAULT_BOT,
    players: Annotated[
        str,
        value_option("--players", "N,N", _("Numbers of players, with commas between them."), read_players),
    ] = ALL_PLAYERS,
    games: Annotated[
        int,
        number_option("--games", "K", 1, MOST_GAMES, _("How many games for each number of players.")),
    ] = 24,
    seed: Seed = None,
    jobs: Jobs = None,
    board: BoardFile = None,
    out: Annotated[
        Path | None,
        value_option("--out", "FOLDER", _("Write figures and a report with charts into this folder.")),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play all games, compare them with published ones, and print and write the figures."""
    numbers = tuple(int(number) for number in players.split(","))
    study = Study(bot, numbers, games, some_seed(seed), load(board) if board else None)
    check_study(study)
    screen = terminal(context)
    if out:
        _prepare(out)
    screen.compile_rules()
    begun = time.perf_counter()
    tables = _play(screen, study, jobs)
    seconds = time.perf_counter() - begun
    played = sum(len(table.results.games) for table in tables)
    if tables:
        economies = [measure(table) for table in tables]
        text = json_text(to_json(study, economies, versions()))
        if out:
            write_text(out / RUN, json_text(run_facts(played, seconds, complete=played == study.scheduled)))
            _write_report(screen, out, study, tables, economies)
            write_text(out / FIGURES, text)
        if as_json:
            print(text, end="")  # noqa: T201 - not to be wrapped
        else:
            show(screen, study, economies, seconds=seconds, out=out)
    if played < study.scheduled:
        print_stopped(screen, played, study.scheduled)
        raise typer.Exit(INTERRUPTED)


def _prepare(folder: Path) -> None:
    """Create the folder; raise `BadInput` if it has figures already."""
    if (folder / FIGURES).exists():
        raise BadInput("study-there", folder=folder)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)


def _play(screen: Terminal, study: Study, jobs: int | None) -> tuple[StudiedTable, ...]:
    """Play all games under a progress bar."""
    with screen.games_bar() as bar:
        task = bar.add_task(screen.text("Games"), total=study.scheduled)

        def finished(_: Played) -> None:
            bar.advance(task)

        return play(study, jobs=jobs, watch=finished)


def _write_report(
    screen: Terminal, folder: Path, study: Study, tables: tuple[StudiedTable, ...], economies: list[Economy]
) -> None:
    """Write the page, and every chart as a file of its own."""
    drawn = charts(screen.translator, tables)
    for group in drawn.values():
        for chart in group:
            write_text(folder / f"{chart.name}.svg", chart.alone())
    write_text(folder / PAGE, page(screen.translator, study, economies, drawn, versions()))


def show(screen: Terminal, study: Study, economies: list[Economy], *, seconds: float, out: Path | None) -> None:
    """Print all tables of a study."""
    t = screen.translator
    screen.print_text(report.lead(t, study, economies), "bold")
    for economy in economies:
        screen.out.print()
        screen.print_text(report.title_of(t, economy), "bold underline")
        for sheet in report.sheets(t, economy):
            screen.out.print()
            _print_sheet(screen, sheet)
        screen.out.print()
        screen.print_text(report.borrowing(t, economy))
    screen.out.print()
    _print_sheet(screen, report.source_sheet(t, economies))
    screen.out.print()
    for note in report.notes(t):
        screen.print_text(note, "dim")
    screen.out.print(screen.text("{seconds:.1f} s in all.", seconds=seconds), style="dim")
    if out:
        screen.print_text(screen.text("Figures and report are in {folder}.", folder=out))


def _print_sheet(screen: Terminal, sheet: ReportTable) -> None:
    """Print a table under its title."""
    screen.print_text(sheet.title, "bold")
    table = plain_table()
    for number, title in enumerate(sheet.head):
        table.add_column(title, justify="right" if number else "left", no_wrap=True)
    for row in sheet.rows:
        table.add_row(*row)
    screen.out.print(table)


GROUP: Final = command_group(HELP)
GROUP.command(help=ECONOMY_HELP, short_help=ECONOMY_SHORT)(economy)
