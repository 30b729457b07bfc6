"""A PostgreSQL server: its connections, its limits, how its transactions begin.

Everything here also holds behind a pooler that gives each transaction another connection of the
server (PgBouncer's transaction mode): no prepared statements, no options at the start of a session,
no setting and no lock that outlives its transaction, no LISTEN.
"""

import asyncio
import contextlib
import functools
import os
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, Self, TypeVar

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, exc, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from storage.endings import to_its_end
from storage.sql import postgres_errors
from storage.sql.unavailable import unavailable

T = TypeVar("T")

DRIVER: Final = "postgresql+psycopg"

_POOL_SIZE: Final = 8
_POOL_WAIT_SECONDS: Final = 10
_BEGIN_SECONDS: Final = 15
"""For a connection, new or of the pool, and the first word on it."""
_POOL: Final[dict[str, Any]] = {
    "max_overflow": 0,
    "pool_recycle": 1800,
    # A failed statement must not carry a document's text into a log.
    "hide_parameters": True,
}

_UNUSED_SECONDS: Final = 1.0
"""A connection of threads that lay so long is tried before it is used: the server or a balancer may
have ended it. To try each one each time is a transaction more for every transaction."""
_USED_AT: Final = "masis_used_at"

_CONNECT: Final[dict[str, Any]] = {
    "connect_timeout": 5,
    # A server that is gone without a word is noticed within 15 s, and within 10 s by a writer.
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 10_000,
    "application_name": "masis",
    "client_encoding": "utf8",
}
"""Seconds, but for the last of the times. The address itself may say otherwise."""

_LIMITS: Final = {
    "statement_timeout": 60_000,
    "lock_timeout": 10_000,
    "idle_in_transaction_session_timeout": 60_000,
}
_URGENT: Final = _LIMITS | {"statement_timeout": 2_000, "lock_timeout": 1_500}
"""For what somebody waits for who has a second."""
_UNLIMITED: Final = dict.fromkeys(_LIMITS, 0)
_WORK_SECONDS: Final = 65
_URGENT_SECONDS: Final = 4
"""For a whole transaction. A server that is there has given up a statement before; one that went
silent, or a pooler before it, never says so."""
_SILENCE_SECONDS: Final = 65
"""For one statement, or the time between two, of what is read or written step by step."""

