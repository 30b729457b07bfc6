"""Whether there is anything of the run engine in a database; asked without loading the engine."""

from typing import Final

import sqlalchemy as sa

from storage.sql.database import Database
from storage.sql.sqlite import is_sqlite

_TABLE: Final = "workflow_status"
_SCHEMA: Final = "dbos"


async def has_workflows(database: Database) -> bool:
    """Whether an engine ever worked on it: then it may keep finished steps."""
    schema = None if is_sqlite(database.url) else _SCHEMA
    return await database.inspect(
        lambda connection: sa.inspect(connection).has_table(_TABLE, schema=schema)
    )
