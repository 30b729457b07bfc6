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
async def test_frozen_worker_posts_nothing_on_waking(
    engines: list[DbosEngine],
    database: Database,
    ask: Callable[..., ChatRun],
    place: Place,
) -> None:
    """A frozen worker is declared dead and posts nothing when it wakes."""
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
async def test_ending_worker_hands_over_runs_immediately(
    database: Database,
    ask: Callable[..., ChatRun],
    place: Place,
) -> None:
    """A worker that ends hands its runs over at once."""
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
async def test_run_killing_workers_is_apologised_once(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun], place: Place
) -> None:
    """A run that killed its workers is apologised for once."""
    await engines[1].accept(ask())
    await ChatRuns(database).mark("run", "running", attempt=RUN_ATTEMPTS)
    sql(place.location, GIVEN_TO_A_GHOST)
    await engines[0].start(place.posting())
    await becomes(database, "run", "failed")
    assert lines(place.posts) == ["run sorry"]


@sqlite_alone
async def test_successor_on_file_continues_immediately(
    engines: list[DbosEngine],
    database: Database,
    ask: Callable[..., ChatRun],
    place: Place,
) -> None:
    """One process works on a file and its successor goes on at once."""
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
async def test_runs_of_unlisted_process_continue(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun], location: str
) -> None:
    """Runs of a process that is in no table go on too."""
    for name in ("one", "two"):
        await engines[1].accept(ask(name))
    sql(location, GIVEN_TO_A_GHOST)
    here = Waiting()
    here.gate.set()
    await engines[0].start(here)
    for name in ("one", "two"):
        await becomes(database, name, "finished")
    assert sql(location, "SELECT id FROM executors WHERE id = 'ghost'") == []


async def test_released_run_is_taken_up_again(
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
async def test_returning_run_is_not_queued_twice(
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


async def test_other_process_can_cancel_run(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun]
) -> None:
    """A run is cancelled from another process."""
    here = Waiting()
    await engines[0].start(here)
    await engines[1].accept(ask())
    await until(lambda: here.got != [])
    assert await engines[1].cancel("run", "U7")
    await becomes(database, "run", "cancelled")
    assert here.told == ["RunCancelled"]
    assert [run.cancelled_by for run in here.got] == ["", "U7"]


async def test_superseded_attempt_ends_silently(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun]
) -> None:
    """An attempt that was taken over is broken off and ends without a word."""
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


async def test_late_attempt_changes_nothing(
    engines: list[DbosEngine], database: Database, ask: Callable[..., ChatRun]
) -> None:
    """A late attempt neither ends the run nor begins a message."""
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


async def test_other_process_deletion_is_honoured(
    engines: list[DbosEngine],
    database: Database,
    workspace: Workspace,
    ask: Callable[..., ChatRun],
    location: str,
) -> None:
    """What another process deletes from is forgotten at the end."""
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
async def test_accepting_engine_keeps_queue_width(
    database: Database, location: str, ask: Callable[..., ChatRun]
) -> None:
    """Who only accepts leaves the queue as wide as it is."""
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


async def test_hurried_stop_loses_no_run(database: Database, ask: Callable[..., ChatRun]) -> None:
    """A stop in a hurry waits for no run and loses none."""
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


async def test_declined_run_stays_for_other_engine(
    database: Database, ask: Callable[..., ChatRun]
) -> None:
    """What an engine does not take stays for one that does."""
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
