"""External programs that play a seat, and their protocol `elcapitan-bot/1`: JSON lines answered with JSON lines.

`docs/bots.md` describes the protocol for authors of such programs. A program that cannot be started, ends, hangs, or
sends an invalid message or an illegal action has a fault: it is recorded, the program is killed, and the lowest level
plays its seat for the rest of the game.

Every wait for a program has a deadline, and no process is left behind. There is no thread. While a line is awaited,
one `select` waits for all three pipes: pending input is written as the program takes it, its output and its error
output are read as they come. So neither side can block the other with a full pipe. The program leads a process group,
which is killed as a whole.

    we say   {"type": "hello", "protocol": "elcapitan-bot/1", "rules": "1", "players": 4, "seat": 2, ...}
    it says  {"type": "ready", "name": "cheapest"}  (and what else it wants: see `extras`)
    we say   {"type": "choose", "move": 17, "seat": 2, "position": {...}, "legal": [{...}, ...], "seconds": 5.0}
    it says  {"type": "action", "move": 17, "choose": 3}
    or       {"type": "action", "move": 17, "do": "buy", "card": "Marseille/3"}
    we say   {"type": "over", "money": [...], "ranks": [...], "winners": [...]}

Every legal action number has exactly one entry in "legal", in the order of the numbers. These are typed actions, as in
records; but a voyage of the pirate by cards, which a record holds as a whole, is made here piece by piece:

    {"do": "pirate_sail", "card": "Tunis/1", "as": "destination", "to": "Tunis"}
    {"do": "pirate_land", "harbour": 1, "shift": null}
"""

import contextlib
import json
import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import IO, Any, Final

from elcapitan.actions import union as act
from elcapitan.actions.text import to_text
from elcapitan.actions.typed import PIRATE_BY, Typed, actions_of, berth_to_typed, leg_to_typed, to_typed
from elcapitan.board.board_file import short
from elcapitan.board.figures import Figures
from elcapitan.bots.bot import View
from elcapitan.engine.rng import Generators
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.errors import BadAction, BadAnswer, BadBot, ElCapitanError
from elcapitan.game.game import RULES_VERSION
from elcapitan.game.setup import Setup
from elcapitan.players.extras import extras, wishes_in
from elcapitan.players.foreign import ForeignBot
from elcapitan.records.json_record import ResultJson
from elcapitan.records.view_json import view_to_json

PROTOCOL: Final = "elcapitan-bot/1"
PIRATE_LEG, LANDING = "pirate_sail", "pirate_land"
ANY_BERTH: Final = {"do": "pirate", "by": "free", "cards": [], "to": CITY_NAMES[0]}  # what a landing shares with a move
NAME_LENGTH: Final = 30
SECONDS: Final = 5.0  # for a decision
START_SECONDS: Final = 10.0  # to get ready in; more if a decision may take longer
GRACE: Final = 1.0  # seconds to end in
LONGEST_LINE: Final = 1 << 20  # bytes
KEPT_ERRORS: Final = 4096  # bytes of stderr that are kept
LAST_WORDS: Final = 5  # lines of it that are shown
CHUNK: Final = 1 << 16


# ---------------------------------------------------------------------------------------------------------- requests


def hello(setup: Setup, seat: int, figures: Figures) -> dict[str, Any]:
    """Build the first message: the setup of the game, and the printed figures it is played with."""
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "rules": RULES_VERSION,
        "players": setup.players,
        "tiles": list(setup.tiles),
        "board": figures.name,
        "seat": seat,
        "options": dict(setup.options),
        "prices": dict(zip(figures.cards, figures.board.card_price.tolist(), strict=True)),
        "figures": {key: figure.value for key, figure in figures.printed.items() if not key.startswith("cards.")},
    }


def question(move: int, view: States, legal: Sequence[int], seconds: float, figures: Figures) -> dict[str, Any]:
    """Build the request for a decision, with everything the seat may know."""
    return {
        "type": "choose",
        "move": move,
        "seat": int(view[0].seat),
        "position": view_to_json(view, figures),
        "legal": [entry(number, figures) for number in legal],
        "seconds": seconds,
    }


def farewell(result: ResultJson) -> dict[str, Any]:
    """Build the last message: how the game ended."""
    return {"type": "over", **result}


def to_line(message: Mapping[str, Any]) -> bytes:
    """Encode a message as one line, in the order of its keys and without spaces, so that even sed can read it."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def entry(number: int, figures: Figures) -> Typed:
    """Encode a legal action for the list in a request."""
    match act.decode(number, figures):
        case act.SailPirate(leg):
            return {"do": PIRATE_LEG, **leg_to_typed(leg, figures)}
        case act.LandPirate(berth):
            return {"do": LANDING, **berth_to_typed(berth)}
        case _:
            return to_typed(number, figures)  # which mypy names when a family is added


# ----------------------------------------------------------------------------------------------------------- answers


def from_line(line: bytes) -> dict[str, Any]:
    """Decode the message of one line; raise `BadAnswer` if it is not a JSON object."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise BadAnswer("bot-not-json", found=short(line.decode(errors="replace").strip()))
    return message


