"""Estimate how long a request is going to wait, told before it is taken in."""

import datetime as dt
from statistics import median
from typing import Final, NamedTuple

import sqlalchemy as sa

from masis.policy import LEAST_RUN_SECONDS, MOST_RUN_SECONDS, TYPICAL_RUN_SECONDS
from storage.admission.quota_snapshot import QuotaSnapshot
from storage.sql.scope import utc
from storage.sql.tables import chat_runs

_RECENT: Final = dt.timedelta(hours=1)
_MOST: Final = 20
"""The newest answers of all workspaces; they say how fast things go now."""
_FEWEST: Final = 3


class Expected(NamedTuple):
    """Hold how many are served before it, and about how many seconds that takes."""

    ahead: int
    seconds: float


def expected(
    connection: sa.Connection,
    workspace_id: str,
    snapshot: QuotaSnapshot,
    width: int,
    now: dt.datetime,
) -> Expected:
    """The wait of a request that comes now, where `width` runs are at work at a time.

    So many runs of so many seconds each end one after another; the request begins with the end
    that follows those of all before it. Its thread, its workspace and the house may each be what it
    waits for: the longest counts.
    """
    allowed = snapshot.settings.workspace_running
    is_crowded = snapshot.workspace_open - snapshot.workspace_waiting >= allowed
    is_full = snapshot.going >= width
    if not (is_full or is_crowded or snapshot.thread_open or snapshot.workspace_waiting):
        return Expected(0, 0.0)
    work = _work_seconds(connection, now)
    own = snapshot.workspace_waiting
    ahead, waits = own, [snapshot.thread_open * work]
    if is_crowded:
        waits.append((own + 1) * work / allowed)
    if is_full:
        ahead += _served_before(connection, workspace_id, own)
        waits.append((ahead + 1) * work / width)
    return Expected(max(ahead, snapshot.workspace_queued), max(waits))


def _served_before(connection: sa.Connection, workspace_id: str, own: int) -> int:
    """Count how many of others are served before one that has `own` of its own before it."""
    run = chat_runs.c
    lines = (
        sa.select(sa.func.count())
        .where(run.status == "waiting", run.workspace_id != workspace_id)
        .group_by(run.workspace_id)
    )
    return sum(min(waiting, own + 1) for waiting in connection.scalars(lines))


def _work_seconds(connection: sa.Connection, now: dt.datetime) -> float:
    """Return how many seconds questions work.

    It is the middle time of those that were answered lately.

    Uploads of minutes and what was cancelled at once say nothing about a question.
    """
    run = chat_runs.c
    answered = (
        sa.select(run.begun_at, run.finished_at)
        .where(
            run.finished_at > utc(now) - _RECENT,
            run.status == "finished",
            run.kind != "upload",
            run.begun_at.is_not(None),
        )
        .order_by(run.finished_at.desc())
        .limit(_MOST)
    )
    took: list[float] = [
        (row.finished_at - row.begun_at).total_seconds() for row in connection.execute(answered)
    ]
    if len(took) < _FEWEST:
        return TYPICAL_RUN_SECONDS
    return min(MOST_RUN_SECONDS, max(LEAST_RUN_SECONDS, median(took)))
