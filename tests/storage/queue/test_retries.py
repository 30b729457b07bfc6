import asyncio
import logging

import pytest

from masis.conversation import ChatRun
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.queue.engine import DbosEngine
from storage.queue.executors import Executors
from storage.queue.retries import pause
from storage.sql.database import Database
from tests.storage.beside import sqlite_alone
from tests.storage.durable_run import Asking, stocked
from tests.storage.handled import until

NOBODY = "no process at work serves"


class Choosy:
    """Serves no run, and counts how often it is asked to."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, _: ChatRun) -> bool:
        self.asked += 1
        return False


async def test_run_of_other_surface_is_requeued(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A run of another surface goes back to the queue where others work."""
    database = await Database.open(postgres_url)
    choosy = Choosy()
    engine = await DbosEngine.open(database, poll_seconds=0.02, retry_seconds=0.01, takes=choosy)
    try:
        asking = Asking(SqlRepository(database), await stocked(SqlRepository(database)))
        await Executors(database).beat("another")
        await engine.start(asking)
        await engine.accept(asking.request())
        # The other one takes nothing, so that it comes back here each time.
        await until(lambda: choosy.asked > 2)
        run = await ChatRuns(database).get(None, "run")
    finally:
        await engine.stop(0)
        await database.close()
    assert run is not None
    assert (run.status, run.attempt, asking.seen) == ("queued", 0, [])
    assert NOBODY not in caplog.text


@sqlite_alone
async def test_unserved_run_is_logged_once(
    database: Database, repository: SqlRepository, caplog: pytest.LogCaptureFixture
) -> None:
    """A run that nobody serves is kept and said once."""
    choosy = Choosy()
    engine = await DbosEngine.open(
        database, poll_seconds=0.02, retry_seconds=0.001, heartbeat_seconds=0.01, takes=choosy
    )
    asking = Asking(repository, await stocked(repository))
    try:
        with caplog.at_level(logging.WARNING, "storage"):
            await engine.start(asking)
            await engine.accept(asking.request())
            await until(lambda: NOBODY in caplog.text)
            await asyncio.sleep(0.1)
    finally:
        await engine.stop(0)
    assert choosy.asked == 1
    assert caplog.text.count(NOBODY) == 1


def test_retry_pauses_grow_to_a_bound() -> None:
    """Each try waits longer than the one before, and none for more than ten seconds."""
    assert [pause(2.0, tries) for tries in range(1, 8)] == [2, 4, 6, 8, 10, 10, 10]
