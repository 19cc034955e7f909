"""The tables of procrastinate, the job queue on PostgreSQL: created and migrated together with ours.

The last of its migrations that a database has seen is stored as a comment on its table of jobs, because procrastinate
itself does not store it.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import Connection
from sqlalchemy import text as sql

PREFIX: Final = "procrastinate_"  # of everything it calls its own
_COMMENT: Final = "SELECT obj_description(to_regclass('procrastinate_jobs'))"
_NAME: Final = re.compile(r"[\w.]+")


def are_current(connection: Connection) -> bool:
    """Whether the tables need no migration; those of a newer procrastinate are left alone."""
    return (_seen(connection) or "") >= _migrations()[-1].name


def bring_up_to_date(connection: Connection) -> None:
    """Create or migrate the tables, inside the transaction of the connection."""
    from procrastinate.schema import SchemaManager  # noqa: PLC0415 - only for PostgreSQL

    migrations, seen = _migrations(), _seen(connection)
    if seen is None:
        _run(connection, SchemaManager.get_schema())
    else:
        for migration in migrations:
            if migration.name > seen:
                _run(connection, migration.read_text(encoding="utf-8"))
    newest = max(migrations[-1].name, seen or "")
    assert _NAME.fullmatch(newest)  # it is about to be a part of a statement
    connection.execute(sql(f"COMMENT ON TABLE procrastinate_jobs IS '{newest}'"))


def _seen(connection: Connection) -> str | None:
    """Return the last migration a database has seen; None if it has no such tables."""
    comment = connection.execute(sql(_COMMENT)).scalar()
    return None if comment is None else str(comment)


def _migrations() -> Sequence[Path]:
    """Return all migrations of the installed procrastinate, in order."""
    from procrastinate.schema import SchemaManager  # noqa: PLC0415

    return sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))


def _run(connection: Connection, statements: str) -> None:
    """Execute statements of procrastinate, whose percent signs are no placeholders."""
    connection.exec_driver_sql(statements.replace("%", "%%"))
