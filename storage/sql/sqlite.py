"""A SQLite file: its connections, its threads, its one writer at a time, what its errors mean."""

import asyncio
import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar
from weakref import WeakSet, WeakValueDictionary

import aiosqlite
from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from masis.errors import StoreUnavailable
from storage.endings import to_its_end
from storage.sql.unavailable import unavailable

log = logging.getLogger(__name__)

T = TypeVar("T")

_BUSY_SECONDS: Final = 5
"""How long a writer waits for another process's write before it gives up."""
_POOL_SIZE: Final = 8
"""No more are opened beyond: each would be a thread, a file and six statements for one query."""
_POOL_WAIT_SECONDS: Final = 10
_READERS: Final = 2
"""Threads that read: they alternate with the event loop's anyway."""
_CHECKPOINT_TRIES: Final = 20
_CHECKPOINT_PAUSE: Final = 0.1
"""Two seconds in all, and writers may go between the tries: a reader that holds the log longer
leaves the rest to the next checkpoint."""

_SUBSEC_SINCE: Final = (3, 42)
"""The first SQLite whose `unixepoch` knows `subsec`; older ones give NULL for it."""

_LOCK_SECONDS: Final = 5.0
"""Who waits longer goes on without the lock: SQLite's own lock is the one that counts."""
_LOOK_SECONDS: Final = 0.002
_WRITES: Final = ("INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "BEGIN IMMEDIATE")
_HELD: Final = "masis_write_lock"

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
    "PRAGMA cache_size = -512",  # kB of each connection, of which there are some twenty
)


class Sqlite:
    """The connections of a process to one file, or to a database in memory."""

    def __init__(self, url: URL) -> None:
        # A failed statement must not carry a document's text into a log.
        self._engine = create_async_engine(
            url,
            pool_size=_POOL_SIZE,
            max_overflow=0,
            pool_timeout=_POOL_WAIT_SECONDS,
            hide_parameters=True,
            connect_args={"factory": _Connection, "async_creator_fn": _opened},
        )
        _prepared(self._engine.sync_engine)
        # SQLite's own waiting is a poll; in one process writers queue here, first come first
        # served. Of those that are not urgent only the first is in that queue, so that an urgent
        # one never waits for more than two, and still lets them in in order.
        self._writer = asyncio.Lock()
        self._not_urgent = asyncio.Lock()
        self._lock = write_lock(url) if _is_file(url) else WriteLock()
        self._writing = _Threads(url, 1, begin="IMMEDIATE") if _is_file(url) else None
        self._reading = _Threads(url, _READERS, begin="DEFERRED") if _is_file(url) else None

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection whose queries all see the same moment."""
        async with self._engine.connect() as connection:
            yield connection

    async def inspect(self, look: Callable[[Connection], T]) -> T:
        """Read all in one go in a thread."""
        if self._reading is not None:
            return await self._reading.do(look)
        async with self._engine.connect() as connection:
            return await connection.run_sync(look)

    @contextlib.asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that holds the right to write from its first moment.

        One that begins with a read could not wait for another writer, it would fail at once.
        """
        async with (
            self._write_lock(),
            self._engine.connect() as connection,
            self._lock.held_async(),
        ):
            await connection.execution_options(begin="IMMEDIATE")
            async with connection.begin():
                yield connection

    async def transact(self, work: Callable[[Connection], T], *, urgent: bool) -> T:
        """Do `work` in a transaction, all in one go in a thread.

        `write` goes there and back some four times a statement, and each time waits for a busy
        event loop. Urgent work goes before all other that waits but one.
        """
        async with self._write_lock(urgent=urgent):
            if self._writing is not None:
                return await self._writing.do(work, self._lock.held())
            async with self._engine.begin() as connection:
                return await connection.run_sync(work)

    async def migrate(self, upgrade: Callable[[Connection], None]) -> None:
        """Change the schema; other processes wait."""
        async with self.write() as connection:
            await connection.run_sync(upgrade)

    async def erase_traces(self) -> None:
        """Move deleted text out of the write-ahead log, so that its bytes are gone from the disk."""
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

    @contextlib.asynccontextmanager
    async def _write_lock(self, *, urgent: bool = False) -> AsyncIterator[None]:
        """The right to write, for one at a time."""
        async with contextlib.AsyncExitStack() as held:
            if not urgent:
                await held.enter_async_context(self._not_urgent)
            await held.enter_async_context(self._writer)
            yield

    async def _checkpoint(self) -> bool:
        """Copy the log into the file and cut it to nothing; False while a reader needs it."""
        async with self._write_lock(), self._engine.connect() as connection:
            raw = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await raw.execute(text("PRAGMA busy_timeout = 0"))
            try:
                busy = await raw.scalar(text("PRAGMA wal_checkpoint(TRUNCATE)"))
            finally:
                await raw.execute(text(_BUSY_TIMEOUT))
        return bool(busy == 0)


