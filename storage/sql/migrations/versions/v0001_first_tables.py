"""The first tables: workspaces, documents with their versions and chunks, and runs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create everything."""
    _create_workspaces()
    _create_documents()
    _create_chunks()
    _create_runs()


def downgrade() -> None:
    """Remove everything, children first."""
    for table in (
        "run_evidence",
        "runs",
        "version_terms",
        "chunks",
        "removed_versions",
        "versions",
        "documents",
        "workspaces",
    ):
        op.drop_table(table)


def _workspace_key(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id"],
        ["workspaces.id"],
        name=f"fk_{table}_workspace_id",
        ondelete="CASCADE",
    )


def _version_key(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["version_id"], ["versions.id"], name=f"fk_{table}_version_id", ondelete="CASCADE"
    )


def _create_workspaces() -> None:
    op.create_table(
        "workspaces",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("embedding_profile", sa.String(200)),
        sa.Column("created_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workspaces"),
        sa.UniqueConstraint("owner", "name", name="uq_workspaces_owner_name"),
    )


def _create_documents() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
        sa.UniqueConstraint("workspace_id", "name", name="uq_documents_workspace_id_name"),
        _workspace_key("documents"),
    )
    _create_versions()
    op.create_table(
        "removed_versions",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("document_id", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_removed_versions"),
        _workspace_key("removed_versions"),
    )
    op.create_index("ix_removed_versions_workspace_id", "removed_versions", ["workspace_id"])
    op.create_index("ix_removed_versions_document_id", "removed_versions", ["document_id"])


def _create_versions() -> None:
    op.create_table(
        "versions",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("document_id", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("content_hash", sa.String(128), nullable=False),
        sa.Column("size_bytes", sa.BigInteger, nullable=False),
        sa.Column("format", sa.String(10)),
        sa.Column("title", sa.Text),
        sa.Column("date", sa.Date),
        sa.Column("chunks", sa.Integer, nullable=False),
        sa.Column("begun_at", _TIME, nullable=False),
        sa.Column("ingested_at", _TIME),
        sa.PrimaryKeyConstraint("id", name="pk_versions"),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name="fk_versions_document_id", ondelete="CASCADE"
        ),
        _workspace_key("versions"),
        sa.UniqueConstraint("document_id", "number", name="uq_versions_document_id_number"),
    )
    op.create_index("ix_versions_workspace_id_state", "versions", ["workspace_id", "state"])
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
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("version_id", sa.String(64), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("context", sa.Text, nullable=False),
        sa.Column("place", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "id", name="pk_chunks"),
        sa.UniqueConstraint("version_id", "position", name="uq_chunks_version_id_position"),
        _workspace_key("chunks"),
        _version_key("chunks"),
    )
    op.create_table(
        "version_terms",
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("term", sa.BigInteger, nullable=False),
        sa.Column("version_id", sa.String(64), nullable=False),
        sa.Column("chunks", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "term", "version_id", name="pk_version_terms"),
        _workspace_key("version_terms"),
        _version_key("version_terms"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_version_terms_version_id", "version_terms", ["version_id"])


def _create_runs() -> None:
    op.create_table(
        "runs",
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("parent_run_id", sa.String(64)),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("status", sa.String(40), nullable=False),
        sa.Column("outcome", sa.JSON, nullable=False),
        sa.Column("trace", sa.JSON, nullable=False),
        sa.Column("metrics", sa.JSON, nullable=False),
        sa.Column("blanked", sa.Boolean, nullable=False),
        sa.Column("finished_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "run_id", name="pk_runs"),
        _workspace_key("runs"),
    )
    op.create_table(
        "run_evidence",
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("document_id", sa.String(64), nullable=False),
        sa.Column("evidence", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "run_id", "position", name="pk_run_evidence"),
        sa.ForeignKeyConstraint(
            ["workspace_id", "run_id"],
            ["runs.workspace_id", "runs.run_id"],
            name="fk_run_evidence_workspace_id_run_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "ix_run_evidence_workspace_id_document_id", "run_evidence", ["workspace_id", "document_id"]
    )
