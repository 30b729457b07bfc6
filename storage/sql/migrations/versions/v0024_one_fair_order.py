"""Keep workspaces in one fair order, of runs; model calls wait in order of arrival."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_KEPT = "last_served_before"


def upgrade() -> None:
    """Remove the workspace of a permit's request, and what else workspaces were served with."""
    op.drop_column("permit_requests", "workspace_id")
    op.execute(
        f"CREATE TABLE {_KEPT} AS SELECT workspace_id, max(at) AS at FROM last_served"  # noqa: S608 - our own name
        " GROUP BY workspace_id"
    )
    op.drop_table("last_served")
    op.create_table(
        "last_served",
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", name="pk_last_served"),
    )
    op.execute(f"INSERT INTO last_served SELECT workspace_id, at FROM {_KEPT}")  # noqa: S608 - the same
    op.drop_table(_KEPT)


def downgrade() -> None:
    """Bring both back; nobody waits while a schema changes."""
    workspace = sa.Column(
        "workspace_id", sa.String(64), nullable=False, server_default=sa.text("''")
    )
    op.add_column("permit_requests", workspace)
    op.drop_table("last_served")
    op.create_table(
        "last_served",
        sa.Column("scope", sa.String(64), nullable=False),
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "workspace_id", name="pk_last_served"),
    )
