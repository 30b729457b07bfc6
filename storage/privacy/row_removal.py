"""Rows that go for good, and how many they were."""

from collections.abc import Collection, Iterator
from typing import Final

from sqlalchemy import ColumnElement, Table, delete, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.sql.tables import chat_runs, runs

_BATCH: Final = 500
"""Ids in one statement: a database takes a bounded number of parameters."""


async def remove(
    connection: AsyncConnection, table: Table, *conditions: ColumnElement[bool]
) -> int:
    """Delete the rows that meet all conditions."""
    if not conditions:
        raise ValueError("a removal says what is to go")
    return (await connection.execute(delete(table).where(*conditions))).rowcount


async def remove_kept_runs(connection: AsyncConnection, run_ids: Collection[str]) -> None:
    """Delete what is kept of these requests' runs; their own rows must still be there."""
    for ids in batches(run_ids):
        mine = select(chat_runs.c.workspace_id, chat_runs.c.id).where(chat_runs.c.id.in_(ids))
        await remove(connection, runs, tuple_(runs.c.workspace_id, runs.c.run_id).in_(mine))


def batches(ids: Collection[str]) -> Iterator[list[str]]:
    """The ids in lists that fit one statement, in order."""
    ordered = sorted(ids)
    for start in range(0, len(ordered), _BATCH):
        yield ordered[start : start + _BATCH]
