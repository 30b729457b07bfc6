import asyncio

import pytest

from masis.conversation import ChatRun
from storage.queue.engine import DbosEngine
from storage.queue.executors import Executors
from storage.queue.fleet import Fleet, fleet
from storage.sql.database import Database


async def test_a_process_counts_as_alive_while_it_beats_and_not_at_all_once_it_left(
    database: Database,
) -> None:
    assert await fleet(database) == Fleet()
    executors = Executors(database)
    for name in ("one", "two"):
        await executors.beat(name)
    assert await fleet(database) == Fleet(alive=2)
    assert await fleet(database, ttl_seconds=-1) == Fleet(dead=2)
    await executors.remove("two")
    assert await fleet(database) == Fleet(alive=1)


@pytest.mark.parametrize("location", ["postgres"], indirect=True)
async def test_who_hands_on_the_runs_of_a_dead_process_tells_of_it(database: Database) -> None:
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
