"""Create every table: the schema before which no version was ever shipped."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = None
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)

_TABLES = (
    "admin_log",
    "call_permits",
    "call_scopes",
    "claims",
    "duties",
    "executors",
    "install_states",
    "installations",
    "last_served",
    "permit_requests",
    "team_settings",
    "workspaces",
    "api_tokens",
    "attached_files",
    "chat_runs",
    "direct_choices",
    "documents",
    "ledger",
    "links",
    "removed_versions",
    "runs",
    "sessions",
    "spent_days",
    "synonyms",
    "upload_parts",
    "votes",
    "attached_chunks",
    "forgotten_runs",
    "outbox",
    "run_evidence",
    "run_steps",
    "uploads",
    "versions",
    "chunks",
    "version_terms",
    "version_words",
)
"""In the order of their foreign keys."""


def upgrade() -> None:
    """Create everything, parents first."""
    _create_admin_log()
    _create_call_permits()
    _create_call_scopes()
    _create_claims()
    _create_duties()
    _create_executors()
    _create_install_states()
    _create_installations()
    _create_last_served()
    _create_permit_requests()
    _create_team_settings()
    _create_workspaces()
    _create_api_tokens()
    _create_attached_files()
    _create_chat_runs()
    _create_direct_choices()
    _create_documents()
    _create_ledger()
    _create_links()
    _create_removed_versions()
    _create_runs()
    _create_sessions()
    _create_spent_days()
    _create_synonyms()
    _create_upload_parts()
    _create_votes()
    _create_attached_chunks()
    _create_forgotten_runs()
    _create_outbox()
    _create_run_evidence()
    _create_run_steps()
    _create_uploads()
    _create_versions()
    _create_chunks()
    _create_version_terms()
    _create_version_words()


def downgrade() -> None:
    """Remove everything, children first."""
    for table in reversed(_TABLES):
        op.drop_table(table)


def _create_admin_log() -> None:
    op.create_table(
        "admin_log",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("chat", sa.String(length=20), nullable=False),
        sa.Column("enterprise", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("actor", sa.String(length=64), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("allowed", sa.Boolean(), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_admin_log"),
    )
    op.create_index(
        "ix_admin_log_enterprise_team_at", "admin_log", ["enterprise", "team", "at"], unique=False
    )


def _create_call_permits() -> None:
    op.create_table(
        "call_permits",
        sa.Column("scope", sa.String(length=64), nullable=False),
        sa.Column("free_at", sa.Double(), nullable=False),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "free_at", name="pk_call_permits"),
    )


def _create_call_scopes() -> None:
    op.create_table(
        "call_scopes",
        sa.Column("scope", sa.String(length=64), nullable=False),
        sa.Column("closed_until", sa.Double(), nullable=False),
        sa.Column("permits", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope", name="pk_call_scopes"),
    )


def _create_claims() -> None:
    op.create_table(
        "claims",
        sa.Column("chat", sa.String(length=20), nullable=False),
        sa.Column("enterprise", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("chat", "enterprise", "team", "key", name="pk_claims"),
    )
    op.create_index("ix_claims_at", "claims", ["at"], unique=False)


def _create_duties() -> None:
    op.create_table(
        "duties",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("until", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_duties"),
    )


def _create_executors() -> None:
    op.create_table(
        "executors",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("started_at", _TIME, nullable=False),
        sa.Column("heartbeat_at", _TIME, nullable=False),
        sa.Column("claimed_by", sa.String(length=64), nullable=False),
        sa.Column("claimed_until", _TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_executors"),
    )


def _create_install_states() -> None:
    op.create_table(
        "install_states",
        sa.Column("state_hash", sa.String(length=64), nullable=False),
        sa.Column("browser_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("state_hash", name="pk_install_states"),
    )
    op.create_index("ix_install_states_expires_at", "install_states", ["expires_at"], unique=False)


def _create_installations() -> None:
    op.create_table(
        "installations",
        sa.Column("chat", sa.String(length=20), nullable=False),
        sa.Column("enterprise", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("app_id", sa.String(length=64), nullable=False),
        sa.Column("bot_id", sa.String(length=64), nullable=False),
        sa.Column("bot_user_id", sa.String(length=64), nullable=False),
        sa.Column("enterprise_name", sa.Text(), nullable=False),
        sa.Column("team_name", sa.Text(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("installed_by", sa.String(length=64), nullable=False),
        sa.Column("installed_at", _TIME, nullable=False),
        sa.Column("disabled", sa.Text(), nullable=False),
        sa.Column("bot_token", sa.Text(), nullable=True),
        sa.Column("refresh_token", sa.Text(), nullable=True),
        sa.Column("expires_at", _TIME, nullable=True),
        sa.Column("key_id", sa.String(length=32), nullable=False),
        sa.Column("renewal_claim", sa.String(length=64), nullable=False),
        sa.Column("renewal_until", _TIME, nullable=True),
        sa.PrimaryKeyConstraint("chat", "enterprise", "team", name="pk_installations"),
    )
    op.create_index("ix_installations_key_id", "installations", ["key_id"], unique=False)


def _create_last_served() -> None:
    op.create_table(
        "last_served",
        sa.Column("scope", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "workspace_id", name="pk_last_served"),
    )


def _create_permit_requests() -> None:
    op.create_table(
        "permit_requests",
        sa.Column("scope", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("process", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "id", name="pk_permit_requests"),
    )


def _create_team_settings() -> None:
    op.create_table(
        "team_settings",
        sa.Column("chat", sa.String(length=20), nullable=False),
        sa.Column("enterprise", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("changed_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("chat", "enterprise", "team", name="pk_team_settings"),
    )


def _create_workspaces() -> None:
    op.create_table(
        "workspaces",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("embedding_profile", sa.String(length=200), nullable=True),
        sa.Column("created_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workspaces"),
        sa.UniqueConstraint("owner", "name", name="uq_workspaces_owner_name"),
    )


def _create_api_tokens() -> None:
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("chat", sa.String(length=20), nullable=False),
        sa.Column("enterprise", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("rights", sa.JSON(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.Column("last_used_at", _TIME, nullable=True),
        sa.Column("revoked_at", _TIME, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_api_tokens_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_api_tokens"),
    )
    op.create_index("ix_api_tokens_workspace_id", "api_tokens", ["workspace_id"], unique=False)


def _create_attached_files() -> None:
    op.create_table(
        "attached_files",
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=True),
        sa.Column("version_id", sa.String(length=64), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("left_out", sa.Integer(), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_attached_files_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "run_id", "position", name="pk_attached_files"),
    )
    op.create_index("ix_attached_files_at", "attached_files", ["at"], unique=False)
    op.create_index("ix_attached_files_run_id", "attached_files", ["run_id"], unique=False)


def _create_attached_chunks() -> None:
    op.create_table(
        "attached_chunks",
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("file", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("place", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "run_id", "file"],
            ["attached_files.workspace_id", "attached_files.run_id", "attached_files.position"],
            name="fk_attached_chunks_workspace_id_run_id_file",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "workspace_id", "run_id", "file", "position", name="pk_attached_chunks"
        ),
    )
    op.create_index(
        "ix_attached_chunks_workspace_id_id",
        "attached_chunks",
        ["workspace_id", "id"],
        unique=False,
    )


def _create_chat_runs() -> None:
    op.create_table(
        "chat_runs",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("chat", sa.String(length=20), nullable=False),
        sa.Column("enterprise", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        *_asked(),
        sa.Column("message", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("cancelled_by", sa.String(length=64), nullable=False),
        sa.Column("accepted_at", _TIME, nullable=False),
        sa.Column("begun_at", _TIME, nullable=True),
        sa.Column("finished_at", _TIME, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_chat_runs_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_chat_runs"),
    )
    _index_chat_runs()


def _asked() -> list[sa.Column[Any]]:
    """List the columns that say what was asked, by whom and where."""
    return [
        sa.Column("surface", sa.String(length=20), nullable=False),
        sa.Column("channel", sa.String(length=64), nullable=False),
        sa.Column("thread", sa.String(length=64), nullable=False),
        sa.Column("asker", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("graph", sa.String(length=40), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("earlier", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("files", sa.JSON(), nullable=False),
        sa.Column("heard", sa.JSON(), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("max_retries", sa.Integer(), nullable=True),
        sa.Column("wider", sa.Boolean(), nullable=False),
        sa.Column("direct", sa.Boolean(), nullable=False),
        sa.Column("parent_run_id", sa.String(length=64), nullable=True),
        sa.Column("session_id", sa.String(length=64), nullable=True),
    ]


def _index_chat_runs() -> None:
    op.create_index(
        "ix_chat_runs_enterprise_team_accepted_at",
        "chat_runs",
        ["enterprise", "team", "accepted_at"],
        unique=False,
    )
    op.create_index(
        "ix_chat_runs_enterprise_team_asker_accepted_at",
        "chat_runs",
        ["enterprise", "team", "asker", "accepted_at"],
        unique=False,
    )
    op.create_index(
        "ix_chat_runs_enterprise_team_channel_thread",
        "chat_runs",
        ["enterprise", "team", "channel", "thread"],
        unique=False,
    )
    op.create_index("ix_chat_runs_finished_at", "chat_runs", ["finished_at"], unique=False)
    op.create_index("ix_chat_runs_status", "chat_runs", ["status"], unique=False)
    op.create_index(
        "ix_chat_runs_workspace_id_accepted_at",
        "chat_runs",
        ["workspace_id", "accepted_at"],
        unique=False,
    )


def _create_direct_choices() -> None:
    op.create_table(
        "direct_choices",
        sa.Column("chat", sa.String(length=20), nullable=False),
        sa.Column("enterprise", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("user", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_direct_choices_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("chat", "enterprise", "team", "user", name="pk_direct_choices"),
    )
    op.create_index(
        "ix_direct_choices_workspace_id", "direct_choices", ["workspace_id"], unique=False
    )


def _create_documents() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_documents_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
        sa.UniqueConstraint("workspace_id", "name", name="uq_documents_workspace_id_name"),
    )


def _create_ledger() -> None:
    op.create_table(
        "ledger",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("chat", sa.String(length=20), nullable=False),
        sa.Column("enterprise", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=64), nullable=False),
        sa.Column("user", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=True),
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("prompt_tokens", sa.BigInteger(), nullable=False),
        sa.Column("completion_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.BigInteger(), nullable=True),
        sa.Column("at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_ledger_workspace_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_ledger"),
    )
    op.create_index("ix_ledger_at", "ledger", ["at"], unique=False)
    op.create_index(
        "ix_ledger_enterprise_team_at", "ledger", ["enterprise", "team", "at"], unique=False
    )
    op.create_index("ix_ledger_workspace_id", "ledger", ["workspace_id"], unique=False)


def _create_links() -> None:
    op.create_table(
        "links",
        sa.Column("chat", sa.String(length=20), nullable=False),
        sa.Column("enterprise", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("linked_by", sa.String(length=64), nullable=False),
        sa.Column("linked_at", _TIME, nullable=False),
        sa.Column("external_allowed", sa.Boolean(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("suspended", sa.Text(), nullable=False),
        sa.Column("follow_ups", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_links_workspace_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("chat", "enterprise", "team", "channel", name="pk_links"),
    )
    op.create_index("ix_links_workspace_id", "links", ["workspace_id"], unique=False)


def _create_removed_versions() -> None:
    op.create_table(
        "removed_versions",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("document_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_removed_versions_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_removed_versions"),
    )
    op.create_index(
        "ix_removed_versions_document_id", "removed_versions", ["document_id"], unique=False
    )
    op.create_index(
        "ix_removed_versions_workspace_id", "removed_versions", ["workspace_id"], unique=False
    )


def _create_runs() -> None:
    op.create_table(
        "runs",
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("graph", sa.String(length=40), nullable=False),
        sa.Column("parent_run_id", sa.String(length=64), nullable=True),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("outcome", sa.JSON(), nullable=False),
        sa.Column("trace", sa.JSON(), nullable=False),
        sa.Column("figures", sa.JSON(), nullable=False),
        sa.Column("blanked", sa.Boolean(), nullable=False),
        sa.Column("finished_at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_runs_workspace_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", "run_id", name="pk_runs"),
    )


def _create_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("chat", sa.String(length=20), nullable=False),
        sa.Column("enterprise", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=64), nullable=False),
        sa.Column("thread", sa.String(length=64), nullable=False),
        sa.Column("asker", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("clarification", sa.Text(), nullable=False),
        sa.Column("suggestions", sa.JSON(), nullable=False),
        sa.Column("message", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.Column("answered_by", sa.String(length=64), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("next_run_id", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_sessions_workspace_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
    )
    _index_sessions()


def _index_sessions() -> None:
    op.create_index("ix_sessions_run_id", "sessions", ["run_id"], unique=False)
    op.create_index(
        "ix_sessions_status_expires_at", "sessions", ["status", "expires_at"], unique=False
    )
    op.create_index("ix_sessions_workspace_id", "sessions", ["workspace_id"], unique=False)
    op.create_index(
        "uq_sessions_open",
        "sessions",
        ["chat", "enterprise", "team", "channel", "thread"],
        unique=True,
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )


def _create_spent_days() -> None:
    op.create_table(
        "spent_days",
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_spent_days_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "day", name="pk_spent_days"),
    )


def _create_synonyms() -> None:
    op.create_table(
        "synonyms",
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("phrases", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_synonyms_workspace_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_synonyms"),
    )
    op.create_index("ix_synonyms_workspace_id", "synonyms", ["workspace_id"], unique=False)


def _create_votes() -> None:
    op.create_table(
        "votes",
        sa.Column("chat", sa.String(length=20), nullable=False),
        sa.Column("enterprise", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("user", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("good", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_votes_workspace_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("chat", "enterprise", "team", "run_id", "user", name="pk_votes"),
    )
    op.create_index("ix_votes_workspace_id", "votes", ["workspace_id"], unique=False)


def _create_forgotten_runs() -> None:
    op.create_table(
        "forgotten_runs",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["chat_runs.id"], name="fk_forgotten_runs_run_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", name="pk_forgotten_runs"),
    )


def _create_outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("part", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("channel", sa.String(length=64), nullable=False),
        sa.Column("thread", sa.String(length=64), nullable=False),
        sa.Column("message", sa.String(length=64), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["chat_runs.id"], name="fk_outbox_run_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "kind", "part", name="pk_outbox"),
    )
    op.create_index("ix_outbox_channel_message", "outbox", ["channel", "message"], unique=False)


def _create_uploads() -> None:
    op.create_table(
        "uploads",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("share", sa.Double(), nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"], ["chat_runs.id"], name="fk_uploads_run_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_uploads_workspace_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", name="pk_uploads"),
    )
    op.create_index("ix_uploads_workspace_id", "uploads", ["workspace_id"], unique=False)


def _create_upload_parts() -> None:
    op.create_table(
        "upload_parts",
        sa.Column("content_id", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_upload_parts_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("content_id", "position", name="pk_upload_parts"),
    )
    op.create_index("ix_upload_parts_at", "upload_parts", ["at"], unique=False)
    op.create_index("ix_upload_parts_workspace_id", "upload_parts", ["workspace_id"], unique=False)


def _create_run_steps() -> None:
    op.create_table(
        "run_steps",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["chat_runs.id"], name="fk_run_steps_run_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "position", name="pk_run_steps"),
    )


def _create_run_evidence() -> None:
    op.create_table(
        "run_evidence",
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("document_id", sa.String(length=64), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "run_id"],
            ["runs.workspace_id", "runs.run_id"],
            name="fk_run_evidence_workspace_id_run_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "run_id", "position", name="pk_run_evidence"),
    )
    op.create_index(
        "ix_run_evidence_workspace_id_document_id",
        "run_evidence",
        ["workspace_id", "document_id"],
        unique=False,
    )


def _create_versions() -> None:
    op.create_table(
        "versions",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("document_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("content_hash", sa.String(length=128), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("format", sa.String(length=10), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("date", sa.Date(), nullable=True),
        sa.Column("chunks", sa.Integer(), nullable=False),
        sa.Column("begun_at", _TIME, nullable=False),
        sa.Column("ingested_at", _TIME, nullable=True),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("stamp", sa.Text(), nullable=True),
        sa.Column("fields", sa.JSON(), nullable=True),
        sa.Column("given_fields", sa.JSON(), nullable=True),
        sa.Column("parser", sa.Integer(), nullable=True),
        sa.Column("date_source", sa.String(length=10), nullable=True),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name="fk_versions_document_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_versions_workspace_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_versions"),
        sa.UniqueConstraint("document_id", "number", name="uq_versions_document_id_number"),
    )
    _index_versions()


def _index_versions() -> None:
    op.create_index(
        "ix_versions_workspace_id_state", "versions", ["workspace_id", "state"], unique=False
    )
    op.create_index(
        "uq_versions_active",
        "versions",
        ["document_id"],
        unique=True,
        sqlite_where=sa.text("state = 'active'"),
        postgresql_where=sa.text("state = 'active'"),
    )


def _create_chunks() -> None:
    op.create_table(
        "chunks",
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("version_id", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("place", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name="fk_chunks_version_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_chunks_workspace_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name="pk_chunks"),
        sa.UniqueConstraint("version_id", "position", name="uq_chunks_version_id_position"),
    )


def _create_version_terms() -> None:
    op.create_table(
        "version_terms",
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("term", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version_id", sa.String(length=64), nullable=False),
        sa.Column("chunks", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name="fk_version_terms_version_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_version_terms_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "term", "version_id", name="pk_version_terms"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_version_terms_version_id", "version_terms", ["version_id"], unique=False)


def _create_version_words() -> None:
    op.create_table(
        "version_words",
        sa.Column("workspace_id", sa.String(length=64), nullable=False),
        sa.Column("version_id", sa.String(length=64), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name="fk_version_words_version_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_version_words_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_version_words"),
    )
    op.create_index(
        "ix_version_words_workspace_id", "version_words", ["workspace_id"], unique=False
    )
