"""Let the writers of one process take turns at a SQLite file.

SQLite itself lets who comes second try again after ever longer sleeps, of up to a tenth of a second
each, and whoever happens to try first wins: beside the run engine's writers an acceptance lost.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

from sqlalchemy import URL, Connection, Engine, event

_SECONDS: Final = 5.0
"""Who waits longer goes on without its turn: SQLite's own lock is the one that counts."""
_LOOK_SECONDS: Final = 0.002
_WRITES: Final = ("INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "BEGIN IMMEDIATE")
_HELD: Final = "masis_write_lock"


class WriteLock:
    """Serializes the writing transactions of a process, whichever engine they are of."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Wait for one's turn in a thread, and have it."""
        taken = self._lock.acquire(timeout=_SECONDS)
        try:
            yield
        finally:
            self._release(taken=taken)

    @contextlib.asynccontextmanager
    async def held_async(self) -> AsyncIterator[None]:
        """Wait for one's turn on the event loop, and have it."""
        give_up = time.monotonic() + _SECONDS
        taken = self._lock.acquire(blocking=False)
        while not taken and time.monotonic() < give_up:
            await asyncio.sleep(_LOOK_SECONDS)
            taken = self._lock.acquire(blocking=False)
        try:
            yield
        finally:
            self._release(taken=taken)

    def guard(self, engine: Engine) -> None:
        """Take a turn for each transaction of an engine that begins one with its first write."""
        event.listen(engine, "before_cursor_execute", self._before)
        event.listen(engine, "checkin", self._after)
        event.listen(engine, "invalidate", self._after)

    def _before(self, connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if not connection.info.get(_HELD) and statement.lstrip().startswith(_WRITES):
            connection.info[_HELD] = self._lock.acquire(timeout=_SECONDS)

    def _after(self, _connection: object, record: Any, *_: object) -> None:  # noqa: ANN401 - SQLAlchemy's pool record
        self._release(taken=record.info.pop(_HELD, False))

    def _release(self, *, taken: bool) -> None:
        if taken:
            self._lock.release()


_LOCKS: Final[WeakValueDictionary[str, WriteLock]] = WeakValueDictionary()


def write_lock(url: URL) -> WriteLock:
    """Return the lock of a file, the same one for all who write it in this process."""
    name = str(Path(url.database or "").absolute())
    return _LOCKS.setdefault(name, WriteLock())
