import datetime as dt
import json
import os
from pathlib import Path
from typing import Any

import pytest

from storage.sql.database import Database
from tests.bot.cli.spoken import NAMED, OTHERS, TEAM, Said, on
from tests.bot.program import Masis, lines, program
from tests.storage.chat.samples import a_run, insert

NOW = dt.datetime.now(dt.UTC)


def ago(days: int) -> dt.datetime:
    return NOW - dt.timedelta(days=days, minutes=1)


@pytest.fixture
def masis(masis: Masis, data_dir: Path) -> Masis:
    async def vote(database: Database) -> None:
        ours, theirs = Said(database), Said(database, OTHERS)
        await ours.vote(await ours.ask("r1", "Who\x1b[2J?"), good=True, at=ago(3))
        await ours.vote(await ours.ask("r2", "When?"), good=False, reason="Wrong year.", at=ago(1))
        await theirs.vote(await theirs.ask("r3", "Where?"), good=True, at=ago(2))

    on(data_dir, vote)
    return masis


def test_team_votes_are_listed_newest_first(masis: Masis) -> None:
    """A teams votes are listed newest first."""
    heading, *rows = masis("feedback", "--team", NAMED).stdout.splitlines()
    assert heading.split() == ["When", "(UTC)", "Vote", "Status", "Question", "Reason"]
    assert [row.split()[2:] for row in rows] == [
        ["not", "good", "answered", "When?", "Wrong", "year."],
        ["good", "answered", "Who[2J?"],
    ]


def test_operator_sees_votes_with_team(masis: Masis) -> None:
    """The operator sees every teams votes with the team."""
    rows = masis("feedback").stdout.splitlines()[1:]
    assert [row.split()[-1] for row in rows] == [NAMED, "T0TWO", NAMED]


def test_programs_read_a_line_a_vote(masis: Masis) -> None:
    [newest, oldest] = lines(masis("feedback", "--team", NAMED, "--json"))
    assert (newest["vote"], newest["reason"], newest["run_id"]) == ("not good", "Wrong year.", "r2")
    assert (oldest["vote"], oldest["documents"], oldest["team"]) == ("good", ["a.pdf"], NAMED)


def test_votes_are_filtered_by_age(masis: Masis) -> None:
    """Old votes and other workspaces can be left out."""
    assert [vote["run_id"] for vote in lines(masis("feedback", "--since", "2", "--json"))] == ["r2"]
    found = lines(masis("feedback", "-w", "handbook", "--team", "T0TWO", "--json"))
    assert [vote["run_id"] for vote in found] == ["r3"]
    unknown = masis("feedback", "-w", "nowhere", "--team", "T0TWO")
    assert unknown.exit_code == 2
    assert "There is no workspace “nowhere”" in unknown.stderr


def test_a_workspace_wants_its_team(masis: Masis) -> None:
    result = masis("feedback", "-w", "handbook")
    assert result.exit_code == 2
    assert "--workspace needs --team" in result.stderr


def test_without_votes_it_says_so(masis: Masis, tmp_path: Path) -> None:
    result = masis("feedback", "--team", "T0NOBODY")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "No votes yet" in result.stderr
    nothing = masis("feedback", "--team", "T0NOBODY", "--export", tmp_path / "none.jsonl")
    assert nothing.exit_code == 0
    assert "nothing to export" in nothing.stderr
    assert not (tmp_path / "none.jsonl").exists()


def test_export_never_overwrites(masis: Masis, tmp_path: Path) -> None:
    """An export is private and replaces nothing."""
    file = tmp_path / "cases.jsonl"
    result = masis("feedback", "--team", NAMED, "--export", file)
    assert result.stdout == f"2 cases in {file}, 1 of them to be completed as their notes say\n"
    assert [json.loads(line)["id"] for line in file.read_text().splitlines()] == ["r2", "r1"]
    if os.name == "posix":
        assert file.stat().st_mode & 0o077 == 0
    before = file.read_bytes()
    again = masis("feedback", "--export", file)
    assert again.exit_code == 2
    assert "is there already" in again.stderr
    assert file.read_bytes() == before


def test_unwritable_export_is_refused(masis: Masis, tmp_path: Path) -> None:
    """An export that cannot be written is refused."""
    for name, said in (("cases.csv", "JSON lines"), ("no/such/folder.jsonl", "cannot be written")):
        result = masis("feedback", "--export", tmp_path / name)
        assert result.exit_code == 2
        assert said in result.stderr


def test_export_can_be_evaluated(data_dir: Path, handbook: Path, tmp_path: Path) -> None:
    """What is exported is what eval reads."""
    masis = program(data_dir, MASIS_EMBEDDER="none")
    of_team = ("-w", "handbook", "--team", NAMED)
    assert masis("ingest", handbook, *of_team).exit_code == 0
    questions = ["How many days of annual leave does every employee have?", "Who won in 1966?"]
    asked = [json.loads(masis("ask", each, *of_team, "--json").stdout) for each in questions]
    on(data_dir, lambda database: _voted(database, asked))

    file = tmp_path / "cases.jsonl"
    told = lines(masis("feedback", *of_team, "--export", file, "--json"))
    assert told == [{"status": "exported", "cases": 2, "to_complete": 1, "left_out": 0}]

    *results, last = lines(masis("eval", file, *of_team, "--json"))
    found = {result["kind"]: result for result in results}
    assert found["voted-good"]["cites_gold"] is True
    assert found["voted-good"]["documents"] == ["leave.md"]
    assert set(last["summary"]) == {"voted-good", "voted-not-good", "all"}


async def _voted(database: Database, asked: list[dict[str, Any]]) -> None:
    """Vote on what was asked: good for the first, not good for the other."""
    said = Said(database)
    workspace = await said.workspace()
    for number, answer in enumerate(asked):
        run = a_run(answer["run_id"], workspace, tenant=TEAM)
        await insert(database, run)
        await said.vote(run, good=number == 0)
