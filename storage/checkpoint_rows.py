"""Remove what the graph library's checkpointer keeps of sessions, within the caller's transaction.

Its tables are its own; they have nothing but the session's id in common with ours.
"""

from collections.abc import Collection
from typing import Final

import sqlalchemy as sa

from masis.conversation import OPEN, session_id
from storage.sql.tables import chat_runs, sessions

TABLES: Final = {
    "sqlite": ("checkpoints", "writes"),
    "postgresql": ("checkpoints", "checkpoint_blobs", "checkpoint_writes"),
}
"""Those with rows of sessions, by the database."""
_ROWS: Final = {
    kind: tuple(sa.table(name, sa.column("thread_id")) for name in names)
    for kind, names in TABLES.items()
}
LIBRARY_TABLES: Final = frozenset({"checkpoint_migrations"}).union(*TABLES.values())

_BATCH: Final = 500
"""Ids in one statement, and sessions in one removal of what is left over."""


def remove(connection: sa.Connection, session_ids: Collection[str]) -> None:
    """Remove the checkpoints of sessions."""
    ordered = sorted(set(session_ids))
    for start in range(0, len(ordered), _BATCH):
        for table in _tables(connection):
            mine = table.c.thread_id.in_(ordered[start : start + _BATCH])
            connection.execute(sa.delete(table).where(mine))


def remove_ended(connection: sa.Connection, run_id: str, answered: str | None) -> None:
    """Remove those of a run that has ended: of the session that it answered, and its own unless it waits."""
    own = session_id(run_id)
    kept = _tables(connection)[0].c.thread_id
    mine = sa.select(kept).where(kept.in_([own, answered or own])).distinct()
    held = set(connection.scalars(mine))
    if not held:  # as with nearly every run, and others wait for the end of this transaction
        return
    if connection.scalar(sa.select(sessions.c.id).where(sessions.c.id == own, _counts())):
        held.discard(own)
    remove(connection, held)


def remove_left(connection: sa.Connection) -> int:
    """Remove those of sessions that are over or gone, and of runs that have ended; count the sessions.

    They are some hundreds at most: who asks for more, by deletions of thousands of sessions at once,
    leaves the rest to the next time.
    """
    first = _tables(connection)[0].c.thread_id
    counts = sa.exists().where(sessions.c.id == first, _counts())
    left = set(connection.scalars(sa.select(first).where(~counts).distinct().limit(_BATCH)))
    if not left:
        return 0
    is_open = chat_runs.c.status.in_(sorted(OPEN))
    at_work = {
        session_id(each) for each in connection.scalars(sa.select(chat_runs.c.id).where(is_open))
    }
    remove(connection, left - at_work)
    return len(left - at_work)


def _counts() -> sa.ColumnElement[bool]:
    """Say that a session waits, or that the run which has its reply is not at its end."""
    replied = sa.select(chat_runs.c.id).where(
        chat_runs.c.id == sessions.c.next_run_id, chat_runs.c.status.in_(sorted(OPEN))
    )
    taken = sa.and_(sessions.c.status == "answered", replied.exists())
    return sa.or_(sessions.c.status == "open", taken)


def _tables(connection: sa.Connection) -> tuple[sa.TableClause, ...]:
    return _ROWS[connection.dialect.name]
