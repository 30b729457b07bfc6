"""Conversations: links, requests with their messages, clarifications, votes, admin actions."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create everything."""
    _create_links()
    _create_direct_choices()
    _create_team_settings()
    _create_admin_log()
    _create_claims()
    _create_chat_runs()
    _create_outbox()
    _create_sessions()
    _create_votes()


def downgrade() -> None:
    """Remove everything, children first."""
    for table in (
        "votes",
        "sessions",
        "outbox",
        "chat_runs",
        "claims",
        "admin_log",
        "team_settings",
        "direct_choices",
        "links",
    ):
        op.drop_table(table)


def _create_links() -> None:
    op.create_table(
        "links",
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("channel", sa.String(64), nullable=False),
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("linked_by", sa.String(64), nullable=False),
        sa.Column("linked_at", _TIME, nullable=False),
        sa.Column("external_allowed", sa.Boolean, nullable=False),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("suspended", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("enterprise", "team", "channel", name="pk_links"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_links_workspace_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_links_workspace_id", "links", ["workspace_id"])


def _create_direct_choices() -> None:
    op.create_table(
        "direct_choices",
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("user", sa.String(64), nullable=False),
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("enterprise", "team", "user", name="pk_direct_choices"),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_direct_choices_workspace_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_direct_choices_workspace_id", "direct_choices", ["workspace_id"])


def _create_team_settings() -> None:
    op.create_table(
        "team_settings",
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("changed_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("enterprise", "team", name="pk_team_settings"),
    )


def _create_admin_log() -> None:
    op.create_table(
        "admin_log",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("actor", sa.String(64), nullable=False),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("allowed", sa.Boolean, nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_admin_log"),
    )
    op.create_index("ix_admin_log_enterprise_team_at", "admin_log", ["enterprise", "team", "at"])


def _create_claims() -> None:
    op.create_table(
        "claims",
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("enterprise", "team", "key", name="pk_claims"),
    )
    op.create_index("ix_claims_at", "claims", ["at"])


def _create_chat_runs() -> None:
    op.create_table(
        "chat_runs",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("channel", sa.String(64), nullable=False),
        sa.Column("thread", sa.String(64), nullable=False),
        sa.Column("asker", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("max_retries", sa.Integer),
        sa.Column("wider", sa.Boolean, nullable=False),
        sa.Column("direct", sa.Boolean, nullable=False),
        sa.Column("parent_run_id", sa.String(64)),
        sa.Column("session_id", sa.String(64)),
        sa.Column("message", sa.String(64), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.Column("cancelled_by", sa.String(64), nullable=False),
        sa.Column("accepted_at", _TIME, nullable=False),
        sa.Column("finished_at", _TIME),
        sa.PrimaryKeyConstraint("id", name="pk_chat_runs"),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_chat_runs_workspace_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "ix_chat_runs_enterprise_team_asker_accepted_at",
        "chat_runs",
        ["enterprise", "team", "asker", "accepted_at"],
    )
    op.create_index(
        "ix_chat_runs_enterprise_team_channel_thread",
        "chat_runs",
        ["enterprise", "team", "channel", "thread"],
    )
    op.create_index(
        "ix_chat_runs_enterprise_team_accepted_at",
        "chat_runs",
        ["enterprise", "team", "accepted_at"],
    )
    op.create_index("ix_chat_runs_status", "chat_runs", ["status"])
    op.create_index(
        "ix_chat_runs_workspace_id_accepted_at", "chat_runs", ["workspace_id", "accepted_at"]
    )


def _create_outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("part", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("channel", sa.String(64), nullable=False),
        sa.Column("thread", sa.String(64), nullable=False),
        sa.Column("message", sa.String(64), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("run_id", "kind", "part", name="pk_outbox"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["chat_runs.id"], name="fk_outbox_run_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_outbox_channel_message", "outbox", ["channel", "message"])


def _create_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("channel", sa.String(64), nullable=False),
        sa.Column("thread", sa.String(64), nullable=False),
        sa.Column("asker", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("clarification", sa.Text, nullable=False),
        sa.Column("suggestions", sa.JSON, nullable=False),
        sa.Column("message", sa.String(64), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.Column("answered_by", sa.String(64), nullable=False),
        sa.Column("reply", sa.Text, nullable=False),
        sa.Column("next_run_id", sa.String(64)),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_sessions_workspace_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_sessions_run_id", "sessions", ["run_id"])
    op.create_index("ix_sessions_status_expires_at", "sessions", ["status", "expires_at"])
    op.create_index("ix_sessions_workspace_id", "sessions", ["workspace_id"])
    op.create_index(
        "uq_sessions_open",
        "sessions",
        ["enterprise", "team", "channel", "thread"],
        unique=True,
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )


def _create_votes() -> None:
    op.create_table(
        "votes",
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("user", sa.String(64), nullable=False),
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("good", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("enterprise", "team", "run_id", "user", name="pk_votes"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_votes_workspace_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_votes_workspace_id", "votes", ["workspace_id"])
