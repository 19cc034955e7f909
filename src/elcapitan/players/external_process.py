"""A program of its own, spoken to line by line: no wait is longer than a deadline, and nothing is left behind.

Nothing here runs beside the game. While a line is awaited, one wait is for all three pipes at once: what is still to be
said goes out as the program takes it, what it says and what it complains about comes in as it comes. So neither side
can block the other with a full pipe. The program leads a process group, which is ended as a whole.
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
COMPLAINTS: Final = 4096  # bytes of stderr that are kept
LAST_WORDS: Final = 5  # lines of it that are shown
GRACE: Final = 1.0  # seconds to leave in
CHUNK: Final = 1 << 16


class Program:
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
        self._unsaid = bytearray()
        self._heard = bytearray()
        self._complaints = bytearray()
        self._open = [pipe for pipe in (self._process.stdout, self._process.stderr) if pipe]
        for pipe in (self._process.stdin, *self._open):
            if pipe:
                os.set_blocking(pipe.fileno(), False)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Say a line and hear one, or say in a `BadAnswer` why there is none."""
        deadline = time.monotonic() + seconds
        self._unsaid += line
        while (end := self._heard.find(b"\n", 0, LONGEST_LINE + 1)) < 0:
            if len(self._heard) > LONGEST_LINE:
                raise BadAnswer("bot-long-line", most=LONGEST_LINE)
            if self._process.stdout not in self._open:
                raise self._why_it_ended()
            if not self._exchange(deadline):
                raise BadAnswer("bot-silent", seconds=f"{seconds:g}")
        answer = bytes(self._heard[:end])
        del self._heard[: end + 1]
        return answer

    def _exchange(self, deadline: float) -> bool:
        """Wait until a pipe is ready and use it; whether there was time for that before the deadline."""
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        with selectors.DefaultSelector() as pipes:
            for pipe in self._open:
                pipes.register(pipe, selectors.EVENT_READ)
            if self._unsaid and self._process.stdin:
                pipes.register(self._process.stdin, selectors.EVENT_WRITE)
            ready = pipes.select(left)
        for key, _events in ready:
            if key.fileobj is self._process.stdin:
                self._say(key.fd)
            else:
                self._hear(key.fd)
        return bool(ready)

    def _say(self, pipe: int) -> None:
        """Say as much as the program takes; who has stopped listening is told nothing more."""
        try:
            del self._unsaid[: os.write(pipe, self._unsaid[:CHUNK])]
        except BlockingIOError:
            return
        except OSError:
            self._unsaid.clear()

    def _hear(self, pipe: int) -> None:
        """Take what the program says or complains about."""
        try:
            content = os.read(pipe, CHUNK)
        except BlockingIOError:
            return
        complaint = self._process.stderr is not None and pipe == self._process.stderr.fileno()
        if not content:
            self._open = [each for each in self._open if each.fileno() != pipe]
        elif complaint:
            self._complaints = (self._complaints + content)[-COMPLAINTS:]
        else:
            self._heard += content

    def _why_it_ended(self) -> BadAnswer:
        """Its output is closed: most likely it has ended, or is about to."""
        code = self._await_end(time.monotonic() + GRACE)
        return BadAnswer("bot-closed") if code is None else BadAnswer("bot-ended", code=code)

    def _await_end(self, deadline: float) -> int | None:
        """Listen until the program ends; its exit code, if it does before the deadline."""
        while self._open and self._exchange(deadline):
            self._heard.clear()
        try:
            return self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return None

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines of what it wrote to stderr."""
        lines = self._complaints.decode(errors="replace").splitlines()
        printable = ("".join(filter(str.isprintable, line)).rstrip() for line in lines)
        return tuple(line for line in printable if line)[-LAST_WORDS:]

    def stop(self, last_line: bytes = b"", grace: float = GRACE) -> None:
        """Say a last line, close the program's input, and end whatever has not left by itself after so many seconds."""
        deadline = time.monotonic() + grace
        self._unsaid += last_line
        try:
            while self._unsaid and self._exchange(deadline):
                self._heard.clear()
            _close(self._process.stdin)
            self._unsaid.clear()
            self._await_end(deadline)
        finally:
            self._kill()

    def _kill(self) -> None:
        """End the program and all it has started, and close the pipes."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            _close(pipe)
        self._open = []


def _close(pipe: IO[bytes] | None) -> None:
    """Close a pipe, whoever is at its other end."""
    if pipe:
        with contextlib.suppress(OSError):
            pipe.close()
