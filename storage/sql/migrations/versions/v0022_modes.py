"""Keep with a link whether every message of its channel asks the documents, and with a request."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_TABLES = ("links", "chat_runs")


def upgrade() -> None:
    """Add the column; what is there stays as it was."""
    for table in _TABLES:
        op.add_column(
            table,
            sa.Column("mode", sa.String(20), nullable=False, server_default=sa.text("'auto'")),
        )


def downgrade() -> None:
    """Remove the column."""
    for table in _TABLES:
        op.drop_column(table, "mode")
