"""A position kept once a turn."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Upgrade the schema to this version."""
    op.create_table(
        "snapshots",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("form", sa.String(16), nullable=False),
        sa.Column("position", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game", "number", name="pk_snapshots"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_snapshots_game_games", ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Back to the version before."""
    op.drop_table("snapshots")
