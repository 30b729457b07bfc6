"""The tables that DBOS keeps beside ours: brought up to date, or checked."""

import contextlib
import logging
import math
import time
from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa
from dbos import DBOS, DBOSPortableJSONSerializer
from dbos._error import DBOSInitializationError
from dbos._sys_db import SystemDatabase

from storage.sql import postgres
from storage.sql.sqlite import is_sqlite
from storage.sql.unavailable import unavailable

_SCHEMA: Final = "dbos"
_TABLE: Final = "dbos_migrations"
_KIND: Final = 40
"""Characters by which messages of DBOS's log are alike."""
_KINDS: Final = 100
_SELDOM_SECONDS: Final = 30.0


def migrate(url: sa.URL) -> None:
    """Bring DBOS's tables up to date: none of its triggers that would notify listeners.

    Several processes do so one after the other. `DBOS.migrate` knows no such choice, and connects
    in its own way, which a pooler does not take.
    """
    sync = sync_url(url)
    if is_sqlite(sync):
        DBOS.migrate(_address(sync))
        return
    with _migrating(sync) as engine, postgres.schema_lock(engine):
        _tables(sync, engine).run_migrations()


def check(url: sa.URL) -> None:
    """Check that DBOS's tables are up to date, and change nothing.

    Raises:
        StoreUnavailable: they are not.
    """
    sync = sync_url(url)
    with _migrating(sync) as engine:
        try:
            _tables(sync, engine).verify_migrations()
        except DBOSInitializationError:
            raise unavailable(
                "The run engine's tables are missing or older than this MASIS. Run"
                " `masis migrate`, and start again."
            ) from None


def version(url: sa.URL) -> int:
    """Return how many of its migrations DBOS's tables have seen; 0 where there are none."""
    sync = sync_url(url)
    schema = None if is_sqlite(sync) else _SCHEMA
    with _migrating(sync) as engine, engine.connect() as connection:
        if not sa.inspect(connection).has_table(_TABLE, schema=schema):
            return 0
        table = sa.table(_TABLE, sa.column("version"), schema=schema)
        return connection.scalar(sa.select(table.c.version)) or 0


def sync_url(url: sa.URL) -> sa.URL:
    """The address for DBOS's own, blocking, connections."""
    return url.set(drivername="sqlite") if is_sqlite(url) else url


def quiet() -> None:
    """Let DBOS log by our own handlers: without one it adds its own, and shows every start.

    While the database is away each of its threads would say so several times a second.
    """
    log = logging.getLogger("dbos")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    if not any(isinstance(each, _Seldom) for each in log.filters):
        log.addFilter(_Seldom())
    log.setLevel(logging.WARNING)


class _Seldom(logging.Filter):
    """Lets what begins alike through once in a while."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a message was not said lately."""
        kind = record.getMessage()[:_KIND]
        now = time.monotonic()
        if now - self._said.get(kind, -math.inf) < _SELDOM_SECONDS:
            return False
        if len(self._said) >= _KINDS:
            self._said.clear()
        self._said[kind] = now
        return True


@contextlib.contextmanager
def _migrating(url: sa.URL) -> Iterator[sa.Engine]:
    engine = sa.create_engine(url) if is_sqlite(url) else postgres.migrating(url)
    try:
        yield engine
    finally:
        engine.dispose()


def _tables(url: sa.URL, engine: sa.Engine) -> SystemDatabase:
    return SystemDatabase.create(
        system_database_url=_address(url),
        engine_kwargs={},
        engine=engine,
        schema=_SCHEMA,
        serializer=DBOSPortableJSONSerializer(),
        executor_id=None,
        use_listen_notify=False,
    )


def _address(url: sa.URL) -> str:
    return url.render_as_string(hide_password=False)
