"""Short work that goes on after an acknowledgement: opening a form, answering `/masis status`.

Questions and uploads do not go here: they are runs, which survive the process.
"""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Final

log = logging.getLogger(__name__)

AT_MOST: Final = 500
SECONDS: Final = 30.0
"""Long enough for a form behind a slow Web API; the person has given up by then."""


class Tasks:
    """Holds a bounded number of tasks, so that none vanishes and none outlives the process."""

    def __init__(self, at_most: int = AT_MOST, seconds: float = SECONDS) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self._at_most = at_most
        self._seconds = seconds

    @property
    def free(self) -> int:
        """Return how many more may begin."""
        return self._at_most - len(self._running)

    def start(
        self, name: str, work: Coroutine[Any, Any, object], *, seconds: float | None = None
    ) -> bool:
        """Begin the work; False when there is too much already, and then it is not begun.

        `seconds` is how long it may take, where that differs from what is usual.
        """
        if self.free <= 0:
            work.close()
            log.warning("%s was not begun: %d tasks are under way", name, len(self._running))
            return False
        task = asyncio.create_task(self._bounded(work, seconds or self._seconds), name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return True

    async def drain(self, seconds: float) -> None:
        """Wait so long for what runs, then end it."""
        if not self._running:
            return
        _, late = await asyncio.wait(set(self._running), timeout=seconds)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _bounded(self, work: Coroutine[Any, Any, object], seconds: float) -> None:
        async with asyncio.timeout(seconds):
            await work

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            # The name of the error only: its text may quote what somebody wrote.
            log.warning("%s failed: %s", task.get_name(), type(error).__name__)


async def apart(name: str, work: Coroutine[Any, Any, object], seconds: float) -> None:
    """Do work of a round as a task of its own: what it raises, or takes longer, ends this round alone."""
    task = asyncio.create_task(work, name=name)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    if not task.cancelled() and (error := task.exception()) is not None:
        # The name of the error only: its text may quote what somebody wrote.
        log.warning("%s waits for its next round: %s", name, type(error).__name__)
