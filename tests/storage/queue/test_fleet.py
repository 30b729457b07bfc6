import asyncio

import pytest

from masis.conversation import ChatRun
from storage.queue.engine import DbosEngine
from storage.queue.executors import Executors
from storage.queue.fleet import Fleet, fleet
from storage.sql.database import Database


async def test_process_is_alive_while_it_beats(
    database: Database,
) -> None:
    """A process counts as alive while it beats and not at all once it left."""
    assert await fleet(database) == Fleet()
    executors = Executors(database)
    for name in ("one", "two"):
        await executors.beat(name)
    assert await fleet(database) == Fleet(alive=2)
    assert await fleet(database, ttl_seconds=-1) == Fleet(dead=2)
    await executors.remove("two")
    assert await fleet(database) == Fleet(alive=1)


@pytest.mark.parametrize("location", ["postgres"], indirect=True)
async def test_takeover_of_dead_process_is_announced(database: Database) -> None:
    """Who hands on the runs of a dead process tells of it."""
    told = asyncio.Event()
    await Executors(database).beat("gone")
    engine = await DbosEngine.open(
        database, heartbeat_seconds=0.05, ttl_seconds=0.4, on_takeover=told.set
    )

    async def handler(_: ChatRun) -> None:
        raise AssertionError

    try:
        await engine.start(handler)
        async with asyncio.timeout(10):
            await told.wait()
        assert await fleet(database) == Fleet(alive=1)
    finally:
        await engine.stop(0)
