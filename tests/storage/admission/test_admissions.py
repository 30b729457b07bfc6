import asyncio
import contextlib
import datetime as dt
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import TypeVar

import pytest
import sqlalchemy as sa

from masis.conversation import Acceptance, ChatRun, Session, TeamSettings, Tenant
from masis.domain import Workspace
from masis.errors import StoreUnavailable, TooBusy, UnknownWorkspace
from storage.admission import quotas
from storage.admission.acceptance import let_through
from storage.admission.admissions import TOGETHER, Admissions
from storage.chat import requests
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.documents.repository import SqlRepository
from storage.sql import postgres
from storage.sql.database import Database
from storage.sql.tables import sessions, workspaces
from tests.storage.beside import locked

T = TypeVar("T")

TENANT = Tenant(enterprise="E1", team="T1")
NOW = dt.datetime.now(dt.UTC)
SECONDS = 120
"""Longer than in the program: the machine may have other things to do."""
BY_THE_CLOCK = 20
"""Where a clock of the test's own says how long things take."""


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await repository.create_workspace(TENANT.owner, "acme")


@pytest.fixture
async def generous(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everybody ask as much as they like."""
    monkeypatch.setattr(quotas, "QUEUE_LIMIT", 10_000)
    monkeypatch.setattr(quotas, "QUEUE_LIMIT_PER_WORKSPACE", 10_000)
    settings = TeamSettings(channel_per_minute=1000, workspace_per_minute=1000)
    await TeamSettingsStore(database).save(TENANT, settings)


class Desk:
    """Admissions, and what they put into the queue."""

    def __init__(self, database: Database, workspace: Workspace, seconds: float) -> None:
        self.runs = ChatRuns(database)
        self.queued: list[str] = []
        self.admissions = Admissions(database, self.enqueue, seconds=seconds)
        self._workspace = workspace

    def enqueue(self, _connection: sa.Connection, run_id: str, _workspace_id: str) -> None:
        self.queued.append(run_id)

    def ask(self, number: int, **more: object) -> ChatRun:
        values: dict[str, object] = {
            "id": f"run-{number}",
            "tenant": TENANT,
            "channel": "C1",
            "asker": f"U{number}",
            "question": "When does the office open?",
            "query": "When does the office open?",
            "workspace_id": self._workspace.id,
        }
        return ChatRun.model_validate(values | more)

    async def accept(self, *runs: ChatRun) -> list[Acceptance | BaseException]:
        return await asyncio.gather(
            *(self.admissions.accept(run) for run in runs), return_exceptions=True
        )

    async def stored(self) -> list[str]:
        return [run.id for run in await self.runs.open_runs(None)]


@pytest.fixture
def desk(database: Database, workspace: Workspace) -> Desk:
    return Desk(database, workspace, SECONDS)


class Counted:
    """Statements and commits of every connection of this process."""

    def __init__(self) -> None:
        self.statements = 0
        self.commits = 0

    def statement(self, *_: object) -> None:
        self.statements += 1

    def commit(self, *_: object) -> None:
        self.commits += 1

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        listeners = ("before_cursor_execute", self.statement), ("commit", self.commit)
        for name, listener in listeners:
            sa.event.listen(sa.Engine, name, listener)
        try:
            yield
        finally:
            for name, listener in listeners:
                sa.event.remove(sa.Engine, name, listener)


@pytest.fixture
def counted() -> Counted:
    return Counted()


def states(results: list[Acceptance | BaseException]) -> list[str]:
    return [
        result.state if isinstance(result, Acceptance) else type(result).__name__
        for result in results
    ]


def parked(workspace: Workspace) -> Session:
    """A question back to who asked."""
    return Session(
        id="s",
        tenant=TENANT,
        channel="C1",
        thread="1.0",
        asker="U0",
        kind="conflict",
        run_id="before",
        workspace_id=workspace.id,
        question="When?",
        clarification="Which one counts?",
        created_at=NOW,
        expires_at=NOW + dt.timedelta(hours=1),
    )


# --- together ------------------------------------------------------------------------------


@pytest.mark.usefixtures("generous")
async def test_hundred_requests_share_few_transactions(desk: Desk, counted: Counted) -> None:
    """A hundred requests in flight share a few transactions."""
    with counted.listening():
        results = await desk.accept(*(desk.ask(number) for number in range(100)))
    assert states(results) == ["accepted"] * 100
    assert counted.commits <= -(-100 // TOGETHER) + 1
    assert counted.statements <= 5 * 100


@pytest.mark.usefixtures("generous")
async def test_statements_per_request_stay_constant(desk: Desk, counted: Counted) -> None:
    """A request costs as many statements however many are under way."""
    with counted.listening():
        await desk.accept(desk.ask(0))
        alone, counted.statements = counted.statements, 0
    await desk.accept(*(desk.ask(number) for number in range(1, 80)))
    with counted.listening():
        await desk.accept(desk.ask(80))
    assert counted.statements <= alone


async def test_batched_requests_get_own_results(desk: Desk) -> None:
    """Each of those that are stored together has its own result."""
    known = desk.ask(0)
    await desk.accept(known)
    results = await desk.accept(
        known,
        desk.ask(1),
        desk.ask(2, tenant=Tenant(team="T2")),
        desk.ask(3, session_id="s-unknown"),
        desk.ask(4, asker="U1"),
        desk.ask(5, asker="U1"),
    )
    assert states(results) == [
        "duplicate",
        "accepted",
        UnknownWorkspace.__name__,
        "too_late",
        "accepted",
        "over_quota",
    ]
    assert await desk.stored() == ["run-0", "run-1", "run-4"]


async def test_batched_requests_count_against_each_other(desk: Desk) -> None:
    """Those that ask together count against each other."""
    same = [desk.ask(0) for _ in range(5)]
    assert sorted(states(await desk.accept(*same))) == ["accepted", *["duplicate"] * 4]
    one_person = [desk.ask(number, asker="U") for number in range(1, 6)]
    results = await desk.accept(*one_person)
    assert states(results) == [*["accepted"] * 2, *["over_quota"] * 3]


async def test_batch_error_reaches_only_its_caller(
    desk: Desk, database: Database, workspace: Workspace
) -> None:
    """What breaks a transaction is told to its caller alone."""
    await Sessions(database).open(parked(workspace))
    broken = desk.ask(1, session_id="s", workspace_id="w_gone")
    results = await desk.accept(desk.ask(0), broken, desk.ask(2))
    assert states(results) == ["accepted", UnknownWorkspace.__name__, "accepted"]
    session = await Sessions(database).by_id(TENANT, "s")
    assert session is not None
    assert session.status == "open"


async def test_workspace_deletion_delays_no_other(postgres_url: str) -> None:
    """A workspace that is being deleted holds up nobody else."""
    database = await Database.open(postgres_url)
    try:
        repository = SqlRepository(database)
        going = await repository.create_workspace(TENANT.owner, "going")
        other = Tenant(team="T2")
        staying = await repository.create_workspace(other.owner, "staying")
        settings = TeamSettings(workspace_running=1)
        await TeamSettingsStore(database).save(TENANT, settings)
        desk = Desk(database, going, SECONDS)
        await desk.accept(desk.ask(0), desk.ask(1))
        async with database.write() as connection:
            await connection.execute(sa.delete(workspaces).where(workspaces.c.id == going.id))
            its_own = {"tenant": other, "workspace_id": staying.id, "thread": ""}
            await database.transact(partial(let_through, enqueue=desk.enqueue), urgent=True)
            results = await desk.accept(desk.ask(2), desk.ask(3, **its_own))
        assert states(results) == [StoreUnavailable.__name__, "accepted"]
        assert desk.queued == ["run-0", "run-3"]
        assert states(await desk.accept(desk.ask(4))) == [UnknownWorkspace.__name__]
        await desk.admissions.close(5)
    finally:
        await database.close()


async def test_row_lock_refuses_only_its_waiter(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who waits for a row is refused alone."""
    monkeypatch.setitem(postgres._URGENT, "lock_timeout", 20)
    database = await Database.open(postgres_url)
    try:
        workspace = await SqlRepository(database).create_workspace(TENANT.owner, "acme")
        await Sessions(database).open(parked(workspace))
        desk = Desk(database, workspace, SECONDS)
        async with database.write() as connection:
            await connection.execute(sa.update(sessions).values(reply="another one's"))
            results = await desk.accept(desk.ask(0), desk.ask(1, session_id="s"), desk.ask(2))
        assert states(results) == ["accepted", StoreUnavailable.__name__, "accepted"]
        assert await desk.stored() == ["run-0", "run-2"]
    finally:
        await database.close()


# --- in time -------------------------------------------------------------------------------


async def test_refused_caller_finds_nothing_stored(
    database: Database, workspace: Workspace, location: str
) -> None:
    """Who was told that nothing was stored finds nothing stored."""
    desk = Desk(database, workspace, seconds=0.05)
    with locked(location):
        results = await desk.accept(*(desk.ask(number) for number in range(3)))
    assert states(results) == [StoreUnavailable.__name__] * 3
    await desk.admissions.close(5)
    assert await desk.stored() == []


async def test_departed_caller_leaves_others_unharmed(desk: Desk, location: str) -> None:
    """A caller who is gone takes none of the others along."""
    with locked(location):
        waiting = [asyncio.create_task(desk.admissions.accept(desk.ask(n))) for n in range(3)]
        await asyncio.sleep(0.05)
        waiting[1].cancel()
        await asyncio.sleep(0)
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert states(results) == ["accepted", asyncio.CancelledError.__name__, "accepted"]
    assert await desk.stored() == ["run-0", "run-2"]


async def test_excess_waiting_requests_are_refused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests are refused when too many wait."""
    monkeypatch.setattr("storage.admission.admissions._WAITING", 2)
    results = await desk.accept(*(desk.ask(number) for number in range(4)))
    assert states(results) == ["accepted", "accepted", *[TooBusy.__name__] * 2]


class SlowDatabase:
    """A database whose transactions take their time by a clock that nothing else moves."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.took: list[float] = []
        self.seconds = 0.0
        """Of the next transactions."""
        self._database = database
        self._now = 1000.0
        monkeypatch.setattr("storage.admission.admissions.monotonic", lambda: self._now)

    async def transact(self, work: Callable[[sa.Connection], T], *, urgent: bool) -> T:
        self.took.append(self.seconds)
        done = await self._database.transact(work, urgent=urgent)
        self._now += self.seconds
        return done


@pytest.fixture
def slow(
    desk: Desk, database: Database, monkeypatch: pytest.MonkeyPatch, generous: None
) -> tuple[Desk, SlowDatabase]:
    del generous
    double = SlowDatabase(database, monkeypatch)
    desk.admissions = Admissions(double, desk.enqueue, seconds=BY_THE_CLOCK)  # type: ignore[arg-type] # of it this alone is used
    return desk, double


async def test_who_would_be_late_is_refused(slow: tuple[Desk, SlowDatabase]) -> None:
    """Only as many are let in as can be stored in time, and the others cost no transaction."""
    desk, database = slow
    database.seconds = 4.5
    await desk.accept(desk.ask(0))  # alone it pays for a whole commit: a ninth of it counts
    results = await desk.accept(*(desk.ask(number) for number in range(1, 41)))
    assert states(results) == ["accepted"] * 28 + [TooBusy.__name__] * 12
    assert database.took == [4.5] * 3, "16 and 12 together, and nothing for who is refused"
    assert len(await desk.stored()) == 29


async def test_late_ones_are_turned_away_unstored(slow: tuple[Desk, SlowDatabase]) -> None:
    """Whose time is over by the time they could be stored costs nothing; one tells the pace."""
    desk, database = slow
    database.seconds = 17.0
    results = await desk.accept(*(desk.ask(number) for number in range(40)))
    refused = [TooBusy.__name__] * 31
    assert states(results) == ["accepted"] * 8 + refused + ["accepted"]
    assert database.took == [17.0, 17.0]
    assert len(await desk.stored()) == 9


async def test_slow_database_stores_few_together(slow: tuple[Desk, SlowDatabase]) -> None:
    """All of a transaction wait for its end, which has to be in time."""
    desk, database = slow
    for first, seconds, transactions in ((0, 11.0, 1), (8, 6.0, 2)):
        database.seconds = seconds
        database.took.clear()
        results = await desk.accept(*(desk.ask(first + number) for number in range(8)))
        assert states(results) == ["accepted"] * 8
        assert len(database.took) == transactions


async def test_slow_moment_closes_no_door(slow: tuple[Desk, SlowDatabase]) -> None:
    """After a transaction that took minutes the next request is tried, and soon many are let in."""
    desk, database = slow
    database.seconds = 600.0
    await desk.accept(*(desk.ask(number) for number in range(8)))
    database.seconds = 0.001
    for _ in range(20):
        again = await desk.accept(*(desk.ask(number) for number in range(8)))
        assert states(again)[0] == "duplicate"
    assert states(again) == ["duplicate"] * 8


async def test_slow_commit_is_waited_for(
    database: Database, workspace: Workspace, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To leave out who is being stored would store all the others of the transaction again."""
    monkeypatch.setattr("storage.admission.admissions._COMMIT_SECONDS", SECONDS)
    desk = Desk(database, workspace, seconds=0.02)
    with locked(location):
        accepting = asyncio.ensure_future(desk.accept(*(desk.ask(number) for number in range(3))))
        await asyncio.wait([accepting], timeout=0.1)
    assert states(await accepting) == ["accepted"] * 3


async def test_silent_database_is_no_rush(
    database: Database, workspace: Workspace, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who waits behind a transaction that comes to nothing is told that the database is away."""
    monkeypatch.setattr("storage.admission.admissions.TOGETHER", 2)
    desk = Desk(database, workspace, seconds=0.05)
    with locked(location):
        results = await desk.accept(*(desk.ask(number) for number in range(4)))
    assert states(results) == [StoreUnavailable.__name__] * 4
    await desk.admissions.close(5)
    assert await desk.stored() == []


# --- in turn -------------------------------------------------------------------------------


async def test_queue_position_counts_earlier_requests(desk: Desk) -> None:
    """The place in the queue is how many were there before."""
    results = await desk.accept(*(desk.ask(number, thread="1.0") for number in range(3)))
    told = [(r.ahead, r.behind_in_thread) for r in results if isinstance(r, Acceptance)]
    assert told == [(0, False), (1, True), (2, True)]
    assert desk.queued == ["run-0"]


async def test_request_passes_those_awaiting_their_thread(desk: Desk) -> None:
    """A request passes those that wait for their thread."""
    await desk.accept(*(desk.ask(number, thread="1.0") for number in range(2)), desk.ask(2))
    assert desk.queued == ["run-0", "run-2"]


async def test_request_does_not_pass_queued_ones(desk: Desk, database: Database) -> None:
    """A request does not pass those that waited for room."""
    limit = TeamSettings().workspace_running
    await desk.accept(*(desk.ask(number) for number in range(limit + 1)))
    roomier = TeamSettings(workspace_running=limit + 1, channel_per_minute=100)
    await TeamSettingsStore(database).save(TENANT, roomier)
    await desk.accept(desk.ask(99))
    assert desk.queued == [f"run-{number}" for number in range(limit + 1)]


async def test_ended_runs_admit_oldest_first(desk: Desk, database: Database) -> None:
    """Ends let those through that wait the oldest first."""
    limit = TeamSettings().workspace_running
    await desk.accept(*(desk.ask(number) for number in range(limit + 2)))
    desk.queued.clear()

    def end(connection: sa.Connection) -> None:
        requests.mark(connection, "run-0", "finished")
        let_through(connection, desk.enqueue)

    await database.transact(end)
    assert desk.queued == [f"run-{limit}"]


@pytest.fixture(autouse=True)
async def _nothing_is_left(desk: Desk) -> AsyncIterator[None]:
    yield
    await desk.admissions.close(5)
