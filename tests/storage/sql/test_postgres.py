"""What is PostgreSQL's own. What holds for both databases stands in the other tests, on both."""

import asyncio
import datetime as dt
import gc
import warnings
from collections.abc import AsyncIterator, Iterator

import pytest
import sqlalchemy as sa
from sqlalchemy import text
from sqlalchemy.exc import DataError, SAWarning

from masis.conversation import ChatRun, Tenant
from masis.domain import Workspace
from masis.errors import StoreUnavailable
from storage.admission.admissions import Admissions
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.queue.engine import DbosEngine
from storage.sql import postgres, postgres_errors
from storage.sql.database import Database
from storage.sql.tables import install_states
from tests.pooler import Pooler
from tests.postgres import administer

TENANT = Tenant(team="T1")
SECRET = "a-password-of-ours"


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    opened = await Database.open(postgres_url)
    yield opened
    await opened.close()


@pytest.fixture
def pooler(postgres_url: str) -> Iterator[Pooler]:
    with Pooler(postgres_url) as listening:
        yield listening


@pytest.fixture
async def pooled(pooler: Pooler) -> AsyncIterator[Database]:
    opened = await Database.open(pooler.url)
    yield opened
    await opened.close()


@pytest.fixture
async def workspace(pooled: Database) -> Workspace:
    return await SqlRepository(pooled).create_workspace(TENANT.owner, "acme")


def asked(workspace: Workspace, run_id: str = "run") -> ChatRun:
    return ChatRun(
        id=run_id,
        tenant=TENANT,
        channel="C1",
        asker="U1",
        question="?",
        query="?",
        workspace_id=workspace.id,
    )


# --- transactions --------------------------------------------------------------------------


async def test_a_transaction_has_its_limits(database: Database) -> None:
    def limits(connection: sa.Connection) -> list[str]:
        return [connection.execute(text(f"SHOW {name}")).scalar_one() for name in postgres._LIMITS]

    assert await database.transact(limits) == ["1min", "10s", "1min"]
    assert await database.transact(limits, urgent=True) == ["2s", "1500ms", "1min"]


async def test_times_return_in_utc(postgres_url: str) -> None:
    """Times come back in utc wherever the server stands."""
    administer(f"ALTER DATABASE {sa.make_url(postgres_url).database} SET timezone = 'Asia/Kabul'")
    database = await Database.open(postgres_url)
    try:
        moment = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
        await database.transact(
            lambda c: c.execute(install_states.insert().values(_begun(moment))).close()
        )
        read = await database.inspect(lambda look: look.scalar(sa.select(_EXPIRES)))
    finally:
        await database.close()
    assert read is not None
    assert (read, read.utcoffset()) == (moment, dt.timedelta(0))


_EXPIRES = install_states.c.expires_at


def _begun(moment: dt.datetime) -> dict[str, object]:
    return {"state_hash": "s", "browser_hash": "b", "expires_at": moment}


async def test_inspect_is_readonly_snapshot(database: Database) -> None:
    """What is read is of one moment and cannot be written."""
    count = text("SELECT count(*) FROM workspaces")
    async with database.read() as connection:
        assert await connection.scalar(count) == 0
        await SqlRepository(database).create_workspace("local", "acme")
        assert await connection.scalar(count) == 0
        with pytest.raises(sa.exc.InternalError, match="read-only transaction"):
            await connection.execute(text("DELETE FROM workspaces"))
    assert await database.inspect(lambda look: look.scalar(count)) == 1


async def test_transaction_ends_before_cancellation(database: Database) -> None:
    """A transaction ends before its cancellation is heard."""
    begun = asyncio.Event()

    def slow(connection: sa.Connection) -> None:
        begun.set()
        connection.execute(text("SELECT pg_sleep(0.05)"))
        connection.execute(text("CREATE TABLE scratch (x INTEGER)"))

    task = asyncio.create_task(database.transact(slow))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with database.read() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM scratch")) == 0


@pytest.mark.parametrize("kind", ["read", "write"])
async def test_cancelled_transaction_returns_its_connection(database: Database, kind: str) -> None:
    """Cancelled at whichever step of its beginning, nothing is left to the collector."""

    async def work() -> None:
        async with database.read() if kind == "read" else database.write() as connection:
            await connection.execute(text("SELECT 1"))

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", SAWarning)
        gc.collect()
        gc.freeze()  # What is there already is not looked through forty times.
        for steps in range(40):
            task = asyncio.ensure_future(work())
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            gc.collect()

    assert [str(each.message) for each in warned] == []


