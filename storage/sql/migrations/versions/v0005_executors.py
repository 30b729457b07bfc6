"""Processes that work on runs, and what one of them at a time does for all."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "executors",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("started_at", _TIME, nullable=False),
        sa.Column("beat_at", _TIME, nullable=False),
        sa.Column("claimed_by", sa.String(64), nullable=False),
        sa.Column("claimed_until", _TIME),
        sa.PrimaryKeyConstraint("id", name="pk_executors"),
    )
    op.create_table(
        "duties",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("until", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_duties"),
    )
    op.create_table(
        "forgotten_runs",
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_forgotten_runs"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["chat_runs.id"], name="fk_forgotten_runs_run_id", ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    """Remove them."""
    op.drop_table("forgotten_runs")
    op.drop_table("duties")
    op.drop_table("executors")
