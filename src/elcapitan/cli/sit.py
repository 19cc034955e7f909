"""`elcapitan sit`: a computer player, or a program of one's own, takes a seat at a table on any server."""

import os
import secrets
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from elcapitan.cli.guest import TROUBLE, CutOff, Refused, Server, address_and_key
from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.options import BoardFile, BotSeconds
from elcapitan.cli.terminal import Terminal, terminal
from elcapitan.text.catalogue import _

if TYPE_CHECKING:
    from elcapitan.cli.chair import Chair

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
    key: Annotated[
        str | None, typer.Option("--key", metavar="KEY", help=_("Key of the seat; - reads it from the input."))
    ] = None,
    player: Annotated[
        str,
        typer.Option(
            "--player", metavar="PLAYER", help=_("Who plays: a computer player such as captain, or cmd:COMMAND.")
        ),
    ] = "captain",
    bot_seconds: BotSeconds = 5,
    board: BoardFile = None,
) -> None:
    """Take a seat and play it."""
    from elcapitan.cli import engine  # noqa: PLC0415
    from elcapitan.players import seats  # noqa: PLC0415 - needs the engine

    screen = terminal(context)
    seats.check(player)
    address, in_link = address_and_key(url)
    server = Server(address, key_of(key, in_link), screen.translator.language)
    engine.ready(screen)
    chair = seated(screen, server, player, bot_seconds, board)
    try:
        stay(screen, chair)
    finally:
        chair.leave()


def key_of(given: str | None, in_link: str) -> str:
    """The key: as it is given, as a line of input, in the link, or in the environment."""
    key = given or in_link or os.environ.get(VARIABLE, "")
    if key == FROM_INPUT:
        key = sys.stdin.readline().strip()
    if not key or not key.isascii() or not key.isprintable():
        raise BadInput("no-key", variable=VARIABLE)
    return key


def seated(screen: Terminal, server: Server, player: str, seconds: float, board: Path | None) -> "Chair":
    """The seat that the key opens, and who plays it."""
    from elcapitan.cli.chair import Chair  # noqa: PLC0415
    from elcapitan.figures import load  # noqa: PLC0415

    try:
        joined = server.ask("/join", {"key": server.key})
        game, seat = str(joined["game"]), joined["seat"]
    except (CutOff, KeyError):
        raise BadInput("no-such-server", address=server.address) from None
    except TROUBLE as error:
        raise BadInput("no-server", address=server.address, problem=problem_of(error)) from None
    if not isinstance(seat, int):
        raise BadInput("no-seat")
    screen.out.print(
        screen.text("{player} sits in seat {seat} of game {game}.", player=player, seat=seat + 1, game=game),
        markup=False,
        soft_wrap=True,
    )
    return Chair(server, game, seat, player, seconds, load(board), secrets.randbits(64))


def stay(screen: Terminal, chair: "Chair") -> None:
    """Play until there is nothing more to play, through all interruptions."""
    pause, told = FIRST_PAUSE, False
    while True:
        try:
            for step in chair.play():
                pause, told = FIRST_PAUSE, False
                if step.fault:
                    screen.err.print(step.fault.sentence(screen.translator.template), markup=False, soft_wrap=True)
                if step.last:
                    screen.out.print(screen.text(step.last, **step.arguments), markup=False, soft_wrap=True)
                    return
            problem: object = screen.text("it was closed")
        except CutOff:
            problem = screen.text("it was closed")
        except Refused as error:
            if not error.passing:
                raise
            problem = error.arguments["problem"]
        except TROUBLE as error:
            problem = problem_of(error)
        if not told:
            words = screen.text("The connection is interrupted ({problem}); trying again.", problem=problem)
            screen.err.print(words, markup=False, soft_wrap=True)
            told = True
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def problem_of(error: Exception) -> str:
    """What a connection broke by, in a few words of the system."""
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason or type(error).__name__)


COMMAND: Final = sit
