"""Detect whether anything of the run engine is in a database, without loading the engine."""

from typing import Final

import sqlalchemy as sa

from storage.sql.database import Database
from storage.sql.sqlite import is_sqlite

_TABLE: Final = "workflow_status"
_SCHEMA: Final = "dbos"


async def has_workflows(database: Database) -> bool:
    """Say whether an engine ever worked on the database. It may keep finished steps then."""
    schema = None if is_sqlite(database.url) else _SCHEMA
    return await database.inspect(
        lambda connection: sa.inspect(connection).has_table(_TABLE, schema=schema)
    )