class _Threads:
    """So many threads, with a connection each."""

    def __init__(self, url: URL, count: int, *, begin: str) -> None:
        engine = create_engine(
            url.set(drivername="sqlite"),
            pool_size=count,
            max_overflow=0,
            hide_parameters=True,
            connect_args={"factory": _Connection},
        )
        self._engine = _prepared(engine).execution_options(begin=begin)
        self._threads = ThreadPoolExecutor(max_workers=count, thread_name_prefix="masis-database")
        self._is_closed = False

    async def do(
        self,
        work: Callable[[Connection], T],
        lock: contextlib.AbstractContextManager[None] | None = None,
    ) -> T:
        """Do `work` in a transaction, to its end whatever happens to the caller."""
        if self._is_closed:
            raise unavailable("The database is closed already.")
        loop = asyncio.get_running_loop()
        done = loop.run_in_executor(
            self._threads, self._transact, work, lock or contextlib.nullcontext()
        )
        return await to_its_end(done)

    async def close(self) -> None:
        """Close the connections and end the threads."""
        self._is_closed = True
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()

    def _transact(
        self, work: Callable[[Connection], T], lock: contextlib.AbstractContextManager[None]
    ) -> T:
        with lock, self._engine.begin() as connection:
            return work(connection)


def is_sqlite(url: URL) -> bool:
    """Say whether the address is SQLite's."""
    return url.get_backend_name() == "sqlite"


def _is_file(url: URL) -> bool:
    """Say whether several connections see the same database."""
    return is_sqlite(url) and not _name(url).startswith((":memory:", "file:"))


def make_private(url: URL) -> None:
    """Make the data folder and its file, open to their owner alone; what is there stays as it is.

    SQLite gives the log beside the file the same rights.

    Raises:
        StoreUnavailable: the folder cannot be made.
    """
    file = Path(_name(url))
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise unavailable(
            f"The data folder {file.parent} cannot be made ({error.strerror}). Name another one"
            " with MASIS_DATA_DIR, or mend its permissions."
        ) from error
    if _is_file(url):
        with contextlib.suppress(OSError):  # it is there, or SQLite says best why it cannot be
            file.touch(mode=0o600, exist_ok=False)


def _prepared(engine: Engine) -> Engine:
    """Begin every transaction of the engine by `_begin` alone."""
    event.listen(engine, "begin", _begin)
    return engine


def _name(url: URL) -> str:
    return url.database or ":memory:"


async def _opened(*args: Any, **options: Any) -> aiosqlite.Connection:
    """Open a connection; where that fails or is broken off, its thread has ended when this ends.

    The library leaves it behind, and it would speak to a loop that is closed by then.
    """
    connection = aiosqlite.connect(*args, **options)
    connection._thread.daemon = True  # noqa: SLF001 - as the dialect does
    try:
        return await connection
    except BaseException:
        ended = asyncio.to_thread(connection._thread.join, _BUSY_SECONDS)  # noqa: SLF001 - the same
        await to_its_end(asyncio.ensure_future(ended))
        raise


