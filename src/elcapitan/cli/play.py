"""`elcapitan play`: a game at the terminal, all merchants at one keyboard."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.options import (
    FEWEST_PLAYERS,
    BoardFile,
    BuyBeforeLoan,
    First,
    NoReopenShuts,
    Seed,
    check_first,
    read_tiles,
    some_seed,
    tile_names,
    whole,
)
from elcapitan.cli.terminal import Terminal, terminal
from elcapitan.engine.vocabulary import SEATS
from elcapitan.errors import ElCapitanError
from elcapitan.text.catalogue import _

if TYPE_CHECKING:
    from elcapitan.cli.table.saves import Table
    from elcapitan.game import Game

SHORT = _("Play in the terminal, all merchants at one keyboard.")
HELP = _(
    "Play in the terminal, all merchants at one keyboard. Without options the program asks what it needs. "
    "The game is kept after every action: go on with --resume."
)
USUAL_PLAYERS = 4
read_players = whole("--players", FEWEST_PLAYERS, SEATS)


def play(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help=_("Game record to resume; with --resume it may be left out.")),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            "--players", metavar="N", parser=read_players, help=_("How many merchants play: two to five, usually four.")
        ),
    ] = None,
    tiles: Annotated[
        str | None,
        typer.Option(
            "--tiles",
            metavar="CITIES",
            parser=read_tiles,
            help=_("Cities of the expansion: Porto, Lisboa, Canarias, with commas between them; all or none."),
        ),
    ] = None,
    names: Annotated[
        str | None, typer.Option("--names", metavar="NAMES", help=_("Who plays, with commas between the names."))
    ] = None,
    seed: Seed = None,
    first: First = None,
    board: BoardFile = None,
    resume: Annotated[bool, typer.Option("--resume", help=_("Go on with a game left unfinished."))] = False,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help=_("Keep the game in this file too, .json or .capitan.")),
    ] = None,
    buy_before_loan: BuyBeforeLoan = False,
    no_reopen_shuts: NoReopenShuts = False,
) -> None:
    """Play a game."""
    from elcapitan.cli import engine, records  # noqa: PLC0415 - needs the engine
    from elcapitan.cli.table import saves, session  # noqa: PLC0415

    screen = terminal(context)
    if save:
        records.form_of(save)
    if file or resume:
        engine.ready(screen)
        game, table = resumed(file, board, names)
    else:
        if screen.interactive and players is None and tiles is None:
            players, tiles = ask(screen)
        players = players or len(split(names)) or USUAL_PLAYERS
        table = saves.Table(checked_names(split(names), players), board)
        check_first(first, players)
        engine.ready(screen)
        options = {"buy_before_loan": buy_before_loan, "reopen_shuts": not no_reopen_shuts}
        game = new_game(players, tiles or "none", seed, first, board, options)
    session.Session(screen, game, table, save).run()


def split(names: str | None) -> tuple[str, ...]:
    """The names of a list."""
    return tuple(name.strip() for name in (names or "").split(",") if name.strip())


def checked_names(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """No names, or one for everybody."""
    if names and len(names) != players:
        raise BadInput("wrong-names", found=len(names), wanted=players)
    return names


def new_game(
    players: int, tiles: str, seed: int | None, first: int | None, board: Path | None, options: dict[str, bool]
) -> "Game":
    """A new game."""
    from elcapitan.figures import load  # noqa: PLC0415
    from elcapitan.game import Game  # noqa: PLC0415

    return Game.new(
        players,
        tile_names(tiles),
        first=None if first is None else first - 1,
        options=options,
        seed=some_seed(seed),
        figures=load(board),
    )


def resumed(file: Path | None, board: Path | None, names: str | None) -> "tuple[Game, Table]":
    """The game of a record, or the one left unfinished."""
    from elcapitan.cli.table import saves  # noqa: PLC0415

    if file is None:
        game, table = saves.resume()
    else:
        game, table = saves.resume_file(file, board), saves.Table(board=board)
    if names:
        table = saves.Table(checked_names(split(names), game.players), table.board)
    return game, table


def ask(screen: Terminal) -> tuple[int, str]:
    """Ask what a game needs; Enter takes what is usual."""
    players = USUAL_PLAYERS
    while True:
        answer = screen.out.input(screen.text("How many merchants, 2 to 5? (Enter: 4) ")).strip()
        try:
            players = read_players(answer) if answer else USUAL_PLAYERS
            break
        except ElCapitanError as error:
            screen.out.print(error.sentence(screen.translator.template), style="red")
    while True:
        answer = screen.out.input(screen.text("Add Porto, Lisboa, Canarias, all or none? (Enter: none) ")).strip()
        try:
            return players, read_tiles(answer or "none")
        except ElCapitanError as error:
            screen.out.print(error.sentence(screen.translator.template), style="red")


COMMAND = play
