"""Several processes let requests in and through at once: each `Database` here is one of them."""

import asyncio
import contextlib
import datetime as dt
from collections.abc import AsyncIterator
from functools import partial

import pytest
import sqlalchemy as sa

from masis.conversation import Acceptance, ChatRun, Session, TeamSettings, Tenant
from masis.domain import ParsedDocument, Workspace
from masis.errors import ProfileMismatch, StoreUnavailable
from storage.admission.acceptance import let_through
from storage.admission.admissions import Admissions
from storage.chat import requests
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.documents.repository import SqlRepository
from storage.sql import exclusive
from storage.sql.database import Database
from storage.sql.tables import chat_runs

TENANT = Tenant(enterprise="E1", team="T1")
NOW = dt.datetime.now(dt.UTC)
PROCESSES = 3
ASKED = 24
ALLOWED = 2
"""How many of a workspace's requests may be at work."""


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await repository.create_workspace(TENANT.owner, "acme")


@pytest.fixture
async def processes(location: str) -> AsyncIterator[list[Database]]:
    async with contextlib.AsyncExitStack() as closing:
        opened = []
        for _ in range(PROCESSES):
            database = await Database.open(location)
            closing.push_async_callback(database.close)
            opened.append(database)
        yield opened


def asked(number: int, workspace: Workspace, **more: object) -> ChatRun:
    values: dict[str, object] = {
        "id": f"run-{number}",
        "tenant": TENANT,
        "channel": "C1",
        "thread": f"{number % 3}.0" if number % 4 else "",
        "asker": f"U{number}",
        "question": "?",
        "query": "?",
        "workspace_id": workspace.id,
    }
    return ChatRun.model_validate(values | more)


