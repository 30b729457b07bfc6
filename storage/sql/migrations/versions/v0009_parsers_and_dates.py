"""Which reader read a version, and where its date stands."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; of what is there already neither is known until it is read again."""
    op.add_column("versions", sa.Column("parser", sa.Integer))
    op.add_column("versions", sa.Column("date_source", sa.String(10)))


def downgrade() -> None:
    """Forget both."""
    op.drop_column("versions", "date_source")
    op.drop_column("versions", "parser")
