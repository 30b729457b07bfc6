"""Places for model calls, whose turn it is, what calls cost, and when a request's work began."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables, the column and its index."""
    _calls()
    _costs()
    op.add_column("chat_runs", sa.Column("begun_at", _TIME))
    op.create_index("ix_chat_runs_finished_at", "chat_runs", ["finished_at"])


def _calls() -> None:
    op.create_table(
        "call_scopes",
        sa.Column("scope", sa.String(64), nullable=False),
        sa.Column("closed_until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("scope", name="pk_call_scopes"),
    )
    op.create_table(
        "call_slots",
        sa.Column("scope", sa.String(64), nullable=False),
        sa.Column("slot", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("free_at", sa.Double, nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("scope", "slot", name="pk_call_slots"),
    )
    op.create_index("ix_call_slots_scope_free_at", "call_slots", ["scope", "free_at"])
    op.create_table(
        "call_tickets",
        sa.Column("scope", sa.String(64), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("process", sa.String(64), nullable=False),
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("scope", "id", name="pk_call_tickets"),
    )
    op.create_table(
        "turns",
        sa.Column("scope", sa.String(64), nullable=False),
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("scope", "workspace_id", name="pk_turns"),
    )


def _costs() -> None:
    op.create_table(
        "ledger",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("channel", sa.String(64), nullable=False),
        sa.Column("user", sa.String(64), nullable=False),
        sa.Column("workspace_id", sa.String(64)),
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("model", sa.String(200), nullable=False),
        sa.Column("prompt_tokens", sa.BigInteger, nullable=False),
        sa.Column("completion_tokens", sa.BigInteger, nullable=False),
        sa.Column("cost", sa.BigInteger),
        sa.Column("at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ledger"),
        _of_workspace("ledger"),
    )
    op.create_index("ix_ledger_at", "ledger", ["at"])
    op.create_index("ix_ledger_enterprise_team_at", "ledger", ["enterprise", "team", "at"])
    op.create_index("ix_ledger_workspace_id", "ledger", ["workspace_id"])
    op.create_table(
        "spent_days",
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("tokens", sa.BigInteger, nullable=False),
        sa.Column("cost", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "day", name="pk_spent_days"),
        _of_workspace("spent_days"),
    )


def _of_workspace(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id"],
        ["workspaces.id"],
        name=f"fk_{table}_workspace_id",
        ondelete="CASCADE",
    )


def downgrade() -> None:
    """Remove them."""
    op.drop_index("ix_chat_runs_finished_at", "chat_runs")
    # In place: a copied table would take along the rows that hang on it.
    op.drop_column("chat_runs", "begun_at")
    for table in ("spent_days", "ledger", "turns", "call_tickets", "call_slots", "call_scopes"):
        op.drop_table(table)
