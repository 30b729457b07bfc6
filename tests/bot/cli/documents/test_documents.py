import asyncio
import json
from pathlib import Path

from filelock import FileLock

from bot.compose import compose
from bot.owners import owner_of
from bot.settings import load
from tests.bot.program import HANDBOOK, Masis, lines, program


def names(masis: Masis, workspace: str = "hb") -> list[str]:
    return [found["name"] for found in lines(masis("docs", "-w", workspace, "--json"))]


def test_document_list_has_json_form(filled: Masis) -> None:
    """Documents are listed for people and for programs."""
    shown = filled("docs", "--workspace", "handbook")
    assert shown.exit_code == 0
    assert [row.split()[0] for row in shown.stdout.splitlines()] == ["Document", *sorted(HANDBOOK)]
    found = lines(filled("docs", "-w", "handbook", "--json"))
    assert [each["name"] for each in found] == sorted(HANDBOOK)
    assert {each["format"] for each in found} == {"md", "txt", "csv"}


def test_workspace_list_has_json_form(filled: Masis) -> None:
    """Workspaces are listed for people and for programs."""
    assert "handbook" in filled("workspaces").stdout
    (found,) = lines(filled("workspaces", "--json"))
    assert (found["name"], found["owner"], found["documents"]) == ("handbook", "local", 3)


def test_team_workspaces_are_grouped(masis: Masis, data_dir: Path) -> None:
    """Workspaces of teams are counted and listed team by team."""

    async def make() -> None:
        async with compose(load(data_dir=data_dir)) as app:
            for owner, name in (("T01", "a"), ("T01", "b"), ("E09/T02", "c")):
                await app.repository.create_workspace(owner_of(owner), name)

    asyncio.run(make())
    alone = masis("workspaces")
    assert alone.stdout == ""
    assert "3 workspaces belong to chat teams: `masis workspaces --team T`" in alone.stderr
    one = masis("workspaces", "--team", "T01", "--json")
    assert [each["name"] for each in lines(one)] == ["a", "b"]
    assert one.stderr == ""
    assert "c" in masis("workspaces", "--team", "E09/T02").stdout
    assert "T0NONE has no workspaces" in masis("workspaces", "--team", "T0NONE").stderr


def test_empty_list_explains_adding_workspaces(masis: Masis) -> None:
    """Without workspaces the way to one is told."""
    result = masis("workspaces")
    assert result.exit_code == 0
    assert "masis ingest FOLDER --workspace NAME" in result.stderr
    assert result.stdout == ""
    assert masis("workspaces", "--json").stdout == ""


def test_unknown_workspace_suggests_the_nearest(filled: Masis) -> None:
    """An unknown workspace is named with the nearest."""
    for command in (["docs"], ["ask", "What?"], ["delete", "x"]):
        result = filled(*command, "--workspace", "hanbook")
        assert result.exit_code == 2
        assert result.stderr == (
            "Error: There is no workspace “hanbook”. Did you mean “handbook”?\n"
        )
    far = filled("docs", "--workspace", "zzz", "--json")
    assert far.exit_code == 2
    (said,) = lines(far)
    assert said == {
        "status": "failed",
        "error": "There is no workspace “zzz”. There are: handbook.",
    }


def test_deleting_one_document_keeps_others(data_dir: Path, handbook: Path) -> None:
    """A deleted document is gone and the others stay."""
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("ingest", handbook, "-w", "hb")
    masis("ask", "How many days of annual leave are there?", "-w", "hb")
    result = masis("delete", "leave.md", "--workspace", "hb")
    assert (result.exit_code, result.stdout) == (
        0,
        "deleted leave.md · 1 stored answer that quoted it emptied\n",
    )
    assert names(masis) == ["it/laptops.txt", "prices.csv"]
    asked = masis("ask", "How many days of annual leave are there?", "-w", "hb", "--json")
    # The run id is random and may hold any two digits.
    assert "26" not in json.loads(asked.stdout)["answer"]
    (found,) = lines(masis("delete", "prices.csv", "-w", "hb", "--json"))
    assert found == {"status": "deleted", "name": "prices.csv", "blanked": 0}


def test_locked_vectors_prevent_deletion(data_dir: Path, handbook: Path) -> None:
    """Nothing is deleted while another process holds the vectors."""
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("ingest", handbook, "-w", "hb")
    (lock,) = data_dir.rglob("w_*.lock")
    with FileLock(lock):
        for what in ["leave.md"], ["--all", "--yes"]:
            result = masis("delete", *what, "-w", "hb")
            assert result.exit_code == 5
            assert "Another process holds the vectors" in result.stderr
    assert len(names(masis)) == 3


def test_one_wrong_name_prevents_deletion(data_dir: Path, handbook: Path) -> None:
    """Nothing is deleted when one name is wrong."""
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("ingest", handbook, "-w", "hb")
    result = masis("delete", "leave.md", "it/laptop.txt", "-w", "hb")
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: “hb” has no document “it/laptop.txt”: did you mean “it/laptops.txt”?"
        " Nothing was deleted.\n"
    )
    assert len(names(masis)) == 3


def test_deleting_workspace_requires_confirmation(data_dir: Path, handbook: Path) -> None:
    """A whole workspace is deleted only when it is meant."""
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("ingest", handbook, "-w", "hb")
    for wrong in (["delete", "-w", "hb"], ["delete", "-w", "hb", "leave.md", "--all"]):
        assert masis(*wrong).exit_code == 2
    unsure = masis("delete", "-w", "hb", "--all")
    assert unsure.exit_code == 2
    assert "give --yes as well to mean it" in unsure.stderr
    assert masis("delete", "-w", "hb", "--all", "--yes").stdout == "deleted hb\n"
    assert masis("workspaces", "--json").stdout == ""
