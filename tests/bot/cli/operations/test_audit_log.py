import datetime as dt
from pathlib import Path

import pytest

from storage.sql.database import Database
from tests.bot.cli.spoken import NAMED, OTHERS, Said, on
from tests.bot.program import Masis, lines

NOON = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)


@pytest.fixture
def masis(masis: Masis, data_dir: Path) -> Masis:
    async def administer(database: Database) -> None:
        await Said(database).administer("link", NOON, target="C1", detail="handbook")
        later = NOON + dt.timedelta(minutes=5)
        await Said(database).administer("unlink", later, target="C1\x1b[2J", allowed=False)
        between = NOON + dt.timedelta(minutes=2)
        await Said(database, OTHERS).administer("settings", between)

    on(data_dir, administer)
    return masis


def test_team_actions_are_listed_newest_first(masis: Masis) -> None:
    """A teams actions are listed newest first."""
    result = masis("audit", "--team", NAMED)
    assert result.exit_code == 0
    heading, *rows = result.stdout.splitlines()
    assert heading.split() == ["When", "(UTC)", "Who", "Action", "Target", "Detail"]
    assert [row.split() for row in rows] == [
        ["2026-03-01", "12:05", "U0STAYER", "unlink", "refused", "C1[2J"],
        ["2026-03-01", "12:00", "U0STAYER", "link", "C1", "handbook"],
    ]


def test_all_team_actions_are_merged(masis: Masis) -> None:
    """Without a team every teams actions are merged."""
    rows = masis("audit", "--limit", "2").stdout.splitlines()[1:]
    assert [(row.split()[3], row.split()[-1]) for row in rows] == [
        ("unlink", NAMED),
        ("settings", "T0TWO"),
    ]


def test_programs_read_a_line_an_action(masis: Masis) -> None:
    [newest, _] = lines(masis("audit", "--team", NAMED, "--json"))
    assert newest == {
        "actor": "U0STAYER",
        "action": "unlink",
        "target": "C1\x1b[2J",
        "detail": "",
        "allowed": False,
        "at": "2026-03-01T12:05:00Z",
        "team": NAMED,
    }


def test_other_team_sees_no_actions(masis: Masis) -> None:
    """Another team sees nothing and a wrong id is refused."""
    nobody = masis("audit", "--team", "T0THREE")
    assert (nobody.exit_code, nobody.stdout) == (0, "")
    assert "No admin actions yet" in nobody.stderr
    wrong = masis("audit", "--team", "general")
    assert wrong.exit_code == 2
    assert "--team should be an id" in wrong.stderr
