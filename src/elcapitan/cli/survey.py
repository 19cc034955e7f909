"""A study of the economy from its first game to what is printed and written about it."""

import time
from pathlib import Path
from typing import Final

from rich.table import Table as Grid
from rich.text import Text

from elcapitan.arena.match import Played
from elcapitan.cli import engine
from elcapitan.cli.bars import games_bar
from elcapitan.cli.contest import as_text, run_facts, versions
from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.records import write_text
from elcapitan.cli.terminal import Terminal
from elcapitan.study.economy import Economy, measure, to_json
from elcapitan.study.page import charts, lead, page, title_of
from elcapitan.study.playing import Plan, Table, check_plan, play
from elcapitan.study.sheets import Sheet, borrowing, notes, sheets, source_sheet

FIGURES: Final = "economy.json"  # the same on every machine
PAGE: Final = "economy.html"
RUN: Final = "run.json"  # when, where and how long


def hold(screen: Terminal, plan: Plan, *, jobs: int | None, out: Path | None, as_json: bool) -> bool:
    """Play all games, then print and write what came of them; whether all were played."""
    check_plan(plan)
    if out:
        _prepare(out)
    engine.ready(screen)
    begun = time.perf_counter()
    tables = _play(screen, plan, jobs)
    seconds = time.perf_counter() - begun
    played = sum(len(table.results.games) for table in tables)
    if tables:
        economies = [measure(table) for table in tables]
        text = as_text(to_json(plan, economies, versions()))
        if out:
            write_text(out / RUN, as_text(run_facts(played, seconds, complete=played == plan.scheduled)))
            _write(screen, out, plan, tables, economies)
            write_text(out / FIGURES, text)
        if as_json:
            print(text, end="")  # noqa: T201 - not to be wrapped
        else:
            show(screen, plan, economies, seconds=seconds, out=out)
    if played < plan.scheduled:
        screen.err.print(
            screen.text(
                "Stopped early: {played} of {scheduled} games were played.", played=played, scheduled=plan.scheduled
            ),
            soft_wrap=True,
        )
    return played == plan.scheduled


def _play(screen: Terminal, plan: Plan, jobs: int | None) -> tuple[Table, ...]:
    """Play all games under a progress bar."""
    with games_bar(screen) as bar:
        task = bar.add_task(screen.text("Games"), total=plan.scheduled)

        def finished(_: Played) -> None:
            bar.advance(task)

        return play(plan, jobs=jobs, watch=finished)


def _prepare(folder: Path) -> None:
    """Make the folder; one that has figures already is left alone."""
    if (folder / FIGURES).exists():
        raise BadInput("study-there", folder=folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput("cannot-write", file=folder, problem=error.strerror or error) from None


def _write(screen: Terminal, folder: Path, plan: Plan, tables: tuple[Table, ...], economies: list[Economy]) -> None:
    """Write the page, and every chart by itself."""
    drawn = charts(screen.translator, tables)
    for group in drawn.values():
        for chart in group:
            write_text(folder / f"{chart.name}.svg", chart.alone())
    write_text(folder / PAGE, page(screen.translator, plan, economies, drawn, versions()))


def show(screen: Terminal, plan: Plan, economies: list[Economy], *, seconds: float, out: Path | None) -> None:
    """Print all sheets."""
    t = screen.translator
    screen.print_text(Text(lead(t, plan, economies), style="bold"))
    for economy in economies:
        screen.out.print()
        screen.print_text(Text(title_of(t, economy), style="bold underline"))
        for sheet in sheets(t, economy):
            screen.out.print()
            _print_sheet(screen, sheet)
        screen.out.print()
        screen.print_text(Text(borrowing(t, economy)))
    screen.out.print()
    _print_sheet(screen, source_sheet(t, economies))
    screen.out.print()
    for note in notes(t):
        screen.print_text(Text(note, style="dim"))
    screen.out.print(screen.text("{seconds:.1f} seconds in all.", seconds=seconds), style="dim")
    if out:
        screen.print_text(Text(screen.text("Figures and report are in {folder}.", folder=out)))


def _print_sheet(screen: Terminal, sheet: Sheet) -> None:
    """Print a sheet under its title."""
    screen.print_text(Text(sheet.title, style="bold"))
    grid = Grid(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for number, title in enumerate(sheet.head):
        grid.add_column(title, justify="right" if number else "left", no_wrap=True)
    for row in sheet.rows:
        grid.add_row(*row)
    screen.out.print(grid)
