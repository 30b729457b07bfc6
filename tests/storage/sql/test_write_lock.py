import asyncio
import sqlite3
import threading
from pathlib import Path

import sqlalchemy as sa

from storage.sql.sqlite import PRAGMAS, WriteLock, write_lock


def engine(file: Path, lock: WriteLock) -> sa.Engine:
    """An engine like the run engine's: its transactions begin with their first write."""
    made = sa.create_engine(f"sqlite:///{file}")

    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = "IMMEDIATE"
        for pragma in (*PRAGMAS, "PRAGMA busy_timeout = 0"):
            connection.execute(pragma)

    sa.event.listen(made, "connect", prepare)
    lock.guard(made)
    return made


def test_writers_never_find_the_file_busy(tmp_path: Path) -> None:
    """Without waiting in SQLite, none of many transactions fails."""
    lock, others = WriteLock(), 4
    guarded = engine(tmp_path / "it.db", lock)
    with guarded.begin() as connection:
        connection.execute(sa.text("CREATE TABLE hits (n INTEGER)"))
    failed: list[BaseException] = []

    def write() -> None:
        try:
            for _ in range(25):
                with guarded.begin() as connection:
                    connection.execute(sa.text("INSERT INTO hits VALUES (1)"))
                    connection.execute(sa.text("UPDATE hits SET n = n + 1"))
        except sa.exc.DBAPIError as error:
            failed.append(error)

    threads = [threading.Thread(target=write) for _ in range(others)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with guarded.connect() as connection:
        assert connection.scalar(sa.text("SELECT count(*) FROM hits")) == 25 * others
    guarded.dispose()


def test_failed_statement_frees_the_lock(tmp_path: Path) -> None:
    lock = WriteLock()
    guarded = engine(tmp_path / "it.db", lock)
    try:
        with guarded.begin() as connection:
            connection.execute(sa.text("INSERT INTO nowhere VALUES (1)"))
    except sa.exc.OperationalError:
        pass
    assert lock._lock.acquire(blocking=False)
    guarded.dispose()


async def test_cancelled_waiter_takes_no_turn() -> None:
    lock = WriteLock()
    with lock.held():

        async def wait() -> None:
            async with lock.held_async():
                raise AssertionError

        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    async with lock.held_async():
        pass


def test_one_file_has_one_lock(tmp_path: Path) -> None:
    first = write_lock(sa.make_url(f"sqlite:///{tmp_path}/it.db"))
    assert write_lock(sa.make_url(f"sqlite+aiosqlite:///{tmp_path}/it.db")) is first
    assert write_lock(sa.make_url(f"sqlite:///{tmp_path}/other.db")) is not first
