"""Several workers on one database: each is a process; this one watches another one die."""

import asyncio
import contextlib
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from masis.conversation import ChatRun
from masis.domain import Workspace
from masis.errors import RunInterrupted, RunTakenOver, StoreLocked
from masis.policy import RUN_ATTEMPTS
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.durable.execution import current
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from tests.postgres import administer
from tests.storage.beside import kept_steps, sqlite_alone
from tests.storage.durable_run import Asking, WaitingCritic, stocked
from tests.storage.worker_run import Posting, lines

ROOT = Path(__file__).parents[3]
GIVEN_TO_A_GHOST = "UPDATE dbos.workflow_status SET status='PENDING', executor_id='ghost'"
postgres_alone = pytest.mark.parametrize("location", ["postgres"], indirect=True)


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await stocked(repository)


@pytest.fixture
def ask(repository: SqlRepository, workspace: Workspace) -> Callable[..., ChatRun]:
    return Asking(repository, workspace).request


@pytest.fixture
async def engines(database: Database) -> AsyncIterator[list[DbosEngine]]:
    """Two: one to work here, one that only accepts."""
    made = [
        await DbosEngine.open(
            database, poll_seconds=0.02, heartbeat_seconds=0.2, ttl_seconds=2.0, retry_seconds=0.01
        )
        for _ in range(2)
    ]
    yield made
    for engine in made:
        await engine.stop(0)


@dataclass(frozen=True)
class Place:
    """Where all of them work."""

    database: Database
    location: str
    workspace: Workspace
    posts: Path

    def posting(self) -> Posting:
        """A handler for this process that posts to where the others do."""
        return Posting(self.database, self.workspace, self.posts)


@pytest.fixture
def place(database: Database, location: str, workspace: Workspace, tmp_path: Path) -> Place:
    return Place(database, location, workspace, tmp_path / "posts.txt")


@asynccontextmanager
async def worker(place: Place, fate: str) -> AsyncIterator[Process]:
    """Another worker."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.storage.worker_run", place.location, str(place.posts), fate),
        cwd=ROOT,
        stdin=PIPE,
        stdout=PIPE,
    )
    try:
        yield child
    finally:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        await child.wait()


async def says(child: Process, word: str) -> None:
    assert child.stdout is not None
    async with asyncio.timeout(60):
        assert await child.stdout.readline() == f"{word}\n".encode()


async def becomes(database: Database, run_id: str, how: str) -> ChatRun:
    async with asyncio.timeout(30):
        while True:
            found = await ChatRuns(database).get(None, run_id)
            assert found is not None
            if found.status == how:
                return found
            await asyncio.sleep(0.01)


# --- death ---------------------------------------------------------------------------------


@pytest.mark.long
@postgres_alone
async def test_a_frozen_worker_is_declared_dead_and_posts_nothing_when_it_wakes(
    engines: list[DbosEngine],
    database: Database,
    ask: Callable[..., ChatRun],
    place: Place,
) -> None:
    await engines[1].accept(ask())
    async with worker(place, "freezes") as child:
        await says(child, "reached")
        child.send_signal(signal.SIGSTOP)
        here = place.posting()
        await engines[0].start(here)
        await becomes(database, "run", "finished")
        assert here.asking.cast.critic.asked == [], "what was done is read back"
        child.send_signal(signal.SIGCONT)
        assert child.stdin is not None
        child.stdin.write(b"go on\n")
        await says(child, "taken over")
        child.terminate()
        assert await child.wait() == 0
    assert lines(place.posts) == ["run answer"]
    assert (await becomes(database, "run", "finished")).attempt > 1


@postgres_alone
async def test_a_worker_that_ends_hands_its_runs_over_at_once(
    database: Database,
    ask: Callable[..., ChatRun],
    place: Place,
) -> None:
    patient = await DbosEngine.open(database, poll_seconds=0.02, ttl_seconds=600)
    try:
        await patient.accept(ask())
        async with worker(place, "hangs") as child:
            await says(child, "reached")
            await patient.start(place.posting())
            child.terminate()
            await becomes(database, "run", "finished")
            assert await child.wait() == 0
        assert (await becomes(database, "run", "finished")).attempt == 1
    finally:
        await patient.stop(0)
    assert lines(place.posts) == ["run answer"]
    assert sql(place.location, "SELECT id FROM executors") == []


@postgres_alone
async def test_a_run_that_killed_its_workers_is_apologised_for_once(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun], place: Place
) -> None:
    await engines[1].accept(ask())
    await ChatRuns(database).mark("run", "running", attempt=RUN_ATTEMPTS)
    sql(place.location, GIVEN_TO_A_GHOST)
    await engines[0].start(place.posting())
    await becomes(database, "run", "failed")
    assert lines(place.posts) == ["run sorry"]


@sqlite_alone
async def test_one_process_works_on_a_file_and_its_successor_goes_on_at_once(
    engines: list[DbosEngine],
    database: Database,
    ask: Callable[..., ChatRun],
    place: Place,
) -> None:
    await engines[1].accept(ask())
    async with worker(place, "hangs") as child:
        await says(child, "reached")
        with pytest.raises(StoreLocked, match=r"Another MASIS process works .* PostgreSQL"):
            await engines[0].start(place.posting())
        assert await engines[1].cancel("run", "U1"), "the others can say something all the same"
        child.kill()
        await child.wait()
    await engines[1].start(place.posting())
    await becomes(database, "run", "cancelled")


# --- runs that nobody is at ----------------------------------------------------------------


@dataclass
class Waiting:
    """Waits in a step of each run, until its gate is open."""

    got: list[ChatRun] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, run: ChatRun) -> None:
        self.got.append(run)
        execution = current()
        assert execution is not None
        if run.cancelled_by:
            return
        try:
            await execution.step(self.gate.wait)
        except RunInterrupted as why:
            self.told.append(type(why).__name__)
            raise


def sql(location: str, statement: str) -> list[tuple[str, ...]]:
    """Somebody does something to the server's tables, and sees what comes of it."""
    with psycopg.connect(location, autocommit=True) as connection:
        done = connection.execute(statement.encode())
        return done.fetchall() if done.description else []


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not happened():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)


