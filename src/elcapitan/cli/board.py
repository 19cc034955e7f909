"""`elcapitan board`: the figures printed on board and cards, where each comes from, and the check of a board file."""

from pathlib import Path
from typing import Annotated

import typer

from elcapitan.cli.options import Json
from elcapitan.cli.terminal import terminal
from elcapitan.text.catalogue import _

SHORT = _("Show the figures of board and cards, or check a board file.")
HELP = _("Show the figures of board and cards with their provenance, and check a board file of your own.")


def board(
    context: typer.Context,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help=_("Board file to check and show."))
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the figures of a board."""
    from elcapitan.cli import figures  # noqa: PLC0415 - needs the engine

    screen = terminal(context)
    if as_json:
        figures.print_json(file)
    else:
        figures.show(screen, file)


COMMAND = board
