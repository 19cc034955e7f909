"""`elcapitan play`: a game at the terminal, with friends at one keyboard or against the computer."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.options import (
    FEWEST_PLAYERS,
    WHOLE_BOARD,
    BoardFile,
    BotSeconds,
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
from elcapitan.errors import BadSetup, ElCapitanError
from elcapitan.text.catalogue import _
from elcapitan.text.levels import level_name

if TYPE_CHECKING:
    from elcapitan.cli.table.saves import Table
    from elcapitan.game import Game

SHORT = _("Play in the terminal, among friends or against the computer.")
HELP = _(
    "Play in the terminal, with friends at one keyboard or against the computer. Without options the program asks "
    "what it needs. The game is kept after every action: go on with --resume."
)
USUAL_PLAYERS = 4
Answer = TypeVar("Answer")
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
    seats: Annotated[
        str | None,
        typer.Option(
            "--seats",
            metavar="SEATS",
            help=_(
                "Who plays, with commas: human, a computer player such as captain, or cmd:COMMAND for your own bot."
            ),
        ),
    ] = None,
    names: Annotated[
        str | None, typer.Option("--names", metavar="NAMES", help=_("What the merchants are called, with commas."))
    ] = None,
    seed: Seed = None,
    first: First = None,
    board: BoardFile = None,
    resume: Annotated[bool, typer.Option("--resume", help=_("Go on with a game left unfinished."))] = False,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help=_("Keep the game in this file too, .json or .capitan.")),
    ] = None,
    bot_seconds: BotSeconds = 5,
    buy_before_loan: BuyBeforeLoan = False,
    no_reopen_shuts: NoReopenShuts = False,
) -> None:
    """Play a game."""
    from elcapitan.cli import engine, records  # noqa: PLC0415 - needs the engine
    from elcapitan.cli.table import saves, session  # noqa: PLC0415

    screen = terminal(context)
    if save:
        records.form_of(save)
    who = read_seats(seats, players)
    if file or resume:
        engine.ready(screen)
        game, table = resumed(file, board, names, who)
    else:
        if screen.interactive and not who and players is None and tiles is None:
            who, tiles = ask(screen)
        players = len(who) or players or len(split(names)) or USUAL_PLAYERS
        table = saves.Table(checked_names(split(names), players), board, who)
        check_first(first, players)
        engine.ready(screen)
        options = {"buy_before_loan": buy_before_loan, "reopen_shuts": not no_reopen_shuts}
        game = new_game(players, tiles or "none", seed, first, board, options)
    session.Session(screen, game, table, save, bot_seconds).run()


def read_seats(text: str | None, players: int | None) -> tuple[str, ...]:
    """Who plays the seats, if that is said; they tell how many play, too."""
    if text is None:
        return ()
    from elcapitan.cli.table import crew  # noqa: PLC0415
    from elcapitan.players import seats  # noqa: PLC0415

    who = seats.split(text)
    if players not in (None, len(who)):
        raise BadInput("seats-players", found=len(who), wanted=players)
    if not FEWEST_PLAYERS <= len(who) <= SEATS:
        raise BadSetup("bad-players", found=len(who))
    crew.check_seats(who)
    return who


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


def resumed(
    file: Path | None, board: Path | None, names: str | None, who: tuple[str, ...] = ()
) -> "tuple[Game, Table]":
    """The game of a record, or the one left unfinished; whom it seats can be said anew."""
    from elcapitan.cli.table import crew, saves  # noqa: PLC0415

    game, table = saves.resume_file(file, board) if file else saves.resume()
    if len(who or table.seats) not in (0, game.players):
        raise BadInput("other-seats", found=len(who or table.seats), wanted=game.players)
    if file and not who:
        crew.check_seats(table.seats)
        for program in crew.programs(table.seats):  # who opens a stranger's file does not want to start one
            raise BadInput("program-seat", file=file, program=program)
    table = replace(table, seats=who or table.seats)
    return game, replace(table, names=checked_names(split(names), game.players)) if names else table


def ask(screen: Terminal) -> tuple[tuple[str, ...], str]:
    """Ask what a game needs: who plays the seats, and the cities of the expansion; Enter takes what is usual."""
    from elcapitan.bots.registry import LEVELS  # noqa: PLC0415
    from elcapitan.cli.table import crew  # noqa: PLC0415

    t = screen.translator
    players = answered(screen, t.text("How many merchants, 2 to 5? (Enter: 4) "), str(USUAL_PLAYERS), read_players)
    people = answered(
        screen,
        t.text("How many of them are played by people, 0 to {most}? (Enter: 1) ", most=players),
        "1",
        whole("--seats", 0, players),
    )
    level = crew.usual_level()
    if people < players and len(LEVELS) > 1:
        known = ", ".join(level_name(level, t) for level in LEVELS)
        usual = level_name(level, t)
        question = t.text("Who plays the others: {known}? (Enter: {usual}) ", known=known, usual=usual)
        level = answered(screen, question, level, lambda word: crew.level_called(word, t))
    tiles = answered(
        screen, t.text("Add Porto, Lisboa, Canarias, all or none? (Enter: none) "), WHOLE_BOARD[1], read_tiles
    )
    return (crew.HUMAN,) * people + (level,) * (players - people), tiles


def answered(screen: Terminal, question: str, usual: str, read: Callable[[str], Answer]) -> Answer:
    """Ask until the answer can be read; Enter is the usual one."""
    while True:
        answer = screen.out.input(question, markup=False).strip()
        try:
            return read(answer or usual)
        except ElCapitanError as error:
            sentence = error.sentence(screen.translator.template)
            if error.reason == "not-whole":  # without the name of an option
                sentence = screen.text("A whole number from {least} to {most} is wanted.", **error.arguments)
            screen.out.print(sentence, style="red", markup=False)


COMMAND = play
