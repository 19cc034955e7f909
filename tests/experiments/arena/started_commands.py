"""An arena as a program of its own, which may be disturbed."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

from tests.cli.running import surroundings

# Whoever is started in the background ignores Ctrl-C; this program shall not.
ATTENTIVE: Final = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
PROGRAM: Final = f"{ATTENTIVE}; from elcapitan.cli.main import main; main()"


@contextlib.contextmanager
def running(*words: str, stderr: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """Run a command as the leader of its processes, and kill it at the end of the block."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        env=surroundings({}),
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()
