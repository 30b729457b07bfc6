"""Free fields of documents: those of their own metadata, and those that they were given."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; what is there already gets its fields when it is put in anew."""
    op.add_column("versions", sa.Column("fields", sa.JSON))
    op.add_column("versions", sa.Column("given_fields", sa.JSON))


def downgrade() -> None:
    """Forget the fields."""
    op.drop_column("versions", "given_fields")
    op.drop_column("versions", "fields")
