import datetime as dt

import pytest

from masis.conversation import TeamSettings
from masis.domain import Workspace
from storage.chat import deduplication
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.documents.repository import SqlRepository
from storage.jobs.chat_jobs import ChatJob, ChatJobs
from storage.privacy import retention
from storage.privacy.retention import Keep, Retention, Swept
from storage.sql.database import Database
from storage.sql.rows import now
from tests.storage.chat.samples import NOON, OURS, a_run, a_session, insert, keep

DAY = dt.timedelta(days=1)
NOTHING = Swept(claims=0, sessions=0, runs=0)


async def test_ended_runs_expire_after_month(
    database: Database, workspace: Workspace, repository: SqlRepository
) -> None:
    """Ended runs go after thirty days with all that hangs on them."""
    old = a_run("old", workspace, status="finished", finished_at=NOON)
    newer = a_run("newer", workspace, status="failed", finished_at=NOON + DAY)
    still_open = a_run("open", workspace, status="running")
    await insert(database, old, newer, still_open)
    outbox = Outbox(database)
    for run in (old, newer):
        await keep(database, run)
        await outbox.begin(run.id, "answer", 0, "C1", "1.1")

    assert await Retention(database).sweep(NOON + 30 * DAY) == NOTHING
    later = NOON + 30 * DAY + dt.timedelta(seconds=1)
    assert await Retention(database).sweep(later) == Swept(claims=0, sessions=0, runs=1)

    left = await ChatRuns(database).recent(OURS, 9)
    assert {run.id for run in left} == {"newer", "open"}
    assert await outbox.of("old") == []
    assert len(await outbox.of("newer")) == 1
    assert await repository.run(workspace.id, "old") is None
    assert await repository.run(workspace.id, "newer") is not None


async def test_only_ended_sessions_expire(database: Database, workspace: Workspace) -> None:
    """Sessions that are over go and open ones stay."""
    sessions = Sessions(database)
    over = NOON - 30 * DAY - dt.timedelta(seconds=1)
    await sessions.open(a_session("old", workspace, thread="1", expires_at=over))
    await sessions.expire(NOON)
    await sessions.open(a_session("overdue", workspace, thread="2", expires_at=over))
    await sessions.open(a_session("newer", workspace, thread="3", expires_at=NOON))
    await sessions.cancel(OURS, "newer", "U1")
    assert await Retention(database).sweep(NOON) == Swept(claims=0, sessions=1, runs=0)
    assert await sessions.by_id(OURS, "old") is None
    assert await sessions.by_id(OURS, "overdue") is not None
    assert await sessions.by_id(OURS, "newer") is not None


async def test_claims_go_after_a_day(database: Database) -> None:
    async with database.write() as connection:
        await deduplication.take(connection, OURS, "old", NOON)
        await deduplication.take(connection, OURS, "newer", NOON + dt.timedelta(seconds=2))
    later = NOON + DAY + dt.timedelta(seconds=1)
    assert (await Retention(database).sweep(later)).claims == 1


async def test_jobs_go_a_day_after_they_were_due(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody takes them up in a chat that is served no more, and they hold somebody's words."""
    erased: list[bool] = []

    async def erase() -> None:
        erased.append(True)

    monkeypatch.setattr(database, "erase_traces", erase)
    await ChatJobs(database).add(ChatJob(id="old", tenant=OURS, user="ann", work="Her words."))
    assert await Retention(database).sweep(now() + DAY - dt.timedelta(minutes=1)) == NOTHING
    assert not erased
    swept = await Retention(database).sweep(now() + DAY + dt.timedelta(minutes=1))
    assert swept == Swept(claims=0, sessions=0, runs=0, jobs=1)
    assert await ChatJobs(database).left(OURS.chat) == 0
    assert erased


async def test_operator_sets_retention_periods(database: Database, workspace: Workspace) -> None:
    """The operator sets how long things are kept."""
    await insert(database, a_run("run-1", workspace, status="finished", finished_at=NOON))
    await TeamSettingsStore(database).save(OURS, TeamSettings(guests=True))
    short = Retention(database, Keep(runs=DAY))
    assert await short.sweep(NOON + 2 * DAY) == Swept(claims=0, sessions=0, runs=1)
    assert (await TeamSettingsStore(database).of(OURS)).guests


async def test_sweep_uses_several_small_transactions(
    database: Database, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sweep takes several small transactions and leaves the rest to the next."""
    monkeypatch.setattr(retention, "_BATCH", 2)
    monkeypatch.setattr(retention, "_BATCHES", 2)
    old = [a_run(f"run-{n}", workspace, status="failed", finished_at=NOON) for n in range(5)]
    await insert(database, *old)
    sweeps = [(await Retention(database).sweep(NOON + 31 * DAY)).runs for _ in range(3)]
    assert sweeps == [4, 1, 0]