@postgres_alone
async def test_runs_of_a_process_that_is_in_no_table_go_on_too(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun], location: str
) -> None:
    for name in ("one", "two"):
        await engines[1].accept(ask(name))
    sql(location, GIVEN_TO_A_GHOST)
    here = Waiting()
    here.gate.set()
    await engines[0].start(here)
    for name in ("one", "two"):
        await becomes(database, name, "finished")
    assert sql(location, "SELECT id FROM executors WHERE id = 'ghost'") == []


async def test_a_run_that_was_let_go_of_is_taken_up_again(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun]
) -> None:
    """As after an outage of the database that was longer than the engine's patience."""

    async def leaves(run: ChatRun) -> None:
        if run.attempt == 1:
            raise RunTakenOver

    await engines[0].start(leaves)
    await engines[1].accept(ask())
    assert (await becomes(database, "run", "finished")).attempt > 1


@postgres_alone
async def test_a_run_that_came_and_went_between_two_looks_is_not_queued_while_it_comes_again(
    engines: list[DbosEngine], ask: Callable[..., ChatRun], location: str
) -> None:
    """It is seen between its end and the note of it, and then between its coming and its start."""

    async def leaves(_run: ChatRun) -> None:
        raise RunTakenOver

    engine = engines[0]
    worker, failover = engine._worker, engine._failover
    worker.begin(leaves, None)
    await engine.accept(ask())
    sql(location, GIVEN_TO_A_GHOST.replace("ghost", engine._workflows.executor))
    await failover._take_back()
    with pytest.raises(RunTakenOver):
        await asyncio.create_task(worker.work("run"))
    states = []
    for _ in range(2):
        await failover._take_back()
        states += sql(location, "SELECT status FROM dbos.workflow_status")
    assert states == [("PENDING",), ("ENQUEUED",)]


async def test_a_run_is_cancelled_from_another_process(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun]
) -> None:
    here = Waiting()
    await engines[0].start(here)
    await engines[1].accept(ask())
    await until(lambda: here.got != [])
    assert await engines[1].cancel("run", "U7")
    await becomes(database, "run", "cancelled")
    assert here.told == ["RunCancelled"]
    assert [run.cancelled_by for run in here.got] == ["", "U7"]


async def test_an_attempt_that_was_taken_over_is_broken_off_and_ends_without_a_word(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun]
) -> None:
    here = Waiting()
    await engines[0].start(here)
    await engines[1].accept(ask())
    await until(lambda: here.got != [])
    await ChatRuns(database).mark("run", "running", attempt=2)
    await until(lambda: here.told != [])
    assert here.told == ["RunTakenOver"]
    # It is still given to this process, so that it is taken up: as the attempt after the other's.
    await until(lambda: len(here.got) == 2)
    assert here.got[1].attempt == 3


