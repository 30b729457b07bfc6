import asyncio
import contextlib
import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import IntegrityError

from masis.errors import StoreUnavailable
from storage.sql.database import Database

OPEN_AND_CLOSE = """
import asyncio, sys
from pathlib import Path
from storage.sql.database import Database

async def main():
    database = await Database.open(Path(sys.argv[1]))
    await database.close()

asyncio.run(main())
"""


async def pragma(database: Database, name: str) -> object:
    async with database.read() as connection:
        return await connection.scalar(text(f"PRAGMA {name}"))


def has_scratch(connection: Connection) -> bool:
    return inspect(connection).has_table("scratch")


async def test_every_connection_is_set_up(sqlite_database: Database) -> None:
    assert await pragma(sqlite_database, "journal_mode") == "wal"
    assert await pragma(sqlite_database, "synchronous") == 2  # FULL
    assert await pragma(sqlite_database, "foreign_keys") == 1
    assert await pragma(sqlite_database, "secure_delete") == 1
    assert await pragma(sqlite_database, "busy_timeout") == 5000


async def test_every_connection_knows_unixepoch_subsec(
    sqlite_database: Database,
) -> None:
    # From Python 3.12 on DBOS asks so; before SQLite 3.42 the answer would be NULL.
    """The time that dbos asks for is known to every connection."""
    query = text("SELECT unixepoch('subsec')")
    written = await sqlite_database.transact(lambda connection: connection.scalar(query))
    async with sqlite_database.read() as connection:
        told = await connection.scalar(query)
    assert [written, told] == pytest.approx([time.time()] * 2, abs=60)


async def test_missing_folder_is_created(folder: Path) -> None:
    """A folder that is missing is made."""
    database = await Database.open(folder / "new" / "deep" / "masis.db")
    await database.close()
    assert (folder / "new" / "deep" / "masis.db").is_file()


async def test_url_and_path_open_same_file(folder: Path) -> None:
    """A url opens the same file as a path."""
    first = await Database.open(folder / "masis.db")
    await first.close()
    second = await Database.open(f"sqlite:///{folder / 'masis.db'}")
    await second.close()
    assert not (folder / "masis.db-wal").exists()


async def test_a_failed_write_is_taken_back(database: Database) -> None:
    async def fail() -> None:
        async with database.write() as connection:
            await connection.execute(text("CREATE TABLE scratch (x INTEGER)"))
            raise KeyError

    with pytest.raises(KeyError):
        await fail()
    async with database.read() as connection:
        assert not await connection.run_sync(has_scratch)


async def test_cancelled_write_releases_its_lock(database: Database) -> None:
    """A cancelled write leaves no lock behind."""
    inside = asyncio.Event()

    async def endless() -> None:
        async with database.write():
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(endless())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with database.write() as connection:
        await connection.execute(text("CREATE TABLE scratch (x INTEGER)"))


async def test_twenty_reading_writers_are_serialised(
    sqlite_database: Database,
) -> None:
    """Twenty writers that read first wait for each other."""
    async with sqlite_database.write() as connection:
        await connection.execute(text("CREATE TABLE counter (n)"))
        await connection.execute(text("INSERT INTO counter VALUES (0)"))

    async def count_up() -> None:
        async with sqlite_database.write() as connection:
            n = await connection.scalar(text("SELECT n FROM counter"))
            await connection.execute(text("UPDATE counter SET n = :n"), {"n": n + 1})

    await asyncio.gather(*(count_up() for _ in range(20)))
    async with sqlite_database.read() as connection:
        assert await connection.scalar(text("SELECT n FROM counter")) == 20


async def test_two_databases_share_file_lock(folder: Path) -> None:
    """Two databases on one file wait for each other."""
    pair = [await Database.open(folder / "masis.db") for _ in range(2)]
    async with pair[0].write() as connection:
        await connection.execute(text("CREATE TABLE counter (n)"))
        await connection.execute(text("INSERT INTO counter VALUES (0)"))

    async def count_up(database: Database) -> None:
        for _ in range(10):
            async with database.write() as connection:
                n = await connection.scalar(text("SELECT n FROM counter"))
                await connection.execute(text("UPDATE counter SET n = :n"), {"n": n + 1})

    await asyncio.gather(*(count_up(database) for database in pair))
    async with pair[0].read() as connection:
        assert await connection.scalar(text("SELECT n FROM counter")) == 20
    for database in pair:
        await database.close()


