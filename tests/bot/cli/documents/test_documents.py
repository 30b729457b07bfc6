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


def test_documents_are_listed_for_people_and_for_programs(filled: Masis) -> None:
    shown = filled("docs", "--workspace", "handbook")
    assert shown.exit_code == 0
    assert [row.split()[0] for row in shown.stdout.splitlines()] == ["Document", *sorted(HANDBOOK)]
    found = lines(filled("docs", "-w", "handbook", "--json"))
    assert [each["name"] for each in found] == sorted(HANDBOOK)
    assert {each["format"] for each in found} == {"md", "txt", "csv"}


def test_workspaces_are_listed_for_people_and_for_programs(filled: Masis) -> None:
    assert "handbook" in filled("workspaces").stdout
    (found,) = lines(filled("workspaces", "--json"))
    assert (found["name"], found["owner"], found["documents"]) == ("handbook", "local", 3)


def test_workspaces_of_teams_are_counted_and_listed_team_by_team(
    masis: Masis, data_dir: Path
) -> None:
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


def test_without_workspaces_the_way_to_one_is_told(masis: Masis) -> None:
    result = masis("workspaces")
    assert result.exit_code == 0
    assert "masis ingest FOLDER --workspace NAME" in result.stderr
    assert result.stdout == ""
    assert masis("workspaces", "--json").stdout == ""


def test_an_unknown_workspace_is_named_with_the_nearest(filled: Masis) -> None:
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


def test_a_deleted_document_is_gone_and_the_others_stay(data_dir: Path, handbook: Path) -> None:
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


def test_nothing_is_deleted_while_another_process_holds_the_vectors(
    data_dir: Path, handbook: Path
) -> None:
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("ingest", handbook, "-w", "hb")
    (lock,) = data_dir.rglob("w_*.lock")
    with FileLock(lock):
        for what in ["leave.md"], ["--all", "--yes"]:
            result = masis("delete", *what, "-w", "hb")
            assert result.exit_code == 5
            assert "Another process holds the vectors" in result.stderr
    assert len(names(masis)) == 3


def test_nothing_is_deleted_when_one_name_is_wrong(data_dir: Path, handbook: Path) -> None:
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("ingest", handbook, "-w", "hb")
    result = masis("delete", "leave.md", "it/laptop.txt", "-w", "hb")
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: “hb” has no document “it/laptop.txt”: did you mean “it/laptops.txt”?"
        " Nothing was deleted.\n"
    )
    assert len(names(masis)) == 3


def test_a_whole_workspace_is_deleted_only_when_it_is_meant(data_dir: Path, handbook: Path) -> None:
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("ingest", handbook, "-w", "hb")
    for wrong in (["delete", "-w", "hb"], ["delete", "-w", "hb", "leave.md", "--all"]):
        assert masis(*wrong).exit_code == 2
    unsure = masis("delete", "-w", "hb", "--all")
    assert unsure.exit_code == 2
    assert "give --yes as well to mean it" in unsure.stderr
    assert masis("delete", "-w", "hb", "--all", "--yes").stdout == "deleted hb\n"
    assert masis("workspaces", "--json").stdout == ""
