"""Accepted requests in rows. The functions work within a transaction of the caller's."""

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import ColumnElement

from masis.conversation import OPEN, ChatRun, RunStatus, Tenant
from masis.domain import Value
from storage.chat.scope import (
    clean,
    exactly,
    of_tenant,
    owner_of,
    require_workspace,
    tenant_values,
    utc,
)
from storage.chat.upserts import insert_new
from storage.database import Database
from storage.rows import AnyRow, now
from storage.tables import chat_runs, workspaces

_QUEUED: Final[frozenset[RunStatus]] = frozenset({"waiting", "queued"})
_MINUTE: Final = dt.timedelta(minutes=1)


class QuotaCounts(Value):
    """How much a request's user, channel and workspace have under way, the request left out.

    `..._last_minute` is what was accepted within 60 s, whatever became of it; `..._open` is what
    waits, is queued or runs; `queued` and `workspace_queued` do not run yet.
    """

    user_last_minute: int
    user_open: int
    channel_last_minute: int
    workspace_last_minute: int
    workspace_open: int
    queued: int
    workspace_queued: int


# --- within a transaction ------------------------------------------------------------------


async def insert(connection: AsyncConnection, run: ChatRun) -> bool:
    """Write a request down; False, and nothing changed, when its id is known already.

    Raises:
        UnknownWorkspace: its tenant has no such workspace.
    """
    await require_workspace(connection, run.tenant, run.workspace_id)
    return await insert_new(connection, chat_runs, to_row(run))


async def find(connection: AsyncConnection, run_id: str) -> ChatRun | None:
    """The request of that id, whoever's it is."""
    query = sa.select(chat_runs).where(exactly(chat_runs.c.id, run_id))
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else to_run(row)


async def open_in_thread(
    connection: AsyncConnection, tenant: Tenant, channel: str, thread: str
) -> list[ChatRun]:
    """The open requests of a thread, the oldest first; none where no thread was begun yet."""
    query = sa.select(chat_runs).where(*_in_thread(tenant, channel, thread), _is_open())
    rows = await connection.execute(query.order_by(chat_runs.c.accepted_at, chat_runs.c.id))
    return [to_run(row) for row in rows]


async def mark(
    connection: AsyncConnection,
    run_id: str,
    status: RunStatus,
    *,
    attempt: int | None = None,
    cancelled_by: str | None = None,
    at: dt.datetime | None = None,
) -> bool:
    """Note where an open request is; False when it is unknown or has ended: an end stays.

    `attempt` and `cancelled_by` stay as they are where they are None. `at` is the moment of an
    end, now by default.
    """
    values: dict[str, Any] = {"status": status}
    if attempt is not None:
        values["attempt"] = attempt
    if cancelled_by is not None:
        values["cancelled_by"] = cancelled_by
    if status not in OPEN:
        values["finished_at"] = utc(at or now())
    change = sa.update(chat_runs).where(exactly(chat_runs.c.id, run_id), _is_open())
    return (await connection.execute(change.values(**values))).rowcount == 1


async def counts(connection: AsyncConnection, run: ChatRun, now: dt.datetime) -> QuotaCounts:
    """What the quotas of `masis.conversation.TeamSettings` and of the queue are compared with."""
    user = (run.tenant.enterprise, run.tenant.team, run.asker)
    recent = await _accepted_since(connection, run, utc(now) - _MINUTE)
    under_way = [row for row in await _under_way(connection) if row.id != run.id]
    here = [row for row in under_way if row.workspace_id == run.workspace_id]
    return QuotaCounts(
        user_last_minute=sum(row.asker == run.asker for row in recent),
        user_open=sum((row.enterprise, row.team, row.asker) == user for row in under_way),
        channel_last_minute=sum(row.channel == run.channel for row in recent),
        workspace_last_minute=sum(row.workspace_id == run.workspace_id for row in recent),
        workspace_open=len(here),
        queued=sum(row.status in _QUEUED for row in under_way),
        workspace_queued=sum(row.status in _QUEUED for row in here),
    )


async def ahead(connection: AsyncConnection, run: ChatRun) -> int:
    """How many requests of its workspace are queued before it."""
    place = None if run.accepted_at is None else (utc(run.accepted_at), run.id)
    return sum(
        row.workspace_id == run.workspace_id
        and row.status in _QUEUED
        and row.id != run.id
        and (place is None or (row.accepted_at, row.id) < place)
        for row in await _under_way(connection)
    )


async def _under_way(connection: AsyncConnection) -> Sequence[AnyRow]:
    """All open requests; the queue's quotas bound how many.

    With any other condition SQLite would rather go through all that the tenant ever asked.
    """
    table = chat_runs.c
    query = sa.select(
        table.id,
        table.enterprise,
        table.team,
        table.asker,
        table.workspace_id,
        table.status,
        table.accepted_at,
    )
    return (await connection.execute(query.where(_is_open()))).all()


