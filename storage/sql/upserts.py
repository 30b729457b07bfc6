"""Insert-or-else in one statement, in the dialect at hand."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


async def insert_new(connection: AsyncConnection, table: Table, row: Mapping[str, Any]) -> bool:
    """`add_new` on the connection of a coroutine."""
    return await connection.run_sync(add_new, table, row)


def add_new(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert the row; False, and nothing changed, when its key is taken."""
    statement = dialect_insert(connection, table).values(**row).on_conflict_do_nothing()
    # Not every driver counts inserted rows; all give back those that were.
    written = connection.execute(statement.returning(*table.primary_key))
    return written.one_or_none() is not None


async def put(
    connection: AsyncConnection,
    table: Table,
    row: Mapping[str, Any],
    *,
    keep: Collection[str] = (),
) -> None:
    """Insert the row, or overwrite the one of its key except for the columns in `keep`."""
    key = [column.name for column in table.primary_key]
    changed = {name: value for name, value in row.items() if name not in {*key, *keep}}
    statement = dialect_insert(connection, table).values(**row)
    await connection.execute(statement.on_conflict_do_update(index_elements=key, set_=changed))


def dialect_insert(
    connection: Connection | AsyncConnection, table: Table
) -> sqlite.Insert | postgresql.Insert:
    """An insert that knows what to do about a key that is taken."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)
