"""One at a time, over all processes: decisions that rest on more rows than they change."""

from collections.abc import Collection
from typing import Final

import sqlalchemy as sa

from storage.sql.rows import scope_of
from storage.sql.tables import workspaces

_ADMISSION_LOCK_KEY: Final = 0x4D41_5349_5302
"""Of an advisory lock: "MASIS" and a number. It is PostgreSQL's; SQLite's writer is alone anyway."""
_BRIEF: Final = "SET LOCAL idle_in_transaction_session_timeout = 3000"
"""Milliseconds: whom everybody waits for is ended by the server when it stands still."""
_TAKE_ADMISSION_LOCK: Final = f"{_BRIEF}; SELECT pg_advisory_xact_lock({_ADMISSION_LOCK_KEY})"


def take_admission_lock(connection: sa.Connection) -> None:
    """Be the only one who lets requests in or through, until the transaction's end.

    To be called first: who holds rows already while waiting here may be waited for.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_TAKE_ADMISSION_LOCK).close()


def be_brief(connection: sa.Connection) -> None:
    """Have the server end the transaction when its process stands still, frozen or stalled.

    For who takes what every other process waits for; `take_admission_lock` does so itself.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_BRIEF)


def locked_away(connection: sa.Connection, workspace_ids: Collection[str]) -> set[str]:
    """Those of the workspaces that somebody else is deleting. The others stay until our end.

    With the admission lock in hand nobody may wait for a deletion, which takes as long as it has rows.
    """
    if connection.dialect.name != "postgresql":
        return set()
    named = sa.select(workspaces.c.id).where(
        workspaces.c.id.in_(sorted({scope_of(each) for each in workspace_ids}))
    )
    lock = named.with_for_update(read=True, key_share=True, skip_locked=True)
    held = set(connection.scalars(lock))
    if len(held) == len(set(workspace_ids)):
        return set()
    return set(connection.scalars(named)) - held


def hold(connection: sa.Connection, workspace_id: object, *, shared: bool = False) -> str | None:
    """Be the only one who changes what a workspace holds, until the transaction's end.

    Shared, others may look at it as long; nobody changes it meanwhile. Gives the workspace's name,
    None where there is none. Rows that only refer to the workspace are written all the same.
    """
    query = sa.select(workspaces.c.name).where(workspaces.c.id == scope_of(workspace_id))
    lock = query.with_for_update(read=shared, key_share=not shared)
    name: str | None = connection.scalar(lock)
    return name
