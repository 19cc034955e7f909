"""`elcapitan games`: the games kept for the browser, to list, take away, bring along, throw away and back up."""

from pathlib import Path
from typing import Annotated, Final

import typer

from elcapitan.cli.group import Group
from elcapitan.cli.options import Json, one_of
from elcapitan.cli.terminal import terminal
from elcapitan.text.catalogue import _

SHORT = _("List, export, import, delete and back up the games of the browser.")
HELP = _(
    "Look after the games that are played in the browser. They are kept in one file in your data folder; a server may "
    "be running meanwhile."
)
LIST_HELP = _("List all games, those changed last first.")
EXPORT_HELP = _(
    "Write a game to a file, .capitan or .json by its name, or print it. The beginning of a game's name will do."
)
IMPORT_HELP = _(
    "Bring games from files, .capitan or .json, and print their names. Those that are not over can be played on in the "
    "browser; what is face down is shuffled."
)
DELETE_HELP = _("Throw games away, with everything that happened in them.")
BACKUP_HELP = _("Copy the file with all games; it may be in use meanwhile.")
FORMATS: Final = ("capitan", "json")

Database = Annotated[
    str | None,
    typer.Option("--database", metavar="FILE", help=_("Use the games in this file, or at this database URL.")),
]


def games(context: typer.Context) -> None:
    """Show the help when no command is given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def list_games(context: typer.Context, database: Database = None, as_json: Json = False) -> None:
    """List all games."""
    from elcapitan.cli import shelf  # noqa: PLC0415 - needs the database

    shelf.show(terminal(context), database, as_json=as_json)


def export(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help=_("Name of the game."), show_default=False)],
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help=_("File to write; printed if not given."), show_default=False)
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="|".join(FORMATS),
            parser=one_of("--format", FORMATS),
            help=_("Form in which it is printed."),
        ),
    ] = "capitan",
    database: Database = None,
) -> None:
    """Write a game to a file."""
    from elcapitan.cli import shelf  # noqa: PLC0415

    shelf.export(terminal(context), database, game, file, form)


def import_games(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=_("Game records."), show_default=False)],
    database: Database = None,
) -> None:
    """Bring games from files."""
    from elcapitan.cli import shelf  # noqa: PLC0415

    shelf.bring(terminal(context), database, files)


def delete(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="GAME...", help=_("Names of games."), show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", help=_("Do not ask."))] = False,
    database: Database = None,
) -> None:
    """Throw games away."""
    from elcapitan.cli import shelf  # noqa: PLC0415

    shelf.delete(terminal(context), database, names, ask=not yes)


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
    """Copy the file with all games."""
    from elcapitan.cli import shelf  # noqa: PLC0415

    shelf.back_up(terminal(context), database, file)


GROUP: Final = typer.Typer(cls=Group, rich_markup_mode=None, invoke_without_command=True, callback=games)
GROUP.command("list", help=LIST_HELP, short_help=LIST_HELP)(list_games)
GROUP.command("export", help=EXPORT_HELP, short_help=_("Write a game to a file, or print it."))(export)
GROUP.command("import", help=IMPORT_HELP, short_help=_("Bring games from files."))(import_games)
GROUP.command("delete", help=DELETE_HELP, short_help=_("Throw games away."))(delete)
GROUP.command("backup", help=BACKUP_HELP, short_help=_("Copy the file with all games."))(backup)
