"""Keep the whole tables of document versions: what each is, and its columns."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables; documents from before have none until they are read again."""
    op.create_table(
        "whole_tables",
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("version_id", sa.String(64), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("shape", sa.JSON(), nullable=False),
        sa.Column("numbers", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_whole_tables_workspace_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name="fk_whole_tables_version_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name="pk_whole_tables"),
    )
    op.create_index("ix_whole_tables_version_id", "whole_tables", ["version_id"])
    op.create_table(
        "whole_table_columns",
        sa.Column("workspace_id", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("cells", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "table_id"],
            ["whole_tables.workspace_id", "whole_tables.id"],
            name="fk_whole_table_columns_workspace_id_table_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "workspace_id", "table_id", "position", name="pk_whole_table_columns"
        ),
    )


def downgrade() -> None:
    """Remove both."""
    op.drop_table("whole_table_columns")
    op.drop_table("whole_tables")
