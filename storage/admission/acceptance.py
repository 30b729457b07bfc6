"""Decide who is let in, and who is served next.

All of it is within a transaction of the caller's.
"""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import sqlalchemy as sa

from masis.conversation import Acceptance, ChatRun, TeamSettings, Tenant
from masis.errors import UnknownWorkspace
from storage.admission.last_served import NEVER, STEP, note_served, when_served
from storage.admission.quota_settings import USUAL, Limits
from storage.admission.quota_snapshot import QuotaSnapshot, take_snapshot
from storage.admission.quotas import over_budget, too_long, too_much
from storage.admission.waiting import Expected, expected
from storage.chat import requests, sessions
from storage.sql.exclusive import take_admission_lock
from storage.sql.moments import instant
from storage.sql.rows import AnyRow
from storage.sql.scope import TENANT, of_tenant, tenant_of
from storage.sql.tables import chat_runs, executors, team_settings

Enqueue = Callable[[sa.Connection, str, str], None]
"""Put the run of that id and workspace into the engine's queue."""

_AT_ONCE: Final = 64
"""Requests that one transaction lets through; everybody's acceptance waits for it meanwhile."""


def admit(
    connection: sa.Connection,
    run: ChatRun,
    moment: dt.datetime,
    enqueue: Enqueue,
    limits: Limits = USUAL,
) -> Acceptance:
    """Store the request, unless it is known, too much, or a reply that comes too late.

    The caller has taken the admission lock, so that nobody else is let in meanwhile, and holds the
    workspace; `moment` is what time it is by the database.

    Raises:
        UnknownWorkspace: its tenant has no such workspace.
    """
    snapshot = take_snapshot(connection, run, moment)
    if snapshot.is_known:
        return Acceptance(state="duplicate", run_id=run.id)
    if not snapshot.has_workspace:
        raise UnknownWorkspace("There is no such workspace.")
    wait = expected(connection, run.workspace_id, snapshot, limits.width(snapshot.workers), moment)
    if refused := _refused(run, snapshot, wait, limits):
        return refused
    if run.session_id is not None and not _take_session(connection, run, moment):
        return Acceptance(state="too_late", run_id=run.id)
    begun = {"attempt": 0, "accepted_at": moment, "begun_at": None, "finished_at": None}
    _store(connection, run.model_copy(update=begun), snapshot, enqueue, limits, moment=moment)
    return Acceptance(
        state="accepted",
        run_id=run.id,
        ahead=wait.ahead,
        expected_wait_s=wait.seconds,
        behind_in_thread=snapshot.thread_open > 0,
    )


def _refused(
    run: ChatRun, snapshot: QuotaSnapshot, wait: Expected, limits: Limits
) -> Acceptance | None:
    """Why the request is not taken in; None when it is."""
    spent = over_budget(snapshot, limits.budget)
    reason = spent or too_much(snapshot) or too_long(wait.seconds)
    if not reason:
        return None
    return Acceptance(state="over_quota", run_id=run.id, reason=reason, over_budget=bool(spent))


def _store(
    connection: sa.Connection,
    run: ChatRun,
    snapshot: QuotaSnapshot,
    enqueue: Enqueue,
    limits: Limits,
    *,
    moment: dt.datetime,
) -> None:
    """Write the request down, and queue it where it waits for nobody."""
    has_room = (
        snapshot.workspace_open - snapshot.workspace_waiting < snapshot.settings.workspace_running
    )
    has_room = has_room and snapshot.going < limits.width(snapshot.workers)
    is_free = has_room and snapshot.thread_open == 0 and snapshot.workspace_waiting == 0
    status = "queued" if is_free else "waiting"
    requests.write_down(connection, run.model_copy(update={"status": status}))
    if is_free:
        enqueue(connection, run.id, run.workspace_id)
        note_served(connection, [run.workspace_id], moment.timestamp())
    elif has_room:  # whether those that wait here wait for their threads, or let nobody past
        _let_through(connection, enqueue, limits)


