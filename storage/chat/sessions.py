"""Questions that MASIS asked back. Each is answered, expires or is cancelled, once."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Select, Update, exists, select, update
from sqlalchemy import insert as insert_into
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import ColumnElement

from masis.conversation import Session, Tenant
from storage import checkpoint_rows
from storage.documents.quotes import blank_sessions
from storage.sql.database import Database
from storage.sql.exclusive import hold, take_admission_lock
from storage.sql.rows import AnyRow, within
from storage.sql.scope import (
    clean,
    exactly,
    of_tenant,
    require_workspace,
    taken_tenant,
    tenant_values,
    utc,
)
from storage.sql.tables import chat_runs, outbox, runs, sessions

_BATCH: Final = 100
"""How many sessions expire in one transaction; the next call takes the rest."""

EXPIRED: Final = "expired"
"""The status of a session past its time, and the kind of the message that says so."""
ANNOUNCE_WITHIN: Final = dt.timedelta(hours=48)
"""Whoever had asked has gone on by then: a later word would only puzzle them."""


# --- within a transaction ------------------------------------------------------------------


def take(
    connection: Connection,
    session_id: str,
    tenant: Tenant,
    *,
    user: str,
    reply: str,
    next_run_id: str,
    now: dt.datetime,
) -> bool:
    """Answer an open session; False when it is not the tenant's, was answered, or has expired.

    Of several replies one is taken. Who may reply was decided before.
    """
    mine = exactly(sessions.c.id, session_id), of_tenant(sessions.c, tenant)
    change = _close("answered", *mine, sessions.c.expires_at > utc(now)).values(
        answered_by=user, reply=clean(reply), next_run_id=next_run_id
    )
    return connection.execute(change).rowcount == 1


# --- each call a transaction ---------------------------------------------------------------


class Sessions:
    """The sessions of all tenants."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, session: Session) -> Session:
        """Open a session, or give the one that its run opened before.

        A thread waits for one reply: what it waited for until now is cancelled. A run that was
        blanked by now opens a session without its texts.

        Raises:
            UnknownWorkspace: its tenant has no such workspace.
            ValueError: it has no thread, so that no reply could be told from other messages.
        """
        if not session.thread:
            raise ValueError("a session is in a thread")
        known = of_tenant(sessions.c, session.tenant), exactly(sessions.c.run_id, session.run_id)
        async with self._database.write() as connection:
            await connection.run_sync(take_admission_lock)
            if (before := await _find(connection, *known)) is not None:
                return before
            await require_workspace(connection, session.tenant, session.workspace_id)
            await connection.run_sync(hold, session.workspace_id, shared=True)
            spot = _in_thread(session.tenant, session.channel, session.thread)
            closed = _close("cancelled", *spot).returning(sessions.c.id)
            await _forget_places(connection, (await connection.scalars(closed)).all())
            await connection.execute(insert_into(sessions).values(_to_row(session)))
            if await _was_blanked(connection, session):
                await blank_sessions(connection, session.workspace_id, [session.run_id])
            opened = await _find(connection, *known)
        assert opened is not None  # noqa: S101 - written in this transaction
        return opened

    async def by_id(self, tenant: Tenant, session_id: str) -> Session | None:
        """The tenant's session of that id, open or not."""
        return await self._one(of_tenant(sessions.c, tenant), exactly(sessions.c.id, session_id))

    async def open_in_thread(self, tenant: Tenant, channel: str, thread: str) -> Session | None:
        """Find what the thread waits for. It may be past its time, until that is noticed."""
        return await self._one(*_in_thread(tenant, channel, thread), sessions.c.status == "open")

    async def newest_open(
        self, chat: str, enterprise: str, channel: str, asker: str
    ) -> Session | None:
        """Find what somebody's own chat waits for last, whichever team's documents it is about."""
        query = (
            select(sessions)
            .where(
                exactly(sessions.c.chat, chat),
                exactly(sessions.c.enterprise, enterprise),
                exactly(sessions.c.channel, channel),
                exactly(sessions.c.asker, asker),
                sessions.c.status == "open",
            )
            .order_by(sessions.c.created_at.desc(), sessions.c.id)
            .limit(1)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else _to_session(row)

    async def set_message(self, tenant: Tenant, session_id: str, message: str) -> None:
        """Note the id of the posted clarification."""
        mine = of_tenant(sessions.c, tenant), exactly(sessions.c.id, session_id)
        async with self._database.write() as connection:
            await connection.execute(update(sessions).where(*mine).values(message=message))

    async def cancel(self, tenant: Tenant, session_id: str, by: str) -> bool:
        """Wait no longer; False when it is not open (any more)."""
        mine = of_tenant(sessions.c, tenant), exactly(sessions.c.id, session_id)
        change = _close("cancelled", *mine).values(answered_by=by)
        async with self._database.write() as connection:
            closed = (await connection.scalars(change.returning(sessions.c.id))).all()
            await _forget_places(connection, closed)
            return len(closed) == 1

    async def due(self, now: dt.datetime) -> list[Session]:
        """Open sessions past their time, of every tenant, the longest overdue first, 100 at most."""
        async with self._database.read() as connection:
            found = await connection.execute(_due(now))
            return [_to_session(row) for row in found]

    async def expire(self, now: dt.datetime) -> list[Session]:
        """Expire what is due, 100 at most, and give it back: to one caller in all processes."""
        async with self._database.write() as connection:
            due = [row.id for row in await connection.execute(_due(now))]
            flipped = await connection.execute(
                _close(EXPIRED, sessions.c.id.in_(due)).returning(*sessions.c)
            )
            expired = [_to_session(row) for row in flipped]
            await _forget_places(connection, [session.id for session in expired])
            return expired

    async def expired_unannounced(
        self, now: dt.datetime, surface: str, limit: int = _BATCH
    ) -> list[Session]:
        """Expired sessions of a surface whose thread was not told yet, the oldest first.

        Those that expired more than 48 hours ago, or whose run was forgotten, are left out.
        """
        announced = exists().where(
            outbox.c.run_id == sessions.c.run_id,
            outbox.c.kind == EXPIRED,
            outbox.c.state == "sent",
        )
        query = (
            select(sessions)
            .join(chat_runs, chat_runs.c.id == sessions.c.run_id)
            .where(
                sessions.c.status == EXPIRED,
                chat_runs.c.surface == surface,
                sessions.c.expires_at > utc(now - ANNOUNCE_WITHIN),
                ~announced,
            )
            .order_by(sessions.c.expires_at, sessions.c.id)
            .limit(max(limit, 0))
        )
        async with self._database.read() as connection:
            return [_to_session(row) for row in await connection.execute(query)]

    async def _one(self, *conditions: ColumnElement[bool]) -> Session | None:
        async with self._database.read() as connection:
            return await _find(connection, *conditions)


async def _forget_places(connection: AsyncConnection, session_ids: Sequence[str]) -> None:
    """Forget where the graphs of sessions waited that take no reply any more."""
    await connection.run_sync(checkpoint_rows.remove, session_ids)


def _close(status: str, *conditions: ColumnElement[bool]) -> Update:
    """The one way out of `open`: the condition and the change are one statement."""
    return update(sessions).where(*conditions, sessions.c.status == "open").values(status=status)


def _due(now: dt.datetime) -> Select[Any]:
    return (
        select(sessions)
        .where(sessions.c.status == "open", sessions.c.expires_at <= utc(now))
        .order_by(sessions.c.expires_at, sessions.c.id)
        .limit(_BATCH)
    )


def _in_thread(tenant: Tenant, channel: str, thread: str) -> tuple[ColumnElement[bool], ...]:
    return (
        of_tenant(sessions.c, tenant),
        exactly(sessions.c.channel, channel),
        exactly(sessions.c.thread, thread),
    )


async def _find(connection: AsyncConnection, *conditions: ColumnElement[bool]) -> Session | None:
    row = (await connection.execute(select(sessions).where(*conditions))).one_or_none()
    return None if row is None else _to_session(row)


async def _was_blanked(connection: AsyncConnection, session: Session) -> bool:
    mine = within(runs.c, session.workspace_id), exactly(runs.c.run_id, session.run_id)
    return bool(await connection.scalar(select(runs.c.blanked).where(*mine)))


def _to_row(session: Session) -> dict[str, Any]:
    return (
        session.model_dump(exclude={"tenant"})
        | tenant_values(session.tenant)
        | {
            "question": clean(session.question),
            "clarification": clean(session.clarification),
            "suggestions": [clean(suggestion) for suggestion in session.suggestions],
            "reply": clean(session.reply),
            "created_at": utc(session.created_at),
            "expires_at": utc(session.expires_at),
        }
    )


def _to_session(row: AnyRow) -> Session:
    values = dict(row._mapping)
    tenant = taken_tenant(values)
    return Session.model_validate(values | {"tenant": tenant})
