"""One sync of a workspace at a time, over all processes."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from typing import Final

from masis.domain import Workspace
from masis.errors import StoreLocked, StoreUnavailable
from storage.queue.executors import Duties

log = logging.getLogger(__name__)

HELD_SECONDS: Final = 60.0
"""How long the lock is held after its process died; it is renewed four times as often."""
_WAITED_FOR: Final = 1.25
"""Of that time: so long who comes waits, so that no dead process keeps anybody out."""
_ASK_SECONDS: Final = 1.0


@contextlib.asynccontextmanager
async def sole_sync(
    duties: Duties,
    workspace: Workspace,
    waiting: Callable[[], None],
    *,
    held_seconds: float = HELD_SECONDS,
) -> AsyncIterator[Callable[[], None]]:
    """Be the only one who syncs the workspace; gives what raises when that is so no longer.

    `duties` are this sync's own. `waiting` is called once, where another one is at work.

    Raises:
        StoreLocked: another one still is, after as long as a dead one would keep it.
    """
    held = _SyncLock(duties, f"sync:{workspace.id}", held_seconds)
    try:
        await held.begin(workspace.name, waiting)
        keeping = asyncio.create_task(held.keep())
        try:
            yield held.check
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
    finally:
        with contextlib.suppress(StoreUnavailable):  # it ends by itself
            await duties.leave()


class _SyncLock:
    """A duty that one sync holds. Times are the event loop's."""

    def __init__(self, duties: Duties, name: str, seconds: float) -> None:
        self._duties = duties
        self._name = name
        self._seconds = seconds
        self._until = 0.0

    async def begin(self, workspace: str, waiting: Callable[[], None]) -> None:
        """Wait for the lock."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + self._seconds * _WAITED_FOR
        if await self._held():
            return
        waiting()
        while loop.time() < give_up:
            await asyncio.sleep(min(_ASK_SECONDS, self._seconds))
            if await self._held():
                return
        raise StoreLocked(
            f"Another sync of “{workspace}” is at work. Wait for its end, or stop it, and try again."
        )

    async def keep(self) -> None:
        """Renew the lock until cancelled."""
        while True:
            await asyncio.sleep(self._seconds / 4)
            try:
                if not await self._held():
                    self._until = 0.0
                    return
            except StoreUnavailable as error:
                log.warning("the lock of a sync is renewed later: %s", type(error).__name__)

    def check(self) -> None:
        """Check that nobody else has the lock.

        Raises:
            StoreLocked: somebody may have it.
        """
        if asyncio.get_running_loop().time() >= self._until:
            raise StoreLocked(
                "This sync stood still for too long, and another one may be at work. Sync again."
            )

    async def _held(self) -> bool:
        asked = asyncio.get_running_loop().time()
        is_ours = await self._duties.hold(self._name, self._seconds)
        if is_ours:
            self._until = asked + self._seconds
        return is_ours