def let_through(connection: sa.Connection, enqueue: Enqueue, limits: Limits = USUAL) -> None:
    """Put requests into the queue that wait for nobody any more, workspaces in fair order.

    A thread has one at a time, a workspace as many as its team allows, all together as many as can
    be worked on: the engine's queue serves who came first, so that nobody is to wait in it for
    long. One that was cancelled waits for nobody: it only has to say so. Whoever is left over by a
    full transaction is let through at the end of one of those.
    """
    take_admission_lock(connection)
    _let_through(connection, enqueue, limits)


def _let_through(connection: sa.Connection, enqueue: Enqueue, limits: Limits) -> None:
    waiting = _rows(connection, "waiting")
    if not waiting:
        return
    capacity = _Capacity(connection, limits)
    passed = [row for row in waiting if row.cancelled_by][:_AT_ONCE]
    for row in passed:
        capacity.enter(row)
    waiting = [row for row in waiting if not row.cancelled_by]
    while len(passed) < _AT_ONCE and (first := capacity.next_of(waiting)) is not None:
        waiting.remove(first)
        capacity.enter(first)
        passed.append(first)
    passed = _in_hand(connection, passed)
    for row in passed:
        requests.mark(connection, row.id, "queued")
        enqueue(connection, row.id, row.workspace_id)
    note_served(connection, [row.workspace_id for row in passed], capacity.now)


def _in_hand(connection: sa.Connection, rows: Sequence[AnyRow]) -> list[AnyRow]:
    """Those that nobody else is changing or deleting: everybody waits for who waits here."""
    if not rows:
        return []
    here = sa.select(chat_runs.c.id).where(chat_runs.c.id.in_([row.id for row in rows]))
    free = set(connection.scalars(here.with_for_update(key_share=True, skip_locked=True)))
    return [row for row in rows if row.id in free]


class _Capacity:
    """Keep what is let through already, and decide who may follow."""

    def __init__(self, connection: sa.Connection, limits: Limits) -> None:
        going = _rows(connection, "queued", "running")
        self.now = instant(connection).timestamp()
        self._connection = connection
        workers = connection.scalar(sa.select(sa.func.count()).select_from(executors))
        self._room = limits.width(workers or 0) - len(going)
        self._threads = {_thread(row) for row in going if row.thread}
        self._busy = Counter(row.workspace_id for row in going)
        self._allowed: dict[Tenant, int] = {}
        self._last_served: dict[str, float] | None = None

    def next_of(self, waiting: Sequence[AnyRow]) -> AnyRow | None:
        """Return the next to be served.

        It is the oldest of the workspace that was last served longest ago.
        """
        if self._room <= 0:
            return None
        if self._last_served is None:
            names = {row.workspace_id for row in waiting}
            self._last_served = when_served(self._connection, names)
        last_served = self._last_served
        free = (row for row in waiting if self._is_free(row))
        return min(free, key=lambda row: last_served.get(row.workspace_id, NEVER), default=None)

    def enter(self, row: AnyRow) -> None:
        """One more is let through."""
        self._room -= 1
        self._busy[row.workspace_id] += 1
        if row.thread:
            self._threads.add(_thread(row))
        if self._last_served is not None:
            self._last_served[row.workspace_id] = self.now + STEP * self._busy.total()

    def _is_free(self, row: AnyRow) -> bool:
        tenant = tenant_of(row)
        if tenant not in self._allowed:
            self._allowed[tenant] = _workspace_running(self._connection, tenant)
        is_busy = self._busy[row.workspace_id] >= self._allowed[tenant]
        return not is_busy and _thread(row) not in self._threads


def _rows(connection: sa.Connection, *statuses: str) -> list[AnyRow]:
    """Read what there is to know of the requests in these states, the oldest first."""
    run = chat_runs.c
    query = sa.select(
        run.id,
        *(run[name] for name in TENANT),
        run.channel,
        run.thread,
        run.workspace_id,
        run.cancelled_by,
    )
    here = query.where(run.status.in_(statuses)).order_by(run.accepted_at, run.id)
    return list(connection.execute(here))


def _thread(row: AnyRow) -> tuple[Any, ...]:
    return tenant_of(row), row.channel, row.thread


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
        reply=run.reply,
        next_run_id=run.id,
        now=moment,
    )
