"""Keep where in Teams MASIS was spoken to: a conversation's id and the address to answer it at."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "teams_places",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("chat", sa.String(20), nullable=False),
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("service_url", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_teams_places"),
    )
    op.create_index(
        "ix_teams_places_chat_enterprise_team", "teams_places", ["chat", "enterprise", "team"]
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("teams_places")
