"""Following a folder: a sync after each change in it, and every so often, until told to end."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from watchfiles import Change, awatch
from watchfiles.main import FileChange

from bot.cli.documents.paths import hidden
from masis.errors import MasisError

RELIST_SECONDS: Final = 600.0
"""A complete listing at least so often: events get lost, on network drives most of all."""
RETRY_SECONDS: Final = 15.0
"""After an error, and while the folder is not there."""
DEBOUNCE_MS: Final = 1600
"""Changes that come together are one: a sync begins so long after the first of them, or sooner
when nothing more comes."""
_LOOK_MS: Final = 500
"""How often it is looked whether a listing is due, and whether the folder is still the same one."""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Pace:
    """Hold how often each thing is done.

    `poll_seconds` above 0 looks for changes itself, where the system tells of none.
    """

    poll_seconds: float = 0.0
    relist_seconds: float = RELIST_SECONDS
    retry_seconds: float = RETRY_SECONDS
    debounce_ms: int = DEBOUNCE_MS
    look_ms: int = _LOOK_MS


async def follow(
    folder: Path,
    sync: Callable[[], Awaitable[None]],
    stop: asyncio.Event,
    tell: Tell,
    *,
    pace: Pace | None = None,
    without: Path | None = None,
) -> None:
    """Sync now, after each change and every so often, until `stop` is set; then break off.

    What goes wrong later than in the first sync is told, and tried again.

    Raises:
        MasisError: the first sync failed.
    """
    following = _Following(folder, sync, stop, pace or Pace(), without)
    said = ""
    while not stop.is_set():
        try:
            await following.watch()
            said = ""
        except (MasisError, OSError, RuntimeError) as error:
            if not following.has_synced:
                raise
            if str(error) != said:  # it may stay so for days
                said = str(error)
                tell(f"{said} Trying again until it can be done.")
            await _rest(stop, following.pace.retry_seconds)


class _Following:
    """One folder, watched as long as it is the same one."""

    def __init__(
        self,
        folder: Path,
        sync: Callable[[], Awaitable[None]],
        stop: asyncio.Event,
        pace: Pace,
        without: Path | None,
    ) -> None:
        self.has_synced = False
        self.pace = pace
        self._folder = folder
        self._sync = sync
        self._stop = stop
        self._without = without

    async def watch(self) -> None:
        """Watch until told to stop, or until another folder or none stands there.

        Raises:
            MasisError: a sync failed.
            OSError: the folder cannot be watched; where it is gone syncing says so better.
            RuntimeError: the watcher failed.
        """
        loop = asyncio.get_running_loop()
        watched = _identity(self._folder)
        if watched is None:
            await self._synced()
        due = loop.time()
        async with contextlib.aclosing(self._batches()) as batches:
            async for changes in batches:
                if _identity(self._folder) != watched:
                    return
                if changes or loop.time() >= due:
                    await self._synced()
                    due = loop.time() + self.pace.relist_seconds

    def _batches(self) -> AsyncGenerator[set[FileChange]]:
        polls = self.pace.poll_seconds > 0
        return awatch(
            self._folder,
            watch_filter=self._concerns,
            debounce=self.pace.debounce_ms,
            stop_event=self._stop,
            rust_timeout=self.pace.look_ms,
            yield_on_timeout=True,
            # None leaves it to the library, which polls where it knows that no events come.
            force_polling=True if polls else None,
            poll_delay_ms=round(self.pace.poll_seconds * 1000) if polls else 300,
            ignore_permission_denied=True,
        )

    async def _synced(self) -> None:
        """One sync, broken off when told to stop."""
        syncing = asyncio.ensure_future(self._sync())
        stopping = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait({syncing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            syncing.cancel()
            await asyncio.gather(syncing, stopping, return_exceptions=True)
        if not syncing.cancelled():
            syncing.result()
            self.has_synced = True

    def _concerns(self, _: Change, path: str) -> bool:
        """Say whether a change is one of the documents'."""
        changed = Path(path)
        if self._without is not None and changed.is_relative_to(self._without):
            return False
        if not changed.is_relative_to(self._folder):
            return True
        return not any(hidden(part) for part in changed.relative_to(self._folder).parts)


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return what tells a folder from another one of its name; None where there is none."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


async def _rest(stop: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


@contextlib.contextmanager
def told_by_signals() -> Iterator[asyncio.Event]:
    """An event that SIGTERM and SIGINT set; said again, they end the process as ever."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    signals = (signal.SIGTERM, signal.SIGINT)

    def ignore() -> None:
        for each in signals:
            loop.remove_signal_handler(each)

    def told() -> None:
        ignore()
        stop.set()

    for each in signals:
        loop.add_signal_handler(each, told)
    try:
        yield stop
    finally:
        ignore()