async def test_deadlocked_transactions_both_succeed(database: Database) -> None:
    """The server gives one of them up after a second, and it is done again."""
    await database.transact(
        lambda c: c.execute(
            text("CREATE TABLE pair AS SELECT n, 0 AS hits FROM generate_series(1, 2) AS n")
        ).close()
    )
    tries: list[int] = []
    holding: list[int] = []
    through: list[int] = []
    hit = text("UPDATE pair SET hits = hits + 1 WHERE n = :n")

    def cross(connection: sa.Connection, first: int) -> None:
        tries.append(first)
        while tries.count(first) > 1 and not through:
            # A lock that was given up goes to whoever asks first: the other one could miss it.
            connection.execute(text("SELECT pg_sleep(0.005)"))
        connection.execute(text("SET LOCAL deadlock_timeout = '20ms'"))
        connection.execute(hit, {"n": first})
        holding.append(first)
        while len(holding) < 2:
            connection.execute(text("SELECT pg_sleep(0.005)"))
        connection.execute(hit, {"n": 3 - first})

    async def crossed(first: int) -> None:
        await database.transact(lambda connection: cross(connection, first))
        through.append(first)

    await asyncio.gather(crossed(1), crossed(2))
    assert sorted(tries) == sorted([1, 2, through[1]])
    async with database.read() as connection:
        assert list(await connection.scalars(text("SELECT hits FROM pair"))) == [2, 2]


async def test_urgent_work_finds_a_connection(
    database: Database,
) -> None:
    """Whoever is in a hurry finds a connection."""
    async with asyncio.timeout(5):
        held = [database.write() for _ in range(postgres._POOL_SIZE)]
        for each in held:
            await each.__aenter__()
        assert await database.transact(lambda c: c.scalar(text("SELECT 1")), urgent=True) == 1
        for each in held:
            await each.__aexit__(None, None, None)


# --- behind a pooler -----------------------------------------------------------------------


async def test_run_works_through_transaction_pooler(
    pooler: Pooler, pooled: Database, workspace: Workspace
) -> None:
    """A run goes through a pooler that gives each transaction another session."""
    ended = asyncio.Event()

    async def handler(_: ChatRun) -> None:
        ended.set()

    engine = await DbosEngine.open(pooled, poll_seconds=0.02)
    try:
        await engine.start(handler)
        assert (await engine.accept(asked(workspace))).state == "accepted"
        async with asyncio.timeout(10):
            await ended.wait()
            while await ChatRuns(pooled).open_runs(None):  # noqa: ASYNC110 - a row tells nobody
                await asyncio.sleep(0.01)
    finally:
        await engine.stop(1)
    assert pooler.transactions > 20
    assert pooler.ask("SELECT count(*) FROM pg_prepared_statements") == ["0", "0"]
    assert pooler.ask("SELECT name FROM pg_settings WHERE source = 'session'") == []
    assert pooler.ask("SELECT objid FROM pg_locks WHERE locktype = 'advisory'") == []
    assert pooler.ask("SELECT pg_listening_channels()") == []


async def test_empty_database_migrates_through_pooler(empty_postgres_url: str) -> None:
    """An empty database is migrated through a pooler."""
    with Pooler(empty_postgres_url, servers=3) as pooler:
        database = await Database.open(pooler.url)
        await database.close()
        database = await Database.open(pooler.url, migrate=False)
        await database.close()


# --- what goes wrong -----------------------------------------------------------------------


async def test_next_statement_survives_server_restart(
    pooler: Pooler, pooled: Database, workspace: Workspace
) -> None:
    """A restart of the server is not noticed by the next."""
    pooler.drop()
    assert await SqlRepository(pooled).workspace_by_id(workspace.id) == workspace
    pooler.drop()
    admissions = Admissions(pooled, lambda *_: None, seconds=2)
    assert (await admissions.accept(asked(workspace))).state == "accepted"