async def test_transact_runs_one_transaction(database: Database) -> None:
    """What is done in one go is a transaction."""

    def fail(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE scratch (x INTEGER)"))
        raise KeyError

    with pytest.raises(KeyError):
        await database.transact(fail)
    assert not await database.transact(has_scratch)
    create = text("CREATE TABLE scratch (x INTEGER)")
    await database.transact(lambda connection: connection.execute(create).close())
    assert await database.transact(has_scratch)


async def test_inspect_reads_one_snapshot(sqlite_database: Database) -> None:
    """What is read in one go is of one moment."""
    between, go_on = threading.Event(), threading.Event()

    def look(connection: Connection) -> list[int]:
        query = text("SELECT count(*) FROM workspaces")
        before = int(connection.execute(query).scalar_one())
        between.set()
        go_on.wait(10)
        return [before, int(connection.execute(query).scalar_one())]

    looking = asyncio.create_task(sqlite_database.inspect(look))
    await asyncio.to_thread(between.wait, 10)
    row = text("INSERT INTO workspaces VALUES ('w', 'local', 'acme', NULL, '2026-03-01')")
    async with sqlite_database.write() as connection:
        await connection.execute(row)
    go_on.set()
    assert await looking == [0, 0]


async def test_transact_finishes_before_cancellation(
    sqlite_database: Database,
) -> None:
    """What is done in one go ends before its cancellation is heard."""
    begun, go_on = threading.Event(), threading.Event()

    def create(connection: Connection) -> None:
        begun.set()
        go_on.wait(10)
        connection.execute(text("CREATE TABLE scratch (x INTEGER)"))

    task = asyncio.create_task(sqlite_database.transact(create))
    await asyncio.to_thread(begun.wait, 10)
    for _ in range(2):
        task.cancel()
        await asyncio.sleep(0)
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with sqlite_database.write() as connection:
        await connection.execute(text("DROP TABLE scratch"))


async def test_closed_database_says_so(location: str) -> None:
    """A database that was closed says so."""
    database = await Database.open(location)
    await database.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        await database.transact(lambda _: None)
    with pytest.raises(StoreUnavailable, match="closed"):
        await database.inspect(lambda _: None)


async def test_urgent_work_alternates_with_other_work(
    sqlite_database: Database,
) -> None:
    """Urgent work waits for one other and lets the others in in turn."""
    done: list[str] = []

    async def write(name: str, *, urgent: bool = False) -> None:
        await sqlite_database.transact(lambda _: done.append(name), urgent=urgent)
        if urgent and name == "first":
            await write("second", urgent=True)

    async with sqlite_database.write():
        patient = [asyncio.create_task(write(f"patient {n}")) for n in range(3)]
        await asyncio.sleep(0)
        urgent = asyncio.create_task(write("first", urgent=True))
        await asyncio.sleep(0)
    await asyncio.gather(urgent, *patient)
    assert done.index("first") <= 1
    assert abs(done.index("second") - done.index("first")) <= 2
    assert [name for name in done if name.startswith("patient")] == [
        f"patient {n}" for n in range(3)
    ]


def test_simultaneous_opening_of_folder_succeeds(folder: Path) -> None:
    """Processes that open a new folder together all succeed."""
    command = [sys.executable, "-c", OPEN_AND_CLOSE, str(folder / "data" / "masis.db")]
    children = [
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603 - our own code
        for _ in range(2)
    ]
    errors = [child.communicate(timeout=60)[1] for child in children]
    assert [child.returncode for child in children] == [0, 0], errors


async def test_long_reader_does_not_block_deletion(
    sqlite_database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A reader who keeps the log does not stop a deletion."""
    monkeypatch.setattr("storage.sql.sqlite._CHECKPOINT_PAUSE", 0.0)
    async with sqlite_database.read() as reader:
        await reader.scalar(text("SELECT count(*) FROM workspaces"))
        async with sqlite_database.write() as connection:
            await connection.execute(text("PRAGMA user_version = 7"))
        await sqlite_database.erase_traces()
    assert "leaves it when its readers end" in caplog.text


async def test_closed_connection_holds_no_log(
    sqlite_database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """A query whose rows nobody fetched ends with its connection, though something refers to it."""
    async with sqlite_database.read() as connection:
        raw = (await connection.get_raw_connection()).driver_connection
        assert raw is not None
        unfetched = await raw.cursor()
        await unfetched.execute("SELECT name FROM sqlite_master")
        await connection.invalidate()  # as when its caller is cancelled
    async with sqlite_database.write() as connection:
        await connection.execute(text("PRAGMA user_version = 7"))
    await sqlite_database.erase_traces()
    assert unfetched is not None
    assert not caplog.records


async def test_statement_error_hides_its_values(database: Database) -> None:
    """A failed statement does not tell its values."""

    async def insert_an_orphan() -> None:
        row = text("INSERT INTO documents VALUES ('d', 'w_nothing', :name)")
        async with database.write() as connection:
            await connection.execute(row, {"name": "our secret plan.pdf"})

    with pytest.raises(IntegrityError) as caught:
        await insert_an_orphan()
    assert "secret" not in str(caught.value)


# --- what goes wrong -----------------------------------------------------------------------


async def test_locked_database_error_is_retryable(folder: Path) -> None:
    """A locked database says so and may be tried again."""
    database = await Database.open(folder / "masis.db")
    holder = sqlite3.connect(folder / "masis.db")
    holder.execute("BEGIN IMMEDIATE")
    async with database.read() as connection:
        await connection.execute(text("PRAGMA busy_timeout = 1"))  # the pool hands it out again
    with pytest.raises(StoreUnavailable, match=r"Another process is writing.*Try again") as caught:
        async with database.write():
            pass
    assert caught.value.retryable
    holder.close()
    await database.close()


async def test_full_disk_is_reported_without_loss(sqlite_database: Database) -> None:
    """A full disk says so and loses nothing."""
    async with sqlite_database.write() as connection:
        await connection.execute(text("CREATE TABLE kept (x)"))
        await connection.execute(text("INSERT INTO kept VALUES ('before')"))
        await connection.execute(text("PRAGMA max_page_count = 60"))
    with pytest.raises(StoreUnavailable, match=r"disk is full.*Free some space") as caught:
        async with sqlite_database.write() as connection:
            await connection.execute(text("INSERT INTO kept VALUES (zeroblob(1000000))"))
    assert not caught.value.retryable
    async with sqlite_database.read() as connection:
        assert (await connection.scalars(text("SELECT x FROM kept"))).all() == ["before"]


async def test_file_without_database_says_so(folder: Path) -> None:
    """A file that is no database says so."""
    (folder / "masis.db").write_bytes(b"these are my holiday notes, not a database" * 100)
    with pytest.raises(StoreUnavailable, match="no MASIS database, or it is damaged"):
        await Database.open(folder / "masis.db")
    assert (folder / "masis.db").read_bytes().startswith(b"these are my holiday notes")


async def test_a_damaged_database_says_so(folder: Path) -> None:
    database = await Database.open(folder / "masis.db")
    await database.close()
    file = folder / "masis.db"
    content = file.read_bytes()
    file.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(StoreUnavailable, match="damaged"):
        await _read_workspaces(file)


async def _read_workspaces(file: Path) -> None:
    database = await Database.open(file)
    try:
        async with database.read() as connection:
            await connection.execute(text("SELECT * FROM workspaces"))
    finally:
        await database.close()


async def test_file_in_place_of_folder_fails(folder: Path) -> None:
    """A folder that is a file says so."""
    (folder / "data").write_text("")
    with pytest.raises(StoreUnavailable, match="MASIS_DATA_DIR"):
        await Database.open(folder / "data" / "masis.db")


async def test_folder_in_place_of_database_fails(folder: Path) -> None:
    """A database that is a folder says so."""
    (folder / "masis.db").mkdir()
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        await Database.open(folder / "masis.db")


async def test_older_schema_needs_migrate_permission(location: str) -> None:
    """An older schema is not touched unless it may be."""
    database = await Database.open(location, migrate=False)
    async with database.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    await database.close()
    with pytest.raises(StoreUnavailable, match="Run `masis migrate`"):
        await Database.open(location, migrate=False)


async def test_a_newer_schema_is_not_touched(location: str) -> None:
    database = await Database.open(location)
    async with database.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    await database.close()
    with pytest.raises(StoreUnavailable, match="another MASIS"):
        await Database.open(location)


async def test_closing_database_ends_every_connection(sqlite_file: Path, folder: Path) -> None:
    """Each has a thread of its own, which may keep a process from its end."""
    database = await Database.open(sqlite_file)
    async with database.read(), database.read(), database.write():
        assert len(connections()) >= 3
    with contextlib.suppress(asyncio.CancelledError):
        async with database.write():
            raise asyncio.CancelledError
    await database.close()
    assert await asyncio.to_thread(left_open) == []
    (folder / "broken.db").write_bytes(b"no database" * 1000)
    with pytest.raises(StoreUnavailable):
        await Database.open(folder / "broken.db")
    assert await asyncio.to_thread(left_open) == []


def connections() -> list[threading.Thread]:
    """The threads of connections that are open."""
    return [each for each in threading.enumerate() if "_connection_worker_thread" in each.name]


def left_open() -> list[threading.Thread]:
    """Those that do not end by themselves."""
    for each in connections():
        each.join(1)
    return connections()


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights elsewhere")
async def test_new_database_is_private_to_owner(tmp_path: Path) -> None:
    """A new database and its folder are their owners alone."""
    file = tmp_path / "data" / "masis.db"
    database = await Database.open(file)
    async with database.write() as connection:
        await connection.execute(text("DELETE FROM workspaces"))
    made = [file.parent, *file.parent.iterdir()]
    assert [path.stat().st_mode & 0o077 for path in made] == [0] * len(made)
    assert file.stat().st_mode & 0o777 == 0o600
    await database.close()
