"""Who is let in, and whose turn it is. All of it within a transaction of the caller's."""

import datetime as dt
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import OPEN, Acceptance, ChatRun, TeamSettings, Tenant
from masis.policy import QUEUE_LIMIT, QUEUE_LIMIT_PER_WORKSPACE
from storage.chat import requests, sessions
from storage.chat.scope import of_tenant
from storage.rows import now
from storage.tables import chat_runs, team_settings

Enqueue = Callable[[AsyncConnection, str, str], Awaitable[None]]
"""Put the run of that id and workspace into the engine's queue."""

_A_MINUTE: Final = "Wait a minute and ask again."
_WHEN_DONE: Final = "Ask again when one of them is done."
_LATER: Final = "Ask again in some minutes."


async def admit(connection: AsyncConnection, run: ChatRun, enqueue: Enqueue) -> Acceptance:
    """Store the request, unless it is known, too much, or a reply that comes too late.

    Raises:
        UnknownWorkspace: its tenant has no such workspace.
    """
    if await requests.find(connection, run.id) is not None:
        return Acceptance(state="duplicate", run_id=run.id)
    moment = now()
    if reason := await _too_much(connection, run, moment):
        return Acceptance(state="over_quota", run_id=run.id, reason=reason)
    if run.session_id is not None and not await _take_session(connection, run, moment):
        return Acceptance(state="too_late", run_id=run.id)
    fresh = {"status": "waiting", "attempt": 0, "accepted_at": moment, "finished_at": None}
    accepted = run.model_copy(update=fresh)
    await requests.insert(connection, accepted)
    behind = await requests.open_in_thread(connection, run.tenant, run.channel, run.thread)
    await let_through(connection, enqueue)
    return Acceptance(
        state="accepted",
        run_id=run.id,
        ahead=await requests.ahead(connection, accepted),
        behind_in_thread=any(other.id != run.id for other in behind),
    )


async def let_through(connection: AsyncConnection, enqueue: Enqueue) -> None:
    """Put every request into the queue that waits for nobody any more, the oldest first.

    A thread has one at a time, a workspace as many as its team allows. One that was cancelled
    waits for nobody: it only has to say so.
    """
    query = sa.select(chat_runs).where(chat_runs.c.status.in_(sorted(OPEN)))
    rows = await connection.execute(query.order_by(chat_runs.c.accepted_at, chat_runs.c.id))
    opened = [requests.to_run(row) for row in rows]
    going = [run for run in opened if run.status != "waiting"]
    threads = {_thread(run) for run in going if run.thread}
    busy = Counter(run.workspace_id for run in going)
    limits: dict[Tenant, int] = {}
    for run in opened:
        if run.status != "waiting":
            continue
        if run.tenant not in limits:
            limits[run.tenant] = (await _settings(connection, run.tenant)).workspace_running
        is_free = _thread(run) not in threads and busy[run.workspace_id] < limits[run.tenant]
        if is_free or run.cancelled_by:
            await requests.mark(connection, run.id, "queued")
            await enqueue(connection, run.id, run.workspace_id)
            busy[run.workspace_id] += 1
            if run.thread:
                threads.add(_thread(run))


def _thread(run: ChatRun) -> tuple[Any, ...]:
    return run.tenant, run.channel, run.thread


async def _take_session(connection: AsyncConnection, run: ChatRun, moment: dt.datetime) -> bool:
    return await sessions.take(
        connection,
        run.session_id or "",
        run.tenant,
        user=run.asker,
        reply=run.question,
        next_run_id=run.id,
        now=moment,
    )


async def _too_much(connection: AsyncConnection, run: ChatRun, moment: dt.datetime) -> str:
    """Why the request is refused, for its asker; empty when it is not."""
    limits = await _settings(connection, run.tenant)
    count = await requests.counts(connection, run, moment)
    quotas = (
        (
            count.user_open,
            limits.user_running,
            f"{{}} of your questions are still being worked on. {_WHEN_DONE}",
        ),
        (
            count.user_last_minute,
            limits.user_per_minute,
            f"You asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            count.channel_last_minute,
            limits.channel_per_minute,
            f"This channel asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            count.workspace_last_minute,
            limits.workspace_per_minute,
            f"This workspace was asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            count.workspace_queued,
            QUEUE_LIMIT_PER_WORKSPACE,
            f"{{}} questions to this workspace wait already. {_LATER}",
        ),
        (count.queued, QUEUE_LIMIT, f"Too many questions wait already. {_LATER}"),
    )
    over = (reason.format(used) for used, limit, reason in quotas if used >= limit)
    return next(over, "")


async def _settings(connection: AsyncConnection, tenant: Tenant) -> TeamSettings:
    query = sa.select(team_settings.c.settings).where(of_tenant(team_settings.c, tenant))
    found = await connection.scalar(query)
    return TeamSettings() if found is None else TeamSettings.model_validate(found)
