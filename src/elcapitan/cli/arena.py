"""`elcapitan arena`: many games between computer players, for measuring their strength."""

from pathlib import Path
from typing import Annotated

import typer

from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.options import (
    BoardFile,
    BuyBeforeLoan,
    Jobs,
    Json,
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

SHORT = _("Let computer players play many games and measure their strength.")
HELP = _(
    "Let computer players play many games and print how strong they are. One deal, that is the cards and who begins, "
    "is played once in each rotation of the bots round the table, so that every bot sits in every seat with the same "
    "cards. If fewer bots are named than there are seats, the last one fills the other seats: “--bots A,B --players 4” "
    "is one A against three B. If more are named, all line-ups are played, so that every bot plays equally often. The "
    "same seed gives the same results, on any number of cores and on any cluster."
)
MOST_GAMES = 100_000_000
INTERRUPTED = 130
FORFEITED = 3  # exit code if a program failed in a game; 1 is for mistakes of our own


def arena(
    context: typer.Context,
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            metavar="BOTS",
            help=_("Computer players by name, with commas between them; the same name may stand there several times."),
        ),
    ],
    players: Players = 4,
    tiles: Tiles = "none",
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="K",
            parser=whole("--games", 1, MOST_GAMES),
            help=_("How many games; rounded up to whole deals."),
        ),
    ] = 100,
    seed: Seed = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", help=_("Write figures, a report with charts and every game into this folder.")
        ),
    ] = None,
    as_json: Json = False,
    jobs: Jobs = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help=_("Play on the Dask cluster whose scheduler is at this address, such as tcp://127.0.0.1:8786."),
        ),
    ] = None,
    board: BoardFile = None,
    buy_before_loan: BuyBeforeLoan = False,
    no_reopen_shuts: NoReopenShuts = False,
) -> None:
    """Play many games."""
    from elcapitan.arena.schedule import Config  # noqa: PLC0415 - needs the engine
    from elcapitan.cli.contest import hold  # noqa: PLC0415
    from elcapitan.figures import load  # noqa: PLC0415
    from elcapitan.players.seats import split  # noqa: PLC0415

    if jobs is not None and cluster is not None:
        raise BadInput("jobs-and-cluster")
    specs = split(bots)
    if not specs or not all(specs):
        raise BadInput("bad-bots", found=bots)
    config = Config(
        bots=specs,
        players=players,
        tiles=tile_names(tiles or "none"),
        games=games,
        seed=some_seed(seed),
        options={"buy_before_loan": buy_before_loan, "reopen_shuts": not no_reopen_shuts},
        board=load(board) if board else None,
    )
    results = hold(terminal(context), config, jobs=jobs, cluster=cluster, out=out, as_json=as_json)
    if results.problem:
        raise results.problem
    if results.stopped:
        raise typer.Exit(INTERRUPTED)
    if results.forfeited:
        raise typer.Exit(FORFEITED)


COMMAND = arena
