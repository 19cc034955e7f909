"""`elcapitan sit`: a computer player, or a program of one's own, takes a seat at a table on any server."""

import os
import secrets
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from elcapitan.cli.options import BoardFile, BotSeconds, value_option
from elcapitan.cli.terminal import Terminal, terminal
from elcapitan.cli.usage_errors import BadInput
from elcapitan.text.catalogue import _

if TYPE_CHECKING:
    from elcapitan.cli.remote_seat import ApiClient, RemoteSeat

SHORT: Final = _("Let a computer player or a program of your own take a seat on a server.")
HELP: Final = _(
    "Let a computer player, or any program that speaks the bot protocol, take a seat at a table on a server. The link "
    "of the seat tells where and which; or give the address of the server, and the key with --key, in the variable "
    "ELCAPITAN_KEY or, with --key -, as a line of input. It plays until the game is over or the seat is taken away, "
    "and comes back by itself when the connection breaks."
)
VARIABLE: Final = "ELCAPITAN_KEY"
FROM_INPUT: Final = "-"
FIRST_PAUSE: Final = 0.5  # seconds until the first try to come back; each further one takes twice as long,
LONGEST_PAUSE: Final = 30.0  # but no longer than this


def sit(
    context: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help=_("Address of the server, or the link of a seat there."))],
    key: Annotated[str | None, value_option("--key", "KEY", _("Key of the seat; - reads it from the input."))] = None,
    player: Annotated[
        str,
        value_option("--player", "PLAYER", _("Who plays: a computer player such as captain, or cmd:COMMAND.")),
    ] = "captain",
    bot_seconds: BotSeconds = 5,
    board: BoardFile = None,
) -> None:
    """Take a seat and play it until the game ends or the seat is taken away."""
    from elcapitan.cli.remote_seat import ApiClient, address_and_key  # noqa: PLC0415 - needs the engine
    from elcapitan.players import seats  # noqa: PLC0415

    screen = terminal(context)
    seats.check(player)
    address, in_link = address_and_key(url)
    server = ApiClient(address, key_of(key, in_link), screen.translator.language)
    screen.compile_rules()
    seat = take_seat(screen, server, player, bot_seconds, board)
    try:
        play_on(screen, seat)
    finally:
        seat.leave()


def key_of(given: str | None, in_link: str) -> str:
    """Find the key: as it is given, as a line of input, in the link, or in the environment."""
    key = given or in_link or os.environ.get(VARIABLE, "")
    if key == FROM_INPUT:
        key = sys.stdin.readline().strip()
    if not key or not key.isascii() or not key.isprintable():
        raise BadInput("no-key", variable=VARIABLE)
    return key


def take_seat(screen: Terminal, server: "ApiClient", player: str, seconds: float, board: Path | None) -> "RemoteSeat":
    """Ask the server which seat the key opens, and prepare to play it."""
    from elcapitan.board.figures import load  # noqa: PLC0415
    from elcapitan.cli.remote_seat import CONNECTION_ERRORS, CutOff, RemoteSeat  # noqa: PLC0415

    try:
        joined = server.ask("/join", {"key": server.key})
        game, seat = str(joined["game"]), joined["seat"]
    except (CutOff, KeyError):
        raise BadInput("no-such-server", address=server.address) from None
    except CONNECTION_ERRORS as error:
        raise BadInput("no-server", address=server.address, problem=problem_of(error)) from None
    if not isinstance(seat, int):
        raise BadInput("no-seat")
    screen.say(screen.text("{player} sits in seat {seat} of game {game}.", player=player, seat=seat + 1, game=game))
    return RemoteSeat(server, game, seat, player, seconds, load(board), secrets.randbits(64))


def play_on(screen: Terminal, seat: "RemoteSeat") -> None:
    """Play until there is nothing more to play; connect again after every interruption, and mention only the first."""
    from elcapitan.cli.remote_seat import CONNECTION_ERRORS, CutOff, RequestRefused  # noqa: PLC0415

    pause, mentioned = FIRST_PAUSE, False
    while True:
        try:
            for report in seat.play():
                pause, mentioned = FIRST_PAUSE, False
                if report.fault:
                    screen.say(report.fault.sentence(screen.translator.template), error=True)
                if report.last:
                    screen.say(screen.text(report.last, **report.arguments))
                    return
            problem: object = screen.text("it was closed")
        except CutOff:
            problem = screen.text("it was closed")
        except RequestRefused as error:
            if not error.temporary:
                raise
            problem = error.arguments["problem"]
        except CONNECTION_ERRORS as error:
            problem = problem_of(error)
        if not mentioned:
            text = screen.text("The connection is interrupted ({problem}); trying again.", problem=problem)
            screen.say(text, error=True)
            mentioned = True
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def problem_of(error: Exception) -> str:
    """Describe why a connection broke, in the words of the operating system."""
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason or type(error).__name__)


COMMAND: Final = sit
