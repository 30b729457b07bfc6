import asyncio
import datetime as dt
from functools import partial
from pathlib import Path

import pytest

from masis.conversation import ChatRun, Session, TeamSettings, Tenant
from masis.domain import Workspace
from masis.errors import StoreUnavailable, UnknownWorkspace
from masis.policy import QUEUE_LIMIT_PER_WORKSPACE
from masis.ports import RunEngine
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.documents.repository import SqlRepository
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from tests.storage.beside import locked
from tests.storage.handled import TENANT, Ask, Engines, Handler, asked, ended, status, until

NOW = dt.datetime.now(dt.UTC)


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await repository.create_workspace(TENANT.owner, "acme")


@pytest.fixture
def ask(workspace: Workspace) -> Ask:
    return partial(asked, workspace)


def test_dbos_engine_implements_run_engine() -> None:
    """It is the run engine of the ports."""
    fits: type[RunEngine] = DbosEngine
    assert fits is DbosEngine


async def test_request_is_accepted_and_finished(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    """A request is accepted once and carried to its end."""
    handler = Handler()
    assert (await engine.accept(ask())).state == "accepted"
    assert (await engine.accept(ask())).state == "duplicate"
    await engine.start(handler)
    await ended(runs, "run-0")
    assert (await engine.accept(ask())).state == "duplicate"
    assert [(run.id, run.attempt, run.status) for run in handler.got] == [("run-0", 1, "running")]


async def test_foreign_workspace_request_is_not_stored(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    """A request of a foreign workspace is not stored."""
    with pytest.raises(UnknownWorkspace):
        await engine.accept(ask(tenant=Tenant(team="T2")))
    assert await status(runs, "run-0") == "gone"


async def test_locked_database_stores_nothing(
    engines: Engines, runs: ChatRuns, ask: Ask, location: str
) -> None:
    """A locked database is said in time and nothing is stored."""
    engine = await engines.open(accept_seconds=0.1)
    with locked(location), pytest.raises(StoreUnavailable, match="nothing was stored") as caught:
        await engine.accept(ask())
    assert caught.value.retryable
    assert await status(runs, "run-0") == "gone"
    patient = await engines.open()
    assert (await patient.accept(ask())).state == "accepted"


async def test_busy_asker_is_refused(engine: DbosEngine, runs: ChatRuns, ask: Ask) -> None:
    """Who has enough under way is refused with a reason."""
    for number in range(TeamSettings().user_running):
        assert (await engine.accept(ask(number, asker="U"))).state == "accepted"
    refused = await engine.accept(ask(9, asker="U"))
    assert (refused.state, refused.run_id) == ("over_quota", "run-9")
    assert "2 of your questions" in refused.reason
    assert await status(runs, "run-9") == "gone"


async def test_channel_and_queue_are_bounded(engine: DbosEngine, ask: Ask) -> None:
    """A channel and the queue of a workspace are bounded."""
    for number in range(10):
        await engine.accept(ask(number))
    assert "This channel" in (await engine.accept(ask(10))).reason
    for number in range(10, QUEUE_LIMIT_PER_WORKSPACE):
        await engine.accept(ask(number, channel=f"C{number}"))
    assert "wait already" in (await engine.accept(ask(99, channel="C99"))).reason


async def test_reply_closes_its_session(
    engine: DbosEngine, database: Database, runs: ChatRuns, ask: Ask, workspace: Workspace
) -> None:
    """A reply closes its session or comes too late."""
    sessions = Sessions(database)
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
    await sessions.open(parked)
    reply = ask(1, session_id="s", kind="reply", reply="The newer one")
    assert (await engine.accept(reply)).state == "accepted"
    answered = await sessions.by_id(TENANT, "s")
    assert answered is not None
    assert (answered.status, answered.reply, answered.next_run_id) == (
        "answered",
        "The newer one",
        "run-1",
    )
    assert (await engine.accept(ask(2, session_id="s"))).state == "too_late"
    assert await status(runs, "run-2") == "gone"


async def test_thread_runs_questions_singly(engine: DbosEngine, runs: ChatRuns, ask: Ask) -> None:
    """A thread is answered one question at a time."""
    handler = Handler(gates={"run-0": asyncio.Event()})
    await engine.start(handler)
    first = await engine.accept(ask(0, thread="1.0"))
    second = await engine.accept(ask(1, thread="1.0"))
    await engine.accept(ask(2, thread="2.0"))
    assert (first.behind_in_thread, second.behind_in_thread) == (False, True)
    await ended(runs, "run-2")
    assert await status(runs, "run-1") == "waiting"
    handler.gates["run-0"].set()
    await ended(runs, "run-1")
    assert handler.ended == ["run-2", "run-0", "run-1"]


async def test_workspace_concurrency_follows_team_setting(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    """A workspace has no more at work than its team allows."""
    for number in range(TeamSettings().workspace_running + 1):
        await engine.accept(ask(number))
    assert [run.status for run in await runs.open_runs(TENANT)] == [*["queued"] * 5, "waiting"]
    await engine.start(Handler())
    await ended(runs, "run-5")


async def test_cancel_within_step_is_reported(engine: DbosEngine, runs: ChatRuns, ask: Ask) -> None:
    """A run that is cancelled within a step is told at once."""
    handler = Handler(gates={"run-0": asyncio.Event()})
    await engine.start(handler)
    await engine.accept(ask())
    await until(lambda: handler.got != [])
    assert await engine.cancel("run-0", "U7")
    await ended(runs, "run-0", "cancelled")
    assert (handler.told, handler.ended) == (["run-0"], [])
    assert not await engine.cancel("run-0", "U7")


async def test_cancel_outside_step_gets_last_word(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    """A run that is cancelled elsewhere is broken off and asked for its last word."""
    handler = Handler(gates={"run-0": asyncio.Event()}, in_step=False)
    await engine.start(handler)
    await engine.accept(ask())
    await until(lambda: handler.got != [])
    await engine.cancel("run-0", "U7")
    await ended(runs, "run-0", "cancelled")
    assert [run.cancelled_by for run in handler.got] == ["", "U7"]


async def test_run_cancelled_before_start_says_so(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    """A run that is cancelled before it starts only says so."""
    handler = Handler(gates={"run-0": asyncio.Event()})
    await engine.start(handler)
    await engine.accept(ask(0, thread="1.0"))
    await engine.accept(ask(1, thread="1.0"))
    await engine.cancel("run-1", "U7")
    await ended(runs, "run-1", "cancelled")
    assert await status(runs, "run-0") in {"queued", "running"}
    assert ("run-1", "U7") in [(run.id, run.cancelled_by) for run in handler.got]


async def test_stopped_run_counts_no_attempt(
    engine: DbosEngine, engines: Engines, runs: ChatRuns, ask: Ask
) -> None:
    """A run at work goes on after a stop and its attempt does not count."""
    first = Handler(gates={"run-0": asyncio.Event()})
    await engine.start(first)
    await engine.accept(ask())
    await until(lambda: first.got != [])
    await engine.stop(0)
    assert (first.told, first.ended) == ([], [])
    assert await status(runs, "run-0") == "queued"
    later, second = await engines.open(), Handler()
    await later.start(second)
    await ended(runs, "run-0")
    assert [(run.id, run.attempt) for run in second.got] == [("run-0", 1)]


async def test_stop_interrupts_run_outside_steps(
    engine: DbosEngine, engines: Engines, runs: ChatRuns, ask: Ask
) -> None:
    """A stop breaks off what is in no step too."""
    first = Handler(gates={"run-0": asyncio.Event()}, in_step=False)
    await engine.start(first)
    await engine.accept(ask())
    await until(lambda: first.got != [])
    await engine.stop(0)
    assert await status(runs, "run-0") == "queued"
    later = await engines.open()
    await later.start(Handler())
    await ended(runs, "run-0")


async def test_a_stop_lets_running_ones_finish(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    handler = Handler(gates={"run-0": asyncio.Event()})
    await engine.start(handler)
    await engine.accept(ask())
    await until(lambda: handler.got != [])
    asyncio.get_running_loop().call_later(0.05, handler.gates["run-0"].set)
    await engine.stop(5)
    assert await status(runs, "run-0") == "finished"


async def test_lost_workflow_is_requeued_at_start(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    """What the engine lost is queued again at start."""
    await engine.accept(ask(0, thread="1.0"))
    await engine.accept(ask(1, thread="1.0"))
    await engine._workflows._delete(["run-0"])
    await engine.start(Handler())
    await ended(runs, "run-1")


async def test_second_engine_in_process_is_refused(
    engine: DbosEngine, engines: Engines, ask: Ask, runs: ChatRuns
) -> None:
    """A second engine in one process is refused."""
    await engine.start(Handler())
    second = await engines.open()
    with pytest.raises(RuntimeError, match="stop the other one first"):
        await second.start(Handler())
    await second.stop()
    await engine.accept(ask())
    await ended(runs, "run-0")


async def test_successive_engines_may_use_other_files(folder: Path) -> None:
    """Engines follow each other on different files."""
    for name in ("one.db", "two.db"):
        database = await Database.open(folder / name)
        try:
            made = await SqlRepository(database).create_workspace(TENANT.owner, "acme")
            engine = await DbosEngine.open(database, poll_seconds=0.02)
            handler = Handler()
            await engine.start(handler)
            run = ChatRun(
                id="r",
                tenant=TENANT,
                channel="C",
                asker="U",
                question="?",
                query="?",
                workspace_id=made.id,
            )
            await engine.accept(run)
            await ended(ChatRuns(database), "r")
            await engine.stop()
        finally:
            await database.close()
        assert await asyncio.to_thread(handler.ended.copy) == ["r"]


async def test_ended_runs_are_forgotten_selectively(
    engine: DbosEngine, runs: ChatRuns, ask: Ask, workspace: Workspace
) -> None:
    """What ended is forgotten by workspace and by age."""
    await engine.start(Handler())
    for number in range(2):
        await engine.accept(ask(number))
        await ended(runs, f"run-{number}")
    assert await engine.purge_steps(NOW - dt.timedelta(days=7)) == 0
    await engine.stop()
    assert await engine.forget("another") == 0
    assert await engine.forget(workspace.id) == 2
    assert (await engine.accept(ask(0))).state == "duplicate"


async def test_run_deleted_while_ending_is_forgotten(
    engine: DbosEngine, runs: ChatRuns, ask: Ask, workspace: Workspace
) -> None:
    """What is deleted at the very end of a run is forgotten too."""
    await engine.accept(ask())
    # The request's row has its end a moment before the engine has noted that of its workflow.
    await runs.mark("run-0", "finished")
    assert await engine.forget(workspace.id) == 0
    await engine.start(Handler())
    async with asyncio.timeout(10):
        while await engine._workflows._list(workflow_ids=["run-0"]):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)
