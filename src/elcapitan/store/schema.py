"""The tables of the database: games, the entries of their logs, a snapshot per turn, keys, and chat."""

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)

# Every constraint has a name, so that a later version can change it.
NAMING: Final = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Instant(TypeDecorator[datetime]):
    """A moment in time. SQLite drops the time zone, so it is always stored in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a value for the database."""
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a value from the database."""
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)


metadata = MetaData(naming_convention=NAMING)

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", Instant, nullable=False),
    Column("changed", Instant, nullable=False),
    Column("rules", String(16), nullable=False),  # the version of the rules it is played by
    Column("board", String(80), nullable=False),
    Column("setup", JSON, nullable=False),  # players, tiles, first, options
    Column("plan", JSON, nullable=False),  # who sits where, and the settings as they are now
    Column("origin", String(32)),  # the game it branched off, which may be gone
    Column("origin_event", Integer),
    Column("length", Integer, nullable=False),  # entries in its log
    Column("over", Boolean(name="over"), nullable=False),
    Column("standing", JSON, nullable=False),  # what a list of games tells: phase, round, who decides, money
)

entries = Table(
    "entries",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # from 1
    Column("kind", String(16), nullable=False),
    Column("content", JSON, nullable=False),
    Column("at", Instant, nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the entry after which it is
    Column("form", String(16), nullable=False),  # which layout of the record this is
    Column("position", LargeBinary, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("hash", String(64), primary_key=True),  # of what opens; that itself is nowhere
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("role", String(16), nullable=False),
    Column("kind", String(16), nullable=False),  # "link" or "phrase"
    Column("created", Instant, nullable=False),
)

talk = Table(
    "talk",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # from 1
    Column("at", Instant, nullable=False),
    Column("seat", Integer),  # null for a person without a seat
    Column("text", Text, nullable=False),
)
