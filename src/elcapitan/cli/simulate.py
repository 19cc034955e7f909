"""`elcapitan simulate`: many games between players without thought, for statistics and for records."""

from pathlib import Path
from typing import Annotated

import typer

from elcapitan.cli.options import (
    BoardFile,
    BuyBeforeLoan,
    First,
    Json,
    NoReopenShuts,
    Players,
    Seed,
    Tiles,
    check_first,
    one_of,
    option_bits,
    some_seed,
    tile_bits,
    whole,
)
from elcapitan.cli.terminal import terminal
from elcapitan.text.catalogue import _

SHORT = _("Let players without thought play many games.")
HELP = _(
    "Let players without thought play many games and print what came of them; with --out every game is written "
    "to a file of its own. Each game has a seed of its own, which follows from --seed and the number of the game."
)
MOST_GAMES = 100_000_000
POLICIES = ("uniform", "light")
FORMATS = ("json", "capitan")


def simulate(
    context: typer.Context,
    players: Players = 4,
    tiles: Tiles = "none",
    games: Annotated[
        int, typer.Option("--games", metavar="K", parser=whole("--games", 1, MOST_GAMES), help=_("How many games."))
    ] = 100,
    seed: Seed = None,
    first: First = None,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="|".join(POLICIES),
            parser=one_of("--policy", POLICIES),
            help=_(
                "How they play: uniform picks any legal action, light rolls loaded dice so that games look like games."
            ),
        ),
    ] = "light",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help=_("Write every game to a file in this folder."))
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format", metavar="|".join(FORMATS), parser=one_of("--format", FORMATS), help=_("Form of these files.")
        ),
    ] = "json",
    trace: Annotated[
        bool, typer.Option("--trace", help=_("Write into JSON files also what was legal, all money and all paydays."))
    ] = False,
    as_json: Json = False,
    board: BoardFile = None,
    buy_before_loan: BuyBeforeLoan = False,
    no_reopen_shuts: NoReopenShuts = False,
) -> None:
    """Play many games."""
    from elcapitan.cli import engine  # noqa: PLC0415 - needs the engine
    from elcapitan.cli.simulation import Plan, run  # noqa: PLC0415
    from elcapitan.cli.statistics import report  # noqa: PLC0415
    from elcapitan.figures import load  # noqa: PLC0415

    check_first(first, players)
    screen = terminal(context)
    plan = Plan(
        figures=load(board),
        players=players,
        tiles=tile_bits(tiles),
        options=option_bits(buy_before_loan=buy_before_loan, no_reopen_shuts=no_reopen_shuts),
        first=first,
        games=games,
        seed=some_seed(seed),
        policy=POLICIES.index(policy),
        out=out,
        form=form,
        trace=trace,
    )
    engine.ready(screen)
    report(screen, plan, run(screen, plan), as_json=as_json)


COMMAND = simulate
