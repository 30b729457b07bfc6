import asyncio
import datetime as dt

import pytest

from masis.domain import Workspace
from masis.runs import Step
from storage.chat.requests import ChatRuns
from storage.chat.run_steps import MOST_STEPS, RunSteps
from storage.privacy.purge import Purge
from storage.sql.database import Database
from tests.storage.chat.samples import OURS, THEIRS, a_run, insert

STEP = Step(name="search", number=1, state="started", title="Searching")


@pytest.fixture
async def steps(database: Database, workspace: Workspace, their_workspace: Workspace) -> RunSteps:
    """The steps of runs of two tenants."""
    await insert(
        database,
        a_run("run-1", workspace),
        a_run("run-2", workspace),
        a_run("theirs", their_workspace, tenant=THEIRS),
    )
    return RunSteps(database)


def numbered(count: int) -> list[Step]:
    return [STEP.model_copy(update={"number": n + 1}) for n in range(count)]


async def test_steps_stand_in_order(steps: RunSteps) -> None:
    done = STEP.model_copy(update={"state": "finished"})
    waits = STEP.model_copy(update={"note": "waits\0 a while"})
    await steps.add("run-1", [STEP])
    await steps.add("run-1", [waits, done])
    told = await steps.since("run-1", 0)
    assert [each.position for each in told] == [1, 2, 3]
    assert [each.step for each in told] == [
        STEP,
        STEP.model_copy(update={"note": "waits a while"}),
        done,
    ]
    assert all(each.at <= dt.datetime.now(dt.UTC) for each in told)
    assert [each.position for each in await steps.since("run-1", 2)] == [3]
    assert await steps.since("run-2", 0) == await steps.since("theirs", 0) == []


async def test_repeated_step_is_noted_once(steps: RunSteps) -> None:
    """An attempt that begins again tells what the one before it told."""
    await steps.add("run-1", numbered(3))
    await steps.add("run-1", numbered(5))
    told = await steps.since("run-1", 0)
    assert [(each.position, each.step.number) for each in told] == [(n, n) for n in range(1, 6)]


async def test_two_processes_write_one_order(steps: RunSteps) -> None:
    """The process that a run was taken from may still tell of a step."""
    await asyncio.gather(*(steps.add("run-1", numbered(20)) for _ in range(4)))
    told = await steps.since("run-1", 0)
    assert [each.position for each in told] == list(range(1, 21))


async def test_steps_of_a_run_are_bounded(steps: RunSteps) -> None:
    await steps.add("run-1", numbered(MOST_STEPS - 1))
    await steps.add("run-1", numbered(MOST_STEPS + 5))
    assert len(await steps.since("run-1", 0)) == MOST_STEPS


async def test_forgotten_run_has_no_steps(steps: RunSteps, database: Database) -> None:
    """What is told of a run goes with its request, and nothing comes after."""
    await steps.add("run-1", [STEP])
    await steps.add("theirs", [STEP])
    run = await ChatRuns(database).get(None, "run-1")
    assert run is not None
    await Purge(database).purge_user(OURS, run.asker)
    await steps.add("run-1", [STEP])
    await steps.add("", [STEP])
    assert await steps.since("run-1", 0) == await steps.since("", 0) == []
    assert len(await steps.since("theirs", 0)) == 1
