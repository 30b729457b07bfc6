"""Accepted requests in rows. The functions work within a transaction of the caller's."""

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql import ColumnElement

from masis.conversation import OPEN, ChatRun, RunStatus, Tenant
from storage.sql.database import Database
from storage.sql.rows import AnyRow, now
from storage.sql.scope import (
    checked_workspace,
    clean,
    exactly,
    of_tenant,
    taken_tenant,
    tenant_values,
    utc,
)
from storage.sql.tables import chat_runs
from storage.sql.upserts import add_new

# --- within a transaction ------------------------------------------------------------------


def insert(connection: sa.Connection, run: ChatRun) -> bool:
    """Write a request down; False, and nothing changed, when its id is known already.

    Raises:
        UnknownWorkspace: its tenant has no such workspace.
    """
    checked_workspace(connection, run.tenant, run.workspace_id)
    return write_down(connection, run)


def write_down(connection: sa.Connection, run: ChatRun) -> bool:
    """Write a request to a workspace down that is known to be its tenant's."""
    return add_new(connection, chat_runs, to_row(run))


def find(connection: sa.Connection, run_id: str) -> ChatRun | None:
    """The request of that id, whoever's it is."""
    query = sa.select(chat_runs).where(exactly(chat_runs.c.id, run_id))
    row = connection.execute(query).one_or_none()
    return None if row is None else to_run(row)


def mark(
    connection: sa.Connection,
    run_id: str,
    status: RunStatus,
    *,
    attempt: int | None = None,
    steps: int | None = None,
    cancelled_by: str | None = None,
    at: dt.datetime | None = None,
    held: ChatRun | None = None,
) -> bool:
    """Note where an open request is; False when it is unknown or has ended: an end stays.

    `attempt`, `steps` and `cancelled_by` stay as they are where they are None. `at` is the moment of a
    beginning or an end, now by default. With `held` it is noted only where the request stands as it
    stood then: who was taken over changes nothing any more.
    """
    values: dict[str, Any] = {"status": status}
    if attempt is not None:
        values["attempt"] = attempt
    if steps is not None:
        values["steps"] = steps
    if cancelled_by is not None:
        values["cancelled_by"] = cancelled_by
    if status == "running":
        values["begun_at"] = utc(at or now())
    if status not in OPEN:
        values["finished_at"] = utc(at or now())
        values["heard"] = []
    change = sa.update(chat_runs).where(exactly(chat_runs.c.id, run_id), is_open())
    if held is not None:
        change = change.where(_is_unchanged_since(held))
    return connection.execute(change.values(**values)).rowcount == 1


def mark_cancelled(connection: sa.Connection, run_id: str, by: str) -> bool:
    """Note that an open request is to end, and who wished it first; False when it has ended."""
    first = sa.case((chat_runs.c.cancelled_by == "", by), else_=chat_runs.c.cancelled_by)
    change = sa.update(chat_runs).where(exactly(chat_runs.c.id, run_id), is_open())
    return connection.execute(change.values(cancelled_by=first)).rowcount == 1


def is_unchanged(now: ChatRun, then: ChatRun) -> bool:
    """Say whether a request is still in the state and the attempt that it was in."""
    return (now.status, now.attempt, now.steps) == (then.status, then.attempt, then.steps)


def _is_unchanged_since(then: ChatRun) -> ColumnElement[bool]:
    columns = chat_runs.c
    return sa.and_(
        columns.status == then.status,
        columns.attempt == then.attempt,
        columns.steps == then.steps,
    )


# --- rows and values -----------------------------------------------------------------------


def to_row(run: ChatRun) -> dict[str, Any]:
    """The columns of a request; one without a time of acceptance is accepted now."""
    return (
        run.model_dump(exclude={"tenant"})
        | tenant_values(run.tenant)
        | {
            "question": clean(run.question),
            "query": clean(run.query),
            "earlier": clean(run.earlier),
            "reply": clean(run.reply),
            "heard": [clean(text) for text in run.heard],
            "accepted_at": utc(run.accepted_at or now()),
            "begun_at": None if run.begun_at is None else utc(run.begun_at),
            "finished_at": None if run.finished_at is None else utc(run.finished_at),
        }
    )


def to_run(row: AnyRow) -> ChatRun:
    """The value of a row of the table."""
    return run_of(dict(row._mapping))


def run_of(values: dict[str, Any]) -> ChatRun:
    """The value of the table's columns."""
    tenant = taken_tenant(values)
    return ChatRun.model_validate(values | {"tenant": tenant})