class Process:
    """Accepts, takes what is queued, and ends it; looks each time whether too many are let in."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.admissions = Admissions(database, self.enqueue, seconds=20)

    def enqueue(self, connection: sa.Connection, run_id: str, workspace_id: str) -> None:
        """The status says it all."""

    async def work(self) -> None:
        while True:
            await self.check()
            if (run_id := await self.database.transact(self.begin)) is None:
                await asyncio.sleep(0.005)
            else:
                await self.database.transact(partial(self.end, run_id))

    def begin(self, connection: sa.Connection) -> str | None:
        queued = sa.select(chat_runs.c.id).where(chat_runs.c.status == "queued").limit(1)
        run_id: str | None = connection.scalar(queued.with_for_update(skip_locked=True))
        if run_id is not None:
            requests.mark(connection, run_id, "running")
        return run_id

    def end(self, run_id: str, connection: sa.Connection) -> None:
        requests.mark(connection, run_id, "finished")
        let_through(connection, self.enqueue)

    async def check(self) -> None:
        going = sa.select(chat_runs.c.thread).where(chat_runs.c.status.in_(["queued", "running"]))
        async with self.database.read() as connection:
            threads = list(await connection.scalars(going))
        in_threads = [thread for thread in threads if thread]
        assert len(threads) <= ALLOWED
        assert len(in_threads) == len(set(in_threads))


@contextlib.asynccontextmanager
async def at_work(desks: list[Process]) -> AsyncIterator[list[asyncio.Task[None]]]:
    working = [asyncio.create_task(desk.work()) for desk in desks]
    try:
        yield working
    finally:
        for task in working:
            task.cancel()
        for failed in await asyncio.gather(*working, return_exceptions=True):
            assert isinstance(failed, asyncio.CancelledError), failed


async def test_processes_share_one_admission_limit(
    processes: list[Database], workspace: Workspace
) -> None:
    """Of many processes none lets in too many and none forgets one."""
    generous = TeamSettings(
        workspace_running=ALLOWED, channel_per_minute=1000, workspace_per_minute=1000
    )
    await TeamSettingsStore(processes[0]).save(TENANT, generous)
    desks = [Process(database) for database in processes]
    async with at_work(desks) as working:
        accepted = await asyncio.gather(
            *(desks[n % PROCESSES].admissions.accept(asked(n, workspace)) for n in range(ASKED)),
            *(desks[n % 2].admissions.accept(asked(n, workspace)) for n in range(ASKED)),
        )
        states = [result.state for result in accepted]
        assert (states.count("accepted"), states.count("duplicate")) == (ASKED, ASKED)
        unfinished = sa.select(sa.func.count()).where(chat_runs.c.status != "finished")
        async with asyncio.timeout(20):
            while await processes[0].inspect(lambda look: look.scalar(unfinished)):
                assert not any(task.done() for task in working)
                await asyncio.sleep(0.01)


async def test_one_concurrent_reply_is_accepted(
    processes: list[Database], workspace: Workspace
) -> None:
    """Of replies to one question in several processes one is taken."""
    parked = Session(
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
    sessions = [Sessions(database) for database in processes]
    opened = await asyncio.gather(*(each.open(parked) for each in sessions))
    assert [session.id for session in opened] == ["s"] * PROCESSES
    desks = [Process(database) for database in processes]
    replies: list[Acceptance] = await asyncio.gather(
        *(
            desk.admissions.accept(asked(n, workspace, session_id="s"))
            for n, desk in enumerate(desks)
        )
    )
    assert sorted(reply.state for reply in replies) == ["accepted", "too_late", "too_late"]


async def test_simultaneous_sessions_leave_one_open(
    processes: list[Database], workspace: Workspace
) -> None:
    """Sessions that open in one thread at once leave one open."""
    base = Session(
        id="",
        tenant=TENANT,
        channel="C1",
        thread="1.0",
        asker="U0",
        kind="conflict",
        run_id="",
        workspace_id=workspace.id,
        question="?",
        clarification="?",
        created_at=NOW,
        expires_at=NOW + dt.timedelta(hours=1),
    )
    several = [base.model_copy(update={"id": f"s{n}", "run_id": f"r{n}"}) for n in range(PROCESSES)]
    sessions = [Sessions(database) for database in processes]
    await asyncio.gather(*(each.open(one) for each, one in zip(sessions, several, strict=True)))
    found = [await sessions[0].by_id(TENANT, one.id) for one in several]
    statuses = sorted(session.status for session in found if session is not None)
    assert statuses == ["cancelled", "cancelled", "open"]


async def test_processes_create_workspace_once(
    processes: list[Database],
) -> None:
    """A workspace is made bound and filled once by several processes."""
    repositories = [SqlRepository(database) for database in processes]
    made = await asyncio.gather(*(each.create_workspace("local", "new") for each in repositories))
    assert len({workspace.id for workspace in made}) == 1
    workspace = made[0]
    begun = await asyncio.gather(
        *(each.begin_version(workspace.id, "a.md", "h", 1) for each in repositories)
    )
    assert sorted(version.number for version in begun) == [1, 2, 3]
    parsed = ParsedDocument(format="md", title="", blocks=[])
    await asyncio.gather(
        *(
            each.activate(version, parsed, 0)
            for each, version in zip(repositories, begun, strict=True)
        )
    )
    document = await repositories[0].document(workspace.id, "a.md")
    assert document is not None
    assert document.version_number == 3
    bound = await asyncio.gather(
        *(each.bind_profile(workspace.id, f"p{n}") for n, each in enumerate(repositories)),
        return_exceptions=True,
    )
    assert [type(error) for error in bound if error] == [ProfileMismatch] * 2


async def test_stalled_transaction_blocks_nobody(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that stands still in its turn keeps nobody waiting."""
    monkeypatch.setattr(
        exclusive, "_TAKE_ADMISSION_LOCK", exclusive._TAKE_ADMISSION_LOCK.replace("3000", "50")
    )
    frozen, other = await Database.open(postgres_url), await Database.open(postgres_url)
    try:
        with pytest.raises(StoreUnavailable, match=r"took too long|went away"):  # noqa: PT012 - its end is what fails
            async with frozen.write() as connection:
                await connection.run_sync(exclusive.take_admission_lock)
                await other.transact(exclusive.take_admission_lock, urgent=True)
                await connection.execute(sa.text("SELECT 1"))
    finally:
        await frozen.close()
        await other.close()
