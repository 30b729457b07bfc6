"""Keep what a chat handed over, and what is to be told of it, until that is done."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "chat_jobs",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("chat", sa.String(20), nullable=False),
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("user", sa.String(64), nullable=False),
        sa.Column("work", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_chat_jobs"),
    )
    op.create_index("ix_chat_jobs_chat_due_at", "chat_jobs", ["chat", "due_at"])
    op.create_index(
        "ix_chat_jobs_chat_enterprise_team", "chat_jobs", ["chat", "enterprise", "team"]
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("chat_jobs")
