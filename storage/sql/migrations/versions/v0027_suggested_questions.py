"""Keep the questions that a workspace is known to answer, until its documents change."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "suggested_questions",
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("documents", sa.String(64), nullable=False),
        sa.Column("questions", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_suggested_questions_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", name="pk_suggested_questions"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("suggested_questions")
