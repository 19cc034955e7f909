"""`elcapitan play`: a game at the terminal, with friends at one keyboard or against the computer."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from elcapitan.board.board_file import short
from elcapitan.board.figures import load
from elcapitan.bots.registry import LEVELS
from elcapitan.cli import record_files
from elcapitan.cli.command_line import BadInput, Terminal, terminal
from elcapitan.cli.options import (
    FEWEST_PLAYERS,
    WHOLE_BOARD,
    BoardFile,
    BotSeconds,
    BuyBeforeLoan,
    First,
    NoReopenShuts,
    PirateBeforeLoan,
    Seed,
    check_first,
    read_tiles,
    some_seed,
    table_options,
    tile_names,
    value_option,
    whole,
)
from elcapitan.cli.record_files import TableSetup
from elcapitan.cli.terminal_game import session
from elcapitan.engine.vocabulary import SEATS
from elcapitan.errors import BadSetup, ElCapitanError
from elcapitan.game.game import Game
from elcapitan.players import seats
from elcapitan.text.catalogue import LANGUAGES, _, translator
from elcapitan.text.names import COLOUR_NAMES, level_name

PLAY_HELP: Final = _(
    "Play in the terminal, with friends at one keyboard or against the computer. Without options the program asks "
    "what it needs. The game is kept after every action: go on with --resume."
)
USUAL_PLAYERS: Final = 4
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
        value_option("--players", "N", _("How many merchants play: two to five, four if not given."), read_players),
    ] = None,
    tiles: Annotated[
        str | None,
        value_option(
            "--tiles",
            "CITIES",
            _("Cities of the expansion: Porto, Lisboa, Canarias, with commas between them; all or none."),
            read_tiles,
        ),
    ] = None,
    seats: Annotated[
        str | None,
        value_option(
            "--seats",
            "SEATS",
            _(
                "Who plays, with commas: human, a computer player such as captain, or your own bot: cmd:COMMAND or "
                "py:MODULE:CLASS."
            ),
        ),
    ] = None,
    names: Annotated[
        str | None, value_option("--names", "NAMES", _("What the merchants are called, with commas."))
    ] = None,
    colours: Annotated[
        str | None,
        value_option(
            "--colours",
            "COLOURS",
            _("Colours of the merchants, as in red,blue; with two players also neutral ones: red,blue,green,purple."),
        ),
    ] = None,
    seed: Seed = None,
    first: First = None,
    board: BoardFile = None,
    resume: Annotated[bool, typer.Option("--resume", help=_("Go on with a game left unfinished."))] = False,
    save: Annotated[
        Path | None,
        value_option("--save", "FILE", _("Keep the game in this file too, .json or .capitan.")),
    ] = None,
    bot_seconds: BotSeconds = 5,
    buy_before_loan: BuyBeforeLoan = False,
    no_reopen_shuts: NoReopenShuts = False,
    pirate_before_loan: PirateBeforeLoan = False,
) -> None:
    """Play a new game, or resume one."""
    screen = terminal(context)
    if save:
        record_files.form_of(save)
    who, chosen = read_seats(seats, players), read_colours(colours)
    if file or resume:
        screen.compile_rules()
        game, table = resumed(file, board, names, who)
        table = replace(table, colours=checked_colours(chosen, game.players) or table.colours)
    else:
        if screen.interactive and not who and players is None and tiles is None:
            who, tiles = ask(screen)
        players = len(who) or players or len(split(names)) or USUAL_PLAYERS
        called, painted = checked_names(split(names), players), checked_colours(chosen, players)
        table = record_files.TableSetup(called, board, who, painted)
        check_first(first, players)
        screen.compile_rules()
        options = table_options(buy=buy_before_loan, no_reopen_shuts=no_reopen_shuts, pirate=pirate_before_loan)
        game = new_game(players, tiles or "none", seed, first, board, options)
    session.Session(screen, game, table, save, bot_seconds).run()


def read_seats(text: str | None, players: int | None) -> tuple[str, ...]:
    """Parse who plays each seat; raise `BadInput` if that contradicts the number of players."""
    if text is None:
        return ()

    who = seats.split(text)
    if players not in (None, len(who)):
        raise BadInput("seats-players", found=len(who), wanted=players)
    if not FEWEST_PLAYERS <= len(who) <= SEATS:
        raise BadSetup("bad-players", found=len(who))
    seats.check_seats(who)
    return who


def split(names: str | None) -> tuple[str, ...]:
    """Split a list of names at its commas."""
    return tuple(name.strip() for name in (names or "").split(",") if name.strip())


def checked_names(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """Return the names; raise `BadInput` unless there are none or one for each player."""
    if names and len(names) != players:
        raise BadInput("wrong-names", found=len(names), wanted=players)
    return names


def read_colours(text: str | None) -> tuple[int, ...]:
    """Parse names of colours, in any language. Raises `BadInput` for an unknown one."""
    known = {
        translator(language).template(name).casefold(): number
        for language in LANGUAGES
        for number, name in enumerate(COLOUR_NAMES)
    }
    words = split(text)
    for word in words:
        if word.casefold() not in known:
            raise BadInput("unknown-colour", found=short(word), known=", ".join(COLOUR_NAMES))
    return tuple(known[word.casefold()] for word in words)


def checked_colours(colours: tuple[int, ...], players: int) -> tuple[int, ...]:
    """Return the colours. Raises `BadInput` or `BadSetup` if the merchants cannot have them."""
    if len(set(colours)) < len(colours):
        raise BadSetup("colour-twice")
    if not record_files.may_choose(colours, players):
        raise BadInput("wrong-colours", found=len(colours), wanted=players)
    return colours


def new_game(
    players: int, tiles: str, seed: int | None, first: int | None, board: Path | None, options: dict[str, bool]
) -> Game:
    """Create a new game from the options."""
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
) -> tuple[Game, TableSetup]:
    """Load the game of a record, or the one left unfinished; `who` and `names` replace those it was played with."""
    game, table = record_files.resume_file(file, board) if file else record_files.resume_unfinished()
    if len(who or table.seats) not in (0, game.players):
        raise BadInput("other-seats", found=len(who or table.seats), wanted=game.players)
    if file and not who:
        for program in seats.foreign(table.seats):  # a file from elsewhere must not start programs
            raise BadInput("program-seat", file=file, program=program)
        seats.check_seats(table.seats)
    table = replace(table, seats=who or table.seats)
    return game, replace(table, names=checked_names(split(names), game.players)) if names else table


def ask(screen: Terminal) -> tuple[tuple[str, ...], str]:
    """Ask who plays the seats, and for the cities of the expansion; Enter takes the defaults."""
    t = screen.translator
    players = answered(screen, t.text("How many merchants, 2 to 5? (Enter: 4) "), str(USUAL_PLAYERS), read_players)
    people = answered(
        screen,
        t.text("How many of them are played by people, 0 to {most}? (Enter: 1) ", most=players),
        "1",
        whole("--seats", 0, players),
    )
    level = seats.usual_level()
    if people < players and len(LEVELS) > 1:
        known = ", ".join(level_name(level, t) for level in LEVELS)
        usual = level_name(level, t)
        question = t.text("Who plays the others: {known}? (Enter: {usual}) ", known=known, usual=usual)
        level = answered(screen, question, level, lambda word: seats.level_called(word, t))
    tiles = answered(
        screen,
        t.text("Add Porto, Lisboa, Canarias, all or none? Two or three suit four or five players. (Enter: none) "),
        WHOLE_BOARD[1],
        read_tiles,
    )
    return (seats.HUMAN,) * people + (level,) * (players - people), tiles


def answered(screen: Terminal, question: str, usual: str, read: Callable[[str], Answer]) -> Answer:
    """Ask until the answer can be parsed; Enter is the default."""
    while True:
        answer = screen.out.input(question, markup=False).strip()
        try:
            return read(answer or usual)
        except ElCapitanError as error:
            sentence = error.sentence(screen.translator.text)
            if error.reason == "not-whole":  # without the name of an option
                sentence = screen.text("Enter a whole number from {least} to {most}.", **error.arguments)
            screen.out.print(sentence, style="red", markup=False)
