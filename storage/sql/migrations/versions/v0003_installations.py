"""Installations with their encrypted tokens, and installations that were begun."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "installations",
        sa.Column("enterprise", sa.String(64), nullable=False),
        sa.Column("team", sa.String(64), nullable=False),
        sa.Column("app_id", sa.String(64), nullable=False),
        sa.Column("bot_id", sa.String(64), nullable=False),
        sa.Column("bot_user_id", sa.String(64), nullable=False),
        sa.Column("enterprise_name", sa.Text, nullable=False),
        sa.Column("team_name", sa.Text, nullable=False),
        sa.Column("scopes", sa.JSON, nullable=False),
        sa.Column("installed_by", sa.String(64), nullable=False),
        sa.Column("installed_at", _TIME, nullable=False),
        sa.Column("disabled", sa.Text, nullable=False),
        sa.Column("bot_token", sa.Text),
        sa.Column("refresh_token", sa.Text),
        sa.Column("expires_at", _TIME),
        sa.Column("key_id", sa.String(32), nullable=False),
        sa.Column("renewal_claim", sa.String(64), nullable=False),
        sa.Column("renewal_until", _TIME),
        sa.PrimaryKeyConstraint("enterprise", "team", name="pk_installations"),
    )
    op.create_index("ix_installations_key_id", "installations", ["key_id"])
    op.create_table(
        "install_states",
        sa.Column("state_hash", sa.String(64), nullable=False),
        sa.Column("browser_hash", sa.String(64), nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("state_hash", name="pk_install_states"),
    )
    op.create_index("ix_install_states_expires_at", "install_states", ["expires_at"])


def downgrade() -> None:
    """Remove both."""
    op.drop_table("install_states")
    op.drop_table("installations")
