"""The compiled rules of a server: compiled by another process if they never were, then loaded in a thread.

So a server answers while the rules compile, which takes about a minute on two cores. What needs the rules waits for
them; a page can show how far they are.
"""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import IO, Final

from elcapitan.engine import warm_up
from elcapitan.errors import NoRules

COMPILER: Final = (sys.executable, "-m", "elcapitan.engine.warm_up")  # prints the name of each kernel it has compiled
LAST_LINES: Final = 30  # of what a compiler that failed has said: they are logged

logger = logging.getLogger(__name__)
# Is set when the current request begins to wait until the rules are compiled, so that its client can be told.
begins_to_wait: ContextVar[asyncio.Event | None] = ContextVar("begins_to_wait", default=None)


@dataclass(frozen=True)
class Progress:
    """How many kernels of the rules are compiled so far, or that they cannot be compiled."""

    done: int
    total: int
    failed: bool


class CompiledRules:
    """Whether the rules are compiled and loaded, and how many of their kernels are compiled so far."""

    def __init__(self) -> None:
        self.done = 0  # kernels that are compiled
        self.compiling = False
        self.failed = False
        self._loading: asyncio.Task[None] | None = None
        self._compiler: subprocess.Popen[str] | None = None
        self._closed = False

    @property
    def progress(self) -> Progress | None:
        """How far the compiler is; None if there is nothing to wait for, or only for the rules to be loaded."""
        return self.count() if self.compiling or self.failed else None

    def count(self) -> Progress:
        """Return how many kernels the compiler has compiled."""
        return Progress(self.done, len(warm_up.kernels()), self.failed)

    def start(self) -> "asyncio.Task[None]":
        """Begin to load the rules, and to compile them first if that was never done."""
        if self._loading is None:
            self.compiling = not warm_up.is_ready()
            self._loading = asyncio.create_task(self._load())
            self._loading.add_done_callback(_mark_error_as_seen)
        return self._loading

    async def wait(self) -> None:
        """Wait until the rules are loaded. Raises `NoRules` if they could not be compiled."""
        loading = self.start()
        if self.compiling and (event := begins_to_wait.get()):
            event.set()
        await asyncio.shield(loading)

    async def close(self) -> None:
        """Stop compiling, and wait until what was begun has ended."""
        self._closed = True
        self._kill()
        if self._loading:
            await asyncio.wait([self._loading])

    async def _load(self) -> None:
        """Compile the rules in another process if need be, then load them: a second that must not hold the loop."""
        if self.compiling:
            try:
                await asyncio.to_thread(self._compile)
            except Exception:
                self.failed = True
                raise
            finally:
                self.compiling = False
        await asyncio.to_thread(warm_up.load)

    def _compile(self) -> None:
        """Run the compiler and count the kernels that it names. Raises `NoRules`, and logs why, if it fails.

        It is the leader of a process group, so that it can be ended together with the process that helps it.
        """
        began = time.monotonic()
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
            with subprocess.Popen(
                COMPILER, stdout=subprocess.PIPE, stderr=said, text=True, start_new_session=os.name == "posix"
            ) as self._compiler:
                if self._closed:
                    self._kill()
                for _name in self._compiler.stdout or ():
                    self.done += 1
            if self._compiler.returncode != 0:
                if not self._closed:
                    logger.error("the rules could not be compiled:\n%s", _last_lines(said))
                raise NoRules
        logger.info("the rules are compiled; it took %.0f seconds", time.monotonic() - began)

    def _kill(self) -> None:
        """End the compiler, if it runs, and the process that helps it."""
        if self._compiler is None or self._compiler.poll() is not None:
            return
        with suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(self._compiler.pid, signal.SIGKILL)
            else:
                self._compiler.kill()


def _last_lines(said: IO[str]) -> str:
    """Return the end of what a process has written to a file."""
    said.seek(0)
    return "".join(said.readlines()[-LAST_LINES:]).strip()


def _mark_error_as_seen(task: "asyncio.Task[None]") -> None:
    """Note that an error was seen, which asyncio would log otherwise: a compiler that fails has logged it."""
    _ = task.cancelled() or task.exception()