def is_open() -> ColumnElement[bool]:
    """The condition of what waits, is queued or runs; an index knows it."""
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

    async def asked_before(
        self, tenant: Tenant, channel: str, thread: str, message: str
    ) -> ChatRun | None:
        """The newest question of a thread that was asked before that message of it.

        Files that somebody added there are none.
        """
        query = sa.select(chat_runs).where(
            *_in_thread(tenant, channel, thread),
            chat_runs.c.kind != "upload",
            # By the chat's own order: of two messages at once the second may be taken in first.
            chat_runs.c.message < message,
        )
        return next(iter(await self._runs(_newest_first(query).limit(1))), None)

    async def recent_of(
        self, chat: str, enterprise: str, channel: str, asker: str, limit: int
    ) -> list[ChatRun]:
        """Return what a person asked last in a place, of whichever team's documents, newest first."""
        query = sa.select(chat_runs).where(
            exactly(chat_runs.c.chat, chat),
            exactly(chat_runs.c.enterprise, enterprise),
            exactly(chat_runs.c.channel, channel),
            exactly(chat_runs.c.asker, asker),
        )
        return await self._runs(_newest_first(query).limit(max(limit, 0)))

    async def recent(
        self, tenant: Tenant, limit: int, channels: Collection[str] | None = None
    ) -> list[ChatRun]:
        """The tenant's newest requests, newest first; with `channels` only those asked in them."""
        query = sa.select(chat_runs).where(of_tenant(chat_runs.c, tenant))
        if channels is not None:
            query = query.where(chat_runs.c.channel.in_(sorted(channels)))
        return await self._runs(_newest_first(query).limit(max(limit, 0)))

    async def of_ids(self, run_ids: Collection[str]) -> list[ChatRun]:
        """The requests of these ids, whoever's they are."""
        return await self._runs(sa.select(chat_runs).where(chat_runs.c.id.in_(sorted(run_ids))))

    async def open_runs(self, tenant: Tenant | None) -> list[ChatRun]:
        """List what waits, is queued or runs, the oldest first.

        The queue's quotas bound how many.
        """
        query = sa.select(chat_runs).where(*_of(tenant), is_open())
        return await self._runs(query.order_by(chat_runs.c.accepted_at, chat_runs.c.id))

    async def keep(self, run: ChatRun) -> None:
        """Write down a request that has ended and went through no queue, so that its thread has it.

        Its run was stored before. One that is known stays as it is.

        Raises:
            UnknownWorkspace: its tenant has no such workspace.
            ValueError: it is open.
        """
        if run.status in OPEN:
            raise ValueError("what is open is the queue's")
        ended = run.model_copy(update={"finished_at": run.finished_at or now()})
        await self._database.transact(lambda connection: insert(connection, ended))

    async def set_thread(self, run_id: str, thread: str) -> None:
        """Note the thread once its root message is posted; a thread that is known stays."""
        unknown = exactly(chat_runs.c.id, run_id), chat_runs.c.thread == ""
        change = sa.update(chat_runs).where(*unknown).values(thread=thread)
        await self._database.transact(lambda connection: connection.execute(change).close())

    async def set_heard(self, run_id: str, heard: Sequence[str]) -> None:
        """Keep what others wrote in the thread, as long as the request is open."""
        texts = [clean(text) for text in heard]
        mine = exactly(chat_runs.c.id, run_id), is_open()
        change = sa.update(chat_runs).where(*mine).values(heard=texts)
        await self._database.transact(lambda connection: connection.execute(change).close())

    async def mark(
        self,
        run_id: str,
        status: RunStatus,
        *,
        attempt: int | None = None,
        cancelled_by: str | None = None,
        at: dt.datetime | None = None,
        held: ChatRun | None = None,
    ) -> bool:
        """`mark` in a transaction of its own."""
        return await self._database.transact(
            lambda connection: mark(
                connection,
                run_id,
                status,
                attempt=attempt,
                cancelled_by=cancelled_by,
                at=at,
                held=held,
            )
        )

    async def _runs(self, query: sa.Select[Any]) -> list[ChatRun]:
        return await self._database.inspect(
            lambda look: [to_run(row) for row in look.execute(query)]
        )


def _of(tenant: Tenant | None) -> tuple[ColumnElement[bool], ...]:
    return () if tenant is None else (of_tenant(chat_runs.c, tenant),)


def _newest_first(query: sa.Select[Any]) -> sa.Select[Any]:
    return query.order_by(chat_runs.c.accepted_at.desc(), chat_runs.c.id.desc())
