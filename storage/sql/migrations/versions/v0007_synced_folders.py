"""Where the bytes of a version came from, for folders that are kept in step with a workspace."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; versions that are there came otherwise."""
    op.add_column("versions", sa.Column("source", sa.Text))
    op.add_column("versions", sa.Column("stamp", sa.Text))


def downgrade() -> None:
    """Forget which folder versions came from: a sync removes none of them any more."""
    op.drop_column("versions", "stamp")
    op.drop_column("versions", "source")
