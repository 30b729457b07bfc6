import asyncio
import contextlib
import datetime as dt
from collections.abc import AsyncIterator, Iterator
from functools import partial

import pytest
import sqlalchemy as sa

from masis.conversation import Acceptance, ChatRun, Session, TeamSettings, Tenant
from masis.domain import Workspace
from masis.errors import StoreUnavailable, UnknownWorkspace
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

TENANT = Tenant(enterprise="E1", team="T1")
NOW = dt.datetime.now(dt.UTC)
SECONDS = 20
"""Longer than in the program: the machine may have other things to do."""


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
async def test_a_hundred_requests_in_flight_share_a_few_transactions(
    desk: Desk, counted: Counted
) -> None:
    with counted.listening():
        results = await desk.accept(*(desk.ask(number) for number in range(100)))
    assert states(results) == ["accepted"] * 100
    assert counted.commits <= -(-100 // TOGETHER) + 1
    assert counted.statements <= 5 * 100


@pytest.mark.usefixtures("generous")
async def test_a_request_costs_as_many_statements_however_many_are_under_way(
    desk: Desk, counted: Counted
) -> None:
    with counted.listening():
        await desk.accept(desk.ask(0))
        alone, counted.statements = counted.statements, 0
    await desk.accept(*(desk.ask(number) for number in range(1, 80)))
    with counted.listening():
        await desk.accept(desk.ask(80))
    assert counted.statements <= alone


async def test_each_of_those_that_are_stored_together_has_its_own_result(desk: Desk) -> None:
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


async def test_those_that_ask_together_count_against_each_other(desk: Desk) -> None:
    same = [desk.ask(0) for _ in range(5)]
    assert sorted(states(await desk.accept(*same))) == ["accepted", *["duplicate"] * 4]
    one_person = [desk.ask(number, asker="U") for number in range(1, 6)]
    results = await desk.accept(*one_person)
    assert states(results) == [*["accepted"] * 2, *["over_quota"] * 3]


async def test_what_breaks_a_transaction_is_told_to_its_caller_alone(
    desk: Desk, database: Database, workspace: Workspace
) -> None:
    await Sessions(database).open(parked(workspace))
    broken = desk.ask(1, session_id="s", workspace_id="w_gone")
    results = await desk.accept(desk.ask(0), broken, desk.ask(2))
    assert states(results) == ["accepted", UnknownWorkspace.__name__, "accepted"]
    session = await Sessions(database).by_id(TENANT, "s")
    assert session is not None
    assert session.status == "open"


async def test_a_workspace_that_is_being_deleted_holds_up_nobody_else(postgres_url: str) -> None:
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


async def test_who_waits_for_a_row_is_refused_alone(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
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


async def test_who_was_told_that_nothing_was_stored_finds_nothing_stored(
    database: Database, workspace: Workspace, location: str
) -> None:
    desk = Desk(database, workspace, seconds=0.05)
    with locked(location):
        results = await desk.accept(*(desk.ask(number) for number in range(3)))
    assert states(results) == [StoreUnavailable.__name__] * 3
    await desk.admissions.close(5)
    assert await desk.stored() == []


async def test_a_caller_who_is_gone_takes_none_of_the_others_along(
    desk: Desk, location: str
) -> None:
    with locked(location):
        waiting = [asyncio.create_task(desk.admissions.accept(desk.ask(n))) for n in range(3)]
        await asyncio.sleep(0.05)
        waiting[1].cancel()
        await asyncio.sleep(0)
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert states(results) == ["accepted", asyncio.CancelledError.__name__, "accepted"]
    assert await desk.stored() == ["run-0", "run-2"]


async def test_requests_are_refused_when_too_many_wait(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.admission.admissions._WAITING", 2)
    results = await desk.accept(*(desk.ask(number) for number in range(4)))
    refused = StoreUnavailable.__name__
    assert states(results) == ["accepted", "accepted", refused, refused]


# --- in turn -------------------------------------------------------------------------------


async def test_the_place_in_the_queue_is_how_many_were_there_before(desk: Desk) -> None:
    results = await desk.accept(*(desk.ask(number, thread="1.0") for number in range(3)))
    told = [(r.ahead, r.behind_in_thread) for r in results if isinstance(r, Acceptance)]
    assert told == [(0, False), (1, True), (2, True)]
    assert desk.queued == ["run-0"]


async def test_a_request_passes_those_that_wait_for_their_thread(desk: Desk) -> None:
    await desk.accept(*(desk.ask(number, thread="1.0") for number in range(2)), desk.ask(2))
    assert desk.queued == ["run-0", "run-2"]


async def test_a_request_does_not_pass_those_that_waited_for_room(
    desk: Desk, database: Database
) -> None:
    limit = TeamSettings().workspace_running
    await desk.accept(*(desk.ask(number) for number in range(limit + 1)))
    roomier = TeamSettings(workspace_running=limit + 1, channel_per_minute=100)
    await TeamSettingsStore(database).save(TENANT, roomier)
    await desk.accept(desk.ask(99))
    assert desk.queued == [f"run-{number}" for number in range(limit + 1)]


async def test_ends_let_those_through_that_wait_the_oldest_first(
    desk: Desk, database: Database
) -> None:
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
