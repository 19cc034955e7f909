"""The keys of a server, and where browsers are told by push that it is their player's turn."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Upgrade the schema to this version."""
    op.create_table(
        "server_keys",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_server_keys"),
    )
    op.create_table(
        "subscriptions",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("public_key", sa.String(100), nullable=False),
        sa.Column("secret", sa.String(40), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", "hash", name="pk_subscriptions"),
        sa.ForeignKeyConstraint(["key"], ["keys.hash"], name="fk_subscriptions_key_keys", ondelete="CASCADE"),
    )
    op.create_index("ix_subscriptions_hash", "subscriptions", ["hash"])


def downgrade() -> None:
    """Back to the version before."""
    op.drop_table("subscriptions")
    op.drop_table("server_keys")