async def test_a_late_attempt_neither_ends_the_run_nor_begins_a_message(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun]
) -> None:
    refused: list[str] = []

    async def late(run: ChatRun) -> None:
        if run.attempt > 1:
            return
        await ChatRuns(database).mark(run.id, "running", attempt=2)
        try:
            await Outbox(database).begin(run.id, "answer", 0, "C1", "1.0")
        except RunTakenOver:
            refused.append(run.id)

    await engines[1].accept(ask())
    await engines[0].start(late)
    await until(lambda: refused == ["run"])
    # Handed on by who stops, not by the rounds of a watch, which may come while it is about to begin.
    await engines[0].stop(0)
    await engines[1].start(late)
    assert (await becomes(database, "run", "finished")).attempt == 3
    assert refused == ["run"]
    assert await Outbox(database).of("run") == []


async def test_what_another_process_deletes_from_is_forgotten_at_the_end(
    engines: list[DbosEngine],
    database: Database,
    workspace: Workspace,
    ask: Callable[..., ChatRun],
    location: str,
) -> None:
    critic = WaitingCritic()
    asking = Asking(SqlRepository(database), workspace, critic)
    await engines[0].start(asking)
    await engines[1].accept(ask())
    await critic.reached.wait()
    await engines[1].forget(workspace.id)
    assert kept_steps(location)
    critic.gate.set()
    await becomes(database, "run", "finished")
    await until(lambda: kept_steps(location) == [])


@postgres_alone
async def test_the_watch_outlives_its_connections(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun], location: str
) -> None:
    here = Waiting()
    here.gate.set()
    await engines[0].start(here)
    name = location.rpartition("/")[2].partition("?")[0]
    for _ in range(3):
        # The statement's own connection is one to another database.
        administer(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname='{name}'")  # noqa: S608 - ours
        await asyncio.sleep(0.1)
    await engines[1].accept(ask())
    await becomes(database, "run", "finished")
    before = sql(location, "SELECT max(heartbeat_at)::text FROM executors")
    await until(lambda: sql(location, "SELECT max(heartbeat_at)::text FROM executors") != before)


@postgres_alone
async def test_who_only_accepts_leaves_the_queue_as_wide_as_it_is(
    database: Database, location: str, ask: Callable[..., ChatRun]
) -> None:
    wide = await DbosEngine.open(database, concurrency=3, poll_seconds=0.02)
    narrow = await DbosEngine.open(database, concurrency=1)
    try:
        await narrow.accept(ask())
        here = Waiting()
        here.gate.set()
        await wide.start(here)
        await becomes(database, "run", "finished")
        again = await DbosEngine.open(database)
        await again.stop(0)
        widths = sql(location, "SELECT worker_concurrency::text FROM dbos.queues WHERE name='runs'")
        assert widths == [("3",)]
    finally:
        await narrow.stop(0)
        await wide.stop(0)


# --- what an engine is told ----------------------------------------------------------------


async def test_a_stop_in_a_hurry_waits_for_no_run_and_loses_none(
    database: Database, ask: Callable[..., ChatRun]
) -> None:
    hurry = asyncio.Event()
    engine = await DbosEngine.open(database, poll_seconds=0.02, hurry=hurry)
    here = Waiting()
    await engine.start(here)
    await engine.accept(ask())
    await until(lambda: here.got != [])
    stopping = asyncio.create_task(engine.stop(600))
    await asyncio.sleep(0)
    hurry.set()
    async with asyncio.timeout(30):
        await stopping
    assert (await becomes(database, "run", "queued")).attempt == 0


async def test_what_an_engine_does_not_take_stays_for_one_that_does(
    database: Database, ask: Callable[..., ChatRun]
) -> None:
    choosy = await DbosEngine.open(
        database, poll_seconds=0.02, heartbeat_seconds=0.02, takes=lambda run: run.id == "mine"
    )
    here = Waiting()
    here.gate.set()
    try:
        await choosy.accept(ask("theirs"))
        await choosy.accept(ask("mine"))
        await choosy.start(here)
        await becomes(database, "mine", "finished")
    finally:
        await choosy.stop(0)
    assert [run.id for run in here.got] == ["mine"]
    other = await DbosEngine.open(database, poll_seconds=0.02)
    try:
        await other.start(here)
        assert (await becomes(database, "theirs", "finished")).attempt == 1
    finally:
        await other.stop(0)
