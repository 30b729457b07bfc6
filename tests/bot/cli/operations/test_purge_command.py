import sqlite3
from pathlib import Path
from typing import Any, Final

import pytest
import typer
from filelock import FileLock

from bot.cli.session import Session
from bot.database_address import DATABASE_FILE
from masis.conversation import LOCAL_TENANT, TEAMS, Tenant
from storage.chat.requests import ChatRuns
from storage.sql.database import Database
from storage.sql.tables import metadata
from tests.bot.cli.spoken import GONER, KEYS, NAMED, OTHERS, TEAM, Said, on
from tests.bot.program import Masis, lines, program, write
from tests.memory import copy_folder
from tests.storage.beside import occurrences

WORDS: Final = "flamingo4711"
"""In documents, questions, answers, votes and steps of the team that is to be forgotten."""
GUID: Final = "aaaaaaaa-0000-0000-0000-000000000001"
DOCUMENTS: Final = {"birds.md": f"# Birds\n\nThe {WORDS} stands on one leg for 26 hours a day.\n"}


ALWAYS: Final = {
    "MASIS_EMBEDDER": "none",
    "MASIS_SECRET_KEYS": KEYS,
    "MASIS_PARSER_PROCESSES": "1",
}


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A team that talked about what its documents say, one request of which crashed."""
    root = tmp_path_factory.mktemp("talked")
    data_dir = root / "data"
    masis = program(data_dir, **ALWAYS)
    folder = write(root / "documents", DOCUMENTS)
    of_team = ("-w", "handbook", "--team", NAMED)
    assert masis("ingest", folder, *of_team).exit_code == 0
    masis("ask", f"How long does the {WORDS} stand?", *of_team)

    async def talk(database: Database) -> None:
        said = Said(database)
        await said.talk(WORDS)
        await said.crash(data_dir / "masis.db", WORDS)
        await said.install("xoxb-secret")
        await Said(database, OTHERS).talk("what others say")

    on(data_dir, talk)
    assert occurrences(str(data_dir / DATABASE_FILE), WORDS) > 10
    return data_dir


@pytest.fixture
def masis(talked: Path, data_dir: Path) -> Masis:
    copy_folder(talked, data_dir)
    return program(data_dir, **ALWAYS)


def rows(data_dir: Path, tenant: Tenant = TEAM) -> dict[str, int]:
    """How many rows of each table name the tenant."""

    async def count(database: Database) -> dict[str, int]:
        counts: dict[str, int] = {}
        async with database.read() as connection:
            for table in metadata.sorted_tables:
                found = [dict(row) for row in (await connection.execute(table.select())).mappings()]
                theirs = [
                    row
                    for row in found
                    if (row.get("enterprise"), row.get("team")) == (tenant.enterprise, tenant.team)
                    or row.get("owner") == tenant.owner
                ]
                counts |= {table.name: len(theirs)} if theirs else {}
        return counts

    found: dict[str, int] = on(data_dir, count)
    return found


def test_purged_team_leaves_no_data(masis: Masis, data_dir: Path) -> None:
    """A forgotten team leaves no byte and others stay."""
    before = rows(data_dir, OTHERS)
    assert rows(data_dir)["installations"] == 1

    result = masis("purge", "--team", NAMED, "--yes")

    assert result.exit_code == 0, result.output
    assert "“handbook” with 1 document" in result.stderr
    assert "Still open: 1 request." in result.stderr
    assert result.stdout == "removed: 1 workspace, 2 requests, 1 clarification, 1 vote\n"
    assert occurrences(str(data_dir / DATABASE_FILE), WORDS) == 0
    assert rows(data_dir) == {}
    assert rows(data_dir, OTHERS) == before


def test_purged_workspace_keeps_the_installation(masis: Masis, data_dir: Path) -> None:
    """A forgotten workspace leaves no byte and the installation stays."""
    result = masis("purge", "--workspace", "handbook", "--team", NAMED, "--yes", "--json")
    assert result.exit_code == 0, result.output
    [told] = lines(result)
    assert (told["status"], told["requests"], len(told["workspaces"])) == ("purged", 2, 1)
    assert occurrences(str(data_dir / DATABASE_FILE), WORDS) == 0
    assert set(rows(data_dir)) == {"installations"}
    assert set((data_dir / "vectors").iterdir()) == set((data_dir / "vectors").glob("*.lock"))


def test_command_line_workspace_is_purged(masis: Masis, data_dir: Path, tmp_path: Path) -> None:
    """A workspace of the command line is forgotten too."""
    folder = write(tmp_path / "mine", {"mine.md": "The pelican7 eats 4 fish a day.\n"})
    assert masis("ingest", folder, "-w", "handbook").exit_code == 0
    before = rows(data_dir)
    assert masis("purge", "-w", "handbook", "--yes").exit_code == 0
    assert occurrences(str(data_dir / DATABASE_FILE), "pelican7") == 0
    assert rows(data_dir) == before


def test_purged_person_keeps_the_documents(masis: Masis, data_dir: Path) -> None:
    """A forgotten person leaves no word and the documents stay."""
    result = masis("purge", "--user", GONER, "--team", NAMED, "--yes")
    assert result.exit_code == 0, result.output
    assert "2 requests, and the words of 0 more" in result.stderr
    assert "Still open: 1 request." in result.stderr
    assert result.stdout.startswith("removed: 2 requests")
    assert rows(data_dir)["workspaces"] == 1
    assert rows(data_dir, OTHERS)["chat_runs"] == 1
    # What is left are the document, and what the command line asked about it.
    assert masis("purge", "-w", "handbook", "--team", NAMED, "--yes").exit_code == 0
    assert occurrences(str(data_dir / DATABASE_FILE), WORDS) == 0


def test_nothing_goes_without_a_yes(
    masis: Masis, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows(data_dir)
    unsure = masis("purge", "--team", NAMED)
    assert unsure.exit_code == 2
    assert "give --yes as well to mean it" in unsure.stderr
    monkeypatch.setattr(Session, "can_ask", property(lambda _: True))
    monkeypatch.setattr(typer, "confirm", lambda _: False)
    declined = masis("purge", "--team", NAMED)
    assert declined.exit_code == 0
    assert "Nothing was removed." in declined.stderr
    assert rows(data_dir) == before


def test_a_confirmed_purge_is_done(masis: Masis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "can_ask", property(lambda _: True))
    monkeypatch.setattr(typer, "confirm", lambda said: said == "Remove it for good?")
    assert masis("purge", "--user", GONER, "--team", NAMED).stdout.startswith("removed: ")


def test_organisations_purge_forgets_teams_requests(data_dir: Path) -> None:
    """What a team asked of its whole organisation's workspace goes with that, open or not."""
    masis, team = program(data_dir, **ALWAYS), Tenant(chat=TEAMS, enterprise=GUID, team=GUID)
    data_dir.mkdir(parents=True)
    file = data_dir / DATABASE_FILE
    on(data_dir, lambda database: Said(database, team, team.organisation_owner).crash(file, WORDS))
    for meant in (["-w", "handbook"], []):
        before = masis("purge", *meant, "--team", f"{GUID}/")
        assert "Still open: 1 request." in before.stderr, before.output
    result = masis("purge", "--team", f"{GUID}/", "--yes")
    assert result.stdout == "removed: 1 workspace, 1 request\n", result.stderr
    assert occurrences(str(file), WORDS) == 0