def name_in(answer: Mapping[str, Any]) -> str:
    """Read the name of a program that is ready; empty if it gives none."""
    _expect(answer, "ready")
    name = answer.get("name")
    return "".join(filter(str.isprintable, name)).strip()[:NAME_LENGTH] if isinstance(name, str) else ""


def action_in(answer: Mapping[str, Any], move: int, legal: Sequence[int], figures: Figures) -> int:
    """Read the legal action that an answer chooses, by its place in the list or written out."""
    _expect(answer, "action")
    found = answer.get("move")
    if type(found) is not int or found != move:
        raise BadAnswer("bot-wrong-move", found=short(found), wanted=move)
    if "choose" in answer:
        return _chosen(answer["choose"], legal)
    if "do" not in answer:
        raise BadAnswer("bot-no-choice")
    number = number_of({key: value for key, value in answer.items() if key not in ("type", "move")}, figures)
    if number not in legal:
        raise BadAnswer("bot-illegal", action=to_text(number, figures))
    return number


def number_of(typed: Typed, figures: Figures) -> int:
    """Decode an action of the list; raise `BadAction` if it cannot be in one."""
    return act.encode(_action(typed, figures), figures)


def _action(typed: Typed, figures: Figures) -> act.Action:
    """Decode an action of the list; a leg and a landing of the pirate are written as parts of other actions."""
    as_in_records = typed
    if typed.get("do") == PIRATE_LEG:
        as_in_records = {**typed, "do": "sail"}
    if typed.get("do") == LANDING:
        as_in_records = {**typed, **ANY_BERTH}
    action, *more = actions_of(as_in_records, figures)
    if more:  # a whole voyage
        raise BadAction("bad-value", key="by", found=short(typed["by"]), known=", ".join(PIRATE_BY))
    if typed.get("do") == PIRATE_LEG and isinstance(action, act.Sail):
        return act.SailPirate(action.leg)
    if typed.get("do") == LANDING and isinstance(action, act.MovePirateFree):
        return act.LandPirate(action.berth)
    return action


def _chosen(place: object, legal: Sequence[int]) -> int:
    """Return the action at a place of the list, from 0; raise `BadAnswer` if there is none."""
    if type(place) is not int or not 0 <= place < len(legal):
        raise BadAnswer("bot-bad-choice", found=short(place), most=len(legal) - 1)
    return legal[place]


def _expect(answer: Mapping[str, Any], wanted: str) -> None:
    """Raise `BadAnswer` if an answer has the wrong type."""
    if answer.get("type") != wanted:
        raise BadAnswer("bot-wrong-type", found=short(answer.get("type")), wanted=wanted)


# ---------------------------------------------------------------------------------------------------------- programs


class ProgramBot(ForeignBot):
    """A bot that asks an external program, started with its command line."""

    def __init__(self, command: str, setup: Setup, seat: int, figures: Figures, seconds: float = SECONDS) -> None:
        super().__init__(command)
        self._figures = figures
        self._seconds = float(seconds)
        self._move = 0
        self._wishes: tuple[str, ...] = ()
        self._program: ExternalProgram | None = None
        self._begin(words_of(command), to_line(hello(setup, seat, figures)))

    def _begin(self, words: Sequence[str], greeting: bytes) -> None:
        """Start the program and wait until it is ready."""
        try:
            self._program = ExternalProgram(words)
            ready = from_line(self._program.ask(greeting, max(self._seconds, START_SECONDS)))
            self.name, self._wishes = name_in(ready), wishes_in(ready)
        except ElCapitanError as error:
            self.give_up(error)
        except BaseException:
            self._stop(grace=0)
            raise

    def decide(self, view: View, legal: Sequence[int], rng: Generators) -> int:  # noqa: ARG002 - it has dice of its own
        """Ask the program for a legal action."""
        assert self._program
        self._move += 1
        asked = question(self._move, view.states, legal, self._seconds, self._figures)
        asked |= extras(self._wishes, self._move, view.states, legal, self._figures)
        answer = from_line(self._program.ask(to_line(asked), self._seconds))
        return action_in(answer, self._move, legal, self._figures)

    def give_up(self, error: ElCapitanError) -> None:
        """Record the fault and kill the program."""
        super().give_up(error)
        self._stop(grace=0)

    def last_words(self, error: ElCapitanError) -> tuple[str, ...]:  # noqa: ARG002 - its own words say more
        """Return the last lines that the program wrote to stderr."""
        return self._program.last_words if self._program else ()

    def over(self, result: ResultJson) -> None:
        """Tell the program how the game ended, and stop it."""
        self._stop(to_line(farewell(result)))

    def close(self) -> None:
        """Stop the program and close the stand-in."""
        self._stop()
        super().close()

    def _stop(self, last_line: bytes = b"", **grace: float) -> None:
        """Stop the program, if it is running."""
        program, self._program = self._program, None
        if program:
            program.stop(last_line, **grace)


