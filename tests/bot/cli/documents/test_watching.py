import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.cli.documents.listing import located
from bot.cli.documents.watching import Pace, follow
from bot.cli.exit_codes import BadInput
from masis.errors import StoreUnavailable

QUICK = Pace(relist_seconds=60.0, retry_seconds=0.02, debounce_ms=20, look_ms=20)
SECONDS = 20


@dataclass
class Follower:
    """Counts its syncs; each sees the names that are there."""

    folder: Path
    seen: list[list[str]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    failing: list[Exception] = field(default_factory=list)
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def sync(self) -> None:
        located(str(self.folder))
        self.seen.append(sorted(path.name for path in self.folder.iterdir()))
        if self.failing:
            raise self.failing.pop()

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(SECONDS):
            while not holds():  # noqa: ASYNC110 - files tell of nothing
                await asyncio.sleep(0.01)


@pytest.fixture
def follower(tmp_path: Path) -> Follower:
    folder = tmp_path / "followed"
    folder.mkdir()
    return Follower(folder)


@asynccontextmanager
async def following(
    follower: Follower,
    pace: Pace = QUICK,
    *,
    sync: Callable[[], Awaitable[None]] | None = None,
    without: Path | None = None,
) -> AsyncIterator[None]:
    task = asyncio.create_task(
        follow(
            follower.folder,
            sync or follower.sync,
            follower.stop,
            follower.told.append,
            pace=pace,
            without=without,
        )
    )
    try:
        yield
    finally:
        follower.stop.set()
        async with asyncio.timeout(SECONDS):
            await task


@pytest.mark.parametrize("poll_seconds", [0.0, 0.02])
async def test_what_changes_is_synced(follower: Follower, poll_seconds: float) -> None:
    pace = Pace(poll_seconds, 60.0, debounce_ms=20, look_ms=20)
    async with following(follower, pace):
        await follower.until(lambda: follower.seen == [[]])
        (follower.folder / "one.md").write_text("1", encoding="utf-8")
        await follower.until(lambda: follower.seen[-1] == ["one.md"])
        (follower.folder / "one.md").rename(follower.folder / "two.md")
        await follower.until(lambda: follower.seen[-1] == ["two.md"])
        (follower.folder / "two.md").unlink()
        await follower.until(lambda: follower.seen[-1] == [])
    assert follower.told == []


async def test_hidden_files_are_ignored(follower: Follower) -> None:
    """Hidden files and masis own are nobodys business."""
    own = follower.folder / "data"
    own.mkdir()
    async with following(follower, without=own):
        await follower.until(lambda: len(follower.seen) == 1)
        (own / "masis.db").write_text("x", encoding="utf-8")
        (follower.folder / ".hidden").write_text("x", encoding="utf-8")
        (follower.folder / "~$one.docx").write_text("x", encoding="utf-8")
        await asyncio.sleep(0.2)
        assert len(follower.seen) == 1
        (follower.folder / "one.md").write_text("x", encoding="utf-8")
        await follower.until(lambda: len(follower.seen) > 1)


async def test_whole_folder_is_relisted_periodically(follower: Follower) -> None:
    """The whole folder is listed every so often."""
    async with following(follower, Pace(relist_seconds=0.02, debounce_ms=20, look_ms=10)):
        await follower.until(lambda: len(follower.seen) > 2)


async def test_later_failure_is_reported_once(follower: Follower) -> None:
    """What fails later is told once and tried again."""
    async with following(follower):
        await follower.until(lambda: len(follower.seen) == 1)
        follower.failing = [StoreUnavailable("The disk is full.") for _ in range(3)]
        (follower.folder / "one.md").write_text("x", encoding="utf-8")
        await follower.until(lambda: len(follower.seen) > 4)
    assert follower.told == ["The disk is full. Trying again until it can be done."]


async def test_failed_first_sync_ends_watching(follower: Follower) -> None:
    """A first sync that fails ends it."""
    follower.failing = [StoreUnavailable("The disk is full.")]
    with pytest.raises(StoreUnavailable, match="The disk is full"):
        await follow(follower.folder, follower.sync, follower.stop, print, pace=QUICK)
    follower.folder.rmdir()
    with pytest.raises(BadInput, match="there is no folder"):
        await follow(follower.folder, follower.sync, follower.stop, print, pace=QUICK)


async def test_returning_folder_is_watched_again(follower: Follower) -> None:
    """A folder that goes and comes back is followed on."""
    away = follower.folder.with_name("away")
    async with following(follower):
        await follower.until(lambda: len(follower.seen) == 1)
        follower.folder.rename(away)
        await follower.until(lambda: bool(follower.told))
        assert "Nothing was removed. Trying again" in follower.told[0]
        away.rename(follower.folder)
        await follower.until(lambda: len(follower.seen) == 2)
        (follower.folder / "one.md").write_text("x", encoding="utf-8")
        await follower.until(lambda: follower.seen[-1] == ["one.md"])


async def test_running_sync_is_cancelled(follower: Follower) -> None:
    """A sync under way is broken off at the end."""
    ended: list[str] = []

    async def sync() -> None:
        ended.append("begun")
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("ended")

    async with following(follower, sync=sync):
        await follower.until(lambda: bool(ended))
    assert ended == ["begun", "ended"]
