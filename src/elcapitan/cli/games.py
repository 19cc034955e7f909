"""`elcapitan games`: list, export, import, delete and back up the games of the browser."""

from pathlib import Path
from typing import Annotated, Final

import typer

from elcapitan.cli.groups import command_group
from elcapitan.cli.options import Json, choice_option, value_option
from elcapitan.cli.terminal import terminal
from elcapitan.text.catalogue import _

SHORT: Final = _("List, export, import, delete and back up the games of the browser.")
HELP: Final = _(
    "Look after the games that are played in the browser. They are kept in one file in your data folder; a server may "
    "be running meanwhile."
)
LIST_HELP: Final = _("List all games, those changed last first.")
EXPORT_HELP: Final = _(
    "Write a game to a file, .capitan or .json by its name, or print it. The beginning of a game's name will do."
)
IMPORT_HELP: Final = _(
    "Bring games from files, .capitan or .json, and print their names. Those that are not over can be played on in the "
    "browser; what is face down is shuffled."
)
DELETE_HELP: Final = _("Throw games away, with everything that happened in them.")
BACKUP_HELP: Final = _("Copy the file with all games; it may be in use meanwhile.")
FORMATS: Final = ("capitan", "json")

Database = Annotated[
    str | None,
    value_option("--database", "FILE", _("Use the games in this file, or at this database URL.")),
]


def list_games(context: typer.Context, database: Database = None, as_json: Json = False) -> None:
    """List all games, those changed last first."""
    from elcapitan.cli import games_actions  # noqa: PLC0415 - needs the database

    games_actions.show(terminal(context), database, as_json=as_json)


def export(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help=_("Name of the game."), show_default=False)],
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help=_("File to write; printed if not given."), show_default=False)
    ] = None,
    form: Annotated[str, choice_option("--format", FORMATS, _("Form in which it is printed."))] = "capitan",
    database: Database = None,
) -> None:
    """Write a game to a file, or print it."""
    from elcapitan.cli import games_actions  # noqa: PLC0415

    games_actions.export(terminal(context), database, game, file, form)


def import_games(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=_("Game records."), show_default=False)],
    database: Database = None,
) -> None:
    """Import games from files and print their names."""
    from elcapitan.cli import games_actions  # noqa: PLC0415

    games_actions.import_files(terminal(context), database, files)


def delete(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="GAME...", help=_("Names of games."), show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", help=_("Do not ask."))] = False,
    database: Database = None,
) -> None:
    """Delete games, after a question if a person is there."""
    from elcapitan.cli import games_actions  # noqa: PLC0415

    games_actions.delete(terminal(context), database, names, ask=not yes)


def backup(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help=_("Name of the copy; with date and time beside the file if not given."),
            show_default=False,
        ),
    ] = None,
    database: Database = None,
) -> None:
    """Copy the file with all games, which may be in use."""
    from elcapitan.cli import games_actions  # noqa: PLC0415

    games_actions.back_up(terminal(context), database, file)


GROUP: Final = command_group()
GROUP.command("list", help=LIST_HELP, short_help=LIST_HELP)(list_games)
GROUP.command("export", help=EXPORT_HELP, short_help=_("Write a game to a file, or print it."))(export)
GROUP.command("import", help=IMPORT_HELP, short_help=_("Bring games from files."))(import_games)
GROUP.command("delete", help=DELETE_HELP, short_help=_("Throw games away."))(delete)
GROUP.command("backup", help=BACKUP_HELP, short_help=_("Copy the file with all games."))(backup)
