"""The database: one file in the data folder, or a server, brought to the current schema at open."""

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, make_url, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from masis.errors import StoreUnavailable
from storage import migrations

log = logging.getLogger(__name__)

T = TypeVar("T")

_BUSY_SECONDS: Final = 5
"""How long a writer waits for another process's write before it gives up."""
_POOL_SIZE: Final = 5
_POOL_WAIT_SECONDS: Final = 10
_READERS: Final = 2
"""Threads that read: they take turns with the event loop's anyway."""
_CHECKPOINT_TRIES: Final = 20
_CHECKPOINT_PAUSE: Final = 0.1
"""Two seconds in all, and writers may go between the tries: a reader that holds the log longer
leaves the rest to the next checkpoint."""

_BUSY_TIMEOUT: Final = f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000}"
# FULL makes a commit durable when it returns, also through a power cut (about 4 ms on a plain
# disk). secure_delete writes zeros over what is deleted.
PRAGMAS: Final = (
    _BUSY_TIMEOUT,
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",
)


class Database:
    """Hands out connections: `read()` sees one moment, `write()` is one transaction.

    Made by `open`, ended by `close`. Both ends raise `StoreUnavailable` for whatever the database
    itself reports, with what to do about it.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        # SQLite's own waiting is a poll; in one process writers queue here, first come first
        # served. Of those that are not urgent only the first is in that queue, so that an urgent
        # one never waits for more than two, and still lets them in in turn.
        self._writer = asyncio.Lock()
        self._patient = asyncio.Lock()
        is_file = _is_file(engine.url)
        self._writing = _Threads(engine.url, 1, begin="IMMEDIATE") if is_file else None
        self._reading = _Threads(engine.url, _READERS, begin="DEFERRED") if is_file else None

    @classmethod
    async def open(cls, location: str | Path) -> Self:
        """Open the SQLite file at a path, or the database of an SQLAlchemy URL.

        Folder and file are made when they are new, for their owner alone. The schema is brought
        up to date.

        Raises:
            StoreUnavailable: it cannot be opened, or its schema is newer than this code.
        """
        url = _url(location)
        if url.database and url.get_backend_name() == "sqlite":
            await asyncio.to_thread(_make_private, Path(url.database))
        database = cls(_engine(url))
        try:
            await database._migrate()
        except BaseException:
            await database.close()
            raise
        return database

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection whose queries all see the same moment."""
        with _reported(self.place):
            async with self._engine.connect() as connection:
                yield connection

    async def inspect(self, look: Callable[[Connection], T]) -> T:
        """Read like `read`, but on SQLite all in one go in a thread, and give what `look` gives.

        `look` gives values, no rows that are still to be fetched.
        """
        with _reported(self.place):
            if self._reading is not None:
                return await self._reading.do(look)
            async with self._engine.connect() as connection:
                return await connection.run_sync(look)

    @contextlib.asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, committed at the end, taken back on an error.

        It holds the right to write from its first moment: a transaction that begins with a read
        could not wait for another writer, it would fail at once.
        """
        with _reported(self.place):
            async with self._turn(), self._engine.connect() as connection:
                await connection.execution_options(begin="IMMEDIATE")
                async with connection.begin():
                    yield connection

    async def transact(self, work: Callable[[Connection], T], *, urgent: bool = False) -> T:
        """Do `work` in a transaction like that of `write`, and give what it gives.

        On SQLite all of it is done in one go in a thread: `write` goes there and back some four
        times a statement, and each time waits for a busy event loop. So `work` must not touch what
        belongs to the loop. It is not broken off: who is cancelled meanwhile hears of it at its
        end. Urgent work goes before all other that waits but one.
        """
        with _reported(self.place):
            async with self._turn(urgent=urgent):
                if self._writing is not None:
                    return await self._writing.do(work)
                async with self._engine.begin() as connection:
                    return await connection.run_sync(work)

    async def erase_traces(self) -> None:
        """Move deleted text out of the write-ahead log, so that its bytes are gone from the disk."""
        if self._engine.dialect.name != "sqlite":
            return
        for _ in range(_CHECKPOINT_TRIES):
            if await self._checkpoint():
                return
            await asyncio.sleep(_CHECKPOINT_PAUSE)
        log.warning("The write-ahead log is in use; deleted text leaves it when its readers end")

    async def close(self) -> None:
        """Close every connection."""
        for threads in (self._writing, self._reading):
            if threads is not None:
                await threads.close()
        await self._engine.dispose()

    def reported(self) -> contextlib.AbstractContextManager[None]:
        """The same explanations for who works on this database with connections of its own."""
        return _reported(self.place)

    @property
    def url(self) -> URL:
        """Where it is, for who keeps tables of its own beside ours; it may hold a password."""
        return self._engine.url

    @property
    def place(self) -> str:
        """Where the database is, without a password."""
        url = self._engine.url
        return url.database or "" if url.get_backend_name() == "sqlite" else repr(url)

    @contextlib.asynccontextmanager
    async def _turn(self, *, urgent: bool = False) -> AsyncIterator[None]:
        """The right to write, for one at a time."""
        async with contextlib.AsyncExitStack() as held:
            if not urgent:
                await held.enter_async_context(self._patient)
            await held.enter_async_context(self._writer)
            yield

    async def _migrate(self) -> None:
        """Upgrade the schema; one that is current is only read, so that no writer is waited for."""
        async with self.read() as connection:
            if await connection.run_sync(migrations.is_current):
                return
        async with self.write() as connection:
            await connection.run_sync(migrations.upgrade)

    async def _checkpoint(self) -> bool:
        """Copy the log into the file and cut it to nothing; False while a reader needs it."""
        with _reported(self.place):
            async with self._turn(), self._engine.connect() as connection:
                raw = await connection.execution_options(isolation_level="AUTOCOMMIT")
                await raw.execute(text("PRAGMA busy_timeout = 0"))
                try:
                    busy = await raw.scalar(text("PRAGMA wal_checkpoint(TRUNCATE)"))
                finally:
                    await raw.execute(text(_BUSY_TIMEOUT))
        return bool(busy == 0)


class _Threads:
    """Work on a SQLite file, in so many threads with a connection each."""

    def __init__(self, url: URL, count: int, *, begin: str) -> None:
        engine = create_engine(
            url.set(drivername="sqlite"), pool_size=count, max_overflow=0, hide_parameters=True
        )
        self._engine = _prepared(engine).execution_options(begin=begin)
        self._threads = ThreadPoolExecutor(max_workers=count, thread_name_prefix="masis-database")
        self._is_closed = False

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in a transaction, to its end whatever happens to the caller."""
        if self._is_closed:
            raise _unavailable("The database is closed already.")
        loop = asyncio.get_running_loop()
        done = loop.run_in_executor(self._threads, self._transact, work)
        cancelled: asyncio.CancelledError | None = None
        while not done.done():
            try:
                await asyncio.wait({done})
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            done.exception()
            raise cancelled
        return await done

    async def close(self) -> None:
        """Close the connections and end the threads."""
        self._is_closed = True
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()

    def _transact(self, work: Callable[[Connection], T]) -> T:
        with self._engine.begin() as connection:
            return work(connection)


