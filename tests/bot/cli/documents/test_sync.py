import asyncio
import os
import shutil
import signal
from pathlib import Path

import pytest

from bot.cli.documents.sync import Syncing, Wanted
from bot.cli.documents.sync_lock import sole_sync
from bot.cli.session import Session
from bot.compose import compose
from bot.settings import load
from masis.errors import StoreLocked
from storage.queue.executors import Duties
from tests.bot.program import Masis, lines, program, write

LEAVE = "# Leave\n\nThere are 26 days of annual leave.\n"


@pytest.fixture
def plain(data_dir: Path) -> Masis:
    """Without an embedder: what is asked here has nothing to do with vectors."""
    return program(data_dir, MASIS_EMBEDDER="none")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write(tmp_path / "small", {"leave.md": LEAVE, "old/sick.md": "# Sick\n\nCall early.\n"})


def test_each_change_has_a_line(plain: Masis, small: Path) -> None:
    """Each change has a line and the summary counts the rest."""
    result = plain("sync", small, "-w", "hb")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "added      leave.md · 1 passage",
        "added      old/sick.md · 1 passage",
        "2 added. “hb” holds 2 documents, 2 passages.",
    ]
    assert result.stderr == ""
    (small / "leave.md").write_text(LEAVE + "\nThe rule is new.\n", encoding="utf-8")
    shutil.move(small / "old", small / "new")
    write(small, {"travel.md": "# Travel\n\nBook early.\n", "bad.pdf": "%PDF-1.7\nnothing"})
    result = plain("sync", small, "-w", "hb")
    assert result.exit_code == 4, "as of an ingest: a file was refused"
    assert [line.partition(" · ")[0] for line in result.stdout.splitlines()] == [
        "renamed    new/sick.md",
        "refused    bad.pdf",
        "updated    leave.md",
        "added      travel.md",
        "1 added, 1 updated, 1 renamed, 1 refused. “hb” holds 3 documents, 3 passages.",
    ]
    assert "new/sick.md · was old/sick.md\n" in result.stdout


def test_removed_file_deletes_its_quotes(plain: Masis, small: Path) -> None:
    """A removed file takes its document and what quoted it along."""
    plain("sync", small, "-w", "hb")
    assert plain("ask", "How many days of annual leave are there?", "-w", "hb").exit_code == 0
    (small / "leave.md").unlink()
    result = plain("sync", small, "-w", "hb")
    assert result.stdout.splitlines() == [
        "removed    leave.md · 1 stored answer that quoted it emptied",
        "1 removed, 1 unchanged. “hb” holds 1 document, 1 passage.",
    ]


def test_dry_run_changes_nothing(plain: Masis, small: Path) -> None:
    """A dry run tells and changes nothing."""
    result = plain("sync", small, "-w", "hb", "--dry-run")
    assert result.exit_code == 0
    assert result.stdout.endswith("2 added, if this were done. Nothing was changed.\n")
    assert plain("workspaces", "--json").stdout == "", "not even the workspace is made"
    found = lines(plain("sync", small, "-w", "hb", "--dry-run", "--json"))
    assert [(each["status"], each["document"], each["dry_run"]) for each in found] == [
        ("added", "leave.md", True),
        ("added", "old/sick.md", True),
    ]


def test_json_is_a_line_a_document(plain: Masis, small: Path) -> None:
    plain("sync", small, "-w", "hb")
    shutil.move(small / "leave.md", small / "holiday.md")
    renamed, same = sorted(
        lines(plain("sync", small, "-w", "hb", "--json")), key=lambda each: str(each["status"])
    )
    assert renamed == {
        "document": "holiday.md",
        "status": "renamed",
        "was": "leave.md",
        "reason": None,
        "version": 1,
        "chunks": 1,
        "notes": [],
        "blanked": 0,
        "dry_run": False,
    }
    assert (same["status"], same["document"]) == ("unchanged", "old/sick.md")
    found = lines(plain("docs", "-w", "hb", "--json"))
    assert {each["source"] for each in found} == {str(small.resolve())}


def test_missing_folder_removes_nothing(plain: Masis, small: Path) -> None:
    """A missing or empty folder removes nothing and says so."""
    plain("sync", small, "-w", "hb")
    shutil.move(small, small.with_name("elsewhere"))
    gone = plain("sync", small, "-w", "hb")
    assert gone.exit_code == 2
    assert "its drive is connected. Nothing was removed." in gone.stderr
    small.mkdir()
    empty = plain("sync", small, "-w", "hb")
    assert empty.exit_code == 4
    assert empty.stdout == "2 kept. “hb” holds 2 documents, 2 passages.\n"
    assert "2 documents kept, whose folder is there and holds nothing" in empty.stderr
    assert "--allow-empty removes them" in empty.stderr
    meant = plain("sync", small, "-w", "hb", "--allow-empty")
    assert (meant.exit_code, meant.stdout.splitlines()[-1]) == (
        0,
        "2 removed. “hb” holds 0 documents, 0 passages.",
    )


