"""A graph that nothing knows runs durably: its steps are kept, replayed, traced and stored."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from masis.domain import Answered, Workspace
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from tests.second_graph import NAME
from tests.spans import recorded
from tests.storage.beside import kept_steps
from tests.storage.counting_run import Counting
from tests.storage.durable_run import CHUNKS, stocked, text_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    return await stocked(repository)


@pytest.fixture
async def engines(database: Database) -> AsyncIterator[list[DbosEngine]]:
    opened = [
        await DbosEngine.open(
            database, poll_seconds=0.02, retry_seconds=0.01, heartbeat_seconds=0.1, ttl_seconds=1.0
        )
        for _ in range(2)
    ]
    yield opened
    for engine in opened:
        await engine.stop(0)


async def ended(database: Database) -> None:
    runs = ChatRuns(database)
    async with asyncio.timeout(10):
        while True:
            run = await runs.get(None, "run")
            if run is not None and run.status == "finished":
                assert run.graph == NAME
                return
            await asyncio.sleep(0.01)


async def assert_went_on(asking: Counting) -> None:
    """The first node's work was read back, and the second one told of it."""
    assert asking.given.read == 0
    [finished] = asking.finished
    assert isinstance(finished.outcome, Answered)
    assert finished.outcome.answer == f"There are {CHUNKS} passages [1]."
    assert [each["node"] for each in finished.trace] == ["count", "tell"]
    kept = await asking.repository.run(asking.workspace.id, "run")
    assert kept is not None
    assert (kept.graph, kept.status) == (NAME, "success")
    assert [each.text for each in kept.evidence] == [text_of(0)]


async def test_a_second_graph_goes_on_after_a_stop(
    engines: list[DbosEngine],
    repository: SqlRepository,
    workspace: Workspace,
    database: Database,
    location: str,
) -> None:
    before, after = Counting(repository, workspace), Counting(repository, workspace)
    after.given.gate.set()
    with recorded() as spans:
        await engines[0].start(before)
        await engines[0].accept(before.request(graph=NAME))
        await before.given.reached.wait()
        await engines[0].stop(0)
        await engines[1].start(after)
        await ended(database)

    await assert_went_on(after)
    assert [name for name, _ in kept_steps(location)] == ["count", "tell"]
    assert not any("quick brown fox" in output for _, output in kept_steps(location))
    assert sum(len(output) for _, output in kept_steps(location)) < 2_000
    assert {each.name for each in spans.named("node")} == {"node count", "node tell"}


async def test_a_second_graph_goes_on_after_a_kill(
    engines: list[DbosEngine], repository: SqlRepository, database: Database, location: str
) -> None:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.storage.counting_run", location),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert child.stdout is not None
        async with asyncio.timeout(60):
            assert await child.stdout.readline() == b"reached\n"
    finally:
        child.kill()
        await child.wait()

    [workspace] = await repository.workspaces("slack::T1")
    after = Counting(repository, workspace)
    after.given.gate.set()
    await engines[0].start(after)
    await ended(database)
    await assert_went_on(after)
