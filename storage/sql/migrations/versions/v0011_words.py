"""The words of each version, and the synonyms that a workspace's admins added."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; versions that are there already are counted when a question needs their words."""
    op.create_table(
        "version_words",
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("version_id", sa.String(64), nullable=False),
        sa.Column("words", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("version_id", name="pk_version_words"),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            ondelete="CASCADE",
            name="fk_version_words_workspace_id",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["versions.id"],
            ondelete="CASCADE",
            name="fk_version_words_version_id",
        ),
    )
    op.create_index("ix_version_words_workspace_id", "version_words", ["workspace_id"])
    op.create_table(
        "synonyms",
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("phrases", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_synonyms"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], ondelete="CASCADE", name="fk_synonyms_workspace_id"
        ),
    )
    op.create_index("ix_synonyms_workspace_id", "synonyms", ["workspace_id"])


def downgrade() -> None:
    """Forget both."""
    op.drop_table("synonyms")
    op.drop_table("version_words")
