"""`elcapitan replay`: verify a game record, and look at it."""

from pathlib import Path
from typing import Annotated

import typer

from elcapitan.cli.options import BoardFile, whole
from elcapitan.cli.terminal import terminal
from elcapitan.text.catalogue import _

SHORT = _("Verify a game record and show what happened.")
HELP = _(
    "Verify a game record, .json or .capitan: every action must be legal and every result right. "
    "Then tell what the game was, or draw one of its positions."
)
MOST_EVENTS = 10_000_000


def replay(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help=_("Game record."), show_default=False)],
    at: Annotated[
        int | None,
        typer.Option(
            "--at",
            metavar="N",
            parser=whole("--at", 0, MOST_EVENTS),
            help=_("Draw the position after event N; 0 is the deal."),
        ),
    ] = None,
    moves: Annotated[bool, typer.Option("--moves", help=_("Tell every turn in words."))] = False,
    board: BoardFile = None,
) -> None:
    """Verify a record."""
    from elcapitan.cli import engine, records, retelling  # noqa: PLC0415 - needs the engine
    from elcapitan.figures import load  # noqa: PLC0415

    screen = terminal(context)
    figures = load(board)
    engine.ready(screen)
    game = records.read(file, figures)
    if at is not None:
        retelling.draw(screen, game, at)
        return
    retelling.summary(screen, game, file)
    if moves:
        retelling.moves(screen, game)
    retelling.result(screen, game)


COMMAND = replay