class _Connection(sqlite3.Connection):
    """A connection that is set up when it is opened, in one go, and leaves nothing open when closed.

    A statement of which not all rows were fetched, since its caller was cancelled, would otherwise
    keep a closed connection's read transaction, and with it the write-ahead log, for as long as
    anything refers to it: a logged error's traceback will do.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._cursors: WeakSet[sqlite3.Cursor] = WeakSet()
        self.isolation_level = None
        try:
            for pragma in PRAGMAS:
                self.execute(pragma).close()
        except sqlite3.Error:
            self.close()  # nobody else ever has it
            raise
        give_time(self)

    def cursor(self, *args: Any, **options: Any) -> sqlite3.Cursor:  # type: ignore[override]
        """Return a new cursor."""
        cursor: sqlite3.Cursor = super().cursor(*args, **options)
        self._cursors.add(cursor)
        return cursor

    def close(self) -> None:
        """Close the cursors, and then the connection."""
        for cursor in tuple(self._cursors):
            cursor.close()
        super().close()


def give_time(connection: Any) -> None:
    """Give an SQLite that is too old for it the `unixepoch('subsec')` that DBOS's tables ask for.

    DBOS asks from Python 3.12 on, whatever the library that comes with it: Debian 12's is older.
    Whole seconds, as DBOS itself writes them on Python 3.11.
    """
    if sqlite3.sqlite_version_info < _SUBSEC_SINCE:
        connection.create_function("unixepoch", 1, lambda _: int(time.time()))


def _begin(connection: Connection) -> None:
    kind = connection.get_execution_options().get("begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {kind}")


# --- one writer at a time ------------------------------------------------------------------


class WriteLock:
    """Serializes the writing transactions of a process, whichever engine they are of.

    SQLite itself lets who comes second try again after ever longer sleeps, of up to a tenth of a
    second each, and whoever happens to try first wins: beside the run engine's writers an
    acceptance lost.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Wait for the lock in a thread, and hold it."""
        taken = self._lock.acquire(timeout=_LOCK_SECONDS)
        try:
            yield
        finally:
            self._release(taken=taken)

    @contextlib.asynccontextmanager
    async def held_async(self) -> AsyncIterator[None]:
        """Wait for the lock on the event loop, and hold it."""
        give_up = time.monotonic() + _LOCK_SECONDS
        taken = self._lock.acquire(blocking=False)
        while not taken and time.monotonic() < give_up:
            await asyncio.sleep(_LOOK_SECONDS)
            taken = self._lock.acquire(blocking=False)
        try:
            yield
        finally:
            self._release(taken=taken)

    def guard(self, engine: Engine) -> None:
        """Take the lock for each transaction of an engine that begins one with its first write."""
        event.listen(engine, "before_cursor_execute", self._before)
        event.listen(engine, "checkin", self._after)
        event.listen(engine, "invalidate", self._after)

    def _before(self, connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if not connection.info.get(_HELD) and statement.lstrip().startswith(_WRITES):
            connection.info[_HELD] = self._lock.acquire(timeout=_LOCK_SECONDS)

    def _after(self, _connection: object, record: Any, *_: object) -> None:
        self._release(taken=record.info.pop(_HELD, False))

    def _release(self, *, taken: bool) -> None:
        if taken:
            self._lock.release()


_LOCKS: Final[WeakValueDictionary[str, WriteLock]] = WeakValueDictionary()


def write_lock(url: URL) -> WriteLock:
    """Return the lock of a file, the same one for all who write it in this process."""
    name = str(Path(url.database or "").absolute())
    return _LOCKS.setdefault(name, WriteLock())


# --- errors --------------------------------------------------------------------------------

_EXPLAINED: Final[dict[int, Callable[[str], str]]] = {
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


def explained(error: BaseException | None, place: str) -> StoreUnavailable:
    """Return what to tell a person about an error of the driver."""
    # The low byte is the error's kind, the high ones its details.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return unavailable(
            f"Another process is writing to {place} for over {_BUSY_SECONDS} seconds. Try again.",
            retryable=True,
        )
    if explanation := _EXPLAINED.get(code):
        return unavailable(explanation(place))
    return unavailable(f"The database {place} failed: {error}.", retryable=True)
