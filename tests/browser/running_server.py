"""A real server over a store of its own: to visit, to kill and to start again."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

PATIENCE = 600.0  # seconds for a server to answer: it may have to compile the rules
GRACE = 30.0  # seconds for a server to stop
HOST = "127.0.0.1"
ROOT = Path(__file__).parents[2]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as door:
        door.bind((HOST, 0))
        return int(door.getsockname()[1])


class RunningServer:
    """`elcapitan serve` in a process of its own."""

    def __init__(
        self,
        folder: Path,
        port: int | None = None,
        *,
        public: bool = False,
        network: bool = False,
        program: Sequence[str] = ("-m", "elcapitan"),
        root: Path = ROOT,
    ) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.public = public  # whether everybody needs a key
        self.network = network  # whether it listens to the network, at all addresses of this machine
        self.program = program  # what Python runs
        self.root = root  # the checkout whose server it is
        self.database = folder / "games.db"
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None

    @property
    def address(self) -> str:
        """Where its pages are."""
        return f"http://localhost:{self.port}"

    @property
    def said(self) -> str:
        """Everything that the server has printed."""
        return (self.folder / "server.log").read_text()

    # ------------------------------------------------------------------------------------------------ coming and going

    def open(self) -> "RunningServer":
        """Start the server and wait until it answers."""
        command = [sys.executable, *self.program, "serve", "--no-open"]
        command += ["--port", str(self.port), "--database", str(self.database)]
        command += ["--public", "--base-url", self.address] if self.public else []
        command += ["--host", "0.0.0.0"] if self.network else []
        self._log = (self.folder / "server.log").open("ab")
        self._process = subprocess.Popen(
            command,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env={
                **os.environ,
                "ELCAPITAN_DATA": str(self.folder),
                "PYTHONPATH": os.pathsep.join((str(self.root / "src"), str(self.root))),
            },
        )
        end = time.monotonic() + PATIENCE
        while not self._answers():
            assert self._process.poll() is None, self.said
            assert time.monotonic() < end, self.said
            time.sleep(0.05)
        return self

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/join", timeout=5):
                return True
        except OSError:
            return False

    def close(self) -> None:
        """Stop the server in good order."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the server without a warning, as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        self._process.wait(GRACE)
        self._process = None
        if self._log:
            self._log.close()

    # ------------------------------------------------------------------------------------------------ tables in a hurry

    def post(self, path: str, fields: Mapping[str, str | Sequence[str]]) -> str:
        """Send a form; where one is led to."""
        content = urllib.parse.urlencode(fields, doseq=True).encode()
        with urllib.request.urlopen(self.address + path, content, timeout=60) as answer:
            return str(answer.url)

    def get(self, path: str) -> str:
        """What stands at an address."""
        with urllib.request.urlopen(self.address + path, timeout=60) as answer:
            return str(answer.read().decode())

    def table(
        self,
        *players: str,
        tiles: Sequence[str] = (),
        seed: int = 7,
        first: int | None = 0,
        pace: str = "instant",
        forecast: str = "all",
        hints: bool = True,
        title: str = "",
    ) -> str:
        """The address of a new table with these players."""
        fields: dict[str, str | Sequence[str]] = {
            "first": "drawn" if first is None else str(first),
            "forecast": forecast,
            "pace": pace,
            "seed": str(seed),
            "tiles": list(tiles),
            "options": ["reopen_shuts"],
            "title": title,
        }
        for seat, player in enumerate(players):
            fields |= {f"player{seat}": player, f"colour{seat}": str(seat)}
        if hints:
            fields["hints"] = "on"
        return self.post("/games", fields)

    def brought(self, record: str) -> str:
        """The address of a table with a game that is brought as a text."""
        return self.post("/games/import", {"text": record})
