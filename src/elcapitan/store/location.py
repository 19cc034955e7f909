"""Where games are stored: a file in the user's data folder, another by its path or URL, or a PostgreSQL by its URL.

Only their owner may read the files of an SQLite database, and one server at a time may use them. They can be copied
while games go on.
"""

import contextlib
import logging
import os
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import platformdirs
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from elcapitan.errors import BadDatabase
from elcapitan.store.file_lock import try_lock

FOLDER_VARIABLE: Final = "ELCAPITAN_DATA"
DATABASE_VARIABLE: Final = "ELCAPITAN_DATABASE"  # a path or a URL, so that no password need stand in a command line
FILE: Final = "games.db"
SQLITE: Final = "sqlite+aiosqlite"
POSTGRESQL: Final = "postgresql+psycopg"
SECRETS: Final = ("password", "sslpassword")  # what may stand in a query besides
PRIVATE: Final = 0o600  # mode of a file: its owner may read and write it
PRIVATE_FOLDER: Final = 0o700
BESIDE: Final = ("", "-wal", "-shm", "-journal")  # what SQLite keeps beside a database, by the end of its name
COPIES: Final = "{stem}-*-????-??-??-??????*{suffix}"  # that we made of it
LOCK: Final = ".lock"  # end of the name of a file that a server locks

logger = logging.getLogger(__name__)


def usual_database() -> Path:
    """Return the default file, in the user's data folder or in the folder ELCAPITAN_DATA."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return (Path(chosen) if chosen else platformdirs.user_data_path("elcapitan", appauthor=False)) / FILE


def url_of(database: str | Path | None = None) -> URL:
    """Return the URL of a database given by path or URL, here or in ELCAPITAN_DATABASE; else of the default file."""
    database = database or os.environ.get(DATABASE_VARIABLE) or None
    if database is None:
        return URL.create(SQLITE, database=str(usual_database().absolute()))
    if "://" not in str(database):
        return URL.create(SQLITE, database=str(Path(database).expanduser().absolute()))
    try:
        url = make_url(str(database))
    except ArgumentError:
        raise BadDatabase("bad-database", database=database, problem="URL") from None
    match url.get_backend_name():
        case "sqlite":
            return url.set(drivername=SQLITE)
        case "postgresql" | "postgres":
            return url.set(drivername=POSTGRESQL)
    raise BadDatabase("other-database", database=shown(url))


def is_shared(url: URL) -> bool:
    """Whether several processes may play the games of a database at the same time."""
    return url.get_backend_name() == "postgresql"


def file_of(url: URL) -> Path | None:
    """Return the file of an SQLite database; None for others, and for one in memory."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    return Path(str(url.database))


def shown(url: URL) -> str:
    """Return how to show a database: its file, or its URL without the password."""
    bare = url.set(drivername=url.get_backend_name()).difference_update_query(SECRETS)
    return str(file_of(url) or bare.render_as_string(hide_password=True))


def address_of(url: URL) -> str:
    """Return the URL of a database as every tool understands it, with its password."""
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=False)


# --------------------------------------------------------------------------------------------------------------- errors


@contextlib.contextmanager
def as_bad_database(database: Path | str) -> Iterator[None]:
    """Turn errors of the database and of its files into `BadDatabase`."""
    try:
        yield
    except (sqlite3.Error, SQLAlchemyError, OSError) as error:
        raise BadDatabase("bad-database", database=database, problem=problem_of(error)) from None


def problem_of(error: Exception) -> str:
    """Return the message of a database error on one line."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        said = str(error.orig)
    else:
        said = getattr(error, "strerror", None) or str(error.__cause__ or error)
    return " ".join(said.split()).rstrip(".") or type(error).__name__


# ---------------------------------------------------------------------------------------------------------------- files


def create_private(file: Path) -> None:
    """Create an empty file that only its owner may read, unless there is one."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))


def make_private(file: Path) -> None:
    """Let only the owner read a database, what SQLite keeps beside it, and the copies made of it.

    Files of other owners stay as they are.
    """
    copies = file.parent.glob(COPIES.format(stem=file.stem, suffix=file.suffix))
    for each in (*(file.with_name(f"{file.name}{end}") for end in BESIDE), *copies):
        with contextlib.suppress(OSError):
            if each.stat().st_mode & 0o777 & ~PRIVATE:
                each.chmod(PRIVATE)


@contextlib.contextmanager
def for_one_server(file: Path | None) -> Iterator[None]:
    """Lock a database file for a server; raise `BadDatabase` if another server has it.

    The operating system gives the lock back when the process ends, however it ends. Commands that look at games or
    copy them do not ask for it.
    """
    if file is None:
        yield
        return
    with as_bad_database(file):
        file.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        lock = os.open(file.with_name(f"{file.name}{LOCK}"), os.O_CREAT | os.O_RDWR, PRIVATE)
    try:
        if not try_lock(lock, file):
            raise BadDatabase("in-use", database=file)
        yield
    finally:
        os.close(lock)


# --------------------------------------------------------------------------------------------------------------- copies


def back_up(file: Path, target: Path) -> None:
    """Copy a database file atomically. Raises `BadDatabase` if the target exists. Only its owner may read the copy."""
    if target.exists():
        raise BadDatabase("file-there", file=target)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    with as_bad_database(target):
        try:
            create_private(draft)
            with read_only(file) as source, contextlib.closing(sqlite3.connect(draft)) as copy:
                source.backup(copy)
            draft.replace(target)
        finally:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)


def read_only(file: Path) -> contextlib.closing[sqlite3.Connection]:
    """Open an SQLite file that must exist, for reading in a `with` block."""
    return contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True))


def free_name(file: Path, why: str) -> Path:
    """Return an unused name beside a file that says when and why it was copied."""
    now = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    name, number = f"{file.stem}-{why}-{now}", 1
    target = file.with_name(f"{name}{file.suffix}")
    while target.exists():
        number += 1
        target = file.with_name(f"{name}-{number}{file.suffix}")
    return target