def test_documents_that_came_otherwise_are_told(plain: Masis, small: Path) -> None:
    plain("ingest", small / "leave.md", "-w", "hb")
    told = plain("sync", small, "-w", "hb")
    assert "1 document came otherwise than by this sync, and will stay" in told.stderr
    assert plain("sync", small, "-w", "hb", "--adopt").stderr == ""


def test_moved_folder_keeps_its_old_name(plain: Masis, small: Path) -> None:
    """A folder that was moved goes on under its old name."""
    plain("sync", small, "-w", "hb")
    moved = small.rename(small.with_name("moved"))
    refused = plain("sync", moved, "-w", "hb")
    assert refused.exit_code == 4
    assert f"give --source “{small}” where that folder was moved here." in refused.stdout
    result = plain("sync", moved, "-w", "hb", "--source", small)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (
        0,
        "2 unchanged. “hb” holds 2 documents, 2 passages.",
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--watch", "--dry-run"], "exclude each other"),
        (["--source", "a\nb"], "plain characters in one line"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    plain: Masis, small: Path, arguments: list[str], said: str
) -> None:
    result = plain("sync", small, "-w", "hb", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_masis_own_folder_is_no_documents(plain: Masis, data_dir: Path, small: Path) -> None:
    inside = shutil.copytree(small, data_dir / "documents")
    result = plain("sync", inside, "-w", "hb")
    assert result.exit_code == 2
    assert "is where MASIS keeps its own data" in result.stderr
    around = plain("sync", data_dir.parent, "-w", "hb", "--dry-run", "--json")
    assert "data/" not in {each["document"][:5] for each in lines(around)}


async def test_second_concurrent_sync_changes_nothing(data_dir: Path, small: Path) -> None:
    """Of two syncs at once one waits and finds it done."""
    settings = load(data_dir=data_dir, embedder="none")
    wanted = Wanted(folder=str(small), workspace="hb", source=str(small))
    syncs = [Syncing(Session(load=load, as_json=True), settings, wanted) for _ in range(2)]
    async with compose(settings):
        pass  # the schema is there
    await asyncio.gather(*(each.once() for each in syncs))
    assert sorted(dict(each.counts) == {"added": 2} for each in syncs) == [False, True]
    assert sorted(dict(each.counts) == {"unchanged": 2} for each in syncs) == [False, True]


async def test_running_sync_excludes_other_processes(data_dir: Path) -> None:
    """A process that syncs keeps another from it."""
    settings = load(data_dir=data_dir, embedder="none")
    async with compose(settings) as one, compose(settings) as other:
        place = await one.repository.create_workspace("local", "hb")
        elsewhere = await one.repository.create_workspace("local", "elsewhere")
        told: list[str] = []
        mine, others = Duties(one.database, "mine"), Duties(other.database, "others")
        async with sole_sync(mine, place, lambda: told.append("one")) as check:
            check()
            async with sole_sync(others, elsewhere, lambda: told.append("elsewhere")):
                pass
            with pytest.raises(StoreLocked, match="Another sync of “hb” is at work"):
                async with sole_sync(others, place, lambda: told.append("other"), held_seconds=0.1):
                    pytest.fail("two at once")
        assert told == ["other"]
        async with sole_sync(others, place, lambda: told.append("free")):
            assert told == ["other"]


async def test_superseded_sync_is_reported(data_dir: Path) -> None:
    """A sync that lost its turn is told."""
    async with compose(load(data_dir=data_dir, embedder="none")) as app:
        place = await app.repository.create_workspace("local", "hb")
        slow = Duties(app.database, "slow")
        async with sole_sync(slow, place, print, held_seconds=0.2) as check:
            await slow.leave()  # as if it had stood still for long
            assert await Duties(app.database, "quick").hold(f"sync:{place.id}", 60.0)
            await asyncio.sleep(0.1)
            with pytest.raises(StoreLocked, match="stood still for too long"):
                check()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
async def test_following_ends_cleanly_by_a_signal(data_dir: Path, small: Path) -> None:
    settings = load(data_dir=data_dir, embedder="none")
    wanted = Wanted(folder=str(small), workspace="hb", source=str(small))
    syncing = Syncing(Session(load=load, as_json=True), settings, wanted)
    following = asyncio.create_task(syncing.follow())
    async with asyncio.timeout(20):
        while syncing.counts["added"] < 2:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.02)
        os.kill(os.getpid(), signal.SIGTERM)
        await following