async def _accepted_since(
    connection: AsyncConnection, run: ChatRun, moment: dt.datetime
) -> Sequence[AnyRow]:
    """The tenant's requests after that moment, but for this one; quotas bound how many.

    They are looked up by the tenant's workspaces, which are the only ones it can ask: that is
    where an index knows times.
    """
    owned = sa.select(workspaces.c.id).where(exactly(workspaces.c.owner, owner_of(run.tenant)))
    query = sa.select(chat_runs.c.asker, chat_runs.c.channel, chat_runs.c.workspace_id).where(
        chat_runs.c.workspace_id.in_(owned),
        chat_runs.c.accepted_at > moment,
        chat_runs.c.id != run.id,
    )
    return (await connection.execute(query)).all()


# --- rows and values -----------------------------------------------------------------------


def to_row(run: ChatRun) -> dict[str, Any]:
    """The columns of a request; one without a time of acceptance is accepted now."""
    return (
        run.model_dump(exclude={"tenant"})
        | tenant_values(run.tenant)
        | {
            "question": clean(run.question),
            "query": clean(run.query),
            "accepted_at": utc(run.accepted_at or now()),
            "finished_at": None if run.finished_at is None else utc(run.finished_at),
        }
    )


def to_run(row: AnyRow) -> ChatRun:
    """The value of a row of the table."""
    values = dict(row._mapping)  # noqa: SLF001 - the public name of it
    tenant = Tenant(enterprise=values.pop("enterprise"), team=values.pop("team"))
    return ChatRun.model_validate(values | {"tenant": tenant})


def _is_open() -> ColumnElement[bool]:
    return chat_runs.c.status.in_(sorted(OPEN))


def _in_thread(tenant: Tenant, channel: str, thread: str) -> tuple[ColumnElement[bool], ...]:
    return (
        of_tenant(chat_runs.c, tenant),
        exactly(chat_runs.c.channel, channel),
        exactly(chat_runs.c.thread, thread),
    )


# --- each call a transaction ---------------------------------------------------------------


class ChatRuns:
    """The requests of all tenants.

    Where a tenant may be None, that means every tenant: it is for the engine and the operator.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, tenant: Tenant | None, run_id: str) -> ChatRun | None:
        """The tenant's request of that id."""
        query = sa.select(chat_runs).where(*_of(tenant), exactly(chat_runs.c.id, run_id))
        return next(iter(await self._runs(query)), None)

    async def latest_in_thread(self, tenant: Tenant, channel: str, thread: str) -> ChatRun | None:
        """The newest request of a thread, open or ended; None in a thread that is not MASIS's."""
        query = sa.select(chat_runs).where(*_in_thread(tenant, channel, thread))
        return next(iter(await self._runs(_newest_first(query).limit(1))), None)

    async def recent(
        self, tenant: Tenant, limit: int, channels: Collection[str] | None = None
    ) -> list[ChatRun]:
        """The tenant's newest requests, newest first; with `channels` only those asked in them."""
        query = sa.select(chat_runs).where(of_tenant(chat_runs.c, tenant))
        if channels is not None:
            query = query.where(chat_runs.c.channel.in_(sorted(channels)))
        return await self._runs(_newest_first(query).limit(max(limit, 0)))

    async def open_runs(self, tenant: Tenant | None) -> list[ChatRun]:
        """What waits, is queued or runs, the oldest first; the queue's quotas bound how many."""
        query = sa.select(chat_runs).where(*_of(tenant), _is_open())
        return await self._runs(query.order_by(chat_runs.c.accepted_at, chat_runs.c.id))

    async def set_thread(self, run_id: str, thread: str) -> None:
        """Note the thread once its root message is posted; a thread that is known stays."""
        unknown = exactly(chat_runs.c.id, run_id), chat_runs.c.thread == ""
        async with self._database.write() as connection:
            await connection.execute(sa.update(chat_runs).where(*unknown).values(thread=thread))

    async def mark(
        self,
        run_id: str,
        status: RunStatus,
        *,
        attempt: int | None = None,
        cancelled_by: str | None = None,
        at: dt.datetime | None = None,
    ) -> bool:
        """`mark` in a transaction of its own."""
        async with self._database.write() as connection:
            return await mark(
                connection, run_id, status, attempt=attempt, cancelled_by=cancelled_by, at=at
            )

    async def _runs(self, query: sa.Select[Any]) -> list[ChatRun]:
        async with self._database.read() as connection:
            return [to_run(row) for row in await connection.execute(query)]


def _of(tenant: Tenant | None) -> tuple[ColumnElement[bool], ...]:
    return () if tenant is None else (of_tenant(chat_runs.c, tenant),)


def _newest_first(query: sa.Select[Any]) -> sa.Select[Any]:
    return query.order_by(chat_runs.c.accepted_at.desc(), chat_runs.c.id.desc())
