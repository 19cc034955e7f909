"""`elcapitan sit`: a computer player, or a program of one's own, takes a seat at a table on any server.

`ApiClient` is the client of the server's API; `RemoteSeat` follows the table and plays.
"""

import json
import os
import re
import secrets
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import quote, urlsplit

import typer

from elcapitan.board.board_file import short
from elcapitan.board.figures import Figures, load
from elcapitan.bots.bot import Bot
from elcapitan.cli.command_line import BadInput, Terminal, terminal
from elcapitan.cli.options import BoardFile, BotSeconds, value_option
from elcapitan.errors import BotFault
from elcapitan.game.game import Game
from elcapitan.game.setup import FEWEST
from elcapitan.players import seats
from elcapitan.players.foreign import ForeignBot
from elcapitan.players.seats import choose_whole_action, create_seat, dice, dismiss
from elcapitan.records.json_record import FORMAT, from_json
from elcapitan.text.catalogue import _

SIT_HELP: Final = _(
    "Let a computer player, or any program that speaks the bot protocol, take a seat at a table on a server. The link "
    "of the seat tells where and which; or give the address of the server, and the key with --key, in the variable "
    "ELCAPITAN_KEY or, with --key -, as a line of input. It plays until the game is over or the seat is taken away, and"
    " reconnects by itself when the connection breaks."
)
VARIABLE: Final = "ELCAPITAN_KEY"
FROM_INPUT: Final = "-"
FIRST_PAUSE: Final = 0.5  # seconds until the first try to come back; each further one takes twice as long,
LONGEST_PAUSE: Final = 30.0  # but no longer than this

API: Final = "/api/v1"
TIMEOUT: Final = 60.0  # seconds for an answer, and for a sign of life of a stream, which comes every fifteen
LONGEST: Final = 50_000_000  # bytes of an answer
CONNECTION_ERRORS: Final = (OSError, HTTPException)  # what a connection can break by
GONE: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)


def sit(
    context: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help=_("Address of the server, or the link of a seat there."))],
    key: Annotated[str | None, value_option("--key", "KEY", _("Key of the seat; - reads it from the input."))] = None,
    player: Annotated[
        str,
        value_option(
            "--player", "PLAYER", _("Who plays: a computer player such as captain, cmd:COMMAND or py:MODULE:CLASS.")
        ),
    ] = "captain",
    bot_seconds: BotSeconds = 5,
    board: BoardFile = None,
) -> None:
    """Take a seat and play it until the game ends or the seat is taken away."""
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


def address_and_key(url: str) -> tuple[str, str]:
    """Split a URL into the address of the server and, if it is the link of a seat, the key in it."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme not in ("http", "https") or not parts.hostname or not re.fullmatch(r"[!-~]+", parts.netloc):
        raise BadInput("bad-server", found=short(url))
    folder = parts.path.rstrip("/").removesuffix("/join").removesuffix(API)
    return f"{parts.scheme}://{parts.netloc}{folder}", parts.fragment


class CutOff(HTTPException):
    """An incomplete or foreign answer: the server was stopped while it answered, or it is another program.

    `http.client` itself accepts fewer bytes than were announced.
    """


class RequestRefused(BadInput):
    """A request that the server answered with an error."""

    def __init__(self, address: str, status: int, error: Mapping[str, Any]) -> None:
        super().__init__("server-refuses", address=address, problem=str(error.get("message", status)))
        self.status = status
        self.code = str(error.get("code", ""))

    @property
    def temporary(self) -> bool:
        """Whether the same request may succeed a moment later."""
        return self.status >= HTTPStatus.INTERNAL_SERVER_ERROR or self.status == HTTPStatus.TOO_MANY_REQUESTS

    @property
    def stale(self) -> bool:
        """Whether the table has changed since the request was made."""
        return self.status == HTTPStatus.CONFLICT


@dataclass(frozen=True)
class StreamMessage:
    """One message of the event stream of a table."""

    id: str
    name: str
    data: dict[str, Any]


class _StayHere(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: urllib would send the key to whatever address a redirect names."""

    def redirect_request(self, *_arguments: Any) -> None:
        """Take a redirect for an error."""


class ApiClient:
    """Client of a server's API, with the key of one seat."""

    def __init__(self, address: str, key: str, language: str) -> None:
        self.address = address
        self.key = key
        self._language = language
        self._opener = urllib.request.build_opener(_StayHere)

    def ask(self, path: str, sent: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send a request, with content if there is any, and return the JSON object of the answer."""
        with self._open(path, sent) as answer:
            try:
                content = json.loads(answer.read(LONGEST))
            except ValueError:
                content = None
        if not isinstance(content, dict):
            raise CutOff
        return content

    def follow(self, game: str, last_id: str) -> Iterator[StreamMessage]:
        """Yield the messages of a table's event stream after the last known one, until the connection ends."""
        path = f"/games/{quote(game, safe='')}/events?since={quote(last_id, safe='')}"
        with self._open(path, None) as answer:
            fields: dict[str, str] = {}
            for line in answer:
                name, _colon, value = line.decode(errors="replace").rstrip("\r\n").partition(":")
                if name:
                    fields[name] = value.removeprefix(" ")
                    continue
                if "data" in fields:
                    yield StreamMessage(fields.get("id", last_id), fields.get("event", ""), json.loads(fields["data"]))
                fields = {}

    def _open(self, path: str, sent: Mapping[str, Any] | None) -> Any:
        """Open a request and return its response; raise `RequestRefused` if the server answers with an error."""
        headers = {"Authorization": f"Bearer {self.key}", "Accept-Language": self._language}
        content = None if sent is None else json.dumps(sent).encode()
        if content is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"{self.address}{API}{path}", content, headers)
        try:
            return self._opener.open(request, timeout=TIMEOUT)
        except urllib.error.HTTPError as error:
            with error:
                raise RequestRefused(self.address, error.code, _error_in(error)) from None


