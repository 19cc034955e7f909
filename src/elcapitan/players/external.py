"""Any program can play a seat, if it answers JSON lines with JSON lines.

`docs/bots.md` describes the protocol for authors of such programs, `players/protocol.py` its messages. A program that
cannot be started, ends, hangs, or sends an invalid message or an illegal action has a fault: it is recorded, the
program is killed, and the lowest level plays its seat for the rest of the game.

Every wait for a program has a deadline, and no process is left behind. There is no thread. While a line is awaited,
one `select` waits for all three pipes: pending input is written as the program takes it, its output and its error
output are read as they come. So neither side can block the other with a full pipe. The program leads a process group,
which is killed as a whole.
"""

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import IO, Final

from elcapitan.board.board_file import short
from elcapitan.board.figures import Figures
from elcapitan.bots import registry
from elcapitan.bots.bot import Bot, View
from elcapitan.engine.rng import Generators
from elcapitan.errors import BadAnswer, BadBot, BotFault, ElCapitanError
from elcapitan.game.setup import Setup
from elcapitan.players import protocol
from elcapitan.records.json_record import ResultJson

SECONDS: Final = 5.0  # for a decision
START_SECONDS: Final = 10.0  # to get ready in; more if a decision may take longer
GRACE: Final = 1.0  # seconds to end in
LONGEST_LINE: Final = 1 << 20  # bytes
KEPT_ERRORS: Final = 4096  # bytes of stderr that are kept
LAST_WORDS: Final = 5  # lines of it that are shown
CHUNK: Final = 1 << 16


class ProgramBot(Bot):
    """A bot that asks an external program, started with its command line."""

    def __init__(self, command: str, setup: Setup, seat: int, figures: Figures, seconds: float = SECONDS) -> None:
        self.command = command
        self.name = ""  # as it calls itself
        self.problem: BotFault | None = None
        self._figures = figures
        self._seconds = float(seconds)
        self._move = 0
        self._program: ExternalProgram | None = None
        self._stand_in = registry.create(registry.LOWEST)
        self._begin(words_of(command), protocol.to_line(protocol.hello(setup, seat, figures)))

    @property
    def fault(self) -> str | None:
        """The program's fault as one English sentence; `problem` can be translated."""
        return str(self.problem) if self.problem else None

    def _begin(self, words: Sequence[str], hello: bytes) -> None:
        """Start the program and wait until it is ready."""
        try:
            self._program = ExternalProgram(words)
            answer = self._program.ask(hello, max(self._seconds, START_SECONDS))
            self.name = protocol.name_in(protocol.from_line(answer))
        except ElCapitanError as error:
            self._give_up(error)
        except BaseException:
            self._stop(grace=0)
            raise

    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """Ask the program; once it has had a fault, ask the lowest level instead."""
        if self._program:
            self._move += 1
            question = protocol.question(self._move, view.states, legal, self._seconds, self._figures)
            try:
                answer = protocol.from_line(self._program.ask(protocol.to_line(question), self._seconds))
                return protocol.action_in(answer, self._move, legal, self._figures)
            except ElCapitanError as error:
                self._give_up(error)
        return self._stand_in.choose(view, legal, rng)

    def _give_up(self, error: ElCapitanError) -> None:
        """Record the fault and kill the program."""
        last_words = self._program.last_words if self._program else ()
        self._stop(grace=0)
        self.problem = BotFault(self.command, error, last_words)

    def over(self, result: ResultJson) -> None:
        """Tell the program how the game ended, and stop it."""
        self._stop(protocol.to_line(protocol.farewell(result)))

    def close(self) -> None:
        """Stop the program and close the stand-in."""
        self._stop()
        self._stand_in.close()

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
