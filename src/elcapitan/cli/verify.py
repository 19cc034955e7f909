"""`elcapitan verify`: check that the cards of a recorded game came as they were shuffled."""

from pathlib import Path
from typing import Annotated

import typer

from elcapitan.cli.options import BoardFile, Json, commitment
from elcapitan.cli.terminal import terminal
from elcapitan.text.catalogue import _

SHORT = _("Check that the cards of a game came as they were shuffled.")
HELP = _(
    "Check a game record, .json or .capitan, of a game that is over. When cards are shuffled, a hash of a secret "
    "(a key, or a seed somebody chose) and a salt is shown at the table; the record tells both. They must make this "
    "hash, and every card must be the one that the secret brings. Exit code 0: every card is proved; 1: one is not, or "
    "not all can be checked; 2: the record cannot be read."
)
NOT_PROVED = 1


def verify(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help=_("Game record."), show_default=False)],
    shown: Annotated[
        str | None,
        typer.Option(
            "--commitment",
            metavar="HASH",
            parser=commitment("--commitment"),
            help=_("The hash you saw at the table, or its beginning: the record must be about the same one."),
        ),
    ] = None,
    board: BoardFile = None,
    as_json: Json = False,
) -> None:
    """Check how a game was shuffled."""
    from elcapitan import fairness  # noqa: PLC0415 - needs the engine
    from elcapitan.cli import engine, proving, records  # noqa: PLC0415
    from elcapitan.figures import load  # noqa: PLC0415

    screen = terminal(context)
    figures = load(board)
    engine.ready(screen)
    game, promises = records.read_with_shuffles(file, figures)
    finding = fairness.check(game, promises)
    known = shown is None or any(each.commitment.startswith(shown) for each in promises)
    if as_json:
        proving.print_json(screen, game, finding, known=known)
    else:
        proving.tell(screen, game, finding, known=known)
    if not (finding.fair and known):
        raise typer.Exit(NOT_PROVED)


COMMAND = verify
