"""Keys that open roles at a game, and what is said at its table."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Upgrade the schema to this version."""
    op.create_table(
        "keys",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_keys"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_keys_game_games", ondelete="CASCADE"),
    )
    op.create_index("ix_keys_game", "keys", ["game"])
    op.create_table(
        "talk",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game", "number", name="pk_talk"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_talk_game_games", ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Back to the version before."""
    op.drop_table("talk")
    op.drop_table("keys")
