"""The database: one file in the data folder, or a server, brought to the current schema at open."""

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Self, TypeVar

from sqlalchemy import URL, Connection, exc, make_url
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.sql import migrations, postgres, postgres_errors, sqlite
from storage.sql.unavailable import unavailable

T = TypeVar("T")


class Database:
    """Hands out connections: `read()` sees one moment, `write()` is one transaction.

    Made by `open`, ended by `close`. Both ends raise `StoreUnavailable` for whatever the database
    itself reports, with what to do about it.
    """

    def __init__(self, url: URL) -> None:
        self._url = url
        is_server = postgres.is_postgres(url)
        self._connections = postgres.Postgres(url) if is_server else sqlite.Sqlite(url)

    @classmethod
    async def open(cls, location: str | Path, *, migrate: bool = True) -> Self:
        """Open the SQLite file at a path, or the database of an SQLAlchemy URL.

        Folder and file are made when they are new, for their owner alone. The schema is brought up
        to date, by one process at a time; without `migrate` it has to be up to date.

        Raises:
            StoreUnavailable: it cannot be opened, or its schema is newer than this code, or older
                and not to be changed.
        """
        url = url_of(location)
        if url.database and sqlite.is_sqlite(url):
            await asyncio.to_thread(sqlite.make_private, url)
        database = cls(url)
        async with contextlib.AsyncExitStack() as undoing:
            undoing.push_async_callback(database.close)
            await database._prepare_schema(migrate=migrate)
            undoing.pop_all()
        return database

    @classmethod
    async def revision_of(cls, location: str | Path) -> str | None:
        """The schema that a database has now, whatever this code knows; None for an empty one.

        Raises:
            StoreUnavailable: it cannot be opened.
        """
        url = url_of(location)
        if url.database and sqlite.is_sqlite(url):
            await asyncio.to_thread(sqlite.make_private, url)
        database = cls(url)
        try:
            async with database.read() as connection:
                return await connection.run_sync(migrations.revision)
        finally:
            await database.close()

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection whose queries all see the same moment."""
        with self.reported():
            async with self._connections.read() as connection:
                yield connection

    async def inspect(self, look: Callable[[Connection], T]) -> T:
        """Read like `read`, but on SQLite all in one go in a thread, and give what `look` gives.

        `look` gives values, no rows that are still to be fetched.
        """
        with self.reported():
            return await self._connections.inspect(look)

    @contextlib.asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, committed at the end, taken back on an error.

        On SQLite nobody else writes meanwhile. On PostgreSQL others do: a decision that rests on
        what was read needs a condition in its statement, or `storage.sql.exclusive`.
        """
        with self.reported():
            async with self._connections.write() as connection:
                yield connection

    async def transact(self, work: Callable[[Connection], T], *, urgent: bool = False) -> T:
        """Do `work` in a transaction like that of `write`, and give what it gives.

        `work` must not touch what belongs to the event loop: on SQLite it is done in a thread. It
        may be done again from its start, when the server gave it up for another transaction. It is
        not broken off: who is cancelled meanwhile hears of it at its end. Urgent work waits for
        less: see `Sqlite.transact` and `Postgres.transact`.
        """
        with self.reported():
            return await self._connections.transact(work, urgent=urgent)

    async def erase_traces(self) -> None:
        """Move deleted text out of the write-ahead log, so that its bytes are gone from the disk.

        On PostgreSQL there is nothing to do that a client could: deleted rows are invisible at
        once, and autovacuum reuses their place soon. Their bytes stay in the pages until then, in
        the write-ahead log until it is recycled, and in whatever is archived or backed up. Whoever
        has to have them gone by a date needs an encrypted disk, and backups that expire.
        """
        with self.reported():
            await self._connections.erase_traces()

    async def close(self) -> None:
        """Close every connection."""
        await self._connections.close()

    @contextlib.contextmanager
    def reported(self) -> Iterator[None]:
        """Turn what the database reports into `StoreUnavailable`; a broken statement stays a bug.

        Also for who works on this database with connections of its own.
        """
        is_server = postgres.is_postgres(self._url)
        explained = postgres_errors.explained if is_server else sqlite.explained
        try:
            yield
        except exc.TimeoutError as error:
            raise unavailable("The database is too busy. Try again.", retryable=True) from error
        except (exc.IntegrityError, exc.DataError, exc.ProgrammingError) as error:
            if not is_server or postgres_errors.is_bug(error.orig or error):
                raise
            raise explained(error.orig or error, self.place) from error
        except exc.DBAPIError as error:
            raise explained(error.orig, self.place) from error
        except sqlite3.Error as error:
            raise explained(error, self.place) from error

    @property
    def url(self) -> URL:
        """Return where the database is, for whoever keeps tables beside ours.

        It may hold a password.
        """
        return self._url

    @property
    def place(self) -> str:
        """Return where the database is, without a password."""
        is_file = sqlite.is_sqlite(self._url)
        return self._url.database or "" if is_file else postgres.place(self._url)

    async def _prepare_schema(self, *, migrate: bool) -> None:
        """Upgrade the schema; one that is current is only read, so that no writer is waited for."""
        async with self.read() as connection:
            if await connection.run_sync(migrations.is_current):
                return
        if not migrate:
            raise unavailable(
                f"The database {self.place} is not of the schema that this MASIS works with. Run"
                " `masis migrate` once, with the newest version that uses it."
            )
        with self.reported():
            await self._connections.migrate(migrations.upgrade)


def url_of(location: str | Path) -> URL:
    """The SQLAlchemy URL of a path or of a URL, with the async driver named."""
    if isinstance(location, Path) or "://" not in location:
        path = Path(location).expanduser().absolute()
        return URL.create("sqlite+aiosqlite", database=str(path))
    url = make_url(location)
    if url.drivername in {"postgres", "postgresql"}:
        return url.set(drivername=postgres.DRIVER)
    return url.set(drivername="sqlite+aiosqlite") if url.drivername == "sqlite" else url