def _error_in(answer: urllib.error.HTTPError) -> dict[str, Any]:
    """Return the error object of a response; empty if it has none."""
    try:
        error = json.loads(answer.read(LONGEST))["error"]
    except (*CONNECTION_ERRORS, ValueError, KeyError, TypeError):
        return {}
    return error if isinstance(error, dict) else {}


@dataclass(frozen=True)
class Report:
    """What to print after an event: a program's fault, or why playing has ended."""

    fault: BotFault | None = None
    last: str = ""
    arguments: dict[str, object] = field(default_factory=dict)


class RemoteSeat:
    """One seat of a game on a server, and the bot that plays it."""

    def __init__(
        self, server: ApiClient, game: str, seat: int, player: str, seconds: float, figures: Figures, seed: int
    ) -> None:
        self._server = server
        self._name = game
        self._seat = seat
        self._player = player
        self._seconds = seconds
        self._figures = figures
        self._dice = dice(seed, seat)
        self._events: list[dict[str, Any]] = []
        self._last_id = "0"
        self._bot: Bot | None = None
        self._game = Game.bare(FEWEST, first=0, figures=figures)  # until the real one is told
        self._fault_reported = False  # a fault is reported once

    def play(self) -> Iterator[Report]:
        """Follow the table and play as long as the connection lasts; yields a report after every event."""
        try:
            for news in self._server.follow(self._name, self._last_id):
                if news.name == "end":
                    break
                yield self._receive(news)
            else:
                return
        except RequestRefused as error:
            if error.status not in GONE:
                raise
        yield Report(last=_("The seat was taken away."))

    def _receive(self, news: StreamMessage) -> Report:
        """Add the new events to the game, and act if it is this seat's turn."""
        self._events[news.data["since"] :] = news.data["events"]
        self._last_id = news.id
        state = news.data["state"]
        if state["ended"]:
            return Report(last=_("The host has ended this game."))
        if self._bot is None or state["result"] or (state["yours"] and state["deciding"] == self._seat):
            self._rebuild(state["setup"])
        if state["result"]:
            money = ", ".join(map(str, self._game.money))
            return Report(last=_("The game is over: {money}."), arguments={"money": money})
        if state["yours"] and state["deciding"] == self._seat:
            self._act(state)
        return Report(fault=self._new_fault())

    def _rebuild(self, setup: dict[str, Any]) -> None:
        """Rebuild the game from its events, and create the bot when it is needed for the first time."""
        header = {key: setup[key] for key in ("rules", "players", "tiles", "board", "first", "options")}
        self._game = from_json({"format": FORMAT, **header, "events": self._events}, self._figures)
        if self._bot is None:
            self._bot = create_seat(self._player, self._game.setup, self._seat, self._figures, self._seconds)

    def _act(self, state: dict[str, Any]) -> None:
        """Ask the bot and send its action. A stale one is dropped: the stream soon tells what has changed."""
        path = f"/games/{self._name}"
        try:
            if state["position"]["pirate"] and state["position"]["pirate"]["sailing"]:  # begun elsewhere, card by card
                self._server.ask(f"{path}/undo", {"number": state["number"]})
            else:
                self._server.ask(f"{path}/actions", {"number": state["number"], "actions": self._next_action()})
        except RequestRefused as error:
            if not error.stale:
                raise

    def _next_action(self) -> list[int]:
        """Return the numbers of the bot's next action; a voyage of the pirate to its end."""
        assert self._bot is not None
        return list(choose_whole_action(self._bot, self._game, self._dice))

    def _new_fault(self) -> BotFault | None:
        """Return the fault of a program the first time it is seen."""
        if self._fault_reported or not isinstance(self._bot, ForeignBot) or self._bot.problem is None:
            return None
        self._fault_reported = True
        return self._bot.problem

    def leave(self) -> None:
        """Close the bot; send an external program the result if the game has ended."""
        if self._bot:
            dismiss([self._bot], self._game)


def take_seat(screen: Terminal, server: ApiClient, player: str, seconds: float, board: Path | None) -> RemoteSeat:
    """Ask the server which seat the key opens, and prepare to play it."""
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


def play_on(screen: Terminal, seat: RemoteSeat) -> None:
    """Play until there is nothing more to play; connect again after every interruption, and mention only the first."""
    pause, mentioned = FIRST_PAUSE, False
    while True:
        try:
            for report in seat.play():
                pause, mentioned = FIRST_PAUSE, False
                if report.fault:
                    screen.say(report.fault.sentence(screen.translator.text), error=True)
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
