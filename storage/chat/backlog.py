"""Count what is still to be done, over all tenants.

These are figures for the operator, without a text.
"""

import datetime as dt

import sqlalchemy as sa

from masis.conversation import OPEN
from masis.domain import Value
from storage.sql.database import Database
from storage.sql.tables import chat_runs


class Backlog(Value):
    """The open requests by status; `oldest` was accepted first of those that do not run yet."""

    waiting: int = 0
    queued: int = 0
    running: int = 0
    oldest: dt.datetime | None = None


async def backlog(database: Database) -> Backlog:
    """Return how the backlog stands now. The queue's quotas bound what is gone through."""
    query = (
        sa.select(chat_runs.c.status, sa.func.count(), sa.func.min(chat_runs.c.accepted_at))
        .where(chat_runs.c.status.in_(sorted(OPEN)))
        .group_by(chat_runs.c.status)
    )
    async with database.read() as connection:
        found = {status: (count, first) for status, count, first in await connection.execute(query)}
    not_running = [first for status, (_, first) in found.items() if status != "running"]
    counts = {status: count for status, (count, _) in found.items()}
    return Backlog(**counts, oldest=min(not_running, default=None))
