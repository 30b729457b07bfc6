"""Which graph answers a request, what was asked before it, and which graph a kept run is of."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_TABLES = ("chat_runs", "runs")


def upgrade() -> None:
    """Add the columns; what is there already is of the one graph that there was."""
    for table in _TABLES:
        column = sa.Column("graph", sa.String(40), nullable=False, server_default="research")
        op.add_column(table, column)
    earlier = sa.Column("earlier", sa.Text, nullable=False, server_default=sa.text("''"))
    op.add_column("chat_runs", earlier)


def downgrade() -> None:
    """Forget them."""
    op.drop_column("chat_runs", "earlier")
    for table in _TABLES:
        op.drop_column(table, "graph")
