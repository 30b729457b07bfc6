import asyncio
from collections.abc import AsyncIterator

import pytest

from masis.domain import Workspace
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.durable.erasure import forget_steps
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from tests.storage.beside import kept_steps, occurrences
from tests.storage.durable_run import Asking, WaitingCritic, stocked

WORDS = "supervisor"
"""The name of a step, which stands in what is kept of it."""


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await stocked(repository)


@pytest.fixture
async def engine(database: Database) -> AsyncIterator[DbosEngine]:
    opened = await DbosEngine.open(database, poll_seconds=0.02, retry_seconds=0.01)
    yield opened
    await opened.stop(0)


async def ended(database: Database, run_id: str) -> None:
    async with asyncio.timeout(10):
        while True:
            run = await ChatRuns(database).get(None, run_id)
            if run is not None and run.status == "finished":
                return
            await asyncio.sleep(0.01)


async def test_forgotten_run_steps_leave_no_byte(
    engine: DbosEngine,
    repository: SqlRepository,
    workspace: Workspace,
    database: Database,
    location: str,
) -> None:
    """The steps of a run are gone from every byte."""
    asking = Asking(repository, workspace)
    await engine.start(asking)
    await engine.accept(asking.request("one"))
    await engine.accept(asking.request("two"))
    for run_id in ("one", "two"):
        await ended(database, run_id)
    await engine.stop()
    assert occurrences(location, WORDS) > 0
    await forget_steps(database, ["one", "of nobody"])
    await forget_steps(database, [])
    assert occurrences(location, WORDS) > 0, "the other run's stay"
    await forget_steps(database, [], [workspace.id])
    assert kept_steps(location) == []


async def test_forgotten_running_run_writes_nothing(
    engine: DbosEngine,
    repository: SqlRepository,
    workspace: Workspace,
    database: Database,
    location: str,
) -> None:
    """A run at work writes down no more and is let go."""
    critic = WaitingCritic()
    asking = Asking(repository, workspace, critic)
    await engine.start(asking)
    await engine.accept(asking.request())
    await critic.reached.wait()
    assert kept_steps(location)
    await forget_steps(database, ["run"])
    critic.gate.set()
    await engine.stop()
    assert kept_steps(location) == []
    assert asking.finished == []


async def test_forgetting_without_engine_tables_succeeds(database: Database) -> None:
    """Where no engine ever worked there is nothing to forget."""
    await forget_steps(database, ["run"])
