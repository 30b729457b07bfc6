"""Estimate how long a request is going to wait, told before it is taken in."""

import datetime as dt
from statistics import median
from typing import Final, NamedTuple

import sqlalchemy as sa

from masis.policy import TYPICAL_RUN_SECONDS
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

    It begins with the end that follows those of all before it, of its workspace or of everybody:
    who waits for its thread alone is told so instead.
    """
    allowed, own = snapshot.settings.workspace_running, snapshot.workspace_waiting
    is_crowded = snapshot.workspace_open - own >= allowed
    is_full = snapshot.going >= width
    if not (is_full or is_crowded):
        return Expected(snapshot.workspace_queued if snapshot.thread_open else own, 0.0)
    others = _served_before(connection, workspace_id, own) if is_full else 0
    ends = max((own + 1) / allowed if is_crowded else 0, (own + others + 1) / width)
    ahead = max(own + others, snapshot.workspace_queued)
    return Expected(ahead, ends * _work_seconds(connection, now))


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
    return median(took) if len(took) >= _FEWEST else TYPICAL_RUN_SECONDS
