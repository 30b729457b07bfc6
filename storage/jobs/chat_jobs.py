"""Store what a chat handed over and what is to be told of it, until it is done.

A job is one message, press or notice. It is stored before its delivery is acknowledged, and goes
when it is done, so that its words are kept no longer than that.
"""

from collections.abc import Collection
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement

from masis.conversation import Tenant
from masis.domain import Value
from storage.chat import deduplication
from storage.sql.database import Database
from storage.sql.moments import moment
from storage.sql.rows import AnyRow, now
from storage.sql.scope import clean, exactly, taken_tenant, tenant_values
from storage.sql.tables import chat_jobs
from storage.sql.upserts import insert_new

LEASE_SECONDS: Final = 5.0
"""How long a job is its process's own; it says so anew while it is at it."""

_CLAIM: Final = "job:{}"


class ChatJob(Value):
    """Hold what is to be done. `work` is the chat's own text, which is read by nobody else.

    `user` is whose words are in it. `attempt` counts from one and only ever grows: it is the fence
    of who holds the job, since whoever holds it next counts further.
    """

    id: str
    tenant: Tenant
    user: str = ""
    work: str
    attempt: int = 1


class ChatJobs:
    """The jobs of all tenants. Times are by the database's clock."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take_in(self, job: ChatJob) -> bool:
        """Store a delivery, held by the caller; False when it was taken in before, done or not.

        Raises:
            StoreUnavailable: it is not stored.
        """
        async with self._database.write() as connection:
            key = _CLAIM.format(job.id)
            # Whose team it is may be found out meanwhile: a delivery is its organisation's.
            organisation = job.tenant.model_copy(update={"team": ""})
            if not await deduplication.take(connection, organisation, key, now()):
                return False
            return await insert_new(connection, chat_jobs, _row(job, LEASE_SECONDS))

    async def add(self, job: ChatJob, seconds: float = 0.0) -> bool:
        """Store work that is due in so many seconds; False where it is stored already.

        Raises:
            StoreUnavailable: it is not stored.
        """
        async with self._database.write() as connection:
            return await insert_new(connection, chat_jobs, _row(job, seconds))

    async def claim(self, chat: str, limit: int) -> list[ChatJob]:
        """Take the oldest of what is due, and hold it: each is given to one process alone."""
        oldest = (
            sa.select(chat_jobs.c.id)
            .where(chat_jobs.c.chat == chat, chat_jobs.c.due_at <= moment())
            .order_by(chat_jobs.c.due_at, chat_jobs.c.id)
            .limit(limit)
        )
        change = (
            sa.update(chat_jobs)
            .where(chat_jobs.c.id.in_(oldest), chat_jobs.c.due_at <= moment())
            .values(due_at=moment(LEASE_SECONDS), attempt=chat_jobs.c.attempt + 1)
            .returning(*chat_jobs.c)
        )
        if not await self._is_due(chat):
            return []  # Nothing is written where there is nothing to do.
        async with self._database.write() as connection:
            return [_to_job(row) for row in await connection.execute(change)]

    async def hold(self, jobs: Collection[ChatJob]) -> None:
        """Say that these are still worked on here; who paused one, or claimed it since, keeps that."""
        key = sa.tuple_(chat_jobs.c.id, chat_jobs.c.attempt)
        ours = key.in_(sorted((job.id, job.attempt) for job in jobs))
        await self._set(ours & (chat_jobs.c.due_at < moment(LEASE_SECONDS)), {})

    async def become(self, job: ChatJob, work: str, team: str = "") -> ChatJob | None:
        """Put what is left to do in the place of what is done; None where the job is not ours any more.

        `team` is whose it is, where that was found out meanwhile.
        """
        values = {"work": clean(work), "attempt": job.attempt + 1}
        tenant = _of_team(job.tenant, team)
        became = await self._set(_ours(job), values | {"team": tenant.team})
        return job.model_copy(update=values | {"tenant": tenant}) if became else None

    async def rewrite(self, job: ChatJob, work: str) -> bool:
        """Store how far the work is, still held; False where the job is not ours any more."""
        return await self._set(_ours(job), {"work": clean(work)})

    async def later(self, job: ChatJob, seconds: float, team: str = "") -> None:
        """Let it be tried again in so many seconds, unless it is not ours any more."""
        values = {"team": _of_team(job.tenant, team).team}
        await self._set(_ours(job), values, seconds=seconds)

    async def done(self, job: ChatJob) -> None:
        """Forget it, unless it is not ours any more."""
        async with self._database.write() as connection:
            await connection.execute(sa.delete(chat_jobs).where(_ours(job)))

    async def left(self, chat: str) -> int:
        """Count what is not done."""
        query = sa.select(sa.func.count()).where(exactly(chat_jobs.c.chat, chat))
        async with self._database.read() as connection:
            return await connection.scalar(query) or 0

    async def _is_due(self, chat: str) -> bool:
        query = sa.select(chat_jobs.c.id).where(
            chat_jobs.c.chat == chat, chat_jobs.c.due_at <= moment()
        )
        async with self._database.read() as connection:
            return await connection.scalar(query.limit(1)) is not None

    async def _set(
        self, whose: ColumnElement[bool], values: dict[str, Any], seconds: float | None = None
    ) -> bool:
        """Change rows and when they are due; False where there are none."""
        due = moment(LEASE_SECONDS if seconds is None else seconds)
        change = sa.update(chat_jobs).where(whose).values(due_at=due, **values)
        async with self._database.write() as connection:
            return (await connection.execute(change)).rowcount > 0


def _ours(job: ChatJob) -> ColumnElement[bool]:
    """Match a job unless somebody claimed it since its lease lapsed: they have counted further."""
    return exactly(chat_jobs.c.id, job.id) & (chat_jobs.c.attempt == job.attempt)


def _of_team(tenant: Tenant, team: str) -> Tenant:
    return tenant if tenant.team or not team else tenant.model_copy(update={"team": team})


def _row(job: ChatJob, seconds: float) -> dict[str, Any]:
    values = job.model_dump(exclude={"tenant"}) | tenant_values(job.tenant)
    return values | {"work": clean(job.work), "due_at": moment(seconds)}


def _to_job(row: AnyRow) -> ChatJob:
    values = dict(row._mapping)
    values.pop("due_at")
    return ChatJob.model_validate({"tenant": taken_tenant(values), **values})
