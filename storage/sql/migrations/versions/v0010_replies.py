"""The reply to a clarification, apart from the question that it answers."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; a reply that is there already stays in what was searched with it."""
    op.add_column(
        "chat_runs", sa.Column("reply", sa.Text, nullable=False, server_default=sa.text("''"))
    )


def downgrade() -> None:
    """Forget the replies."""
    op.drop_column("chat_runs", "reply")
