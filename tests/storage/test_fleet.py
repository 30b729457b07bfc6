from storage.database import Database
from storage.executors import Executors
from storage.fleet import Fleet, fleet


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