def test_locked_vectors_prevent_purging(masis: Masis, data_dir: Path) -> None:
    """Nothing goes while another process holds the vectors."""
    before = rows(data_dir)
    [lock] = data_dir.rglob("w_*.lock")
    with FileLock(lock):
        result = masis("purge", "--team", NAMED, "--yes")
    assert result.exit_code == 5
    assert "Another process holds the vectors" in result.stderr
    assert rows(data_dir) == before
    assert masis("purge", "--team", NAMED, "--yes").exit_code == 0


UNCLEAR: Final[list[tuple[list[str], str]]] = [
    ([], "say what to forget"),
    (["--user", GONER], "say what to forget"),
    (["--user", "@olivia", "--team", NAMED], "--user should be an id"),
    (["--user", GONER, "--team", NAMED, "-w", "handbook"], "exclude each other"),
    (["--team", "T0NOBODY"], "There are: T0TWO, E0ONE/T0ONE."),
    (["--team", "nobody"], "--team should be an id"),
    (["-w", "handbok", "--team", NAMED], "Did you mean “handbook”?"),
]


def test_what_is_not_clear_is_refused(talked: Path) -> None:
    masis = program(talked, **ALWAYS)
    before = rows(talked)
    for arguments, said in UNCLEAR:
        result = masis("purge", *arguments, "--yes", "--json")
        assert result.exit_code == 2
        assert said in result.stderr
        assert lines(result)[0]["status"] == "failed"
    assert rows(talked) == before


def test_purging_silent_person_changes_nothing(masis: Masis, data_dir: Path) -> None:
    """Who said nothing is forgotten without a change."""
    before = rows(data_dir)
    result = masis("purge", "--user", "U0NOBODY", "--team", NAMED, "--yes")
    assert (result.exit_code, result.stdout) == (0, "nothing was left to remove\n")
    assert rows(data_dir) == before
    left = on(data_dir, lambda database: ChatRuns(database).open_runs(TEAM))
    assert len(left) == 1, "nothing that runs is cancelled"
    assert "Still open" not in result.stderr


def test_deleted_words_leave_ended_requests(masis: Masis, data_dir: Path) -> None:
    """A deleted documents words leave the steps of ended requests."""
    file = data_dir / "masis.db"
    _execute(file, "UPDATE workflow_status SET status = 'SUCCESS'")
    of_team = ("-w", "handbook", "--team", NAMED)
    for deleting in (["birds.md"], ["--all", "--yes"]):
        assert masis("delete", *deleting, *of_team).exit_code == 0
        assert _execute(file, "SELECT * FROM operation_outputs") == []


@pytest.mark.parametrize("command", ["delete", "sync"])
def test_program_words_leave_local_requests(
    masis: Masis, data_dir: Path, tmp_path: Path, command: str
) -> None:
    """Words that a program asked for leave the steps of the command lines own workspace."""
    file = data_dir / "masis.db"
    folder = write(tmp_path / "mine", {"mine.md": "The pelican7 eats 4 fish a day.\n"})
    assert masis("sync", folder, "-w", "handbook").exit_code == 0
    on(data_dir, lambda database: Said(database, LOCAL_TENANT).crash(file, "pelican7"))
    _execute(file, "UPDATE workflow_status SET status = 'SUCCESS'")
    (folder / "mine.md").unlink()
    arguments = ["mine.md"] if command == "delete" else [folder, "--allow-empty"]
    assert masis(command, *arguments, "-w", "handbook").exit_code == 0
    kept = _execute(file, "SELECT output FROM operation_outputs")
    assert ("pelican7",) not in kept


def _execute(file: Path, statement: str) -> list[Any]:
    connection = sqlite3.connect(file)
    try:
        found = connection.execute(statement).fetchall()
        connection.commit()
    finally:
        connection.close()
    return found
