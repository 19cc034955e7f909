"""Where games are kept: a file in the user's data folder, or another one, by its path or its URL."""

import os
from pathlib import Path
from typing import Final

import platformdirs
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from elcapitan.errors import BadDatabase

FOLDER_VARIABLE: Final = "ELCAPITAN_DATA"
FILE: Final = "games.db"
SQLITE: Final = "sqlite+aiosqlite"


def usual_database() -> Path:
    """The file in the user's data folder, or in the folder ELCAPITAN_DATA."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return (Path(chosen) if chosen else platformdirs.user_data_path("elcapitan", appauthor=False)) / FILE


def url_of(database: str | Path | None = None) -> URL:
    """The URL of a database that is named by a path or a URL; without a name, that of the usual file."""
    if database is None:
        return URL.create(SQLITE, database=str(usual_database().absolute()))
    if "://" not in str(database):
        return URL.create(SQLITE, database=str(Path(database).expanduser().absolute()))
    try:
        url = make_url(str(database))
    except ArgumentError:
        raise BadDatabase("bad-database", database=database, problem="URL") from None
    if url.get_backend_name() != "sqlite":
        raise BadDatabase("other-database", database=shown(url))
    return url.set(drivername=SQLITE)


def file_of(url: URL) -> Path | None:
    """The file of an SQLite database; others, and one in memory, have none."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    return Path(str(url.database))


def shown(url: URL) -> str:
    """What to call a database: its file, or its URL without the password."""
    return str(file_of(url) or url.render_as_string(hide_password=True))
