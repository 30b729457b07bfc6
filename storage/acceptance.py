"""Who is let in, and whose turn it is. All of it within a transaction of the caller's."""

import datetime as dt
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import sqlalchemy as sa

from masis.conversation import Acceptance, ChatRun, TeamSettings, Tenant
from masis.policy import QUEUE_LIMIT, QUEUE_LIMIT_PER_WORKSPACE
from storage.chat import requests, sessions
from storage.chat.scope import of_tenant
from storage.chat.standing import Standing, standing
from storage.rows import AnyRow, now
from storage.tables import chat_runs, team_settings
from storage.turns import take_turn

Enqueue = Callable[[sa.Connection, str, str], None]
"""Put the run of that id and workspace into the engine's queue."""

_A_MINUTE: Final = "Wait a minute and ask again."
_WHEN_DONE: Final = "Ask again when one of them is done."
_LATER: Final = "Ask again in some minutes."


def admit(connection: sa.Connection, run: ChatRun, enqueue: Enqueue) -> Acceptance:
    """Store the request, unless it is known, too much, or a reply that comes too late.

    The caller has taken its turn, so that nobody else is let in meanwhile.

    Raises:
        UnknownWorkspace: its tenant has no such workspace.
    """
    moment = now()
    found = standing(connection, run, moment)
    if found.is_known:
        return Acceptance(state="duplicate", run_id=run.id)
    if reason := _too_much(found):
        return Acceptance(state="over_quota", run_id=run.id, reason=reason)
    if run.session_id is not None and not _take_session(connection, run, moment):
        return Acceptance(state="too_late", run_id=run.id)
    _store(connection, run, moment, found, enqueue)
    return Acceptance(
        state="accepted",
        run_id=run.id,
        ahead=found.workspace_queued,
        behind_in_thread=found.thread_open > 0,
    )


def _store(
    connection: sa.Connection, run: ChatRun, moment: dt.datetime, found: Standing, enqueue: Enqueue
) -> None:
    """Write the request down, and queue it where it waits for nobody."""
    has_room = found.workspace_open - found.workspace_waiting < found.settings.workspace_running
    is_free = has_room and found.thread_open == 0 and found.workspace_waiting == 0
    fresh = {"attempt": 0, "accepted_at": moment, "finished_at": None}
    status = "queued" if is_free else "waiting"
    requests.insert(connection, run.model_copy(update=fresh | {"status": status}))
    if is_free:
        enqueue(connection, run.id, run.workspace_id)
    elif has_room:  # whether those that wait here wait for their threads, or let nobody past
        _let_through(connection, enqueue)


def let_through(connection: sa.Connection, enqueue: Enqueue) -> None:
    """Put every request into the queue that waits for nobody any more, the oldest first.

    A thread has one at a time, a workspace as many as its team allows. One that was cancelled
    waits for nobody: it only has to say so.
    """
    take_turn(connection)
    _let_through(connection, enqueue)


def _let_through(connection: sa.Connection, enqueue: Enqueue) -> None:
    waiting = _rows(connection, "waiting")
    if not waiting:
        return
    going = _rows(connection, "queued", "running")
    threads = {_thread(row) for row in going if row.thread}
    busy = Counter(row.workspace_id for row in going)
    limits: dict[Tenant, int] = {}
    for row in waiting:
        tenant = Tenant(enterprise=row.enterprise, team=row.team)
        if tenant not in limits:
            limits[tenant] = _workspace_running(connection, tenant)
        is_free = _thread(row) not in threads and busy[row.workspace_id] < limits[tenant]
        if is_free or row.cancelled_by:
            requests.mark(connection, row.id, "queued")
            enqueue(connection, row.id, row.workspace_id)
            busy[row.workspace_id] += 1
            if row.thread:
                threads.add(_thread(row))


def _rows(connection: sa.Connection, *statuses: str) -> list[AnyRow]:
    """What there is to know of the requests in these states, the oldest first."""
    run = chat_runs.c
    query = sa.select(
        run.id,
        run.enterprise,
        run.team,
        run.channel,
        run.thread,
        run.workspace_id,
        run.cancelled_by,
    )
    here = query.where(run.status.in_(statuses)).order_by(run.accepted_at, run.id)
    return list(connection.execute(here))


def _thread(row: AnyRow) -> tuple[Any, ...]:
    return row.enterprise, row.team, row.channel, row.thread


def _workspace_running(connection: sa.Connection, tenant: Tenant) -> int:
    query = sa.select(team_settings.c.settings).where(of_tenant(team_settings.c, tenant))
    found = connection.scalar(query)
    settings = TeamSettings() if found is None else TeamSettings.model_validate(found)
    return settings.workspace_running


def _take_session(connection: sa.Connection, run: ChatRun, moment: dt.datetime) -> bool:
    return sessions.take(
        connection,
        run.session_id or "",
        run.tenant,
        user=run.asker,
        reply=run.question,
        next_run_id=run.id,
        now=moment,
    )


def _too_much(found: Standing) -> str:
    """Why the request is refused, for its asker; empty when it is not."""
    limits = found.settings
    quotas = (
        (
            found.user_open,
            limits.user_running,
            f"{{}} of your questions are still being worked on. {_WHEN_DONE}",
        ),
        (
            found.user_last_minute,
            limits.user_per_minute,
            f"You asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            found.channel_last_minute,
            limits.channel_per_minute,
            f"This channel asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            found.workspace_last_minute,
            limits.workspace_per_minute,
            f"This workspace was asked {{}} questions within a minute. {_A_MINUTE}",
        ),
        (
            found.workspace_queued,
            QUEUE_LIMIT_PER_WORKSPACE,
            f"{{}} questions to this workspace wait already. {_LATER}",
        ),
        (found.queued, QUEUE_LIMIT, f"Too many questions wait already. {_LATER}"),
    )
    over = (reason.format(used) for used, limit, reason in quotas if used >= limit)
    return next(over, "")
