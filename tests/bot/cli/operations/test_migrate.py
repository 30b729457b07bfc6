import asyncio
from pathlib import Path

import pytest

from storage.sql import migrations
from storage.sql.database import Database
from tests.bot.program import Masis, lines, program


@pytest.fixture
def masis(data_dir: Path) -> Masis:
    """The program on a folder that is not there yet."""
    return program(data_dir)


def test_empty_database_is_migrated_once(masis: Masis) -> None:
    """An empty database is brought up to date and then left as it is."""
    first = masis("migrate")
    assert first.exit_code == 0, first.output
    assert f"MASIS's tables were upgraded from nothing to {migrations.HEAD}.\n" in first.stdout
    assert "The run engine's tables were upgraded from nothing to " in first.stdout
    second = masis("migrate")
    assert second.exit_code == 0
    assert f"MASIS's tables are current ({migrations.HEAD}).\n" in second.stdout


def test_it_says_the_same_to_programs(masis: Masis, empty_postgres_url: str) -> None:
    ours, engines = lines(masis("migrate", "--json", MASIS_DATABASE_URL=empty_postgres_url))
    assert ours == {"what": "MASIS's tables", "before": None, "after": migrations.HEAD}
    assert engines["before"] is None
    again = lines(masis("migrate", "--json", MASIS_DATABASE_URL=empty_postgres_url))
    assert [each["before"] == each["after"] for each in again] == [True, True]


LOOKING = [
    ("runs",),
    ("usage",),
    ("workspaces", "--team", "T0123"),
    ("docs", "--workspace", "handbook"),
    ("token", "list"),
    ("keys", "status"),
    ("feedback",),
    ("audit",),
    ("doctor",),
]
"""Commands that somebody runs beside a bot of another version."""


def test_other_commands_keep_server_schema(masis: Masis, empty_postgres_url: str) -> None:
    """No other command changes the schema of a server."""
    for command in LOOKING:
        result = masis(*command, MASIS_DATABASE_URL=empty_postgres_url)
        assert result.exit_code != 0, command
        assert "Run `masis migrate`" in result.output, command
    assert asyncio.run(Database.revision_of(empty_postgres_url)) is None
    # A file has one owner, and no order of upgrade to keep to.
    assert masis("workspaces").exit_code == 0


@pytest.mark.parametrize(("command"), [("worker",), ("serve", "--role", "ingress")], ids=" ".join)
def test_separate_role_checks_the_schema(
    masis: Masis, empty_postgres_url: str, command: tuple[str, ...]
) -> None:
    """A role alone checks the schema and says who changes it."""
    result = masis(
        *command,
        MASIS_DATABASE_URL=empty_postgres_url,
        MASIS_QDRANT_URL="http://127.0.0.1:1",
        MASIS_HTTP_PORT="0",
    )
    assert result.exit_code == 5
    assert "Run `masis migrate`" in result.stderr


@pytest.mark.parametrize(("command"), [("worker",), ("serve", "--role", "ingress")], ids=" ".join)
def test_separate_role_requires_server_stores(masis: Masis, command: tuple[str, ...]) -> None:
    """A role alone is refused on stores of one process."""
    result = masis(*command)
    assert result.exit_code == 2
    assert (
        "MASIS_DATABASE_URL has to name a PostgreSQL database and MASIS_QDRANT_URL has to name a"
        " Qdrant server."
    ) in result.stderr
