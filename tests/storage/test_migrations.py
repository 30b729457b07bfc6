import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, text

from masis.errors import StoreUnavailable
from storage import migrations
from storage.tables import metadata


@pytest.fixture
def connection(folder: Path) -> Iterator[Connection]:
    engine = create_engine(f"sqlite:///{folder / 'migrated.db'}")
    with engine.connect() as opened:
        yield opened
    engine.dispose()


def statements(connection: Connection) -> dict[str, list[str]]:
    """Each table's and index's own words in SQLite's catalogue; a table's lines in any order."""
    rows = connection.execute(
        text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'alem%'")
    )
    return {name: lines(" ".join(sql.split())) for name, sql in rows}


def lines(sql: str) -> list[str]:
    """A table's columns and constraints; SQLite puts a column that was added behind them all."""
    if not sql.startswith("CREATE TABLE"):
        return [sql]
    head, _, body = sql.partition("(")
    within, _, tail = body.rpartition(")")
    return [head, *sorted(part.strip() for part in re.split(r",(?![^(]*\))", within)), tail]


def test_the_migrated_schema_is_the_one_the_code_declares(connection: Connection) -> None:
    migrations.upgrade(connection)
    context = MigrationContext.configure(connection, opts={"compare_server_default": True})
    assert compare_metadata(context, metadata) == []


def test_the_migrated_schema_has_the_same_rows_indexes_and_constraints(
    connection: Connection, folder: Path
) -> None:
    migrations.upgrade(connection)
    declared = create_engine(f"sqlite:///{folder / 'declared.db'}")
    with declared.connect() as other:
        metadata.create_all(other)
        assert statements(connection) == statements(other)
    declared.dispose()


def test_there_is_one_head_and_the_code_names_it(connection: Connection) -> None:
    scripts = ScriptDirectory.from_config(migrations.config(connection))
    assert scripts.get_heads() == [migrations.HEAD]
    assert {script.revision for script in scripts.walk_revisions()} == migrations.KNOWN


def test_an_upgrade_of_a_current_database_changes_nothing(connection: Connection) -> None:
    migrations.upgrade(connection)
    before = statements(connection)
    migrations.upgrade(connection)
    assert migrations.is_current(connection)
    assert statements(connection) == before


def test_every_step_can_be_taken_back(connection: Connection) -> None:
    migrations.upgrade(connection)
    command.downgrade(migrations.config(connection), "base")
    assert inspect(connection).get_table_names() == ["alembic_version"]


def test_a_newer_schema_is_refused_with_what_to_do(connection: Connection) -> None:
    migrations.upgrade(connection)
    connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreUnavailable, match=r"newer MASIS.*Update MASIS") as caught:
        migrations.upgrade(connection)
    assert not caught.value.retryable
