"""An external program that exchanges lines with the game: every wait has a deadline, and no process is left behind.

There is no thread. While a line is awaited, one `select` waits for all three pipes: pending input is written as the
program takes it, its output and its error output are read as they come. So neither side can block the other with a
full pipe. The program leads a process group, which is killed as a whole.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import IO, Final

from elcapitan.errors import BadAnswer

LONGEST_LINE: Final = 1 << 20  # bytes
KEPT_ERRORS: Final = 4096  # bytes of stderr that are kept
LAST_WORDS: Final = 5  # lines of it that are shown
GRACE: Final = 1.0  # seconds to end in
CHUNK: Final = 1 << 16


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
