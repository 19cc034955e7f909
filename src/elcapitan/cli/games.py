"""`elcapitan games`: list, export, import, delete and back up the games of the browser."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer
from babel.dates import format_datetime
from rich.table import Table
from rich.text import Text

from elcapitan.cli import record_files
from elcapitan.cli.command_line import BadFile, BadInput, Terminal, command_group, plain_table, terminal
from elcapitan.cli.options import Json, choice_option, value_option
from elcapitan.errors import BadDatabase, ElCapitanError, NoSuchGame
from elcapitan.service import HUMAN, GameSummary, Seat, Tables
from elcapitan.store.location import back_up, file_of, free_name, shown, url_of
from elcapitan.text.catalogue import _
from elcapitan.text.names import level_name

HELP: Final = _(
    "Manage the games played in the browser. They are kept in one file in your data folder; a server may be running "
    "meanwhile."
)
LIST_HELP: Final = _("List all games, those changed last first.")
EXPORT_HELP: Final = _(
    "Write a game to a file, .capitan or .json by its name, or print it. The beginning of a game's name will do."
)
IMPORT_HELP: Final = _(
    "Import games from files, .capitan or .json, and print their names. Those that are not over can be continued in the"
    " browser; what is face down is shuffled."
)
DELETE_HELP: Final = _("Delete games, with everything that happened in them.")
BACKUP_HELP: Final = _("Copy the file with all games; it may be in use meanwhile.")
FORMATS: Final = ("capitan", "json")

Answer = TypeVar("Answer")
Database = Annotated[
    str | None,
    value_option("--database", "FILE", _("Use the games in this file, or at this database URL.")),
]


def list_games(context: typer.Context, database: Database = None, as_json: Json = False) -> None:
    """List all games, those changed last first."""
    screen = terminal(context)
    found = _with_tables(database, Tables.summaries) if _is_there(database) else []
    if as_json:
        screen.say(json.dumps([_as_object(game) for game in found], ensure_ascii=False))
    elif found:
        screen.out.print(_list(screen, found))
        count = screen.plural("{number} game in {file}", "{number} games in {file}", len(found), file=_name(database))
        screen.say(count, "dim")
    else:
        screen.say(screen.text("No games are kept in {file}.", file=_name(database)))


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
    screen = terminal(context)
    if file:
        form = record_files.form_of(file).removeprefix(".")
    _check_there(database)
    screen.compile_rules()

    async def exported(tables: Tables) -> str:
        return tables.export(await tables.get(await _full_name(tables, game)), form)

    content = _with_tables(database, exported)
    if file:
        record_files.write_text(file, content)
        screen.say(screen.text("The game is saved in {file}.", file=file))
    else:
        screen.out.print(content, end="", soft_wrap=True, markup=False)


def import_games(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=_("Game records."), show_default=False)],
    database: Database = None,
) -> None:
    """Import games from files, all of them or none, and print their names."""
    screen = terminal(context)
    for file in files:
        record_files.form_of(file)
    contents = [(record_files.read_bytes(file), file) for file in files]
    screen.compile_rules()

    async def imported(tables: Tables) -> list[str]:
        names: list[str] = []
        for content, file in contents:
            try:
                names.append((await tables.import_record(content, file.name)).id)
            except ElCapitanError as error:
                for name in names:
                    await tables.delete(name)
                raise BadFile(str(file), error) from None
        return names

    for name in _with_tables(database, imported):
        screen.out.print(name, markup=False)


def delete(
    context: typer.Context,
    games: Annotated[list[str], typer.Argument(metavar="GAME...", help=_("Names of games."), show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", help=_("Do not ask."))] = False,
    database: Database = None,
) -> None:
    """Delete games, all of them or none, after a question if a person is there."""
    screen = terminal(context)
    _check_there(database)

    async def known(tables: Tables) -> list[str]:
        return [await _full_name(tables, game) for game in games]

    names = list(dict.fromkeys(_with_tables(database, known)))
    if not yes and screen.interactive and not _confirmed(screen, len(names)):
        return

    async def deleted(tables: Tables) -> None:
        for name in names:
            await tables.delete(name)

    _with_tables(database, deleted)
    screen.out.print(screen.plural("{number} game is deleted.", "{number} games are deleted.", len(names)))


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
    screen = terminal(context)
    source = file_of(url_of(database))
    if source is None:
        raise BadDatabase("no-backup", database=_name(database))
    _check_there(database)
    target = file or free_name(source, "backup")
    back_up(source, target)
    screen.say(screen.text("All games are copied to {file}.", file=target))


def _with_tables(database: str | None, work: Callable[[Tables], Awaitable[Answer]]) -> Answer:
    """Run a coroutine with the open database; its computer players do not play meanwhile."""

    async def opened() -> Answer:
        async with Tables.open(database, bots=False) as tables:
            return await work(tables)

    return asyncio.run(opened())


def _is_there(database: str | None) -> bool:
    """Whether the database exists; raise `BadDatabase` if it was named and does not."""
    file = file_of(url_of(database))
    if file is None or file.exists():
        return True
    if database is not None:
        raise BadDatabase("no-file", file=file)
    return False


def _check_there(database: str | None) -> None:
    """Raise `BadDatabase` if the database does not exist."""
    if not _is_there(database):
        raise BadDatabase("no-file", file=_name(database))


def _name(database: str | None) -> str:
    """Return the address of a database without its password."""
    return shown(url_of(database))


async def _full_name(tables: Tables, beginning: str) -> str:
    """Find the only game whose name begins like this."""
    names = [game.id for game in await tables.summaries() if game.id.startswith(beginning)]
    if not names:
        raise NoSuchGame(beginning)
    if len(names) > 1 and beginning not in names:
        raise BadInput("many-games", found=beginning, known=", ".join(names[:5]))
    return beginning if beginning in names else names[0]


def _confirmed(screen: Terminal, number: int) -> bool:
    """Ask whether games are really to be deleted."""
    question = screen.plural("Delete {number} game? (y/n) ", "Delete {number} games? (y/n) ", number)
    answer = screen.out.input(Text(question)).strip().casefold()
    return answer[:1] in ("y", screen.text("yes")[:1])


def _list(screen: Terminal, found: Sequence[GameSummary]) -> Table:
    """Tabulate all games, one to a line."""
    table = plain_table()
    table.add_column(screen.text("game"), no_wrap=True)
    table.add_column(screen.text("merchants"), overflow="fold")
    table.add_column(screen.text("stands at"))
    table.add_column(screen.text("changed"))
    language = screen.translator.language
    for game in found:
        changed = format_datetime(game.changed.astimezone(), "short", locale=language)
        title = [Text(game.settings.title, style="bold")] if game.settings.title else []
        merchants = Text("\n").join([*title, Text(", ".join(_merchant(screen, seat) for seat in game.seats))])
        table.add_row(game.id, merchants, Text(_standing(screen, game)), changed)
    return table


def _merchant(screen: Terminal, seat: Seat) -> str:
    """Name the player of a seat."""
    if seat.player == HUMAN:
        return seat.name or screen.text("a person")
    level = level_name(seat.player, screen.translator)
    return f"{seat.name} ({level})" if seat.name else level


def _standing(screen: Terminal, game: GameSummary) -> str:
    """Describe how far a game is, or its result."""
    if game.over:
        return screen.text("finished: {money}", money=" · ".join(map(str, game.money)))
    if game.waiting:
        return screen.text("in the waiting room")
    return screen.text("phase {phase}, round {round}", phase=game.phase, round=game.round)


def _as_object(game: GameSummary) -> dict[str, object]:
    """Return the summary of a game, for programs."""
    return {
        "id": game.id,
        "title": game.settings.title,
        "seats": [{"player": seat.player, "name": seat.name} for seat in game.seats],
        "tiles": list(game.settings.tiles),
        "created": game.created.isoformat(),
        "changed": game.changed.isoformat(),
        "over": game.over,
        "phase": game.phase,
        "round": game.round,
        "deciding": game.deciding,
        "money": list(game.money),
        "entries": game.number,
        "rules": game.rules,
        "board": game.board,
        "origin": list(game.origin) if game.origin else None,
    }


GROUP: Final = command_group(HELP)
GROUP.command("list", help=LIST_HELP, short_help=LIST_HELP)(list_games)
GROUP.command("export", help=EXPORT_HELP, short_help=_("Write a game to a file, or print it."))(export)
GROUP.command("import", help=IMPORT_HELP, short_help=_("Import games from files."))(import_games)
GROUP.command("delete", help=DELETE_HELP, short_help=_("Delete games."))(delete)
GROUP.command("backup", help=BACKUP_HELP, short_help=_("Copy the file with all games."))(backup)
