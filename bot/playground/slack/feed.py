"""Tell what happens in the world to whoever waits or watches."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, Protocol, TypeVar

WATCHED: Final = 1_000
"""Changes that one watcher may fall behind before it loses the oldest."""

Found = TypeVar("Found")


class Change(NamedTuple):
    """One thing that happened: a word for it, and the ids of what it happened to."""

    kind: str
    about: dict[str, Any]


class Listener(Protocol):
    """Whoever is told of changes, at once and in order."""

    def tell(self, change: Change) -> None:
        """Take a change; it must not wait."""
        ...


class Watcher:
    """The changes since the watching began, in order. `lost` counts what it was too slow for."""

    def __init__(self) -> None:
        self.lost = 0
        self._queue: asyncio.Queue[Change] = asyncio.Queue(maxsize=WATCHED)

    def tell(self, change: Change) -> None:
        """Add a change, at the cost of the oldest when the watcher is far behind."""
        if self._queue.full():
            self._queue.get_nowait()
            self.lost += 1
        self._queue.put_nowait(change)

    async def __aiter__(self) -> AsyncIterator[Change]:
        while True:
            yield await self._queue.get()


class Feed:
    """Tells every change to those who watch, and wakes those who wait."""

    def __init__(self) -> None:
        self._watchers: set[Listener] = set()
        self._waiting: set[asyncio.Future[None]] = set()

    def tell(self, kind: str, /, **about: Any) -> None:
        """Say that something happened."""
        change = Change(kind, about)
        for watcher in self._watchers:
            watcher.tell(change)
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    @contextmanager
    def subscribe(self) -> Iterator[Watcher]:
        """Watch until the block ends."""
        watcher = Watcher()
        with self.telling(watcher):
            yield watcher

    @contextmanager
    def telling(self, listener: Listener) -> Iterator[None]:
        """Tell somebody of every change until the block ends."""
        self._watchers.add(listener)
        try:
            yield
        finally:
            self._watchers.discard(listener)

    async def until(
        self, found: Callable[[], Found | None], timeout_s: float | None = 10.0
    ) -> Found:
        """Wait until something is so, looking after every change, and give what was found.

        Without a time it waits for as long as it takes.

        Raises:
            TimeoutError: it did not come to be in that time.
        """
        async with asyncio.timeout(timeout_s):
            while not (result := found()):
                waiting = asyncio.get_running_loop().create_future()
                self._waiting.add(waiting)
                try:
                    await waiting
                finally:
                    self._waiting.discard(waiting)
        return result