async def test_lost_commit_is_verified(
    pooler: Pooler, pooled: Database, workspace: Workspace
) -> None:
    """A commit whose answer was lost is looked into."""
    queued: list[str] = []
    admissions = Admissions(pooled, lambda _, run_id, __: queued.append(run_id), seconds=2)
    pooler.loses_commits = 1
    accepted = await admissions.accept(asked(workspace))
    assert (accepted.state, queued) == ("accepted", ["run"])
    pooler.loses_commits = 2
    with pytest.raises(StoreUnavailable, match="whether the question was stored"):
        await admissions.accept(asked(workspace, "other"))
    assert [run.id for run in await ChatRuns(pooled).open_runs(None)] == ["run", "other"]


async def test_hanging_server_is_abandoned(
    pooler: Pooler, pooled: Database, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that hangs is given up."""
    monkeypatch.setattr(postgres, "_BEGIN_SECONDS", 0.1)
    pooler.muted = True
    # Who is cancelled tells the server, and waits 5 s for it.
    asyncio.get_running_loop().call_later(0.4, pooler.drop)
    admissions = Admissions(pooled, lambda *_: None, seconds=0.05)
    with pytest.raises(StoreUnavailable, match=r"nothing was stored|too busy"):
        await admissions.accept(asked(workspace))
    with pytest.raises(StoreUnavailable, match="too busy"):
        await SqlRepository(pooled).workspace_by_id(workspace.id)
    await admissions.close(5)
    pooler.muted = False
    assert await ChatRuns(pooled).open_runs(None) == []


@pytest.mark.parametrize("asks_on", [True, False])
async def test_silence_within_transaction_is_abandoned(
    pooler: Pooler, pooled: Database, monkeypatch: pytest.MonkeyPatch, asks_on: bool
) -> None:
    """In the middle of the work, or at its commit."""
    monkeypatch.setattr(postgres, "_WORK_SECONDS", 0.2)

    def work(connection: sa.Connection) -> None:
        connection.execute(text("SELECT 1"))
        pooler.muted = True
        if asks_on:
            connection.execute(text("SELECT 1"))

    async with asyncio.timeout(5):
        with pytest.raises(StoreUnavailable, match="went away") as caught:
            await pooled.transact(work)
    assert caught.value.retryable
    pooler.drop()
    pooler.muted = False
    monkeypatch.undo()
    assert await pooled.transact(lambda c: c.scalar(text("SELECT 1"))) == 1


async def test_unreachable_server_refuses_immediately(postgres_url: str) -> None:
    """A server that is gone refuses a request at once."""
    with Pooler(postgres_url) as pooler:
        database = await Database.open(pooler.url)
        workspace = await SqlRepository(database).create_workspace(TENANT.owner, "acme")
    try:
        with pytest.raises(StoreUnavailable, match="No PostgreSQL answers at") as caught:
            await Admissions(database, lambda *_: None, seconds=2).accept(asked(workspace))
        assert caught.value.retryable
    finally:
        await database.close()


async def test_accepting_engine_fails_fast_without_server(
    postgres_url: str,
) -> None:
    """Its client of DBOS would try again until the server is back, and hold the ack up meanwhile."""
    with Pooler(postgres_url) as pooler:
        database = await Database.open(pooler.url)
        workspace = await SqlRepository(database).create_workspace(TENANT.owner, "acme")
        engine = await DbosEngine.open(database, migrate=False)
    try:
        async with asyncio.timeout(5):
            for request in (
                engine.accept(asked(workspace)),
                engine.cancel("run", "U1"),
                engine.purge_steps(dt.datetime.now(dt.UTC)),
            ):
                with pytest.raises(StoreUnavailable, match="No PostgreSQL answers at"):
                    await request
    finally:
        await engine.stop()
        await database.close()


@pytest.fixture
def unprivileged(postgres_url: str) -> Iterator[sa.URL]:
    """The address for a user who may do nothing, and is let in only once at a time."""
    url = sa.make_url(postgres_url)
    name = f"nobody_{url.database}"
    administer(f"CREATE ROLE {name} LOGIN CONNECTION LIMIT 0 PASSWORD '{SECRET}'")
    yield url.set(username=name, password=SECRET)
    administer(f"DROP ROLE {name}")


async def said_of(url: sa.URL) -> str:
    """What is said when it is opened."""
    with pytest.raises(StoreUnavailable) as caught:
        await Database.open(url.render_as_string(hide_password=False))
    assert SECRET not in f"{caught.value} {caught.value.__cause__}"
    return str(caught.value)


async def test_opening_error_says_what_to_do(unprivileged: sa.URL, postgres_url: str) -> None:
    """What keeps a database from being opened is said with what to do."""
    url, name = sa.make_url(postgres_url).set(password=SECRET), unprivileged.username
    assert "CREATE DATABASE" in await said_of(url.set(database="nowhere"))
    assert "the user and the password" in await said_of(url.set(username="no-one"))
    assert "behind the ?" in await said_of(url.update_query_dict({"optoins": "x"}))
    nobody_listens = url.set(host="127.0.0.1", port=9, query={})
    assert "Start it, or check the host" in await said_of(nobody_listens)
    assert "has no connection left" in await said_of(unprivileged)
    administer(f"ALTER ROLE {name} CONNECTION LIMIT 1")
    assert "grant it CREATE" in await said_of(unprivileged)


async def test_non_unicode_database_is_refused(empty_postgres_url: str) -> None:
    """A database that cannot hold every text is refused."""
    url = sa.make_url(empty_postgres_url)
    name = f"{url.database}_ascii"
    administer(
        f"CREATE DATABASE {name} TEMPLATE template0 ENCODING SQL_ASCII LC_COLLATE 'C' LC_CTYPE 'C'"
    )
    try:
        assert "ENCODING 'UTF8'" in await said_of(url.set(database=name))
    finally:
        administer(f"DROP DATABASE {name} WITH (FORCE)")


async def test_write_error_says_what_to_do(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What keeps a row from being written is said with what to do."""
    monkeypatch.setitem(postgres._URGENT, "lock_timeout", 10)
    lock = text("LOCK TABLE workspaces")
    async with database.write() as connection:
        await connection.execute(lock)
        with pytest.raises(StoreUnavailable, match=r"writing to .* for too long") as caught:
            await database.transact(lambda c: c.execute(lock).close(), urgent=True)
    assert caught.value.retryable
    monkeypatch.setitem(postgres._URGENT, "statement_timeout", 10)
    with pytest.raises(StoreUnavailable, match="took too long"):
        await database.transact(lambda c: c.execute(text("SELECT pg_sleep(5)")), urgent=True)

    def write_to_a_standby(connection: sa.Connection) -> None:
        connection.execute(text("SET LOCAL transaction_read_only = on"))
        connection.execute(text("DELETE FROM workspaces"))

    with pytest.raises(StoreUnavailable, match="as a standby is"):
        await database.transact(write_to_a_standby)


class Reported(Exception):
    """An error of the driver."""

    def __init__(self, sqlstate: str | None, said: str = "") -> None:
        super().__init__(said)
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("error", "said", "retryable"),
    [
        (Reported("53100", 'could not extend file "x"'), "out of disk", False),
        (Reported("53300"), "no connection left", True),
        (Reported("57P01"), "went away", True),
        (Reported("08006"), "went away", True),
        (Reported("40001"), "changing the same rows", True),
        (Reported(None, "server closed the connection unexpectedly"), "went away", True),
        (Reported(None, "FATAL:  the database system is starting up"), "went away", True),
        (Reported(None, "FATAL:  password authentication failed for user"), "the password", False),
        (Reported(None, "SSL error: certificate verify failed"), "certificate", False),
        (Reported("XX000", "Failing row contains (our secret)"), "(XX000)", True),
    ],
)
def test_explained_error_hides_its_data(error: Reported, said: str, retryable: bool) -> None:
    """An error is explained without what it is about."""
    explained = postgres_errors.explained(error, "postgresql://host/masis")
    assert said in str(explained)
    assert "postgresql://host/masis" in str(explained)
    assert "secret" not in str(explained)
    assert explained.retryable is retryable


async def test_wrong_statement_stays_a_bug(database: Database) -> None:
    """A statement that is wrong stays a bug."""
    with pytest.raises(DataError):
        await database.transact(lambda c: c.execute(text("SELECT 1 / 0")).close())


def test_database_place_hides_password() -> None:
    """The place of a database holds no password."""
    url = sa.make_url(f"postgresql://me:{SECRET}@host:5433/masis?password={SECRET}")
    assert postgres.place(url) == "postgresql://host:5433/masis"
