import asyncio

import pytest

from storage.sql import migrations
from storage.sql.database import Database
from tests.bot.program import Masis, lines


def test_an_empty_database_is_brought_up_to_date_and_then_left_as_it_is(masis: Masis) -> None:
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


def test_no_other_command_changes_the_schema_of_a_server(
    masis: Masis, empty_postgres_url: str
) -> None:
    for command in LOOKING:
        result = masis(*command, MASIS_DATABASE_URL=empty_postgres_url)
        assert result.exit_code != 0, command
        assert "Run `masis migrate`" in result.output, command
    assert asyncio.run(Database.revision_of(empty_postgres_url)) is None
    # A file has one owner, and no order of upgrade to keep to.
    assert masis("workspaces").exit_code == 0


@pytest.mark.parametrize(("command"), [("worker",), ("serve", "--role", "ingress")], ids=" ".join)
def test_a_role_alone_checks_the_schema_and_says_who_changes_it(
    masis: Masis, empty_postgres_url: str, command: tuple[str, ...]
) -> None:
    result = masis(
        *command,
        MASIS_DATABASE_URL=empty_postgres_url,
        MASIS_QDRANT_URL="http://127.0.0.1:1",
        MASIS_HTTP_PORT="0",
    )
    assert result.exit_code == 5
    assert "Run `masis migrate`" in result.stderr


@pytest.mark.parametrize(("command"), [("worker",), ("serve", "--role", "ingress")], ids=" ".join)
def test_a_role_alone_is_refused_on_stores_of_one_process(
    masis: Masis, command: tuple[str, ...]
) -> None:
    result = masis(*command)
    assert result.exit_code == 2
    assert (
        "MASIS_DATABASE_URL has to name a PostgreSQL database and MASIS_QDRANT_URL has to name a"
        " Qdrant server."
    ) in result.stderr
