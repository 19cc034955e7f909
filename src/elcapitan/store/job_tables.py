"""The tables of procrastinate, the queue of jobs on PostgreSQL: made and brought up to date together with ours.

Which of its migrations a database has seen is written as a comment on its table of jobs, because procrastinate itself
keeps no account of it.
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
    """Whether there is nothing to do; tables that a newer procrastinate has made are left alone."""
    return (_seen(connection) or "") >= _migrations()[-1].name


def bring_up_to_date(connection: Connection) -> None:
    """Make or migrate the tables, inside the transaction of the connection."""
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
    """The last migration a database has seen; None if it has no such tables."""
    comment = connection.execute(sql(_COMMENT)).scalar()
    return None if comment is None else str(comment)


def _migrations() -> Sequence[Path]:
    """All migrations of the procrastinate that is installed, in order."""
    from procrastinate.schema import SchemaManager  # noqa: PLC0415

    return sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))


def _run(connection: Connection, statements: str) -> None:
    """Carry out statements that are not ours, with whatever signs they contain."""
    connection.exec_driver_sql(statements.replace("%", "%%"))
