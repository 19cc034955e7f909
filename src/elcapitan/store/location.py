"""Where games are stored: a file in the user's data folder, another by its path or URL, or a PostgreSQL by its URL."""

import os
from pathlib import Path
from typing import Final

import platformdirs
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from elcapitan.errors import BadDatabase

FOLDER_VARIABLE: Final = "ELCAPITAN_DATA"
DATABASE_VARIABLE: Final = "ELCAPITAN_DATABASE"  # a path or a URL, so that no password need stand in a command line
FILE: Final = "games.db"
SQLITE: Final = "sqlite+aiosqlite"
POSTGRESQL: Final = "postgresql+psycopg"
SECRETS: Final = ("password", "sslpassword")  # what may stand in a query besides


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
