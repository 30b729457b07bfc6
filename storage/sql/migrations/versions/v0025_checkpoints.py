"""Keep where graphs wait for a reply: the tables of the graph library's own checkpointers.

They are made here as the library would make them, so that `masis migrate` is the only thing that changes
a schema; a test holds the two against each other.
"""

from typing import Final

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_SQLITE: Final = (
    """CREATE TABLE checkpoints (
        thread_id TEXT NOT NULL,
        checkpoint_ns TEXT NOT NULL DEFAULT '',
        checkpoint_id TEXT NOT NULL,
        parent_checkpoint_id TEXT,
        type TEXT,
        checkpoint BLOB,
        metadata BLOB,
        PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
    )""",
    """CREATE TABLE writes (
        thread_id TEXT NOT NULL,
        checkpoint_ns TEXT NOT NULL DEFAULT '',
        checkpoint_id TEXT NOT NULL,
        task_id TEXT NOT NULL,
        task_path TEXT NOT NULL DEFAULT '',
        idx INTEGER NOT NULL,
        channel TEXT NOT NULL,
        type TEXT,
        value BLOB,
        PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
    )""",
)
_POSTGRES: Final = (
    "CREATE TABLE checkpoint_migrations (v INTEGER PRIMARY KEY)",
    """CREATE TABLE checkpoints (
        thread_id TEXT NOT NULL,
        checkpoint_ns TEXT NOT NULL DEFAULT '',
        checkpoint_id TEXT NOT NULL,
        parent_checkpoint_id TEXT,
        type TEXT,
        checkpoint JSONB NOT NULL,
        metadata JSONB NOT NULL DEFAULT '{}',
        PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
    )""",
    """CREATE TABLE checkpoint_blobs (
        thread_id TEXT NOT NULL,
        checkpoint_ns TEXT NOT NULL DEFAULT '',
        channel TEXT NOT NULL,
        version TEXT NOT NULL,
        type TEXT NOT NULL,
        blob BYTEA,
        PRIMARY KEY (thread_id, checkpoint_ns, channel, version)
    )""",
    """CREATE TABLE checkpoint_writes (
        thread_id TEXT NOT NULL,
        checkpoint_ns TEXT NOT NULL DEFAULT '',
        checkpoint_id TEXT NOT NULL,
        task_id TEXT NOT NULL,
        idx INTEGER NOT NULL,
        channel TEXT NOT NULL,
        type TEXT,
        blob BYTEA NOT NULL,
        task_path TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
    )""",
    "CREATE INDEX checkpoints_thread_id_idx ON checkpoints (thread_id)",
    "CREATE INDEX checkpoint_blobs_thread_id_idx ON checkpoint_blobs (thread_id)",
    "CREATE INDEX checkpoint_writes_thread_id_idx ON checkpoint_writes (thread_id)",
    # What the library has done so far, by its own count.
    "INSERT INTO checkpoint_migrations (v) SELECT generate_series(0, 9)",
)


def upgrade() -> None:
    """Create the tables of the database's own checkpointer; nothing waits yet."""
    is_server = op.get_bind().dialect.name == "postgresql"
    for statement in _POSTGRES if is_server else _SQLITE:
        op.execute(statement)


def downgrade() -> None:
    """Remove them; a reply then begins its question anew."""
    is_server = op.get_bind().dialect.name == "postgresql"
    names = (
        ("checkpoint_writes", "checkpoint_blobs", "checkpoint_migrations")
        if is_server
        else ("writes",)
    )
    for name in (*names, "checkpoints"):
        op.drop_table(name)
