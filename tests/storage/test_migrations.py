import asyncio
import contextlib
import datetime as dt
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    JSON,
    Column,
    Connection,
    MetaData,
    String,
    create_engine,
    func,
    inspect,
    select,
    text,
)

from masis.errors import StoreUnavailable
from storage.checkpoint_rows import LIBRARY_TABLES
from storage.sql import migrations, postgres, workflow_tables
from storage.sql.database import Database
from storage.sql.tables import metadata
from tests.postgres import fresh_database


@contextlib.contextmanager
def empty(kind: str, folder: Path, name: str) -> Iterator[Connection]:
    """A connection to a database with nothing in it."""
    with contextlib.ExitStack() as closing:
        url = f"sqlite:///{folder / name}.db"
        if kind == "postgres":
            given = closing.enter_context(fresh_database(migrated=False))
            url = given.replace("postgresql", postgres.DRIVER, 1)
        engine = create_engine(url)
        closing.callback(engine.dispose)
        yield closing.enter_context(engine.connect())


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def connection(kind: str, folder: Path) -> Iterator[Connection]:
    with empty(kind, folder, "migrated") as opened:
        yield opened


def statements(connection: Connection) -> dict[str, list[str]]:
    """Each table's, index's and constraint's own words in the catalogue; a table's in any order."""
    if connection.dialect.name == "sqlite":
        query = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    else:
        query = """
            SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
            UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace
            UNION ALL SELECT table_name || '.' || column_name, concat_ws(' ', data_type,
            character_maximum_length, is_nullable, column_default)
            FROM information_schema.columns WHERE table_schema = 'public'
        """
    rows = connection.execute(text(query))
    return {name: lines(" ".join(sql.split())) for name, sql in rows if "alembic" not in name}


def lines(sql: str) -> list[str]:
    """A table's columns and constraints; SQLite puts a column that was added behind them all."""
    if not sql.startswith("CREATE TABLE"):
        return [sql]
    head, _, body = sql.partition("(")
    within, _, tail = body.rpartition(")")
    return [head, *sorted(part.strip() for part in re.split(r",(?![^(]*\))", within)), tail]


def filled(connection: Connection) -> dict[str, int]:
    """Put a row into every empty table; every text is the same, so that all belong together."""
    there = MetaData()
    there.reflect(connection)
    held = counted(connection)
    for table in there.sorted_tables:
        if not held[table.name]:
            row = {column.name: _value(column) for column in table.columns}
            connection.execute(table.insert().values(row))
    return counted(connection)


def counted(connection: Connection) -> dict[str, int]:
    there = MetaData()
    there.reflect(connection)
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in there.sorted_tables
    }


def _value(column: Column[Any]) -> object:
    kind = column.type
    if isinstance(kind, JSON):
        return {}
    value = VALUES[kind.python_type]
    return value[: kind.length] if isinstance(value, str) and isinstance(kind, String) else value


VALUES: Final = {
    str: "same",
    bytes: b"same",
    int: 1,
    float: 1.0,
    Decimal: 1,
    bool: True,
    dt.datetime: dt.datetime(2026, 3, 1, tzinfo=dt.UTC),
    dt.date: dt.date(2026, 3, 1),
}


def _is_ours(name: str | None, kind: str, _: object) -> bool:
    """Leave out what the graph library's checkpointer keeps beside ours."""
    return kind != "table" or name not in LIBRARY_TABLES


def test_migrated_schema_equals_declared_one(connection: Connection) -> None:
    """The migrated schema is the one the code declares."""
    migrations.upgrade(connection)
    opts = {"compare_server_default": True, "include_name": _is_ours}
    context = MigrationContext.configure(connection, opts=opts)
    assert compare_metadata(context, metadata) == []


def test_migrated_schema_has_same_constraints(
    connection: Connection, kind: str, folder: Path
) -> None:
    """The migrated schema has the same rows indexes and constraints."""
    migrations.upgrade(connection)
    with empty(kind, folder, "declared") as other:
        metadata.create_all(other)
        assert _ours(statements(connection)) == statements(other)


def _ours(found: dict[str, list[str]]) -> dict[str, list[str]]:
    library = tuple(LIBRARY_TABLES)
    return {name: words for name, words in found.items() if not name.startswith(library)}


def test_every_upgrade_keeps_all_rows(connection: Connection) -> None:
    """Every upgrade keeps the rows of every table."""
    before: dict[str, int] = {}
    for revision in sorted(migrations.KNOWN):
        command.upgrade(migrations.config(connection), revision)
        assert before.items() <= counted(connection).items()
        before = filled(connection)
    assert set(before) - LIBRARY_TABLES == {"alembic_version", *metadata.tables}
    assert {count for name, count in before.items() if name not in LIBRARY_TABLES} == {1}


async def test_simultaneous_opening_of_database_succeeds(
    empty_postgres_url: str,
) -> None:
    """Processes that open an empty database at once all succeed."""
    databases = await asyncio.gather(*(Database.open(empty_postgres_url) for _ in range(3)))
    try:
        await asyncio.gather(
            *(asyncio.to_thread(workflow_tables.migrate, each.url) for each in databases)
        )
        for each in databases:
            await asyncio.to_thread(workflow_tables.check, each.url)
    finally:
        for each in databases:
            await each.close()


def test_single_head_matches_the_code(connection: Connection) -> None:
    """There is one head and the code names it."""
    scripts = ScriptDirectory.from_config(migrations.config(connection))
    assert scripts.get_heads() == [migrations.HEAD]
    assert {script.revision for script in scripts.walk_revisions()} == migrations.KNOWN


def test_upgrading_current_database_changes_nothing(connection: Connection) -> None:
    """An upgrade of a current database changes nothing."""
    migrations.upgrade(connection)
    before = statements(connection)
    migrations.upgrade(connection)
    assert migrations.is_current(connection)
    assert statements(connection) == before


def test_every_step_can_be_taken_back(connection: Connection) -> None:
    migrations.upgrade(connection)
    command.downgrade(migrations.config(connection), "base")
    assert inspect(connection).get_table_names() == ["alembic_version"]


def test_another_schema_is_refused(connection: Connection) -> None:
    migrations.upgrade(connection)
    connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreUnavailable, match=r"another MASIS.*Use the newest MASIS") as caught:
        migrations.upgrade(connection)
    assert not caught.value.retryable
