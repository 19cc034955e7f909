"""`elcapitan dataset`: many games as rows in Parquet files, for those who learn from them."""

from pathlib import Path
from typing import Annotated

import typer

from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.options import (
    BoardFile,
    BuyBeforeLoan,
    Jobs,
    NoReopenShuts,
    Players,
    Seed,
    Tiles,
    some_seed,
    tile_names,
    whole,
)
from elcapitan.cli.terminal import terminal
from elcapitan.text.catalogue import _

SHORT = _("Write the positions of many games to Parquet files.")
HELP = _(
    "Let computer players play many games and write every decision to Parquet files: what the seat saw, what was "
    "legal, what it did and what came of it. The games are those of “elcapitan arena” with the same bots and seed. A "
    "command that was broken off goes on where it was when it is given again with the same folder."
)
MOST_GAMES = 100_000_000
LARGEST_FILE = 100_000


def dataset(
    context: typer.Context,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help=_("Where to write the files."))],
    bots: Annotated[
        str,
        typer.Option("--bots", metavar="BOTS", help=_("Computer players by name, with commas between them.")),
    ] = "wanderer",
    players: Players = 4,
    tiles: Tiles = "none",
    games: Annotated[
        int, typer.Option("--games", metavar="K", parser=whole("--games", 1, MOST_GAMES), help=_("How many games."))
    ] = 1000,
    seed: Seed = None,
    portion: Annotated[
        int,
        typer.Option(
            "--portion",
            metavar="K",
            parser=whole("--portion", 1, LARGEST_FILE),
            help=_("How many games to write to one file."),
        ),
    ] = 100,
    jobs: Jobs = None,
    board: BoardFile = None,
    buy_before_loan: BuyBeforeLoan = False,
    no_reopen_shuts: NoReopenShuts = False,
) -> None:
    """Write a data set."""
    try:
        from elcapitan.research import dataset as data  # noqa: PLC0415 - an extra that need not be installed
    except ImportError:
        raise BadInput("no-research", command="pip install elcapitan[research]") from None
    from elcapitan.arena.cores import all_cores  # noqa: PLC0415 - needs the engine
    from elcapitan.arena.schedule import Config  # noqa: PLC0415
    from elcapitan.arena.tournament import check  # noqa: PLC0415
    from elcapitan.cli import engine  # noqa: PLC0415
    from elcapitan.cli.bars import games_bar  # noqa: PLC0415
    from elcapitan.figures import load  # noqa: PLC0415
    from elcapitan.players.seats import split  # noqa: PLC0415

    specs = split(bots)
    if not specs or not all(specs):
        raise BadInput("bad-bots", found=bots)
    screen = terminal(context)
    config = Config(
        bots=specs,
        players=players,
        tiles=tile_names(tiles or "none"),
        games=games,
        seed=some_seed(data.seed_in(out) if seed is None else seed),
        options={"buy_before_loan": buy_before_loan, "reopen_shuts": not no_reopen_shuts},
        board=load(board) if board else None,
    )
    check(config)
    plan = data.Plan(config, portion)
    try:
        wanted = data.prepare(out, plan)
    except data.OtherData:
        raise BadInput("data-there", folder=out) from None
    except OSError as error:
        raise BadInput("cannot-write", file=out, problem=error.strerror or error) from None
    engine.ready(screen)
    there = games - sum(map(len, wanted))
    with games_bar(screen) as bar:
        task = bar.add_task(screen.text("Games"), total=games, completed=there)
        for written in data.write_all(out, plan, wanted, jobs or all_cores()):
            bar.update(task, advance=written)
    screen.out.print(
        screen.text(
            "{games} games are in {folder}, {there} of them from before.", games=games, folder=out, there=there
        ),
        soft_wrap=True,
    )


COMMAND = dataset