_READING: Final = MappingProxyType(
    {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
)
"""Of a transaction whose queries all see the same moment."""

_TRIES: Final = 3
_AGAIN: Final = {"40001", "40P01"}
"""What the server gives up in favour of another transaction (serialization, deadlock): it may be
done again at once."""

_SCHEMA_KEY: Final = 0x4D41_5349_5301
"""Of an advisory lock: "MASIS" and a number."""
_SCHEMA_PAUSE: Final = 0.1
_SCHEMA_SECONDS: Final = 300
"""How long a start waits for another process that changes the schema."""


class Postgres:
    """The connections of a process to one database of a server."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._engine = _async_engine(url, _POOL_SIZE)
        # Whoever is in a hurry finds a connection, whatever the others do.
        self._urgent = _async_engine(url, 1).execution_options(limits=_URGENT)
        self._is_closed = False

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection whose queries all see the same moment."""
        async with self._begun(self._engine, options=_READING) as connection:
            yield connection

    async def inspect(self, look: Callable[[Connection], T]) -> T:
        """Read all in one go."""
        async with self._begun(self._engine, options=_READING) as connection:
            return await connection.run_sync(look)

    @contextlib.asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction; others write at the same time."""
        async with self._begun(self._engine) as connection:
            yield connection

    async def transact(self, work: Callable[[Connection], T], *, urgent: bool) -> T:
        """Do `work` in a transaction, again where it got into another one's way.

        Urgent work has a connection of its own, and gives up soon. From a server that falls silent
        in the middle it parts, as if the connection had been lost: after the word to commit nobody
        knows what became of it.
        """
        engine, seconds = (
            (self._urgent, _URGENT_SECONDS) if urgent else (self._engine, _WORK_SECONDS)
        )
        return await to_its_end(asyncio.ensure_future(self._transact(engine, work, seconds)))

    async def migrate(self, upgrade: Callable[[Connection], None]) -> None:
        """Change the schema, while no other process does."""
        await asyncio.to_thread(self._migrate, upgrade)

    async def erase_traces(self) -> None:
        """Nothing can be done from here: see `Database.erase_traces`."""

    async def close(self) -> None:
        """Close every connection."""
        self._is_closed = True
        await self._engine.dispose()
        await self._urgent.dispose()

    @contextlib.asynccontextmanager
    async def _begun(
        self,
        engine: AsyncEngine,
        seconds: float | None = None,
        options: Mapping[str, Any] = MappingProxyType({}),
    ) -> AsyncIterator[AsyncConnection]:
        """A transaction of a server that answers: a pooler takes connections, whatever is behind it.

        Its connection is cut when it is not over within `seconds`, or without them when neither it
        nor its server said anything for long.
        """
        if self._is_closed:
            raise unavailable("The database is closed already.")
        async with contextlib.AsyncExitStack() as held:
            try:
                async with asyncio.timeout(_BEGIN_SECONDS):
                    connection = await _opened(held, engine, seconds, options)
            except TimeoutError as error:
                raise exc.TimeoutError from error
            yield connection

    async def _transact(
        self, engine: AsyncEngine, work: Callable[[Connection], T], seconds: float
    ) -> T:
        for tries_left in reversed(range(_TRIES)):
            try:
                async with self._begun(engine, seconds) as connection:
                    return await connection.run_sync(work)
            except exc.DBAPIError as error:
                if not tries_left or postgres_errors.state(error.orig) not in _AGAIN:
                    raise
        raise AssertionError  # the last try returns or raises

    def _migrate(self, upgrade: Callable[[Connection], None]) -> None:
        engine = migrating(self._url)
        try:
            with schema_lock(engine) as connection:
                _check_encoding(connection)
                upgrade(connection)
        finally:
            engine.dispose()


async def _opened(
    held: contextlib.AsyncExitStack,
    engine: AsyncEngine,
    seconds: float | None,
    options: Mapping[str, Any],
) -> AsyncConnection:
    """Enter a transaction.

    A connection of the pool that the server ended meanwhile says so at its first word, before
    anything was done: another one is made then. To try each one before is a transaction more.
    """
    try:
        return await _entered(held, engine, seconds, options)
    except exc.DBAPIError as error:
        if not error.connection_invalidated:
            raise
    return await _entered(held, engine, seconds, options)


async def _entered(
    held: contextlib.AsyncExitStack,
    engine: AsyncEngine,
    seconds: float | None,
    options: Mapping[str, Any],
) -> AsyncConnection:
    """Take a connection and begin.

    The options are set once the connection is ours: an engine's own are set while it is being made,
    and who is cancelled then leaves it to the collector.
    """
    async with contextlib.AsyncExitStack() as entering:
        connection = await entering.enter_async_context(engine.connect())
        raw = await connection.get_raw_connection()
        deadline = _Deadline(raw.driver_connection, seconds or _SILENCE_SECONDS)
        entering.enter_context(deadline)
        watched = {"deadline": deadline} if seconds is None else {}
        await connection.execution_options(**options, **watched)
        await entering.enter_async_context(connection.begin())
        await held.enter_async_context(entering.pop_all())
        return connection


def is_postgres(url: URL) -> bool:
    """Say whether the address is PostgreSQL's."""
    return url.get_backend_name() == "postgresql"


def place(url: URL) -> str:
    """The address without a password, wherever it stands in it."""
    at = url.host or url.query.get("host") or "localhost"
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{at}{port}/{url.database or ''}"


def connect_args(url: URL) -> dict[str, Any]:
    """Return what every connection is opened with, unless the address says otherwise."""
    chosen = {name: value for name, value in _CONNECT.items() if name not in url.query}
    return chosen | {"prepare_threshold": None}


def blocking_engine(url: URL, pool_size: int) -> Engine:
    """An engine for threads, whose connections and transactions are like our own."""
    engine = create_engine(url, connect_args=connect_args(url), pool_size=pool_size, **_POOL)
    event.listen(engine, "checkin", _note_use)
    event.listen(engine, "checkout", functools.partial(_try_out, engine))
    return _prepared(engine)


class _Deadline:
    """Cuts a connection when the context is not left in time, counted from the last `renew`.

    Whoever waits for it sees its end as if the server had gone. To cancel the wait would ask the
    server to cancel, and wait for that for 10 s more.
    """

    def __init__(self, driver: Any, seconds: float) -> None:
        self._driver = driver
        self._seconds = seconds

    def __enter__(self) -> Self:
        # A file of our own, so that it is not another connection's by then.
        self._line = socket.socket(fileno=os.dup(self._driver.fileno()))
        self._timer = self._set()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._line.close()

    def renew(self) -> None:
        """Something is said, or answered."""
        self._timer.cancel()
        self._timer = self._set()

    def _set(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self._seconds, _cut, self._line)


def _cut(line: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it has ended by itself
        line.shutdown(socket.SHUT_RDWR)


def _renew(connection: Connection, *_: object) -> None:
    deadline: _Deadline | None = connection.get_execution_options().get("deadline")
    if deadline is not None:
        deadline.renew()


def _async_engine(url: URL, pool_size: int) -> AsyncEngine:
    engine = create_async_engine(
        url,
        connect_args=connect_args(url),
        pool_size=pool_size,
        pool_timeout=_POOL_WAIT_SECONDS,
        **_POOL,
    )
    _prepared(engine.sync_engine)
    for moment in ("before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(engine.sync_engine, moment, _renew)
    return engine


def _prepared(engine: Engine) -> Engine:
    event.listen(engine, "begin", _begin)
    return engine


def _note_use(_connection: object, record: ConnectionPoolEntry) -> None:
    record.info[_USED_AT] = time.monotonic()


def _try_out(
    engine: Engine, connection: DBAPIConnection, record: ConnectionPoolEntry, _: object
) -> None:
    """Try a connection that lay unused for long.

    Raises:
        DisconnectionError: it has ended; the pool makes another one, and tries out all of its own.
    """
    used_at = record.info.get(_USED_AT)
    if used_at is None or time.monotonic() - used_at < _UNUSED_SECONDS:
        return
    try:
        engine.dialect.do_ping(connection)
    except engine.dialect.loaded_dbapi.Error as error:
        raise exc.InvalidatePoolError from error


def _begin(connection: Connection) -> None:
    """Set the limits of a transaction, those of its option `limits` if it has one, and its zone.

    A session's own settings would go astray behind a pooler, which also refuses options at the
    start of a session. It costs one way to the server and back.
    """
    _set(connection, connection.get_execution_options().get("limits", _LIMITS))


def _set(connection: Connection, limits: dict[str, int]) -> None:
    """The limits are milliseconds; 0 is none. Times come back in UTC, wherever the server stands."""
    values = {"timezone": "'UTC'"} | limits
    connection.exec_driver_sql("; ".join(f"SET LOCAL {name} = {values[name]}" for name in values))


# --- the schema ----------------------------------------------------------------------------


def migrating(url: URL) -> Engine:
    """An engine for changes of the schema, which may take their time."""
    return create_engine(
        url, connect_args=connect_args(url), poolclass=NullPool, hide_parameters=True
    )


def _check_encoding(connection: Connection) -> None:
    """Check that the database can hold every text.

    Raises:
        StoreUnavailable: it cannot.
    """
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise unavailable(
            f"The database keeps texts as {encoding}, which cannot hold them all. Make one with"
            " `CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0`."
        )


@contextlib.contextmanager
def schema_lock(engine: Engine) -> Iterator[Connection]:
    """A transaction during which no other process changes the schema, committed at the end.

    Who waits asks again and again, in transactions of their own: an index that is built
    concurrently waits for every transaction that is in the middle of a statement, and so for ever
    for one that waits in the server for us.

    Raises:
        StoreUnavailable: another process has held it for minutes.
    """
    give_up_at = time.monotonic() + _SCHEMA_SECONDS
    while True:
        with engine.begin() as connection:
            _set(connection, _UNLIMITED)
            query = text(f"SELECT pg_try_advisory_xact_lock({_SCHEMA_KEY})")
            if connection.scalar(query):
                yield connection
                return
        if time.monotonic() > give_up_at:
            raise unavailable(
                "Another process has been changing the database's schema for"
                f" {_SCHEMA_SECONDS // 60} minutes. Wait for it, or end it, and start again.",
                retryable=True,
            )
        time.sleep(_SCHEMA_PAUSE)
