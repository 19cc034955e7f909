"""Games and the entries of their logs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Upgrade the schema to this version."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("board", sa.String(80), nullable=False),
        sa.Column("setup", sa.JSON(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("origin", sa.String(32)),
        sa.Column("origin_event", sa.Integer()),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("standing", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_table(
        "entries",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("game", "number", name="pk_entries"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_entries_game_games", ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Back to the version before."""
    op.drop_table("entries")
    op.drop_table("games")
