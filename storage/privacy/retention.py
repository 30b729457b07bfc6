"""Set how long a chat's rows are kept, and sweep away what is older."""

import datetime as dt
from collections.abc import Awaitable, Callable
from typing import Final

from sqlalchemy import delete, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from masis import policy
from masis.conversation import OPEN
from masis.domain import Value
from storage import checkpoint_rows
from storage.admission.last_served import forget_served
from storage.chat.deduplication import Claims
from storage.documents import attached_rows
from storage.privacy.row_removal import remove, remove_kept_runs
from storage.sql.database import Database
from storage.sql.scope import utc
from storage.sql.tables import chat_jobs, chat_runs, ledger, sessions, spent_days, upload_parts

_BATCH: Final = 500
"""Rows in one transaction: acceptances wait for its end."""
_FILES_KEPT: Final = dt.timedelta(days=1)
"""No run goes on as long; at its end the files of its question are forgotten anyway."""
_JOBS_KEPT: Final = dt.timedelta(days=1)
"""Since it was due: a job that nobody took up by then has nobody any more who could."""
_BATCHES: Final = 20
"""How many of them in one sweep; the next one goes on."""


KEEP_PARTS: Final = dt.timedelta(seconds=4 * policy.RUN_OUTAGE_SECONDS)
"""The bytes of a file go with its upload's end, which comes sooner than this."""


class Keep(Value):
    """Set how long what is kept.

    Claims are since they were taken, sessions and runs since their end.

    `usage` is what model calls cost, since they were made.

    A chat repeats a delivery within hours, so that a day of claims is enough.
    """

    claims: dt.timedelta = dt.timedelta(hours=policy.KEEP_CLAIMS_HOURS)
    sessions: dt.timedelta = dt.timedelta(days=policy.KEEP_RUNS_DAYS)
    runs: dt.timedelta = dt.timedelta(days=policy.KEEP_RUNS_DAYS)
    usage: dt.timedelta = dt.timedelta(days=policy.KEEP_USAGE_DAYS)


class Swept(Value):
    """Count how many rows went. `runs` are requests, each with its messages and its audit trail.

    `files` came with questions whose process died before it forgot them.
    """

    claims: int
    sessions: int
    runs: int
    charges: int = 0
    files: int = 0
    parts: int = 0
    """Of files that nobody put in: who sent them was broken off, or was told that they are not."""
    places: int = 0
    """Where graphs waited whose session is over, and which its end did not take along."""
    jobs: int = 0
    """Of a chat that is served no more: each holds somebody's words."""


class Retention:
    """Removes the rows of all tenants that are past their time. Votes and the admin log stay."""

    def __init__(self, database: Database, keep: Keep | None = None) -> None:
        self._database = database
        self._keep = keep or Keep()

    async def sweep(self, now: dt.datetime) -> Swept:
        """Remove what is too old (10,000 sessions and runs at most), and its traces on the disk."""
        old_sessions = utc(now) - self._keep.sessions
        old_runs = utc(now) - self._keep.runs
        old_usage = utc(now) - self._keep.usage
        old_files = utc(now) - _FILES_KEPT
        swept = Swept(
            claims=await Claims(self._database).purge(now - self._keep.claims),
            sessions=await self._in_batches(lambda c: _sweep_sessions(c, old_sessions)),
            runs=await self._in_batches(lambda c: _sweep_runs(c, old_runs)),
            charges=await self._in_batches(lambda c: _sweep_charges(c, old_usage)),
            files=await self._in_batches(lambda c: attached_rows.sweep(c, old_files)),
            parts=await self._in_batches(lambda c: _sweep_parts(c, utc(now) - KEEP_PARTS)),
            places=await self._in_batches(lambda c: c.run_sync(checkpoint_rows.remove_left)),
            jobs=await self._in_batches(lambda c: _sweep_jobs(c, utc(now) - _JOBS_KEPT)),
        )
        await self._database.transact(lambda within: forget_served(within, now.timestamp()))
        if swept.sessions or swept.runs or swept.files or swept.parts or swept.jobs:
            await self._database.erase_traces()
        return swept

    async def _in_batches(self, sweep: Callable[[AsyncConnection], Awaitable[int]]) -> int:
        removed = 0
        for _ in range(_BATCHES):
            async with self._database.write() as connection:
                count = await sweep(connection)
            removed += count
            if count < _BATCH:
                break
        return removed


async def _sweep_sessions(connection: AsyncConnection, before: dt.datetime) -> int:
    """Sessions that are over; their last possible moment stands for their end."""
    old = sessions.c.status != "open", sessions.c.expires_at < before
    ids = await connection.scalars(select(sessions.c.id).where(*old).limit(_BATCH))
    return await remove(connection, sessions, sessions.c.id.in_(list(ids)))


async def _sweep_runs(connection: AsyncConnection, before: dt.datetime) -> int:
    old = chat_runs.c.status.not_in(sorted(OPEN)), chat_runs.c.finished_at < before
    found = await connection.scalars(select(chat_runs.c.id).where(*old).limit(_BATCH))
    ids = list(found)
    # Nobody could find them any more, not even to forget who asked.
    await remove_kept_runs(connection, ids)
    return await remove(connection, chat_runs, chat_runs.c.id.in_(ids))


async def _sweep_jobs(connection: AsyncConnection, before: dt.datetime) -> int:
    old = select(chat_jobs.c.id).where(chat_jobs.c.due_at < before).limit(_BATCH)
    return await remove(
        connection, chat_jobs, chat_jobs.c.id.in_(list(await connection.scalars(old)))
    )


async def _sweep_parts(connection: AsyncConnection, before: dt.datetime) -> int:
    key = upload_parts.c.content_id, upload_parts.c.position
    found = await connection.execute(select(*key).where(upload_parts.c.at < before).limit(_BATCH))
    return await remove(connection, upload_parts, tuple_(*key).in_([tuple(row) for row in found]))


async def _sweep_charges(connection: AsyncConnection, before: dt.datetime) -> int:
    await connection.execute(delete(spent_days).where(spent_days.c.day < before.date()))
    found = await connection.scalars(select(ledger.c.id).where(ledger.c.at < before).limit(_BATCH))
    return await remove(connection, ledger, ledger.c.id.in_(list(found)))
