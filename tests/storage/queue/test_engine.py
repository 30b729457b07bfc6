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


def test_it_is_the_run_engine_of_the_ports() -> None:
    fits: type[RunEngine] = DbosEngine
    assert fits is DbosEngine


async def test_a_request_is_accepted_once_and_carried_to_its_end(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    handler = Handler()
    assert (await engine.accept(ask())).state == "accepted"
    assert (await engine.accept(ask())).state == "duplicate"
    await engine.start(handler)
    await ended(runs, "run-0")
    assert (await engine.accept(ask())).state == "duplicate"
    assert [(run.id, run.attempt, run.status) for run in handler.got] == [("run-0", 1, "running")]


async def test_a_request_of_a_foreign_workspace_is_not_stored(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    with pytest.raises(UnknownWorkspace):
        await engine.accept(ask(tenant=Tenant(team="T2")))
    assert await status(runs, "run-0") == "gone"


async def test_a_locked_database_is_said_in_time_and_nothing_is_stored(
    engines: Engines, runs: ChatRuns, ask: Ask, location: str
) -> None:
    engine = await engines.open(accept_seconds=0.1)
    with locked(location), pytest.raises(StoreUnavailable, match="nothing was stored") as caught:
        await engine.accept(ask())
    assert caught.value.retryable
    assert await status(runs, "run-0") == "gone"
    patient = await engines.open()
    assert (await patient.accept(ask())).state == "accepted"


async def test_who_has_enough_under_way_is_refused_with_a_reason(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    for number in range(TeamSettings().user_running):
        assert (await engine.accept(ask(number, asker="U"))).state == "accepted"
    refused = await engine.accept(ask(9, asker="U"))
    assert (refused.state, refused.run_id) == ("over_quota", "run-9")
    assert "2 of your questions" in refused.reason
    assert await status(runs, "run-9") == "gone"


async def test_a_channel_and_the_queue_of_a_workspace_are_bounded(
    engine: DbosEngine, ask: Ask
) -> None:
    for number in range(10):
        await engine.accept(ask(number))
    assert "This channel" in (await engine.accept(ask(10))).reason
    for number in range(10, QUEUE_LIMIT_PER_WORKSPACE):
        await engine.accept(ask(number, channel=f"C{number}"))
    assert "wait already" in (await engine.accept(ask(99, channel="C99"))).reason


async def test_a_reply_closes_its_session_or_comes_too_late(
    engine: DbosEngine, database: Database, runs: ChatRuns, ask: Ask, workspace: Workspace
) -> None:
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


async def test_a_thread_is_answered_one_question_at_a_time(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
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


async def test_a_workspace_has_no_more_at_work_than_its_team_allows(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    for number in range(TeamSettings().workspace_running + 1):
        await engine.accept(ask(number))
    assert [run.status for run in await runs.open_runs(TENANT)] == [*["queued"] * 5, "waiting"]
    await engine.start(Handler())
    await ended(runs, "run-5")


async def test_a_run_that_is_cancelled_within_a_step_is_told_at_once(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    handler = Handler(gates={"run-0": asyncio.Event()})
    await engine.start(handler)
    await engine.accept(ask())
    await until(lambda: handler.got != [])
    assert await engine.cancel("run-0", "U7")
    await ended(runs, "run-0", "cancelled")
    assert (handler.told, handler.ended) == (["run-0"], [])
    assert not await engine.cancel("run-0", "U7")


async def test_a_run_that_is_cancelled_elsewhere_is_broken_off_and_asked_for_its_last_word(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    handler = Handler(gates={"run-0": asyncio.Event()}, in_step=False)
    await engine.start(handler)
    await engine.accept(ask())
    await until(lambda: handler.got != [])
    await engine.cancel("run-0", "U7")
    await ended(runs, "run-0", "cancelled")
    assert [run.cancelled_by for run in handler.got] == ["", "U7"]


async def test_a_run_that_is_cancelled_before_it_starts_only_says_so(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    handler = Handler(gates={"run-0": asyncio.Event()})
    await engine.start(handler)
    await engine.accept(ask(0, thread="1.0"))
    await engine.accept(ask(1, thread="1.0"))
    await engine.cancel("run-1", "U7")
    await ended(runs, "run-1", "cancelled")
    assert await status(runs, "run-0") in {"queued", "running"}
    assert ("run-1", "U7") in [(run.id, run.cancelled_by) for run in handler.got]


async def test_a_run_at_work_goes_on_after_a_stop_and_its_attempt_does_not_count(
    engine: DbosEngine, engines: Engines, runs: ChatRuns, ask: Ask
) -> None:
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


async def test_a_stop_breaks_off_what_is_in_no_step_too(
    engine: DbosEngine, engines: Engines, runs: ChatRuns, ask: Ask
) -> None:
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


async def test_what_the_engine_lost_is_queued_again_at_start(
    engine: DbosEngine, runs: ChatRuns, ask: Ask
) -> None:
    await engine.accept(ask(0, thread="1.0"))
    await engine.accept(ask(1, thread="1.0"))
    await engine._workflows._delete(["run-0"])
    await engine.start(Handler())
    await ended(runs, "run-1")


async def test_a_second_engine_in_one_process_is_refused(
    engine: DbosEngine, engines: Engines, ask: Ask, runs: ChatRuns
) -> None:
    await engine.start(Handler())
    second = await engines.open()
    with pytest.raises(RuntimeError, match="stop the other one first"):
        await second.start(Handler())
    await second.stop()
    await engine.accept(ask())
    await ended(runs, "run-0")


async def test_engines_follow_each_other_on_different_files(folder: Path) -> None:
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


async def test_what_ended_is_forgotten_by_workspace_and_by_age(
    engine: DbosEngine, runs: ChatRuns, ask: Ask, workspace: Workspace
) -> None:
    await engine.start(Handler())
    for number in range(2):
        await engine.accept(ask(number))
        await ended(runs, f"run-{number}")
    assert await engine.purge_steps(NOW - dt.timedelta(days=7)) == 0
    await engine.stop()
    assert await engine.forget("another") == 0
    assert await engine.forget(workspace.id) == 2
    assert (await engine.accept(ask(0))).state == "duplicate"


async def test_what_is_deleted_at_the_very_end_of_a_run_is_forgotten_too(
    engine: DbosEngine, runs: ChatRuns, ask: Ask, workspace: Workspace
) -> None:
    await engine.accept(ask())
    # The request's row has its end a moment before the engine has noted that of its workflow.
    await runs.mark("run-0", "finished")
    assert await engine.forget(workspace.id) == 0
    await engine.start(Handler())
    async with asyncio.timeout(10):
        while await engine._workflows._list(workflow_ids=["run-0"]):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)