def _url(location: str | Path) -> URL:
    """The SQLAlchemy URL of a path or of a URL, with the async driver named."""
    if isinstance(location, Path) or "://" not in location:
        path = Path(location).expanduser().absolute()
        return URL.create("sqlite+aiosqlite", database=str(path))
    url = make_url(location)
    return url.set(drivername="sqlite+aiosqlite") if url.drivername == "sqlite" else url


def _is_file(url: URL) -> bool:
    """Whether several connections see the same SQLite database."""
    name = url.database or ":memory:"
    return url.get_backend_name() == "sqlite" and not name.startswith((":memory:", "file:"))


def _make_private(file: Path) -> None:
    """Make the data folder and its file, open to their owner alone; what is there stays as it is.

    SQLite gives the log beside the file the same rights.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unavailable(
            f"The data folder {file.parent} cannot be made ({error.strerror}). Name another one"
            " with MASIS_DATA_DIR, or mend its permissions."
        ) from error
    if not file.name.startswith((":memory:", "file:")):
        with contextlib.suppress(OSError):  # it is there, or SQLite says best why it cannot be
            file.touch(mode=0o600, exist_ok=False)


def _engine(url: URL) -> AsyncEngine:
    engine = create_async_engine(
        url,
        pool_size=_POOL_SIZE,
        pool_timeout=_POOL_WAIT_SECONDS,
        # A failed statement must not carry a document's text into a log.
        hide_parameters=True,
    )
    if engine.dialect.name == "sqlite":
        _prepared(engine.sync_engine)
    return engine


def _prepared(engine: Engine) -> Engine:
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, _record: object) -> None:  # noqa: ANN401 - SQLAlchemy's adapter has no type
    """Set a new SQLite connection up; transactions are begun by `_begin` alone."""
    connection.isolation_level = None
    cursor = connection.cursor()
    try:
        for pragma in PRAGMAS:
            cursor.execute(pragma)
    finally:
        cursor.close()


def _begin(connection: Connection) -> None:
    kind = connection.get_execution_options().get("begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {kind}")


# --- errors --------------------------------------------------------------------------------


def _unavailable(message: str, *, retryable: bool = False) -> StoreUnavailable:
    error = StoreUnavailable(message)
    error.retryable = retryable
    return error


@contextlib.contextmanager
def _reported(place: str) -> Iterator[None]:
    """Turn what the database reports into `StoreUnavailable`; a broken statement stays a bug."""
    try:
        yield
    except exc.TimeoutError as error:
        raise _unavailable("The database is too busy. Try again.", retryable=True) from error
    except (exc.IntegrityError, exc.ProgrammingError):
        raise
    except exc.DBAPIError as error:
        raise _explained(error.orig, place) from error
    except sqlite3.Error as error:
        raise _explained(error, place) from error


_Explanation = Callable[[str], str]

_SQLITE: Final[dict[int, _Explanation]] = {
    sqlite3.SQLITE_FULL: lambda place: (
        f"The disk is full: {place} cannot grow. Free some space and try again; nothing was lost."
    ),
    sqlite3.SQLITE_CANTOPEN: lambda place: (
        f"The database {place} cannot be opened. Check that its folder exists and is writable,"
        " or name another one with MASIS_DATA_DIR."
    ),
    sqlite3.SQLITE_READONLY: lambda place: (
        f"The database {place} is read-only. Make the file and its folder writable."
    ),
    sqlite3.SQLITE_PERM: lambda place: f"The database {place} may not be opened: no permission.",
    sqlite3.SQLITE_NOTADB: lambda place: (
        f"{place} is no MASIS database, or it is damaged. Move it away, or restore it from a copy."
    ),
    sqlite3.SQLITE_CORRUPT: lambda place: (
        f"The database {place} is damaged. Restore it from a copy, or move it away and ingest the"
        " documents again."
    ),
    sqlite3.SQLITE_IOERR: lambda place: (
        f"The disk under {place} reports an error. Check its space and its health."
    ),
}


def _explained(error: BaseException | None, place: str) -> StoreUnavailable:
    """What to tell a person about a driver's error."""
    # The low byte is the error's kind, the high ones its details.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return _unavailable(
            f"Another process is writing to {place} for over {_BUSY_SECONDS} seconds. Try again.",
            retryable=True,
        )
    if explanation := _SQLITE.get(code):
        return _unavailable(explanation(place))
    return _unavailable(f"The database {place} failed: {error}.", retryable=True)
