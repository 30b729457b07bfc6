"""A new version is seen whole or not at all, whoever asks and whenever its process dies."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from masis.domain import SearchResult
from storage.documents.leftovers import leftovers
from tests.storage.reingest_run import LIMIT, NAME, House, edition, opened

KILLS: Final = 30
IN_SHORT: Final = 3

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked for each kill")


class Mortals:
    """Processes that ingest a document again, each in a folder of its own."""

    def __init__(self, program: "subprocess.Popen[str]", folder: Path) -> None:
        self._program = program
        self._folder = folder

    def ingest_again(self, fatal: int) -> tuple[Path, int]:
        """The folder, and what became of the process."""
        stdin, stdout = self._program.stdin, self._program.stdout
        assert stdin is not None
        assert stdout is not None
        folder = self._folder / str(fatal)
        folder.mkdir()
        stdin.write(f"{folder} {fatal}\n")
        stdin.flush()
        return folder, int(stdout.readline())


@pytest.fixture
def mortals(folder: Path) -> Iterator[Mortals]:
    command = [sys.executable, "-m", "tests.storage.reingest_run"]
    with subprocess.Popen(  # noqa: S603 - our own program
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as program:
        yield Mortals(program, folder)
        assert program.stdin is not None
        program.stdin.close()
        program.wait(timeout=60)


def edition_of(found: SearchResult) -> str:
    """The one edition that everything found is of."""
    words = {
        word
        for chunk in found.candidates
        for word in ("old", "new")
        if f"{word} edition" in chunk.text
    }
    assert len(found.candidates) == LIMIT
    [word] = words
    return word


async def after_death(folder: Path) -> tuple[str, str]:
    """Which edition answers before and after what is left over was removed, and none besides."""
    async with opened(folder) as house:
        before = edition_of(await house.found())
        for workspace_id, versions in (await leftovers(house.database, begun_before=0.0)).items():
            await house.ingest.recover(workspace_id, versions)
        after = edition_of(await house.found())
        await check_nothing_is_left_over(house)
        result = await house.ingest.ingest(house.workspace, NAME, edition("new"))
        assert result.status == ("unchanged" if after == "new" else "updated")
        assert edition_of(await house.found()) == "new"
        await check_nothing_is_left_over(house)
    return before, after


async def check_nothing_is_left_over(house: House) -> None:
    assert await house.repository.hidden_versions(house.workspace.id) == []
    [document] = await house.repository.documents(house.workspace.id)
    store = await house.stores.open(house.workspace.id, None)
    found = await house.found()
    assert await store.count() == document.chunks == found.indexed


@pytest.mark.parametrize("kills", [IN_SHORT, pytest.param(KILLS, marks=pytest.mark.long)])
def test_killed_reingest_leaves_old_or_new(mortals: Mortals, kills: int) -> None:
    """A process that dies leaves all of the old or all of the new."""
    folder, points = mortals.ingest_again(0)
    shutil.rmtree(folder)
    assert points > KILLS
    seen = []
    for number in range(kills):
        # From the first point to the last, evenly.
        folder, ended = mortals.ingest_again(1 + number * (points - 1) // (kills - 1))
        assert ended == -signal.SIGKILL
        before, after = asyncio.run(after_death(folder))
        assert before == after
        seen.append(after)
        shutil.rmtree(folder)
    assert seen == sorted(seen, reverse=True), "old until one point, new from there on"
    assert {"old", "new"} == set(seen)


async def test_concurrent_reader_finds_old_or_new(
    folder: Path,
) -> None:
    """Whoever asks meanwhile finds all of the old or all of the new."""
    async with opened(folder) as house:
        await house.ingest.ingest(house.workspace, NAME, edition("old"))
        asked: list[str] = []
        ingesting = asyncio.create_task(house.ingest.ingest(house.workspace, NAME, edition("new")))
        while not ingesting.done():
            asked.append(edition_of(await house.found()))
        await ingesting
        asked.append(edition_of(await house.found()))
        assert asked == sorted(asked, reverse=True)
        assert {asked[0], asked[-1]} == {"old", "new"}
