"""`elcapitan dataset`: many games as rows in Parquet files, for those who learn from them."""

from pathlib import Path
from typing import Annotated, Final

import typer

from elcapitan.cli.arena import arena_config
from elcapitan.cli.command_line import BadInput, writing
from elcapitan.cli.options import (
    MOST_GAMES,
    BoardFile,
    BuyBeforeLoan,
    Jobs,
    NoReopenShuts,
    PirateBeforeLoan,
    Players,
    Seed,
    Tiles,
    number_option,
    some_seed,
    table_options,
    value_option,
)
from elcapitan.cli.terminal import terminal
from elcapitan.experiments.arena.tournament import all_cores, check
from elcapitan.text.catalogue import _

HELP: Final = _(
    "Let computer players play many games and write every decision to Parquet files: what the seat saw, what was "
    "legal, what it did and what came of it. The games are those of “elcapitan arena” with the same bots and seed. A "
    "command that was broken off goes on where it was when it is given again with the same folder."
)
LARGEST_FILE: Final = 100_000


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
    jobs: Jobs = None,
    board: BoardFile = None,
    buy_before_loan: BuyBeforeLoan = False,
    no_reopen_shuts: NoReopenShuts = False,
    pirate_before_loan: PirateBeforeLoan = False,
) -> None:
    """Play games and write every decision of them to Parquet files; files that are there are kept."""
    try:
        from elcapitan.research import dataset as data  # noqa: PLC0415 - an extra that need not be installed
    except ImportError:
        raise BadInput("no-research", command="pip install elcapitan[research]") from None

    screen = terminal(context)
    chosen = some_seed(data.seed_in(out) if seed is None else seed)
    options = table_options(buy=buy_before_loan, no_reopen_shuts=no_reopen_shuts, pirate=pirate_before_loan)
    config = arena_config(bots, players, tiles, games, chosen, options, board)
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
        screen.text(
            "{games} games are in {folder}, {there} of them from before.", games=games, folder=out, there=there
        ),
        soft_wrap=True,
    )