def words_of(command: str) -> list[str]:
    """Split a command line into words without a shell; raise `BadBot` if that is not possible."""
    try:
        words = shlex.split(command)
    except ValueError:  # an unclosed quotation mark
        words = []
    if not words:
        raise BadBot("bad-command", found=short(command))
    return words


class ExternalProgram:
    """A running program with its three pipes."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise BadAnswer("bot-not-started", problem=getattr(error, "strerror", None) or error) from None
        self._to_send = bytearray()
        self._received = bytearray()
        self._errors = bytearray()
        self._open = [pipe for pipe in (self._process.stdout, self._process.stderr) if pipe]
        for pipe in (self._process.stdin, *self._open):
            if pipe:
                os.set_blocking(pipe.fileno(), False)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line and return the answer; raise `BadAnswer` if none comes in time."""
        deadline = time.monotonic() + seconds
        self._to_send += line
        while (end := self._received.find(b"\n", 0, LONGEST_LINE + 1)) < 0:
            if len(self._received) > LONGEST_LINE:
                raise BadAnswer("bot-long-line", most=LONGEST_LINE)
            if self._process.stdout not in self._open:
                raise self._why_it_ended()
            if not self._exchange(deadline):
                raise BadAnswer("bot-silent", seconds=f"{seconds:g}")
        answer = bytes(self._received[:end])
        del self._received[: end + 1]
        return answer

    def _exchange(self, deadline: float) -> bool:
        """Wait until a pipe is ready and use it; returns whether that happened before the deadline."""
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        with selectors.DefaultSelector() as pipes:
            for pipe in self._open:
                pipes.register(pipe, selectors.EVENT_READ)
            if self._to_send and self._process.stdin:
                pipes.register(self._process.stdin, selectors.EVENT_WRITE)
            ready = pipes.select(left)
        for key, _events in ready:
            if key.fileobj is self._process.stdin:
                self._write(key.fd)
            else:
                self._read(key.fd)
        return bool(ready)

    def _write(self, pipe: int) -> None:
        """Write as much as the program takes; if it has closed its input, drop the rest."""
        try:
            del self._to_send[: os.write(pipe, self._to_send[:CHUNK])]
        except BlockingIOError:
            return
        except OSError:
            self._to_send.clear()

    def _read(self, pipe: int) -> None:
        """Read what the program has written to stdout or stderr."""
        try:
            content = os.read(pipe, CHUNK)
        except BlockingIOError:
            return
        is_error = self._process.stderr is not None and pipe == self._process.stderr.fileno()
        if not content:
            self._open = [each for each in self._open if each.fileno() != pipe]
        elif is_error:
            self._errors = (self._errors + content)[-KEPT_ERRORS:]
        else:
            self._received += content

    def _why_it_ended(self) -> BadAnswer:
        """Describe why the output was closed: most likely the program has ended, or is about to."""
        code = self._await_end(time.monotonic() + GRACE)
        return BadAnswer("bot-closed") if code is None else BadAnswer("bot-ended", code=code)

    def _await_end(self, deadline: float) -> int | None:
        """Read until the program ends; returns its exit code, or None at the deadline."""
        while self._open and self._exchange(deadline):
            self._received.clear()
        try:
            return self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return None

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines that the program wrote to stderr."""
        lines = self._errors.decode(errors="replace").splitlines()
        printable = ("".join(filter(str.isprintable, line)).rstrip() for line in lines)
        return tuple(line for line in printable if line)[-LAST_WORDS:]

    def stop(self, last_line: bytes = b"", grace: float = GRACE) -> None:
        """Send a last line, close the program's input, and kill what has not ended after `grace` seconds."""
        deadline = time.monotonic() + grace
        self._to_send += last_line
        try:
            while self._to_send and self._exchange(deadline):
                self._received.clear()
            _close(self._process.stdin)
            self._to_send.clear()
            self._await_end(deadline)
        finally:
            self._kill()

    def _kill(self) -> None:
        """Kill the program and all processes it has started, and close the pipes."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # no process is left
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            _close(pipe)
        self._open = []


def _close(pipe: IO[bytes] | None) -> None:
    """Close a pipe, even if its other end is closed."""
    if pipe:
        with contextlib.suppress(OSError):
            pipe.close()
