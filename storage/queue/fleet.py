"""Report to the operator which processes work on this database, and by what clock."""

import datetime as dt

import sqlalchemy as sa

from masis.domain import Value
from storage.queue.executors import TTL_SECONDS
from storage.sql.database import Database
from storage.sql.moments import moment
from storage.sql.tables import executors


class Fleet(Value):
    """Processes by whether they beat in time. None at all where one alone works, on SQLite.

    A dead one is gone from here as soon as another process has its runs: one that stays is news.
    """

    alive: int = 0
    dead: int = 0


async def clock(database: Database) -> dt.datetime:
    """Return what time it is at the database. On SQLite that is this machine's own."""
    return await database.inspect(lambda look: look.execute(sa.select(moment())).scalar_one())


async def fleet(database: Database, ttl_seconds: float = TTL_SECONDS) -> Fleet:
    """Count the processes that are alive and dead now, by the database's clock."""
    is_alive = executors.c.beat_at > moment(-ttl_seconds)
    query = sa.select(
        sa.func.count(sa.case((is_alive, 1))), sa.func.count(sa.case((~is_alive, 1)))
    ).select_from(executors)

    def look(connection: sa.Connection) -> Fleet:
        alive, dead = connection.execute(query).one()
        return Fleet(alive=alive, dead=dead)

    return await database.inspect(look)
