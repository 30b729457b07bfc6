"""Keep runs in this process until they are queued anew; others are worked on meanwhile.

The queue cannot keep them itself: it knows a delay for what is queued for the first time alone.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from cachetools import LRUCache

from masis.conversation import ChatRun
from storage.durable.timeouts import Pauses, retry_on_outage
from storage.durable.workflows import Workflows
from storage.queue.heartbeat import Heartbeat
from storage.sql.database import Database

log = logging.getLogger(__name__)

_MOST: Final = 5
"""Times of the first pause: 10 s, whatever it is that a run waits for."""
_REMEMBERED: Final = 1000
"""Runs whose tries are counted; of one that is forgotten the pauses are short again."""


class Retries:
    """They are noted as given to this process: when it dies, or ends, others have them at once.

    One rule for errors, outages and runs that are for others: each try waits longer than the last.
    """

    def __init__(
        self,
        database: Database,
        workflows: Workflows,
        heartbeat: Heartbeat,
        pauses: Pauses,
        *,
        retry_seconds: float,
        is_alive: Callable[[], Awaitable[bool]],
    ) -> None:
        self._database = database
        self._workflows = workflows
        self._heartbeat = heartbeat
        self._pauses = pauses
        self._retry_seconds = retry_seconds
        self._is_alive = is_alive
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._tries: LRUCache[str, int] = LRUCache(_REMEMBERED)

    @property
    def runs(self) -> set[str]:
        """Those that wait here to be queued."""
        return set(self._tasks)

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        """Return the tasks that end soon after the pauses do."""
        return set(self._tasks.values())

    def ended(self, run_id: str) -> None:
        """The run does not come back."""
        self._tries.pop(run_id, None)

    def begun(self, run_id: str) -> None:
        """The run is at work: somebody else may have queued it."""
        if (task := self._tasks.get(run_id)) is not None:
            task.cancel()

    def queue_later(self, run: ChatRun) -> None:
        """Queue the run anew after a pause; its finished steps are not done again.

        A cancel ends the pause, unless the run was cancelled before: its last word waits, too.
        """
        cut_by = "" if run.cancelled_by else run.id
        self._keep(run.id, self._queued_later(run.id, self._pause(run.id), cut_by))

    def hand_back(self, run_id: str) -> None:
        """Queue a run that is not for this process as soon as there are others to take it.

        One of them may be like this one, or all of them busy: then it comes back here.
        """
        self._keep(run_id, self._handed_over(run_id))

    def _pause(self, run_id: str) -> float:
        tries = self._tries[run_id] = self._tries.get(run_id, 0) + 1
        return pause(self._retry_seconds, tries)

    async def _queued_later(self, run_id: str, seconds: float, cut_by: str) -> None:
        await self._pauses.wait(seconds, cut_by)
        await self._again(run_id)

    async def _handed_over(self, run_id: str) -> None:
        is_said = False
        while not self._pauses.is_over:
            spread = random.uniform(0.5, 1.0)  # noqa: S311 - spreads load
            await self._pauses.wait(spread * self._pause(run_id))
            if await retry_on_outage(self._database, self._heartbeat.has_company):
                await self._again(run_id)
                return
            if not is_said:
                log.warning("run %s is of a chat that no process at work serves", run_id)
            is_said = True

    async def _again(self, run_id: str) -> None:
        async def again() -> None:
            if await self._is_alive() and await self._workflows.is_mine(run_id):
                await self._workflows.again([run_id])

        if not self._pauses.is_over:  # whatever waits at a stop is given back in one go
            await retry_on_outage(self._database, again)

    def _keep(self, run_id: str, until_queued: Coroutine[Any, Any, None]) -> None:
        self._tasks[run_id] = task = asyncio.create_task(until_queued)
        task.add_done_callback(lambda done: self._forget_task(run_id, done))

    def _forget_task(self, run_id: str, task: asyncio.Task[None]) -> None:
        """Forget it; one that could not be queued is unknown here now, which `Failover` sees."""
        if self._tasks.get(run_id) is task:
            del self._tasks[run_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("run %s is queued later: %s", run_id, type(error).__name__)


def pause(first: float, tries: int) -> float:
    """Return how long a run waits before it is tried again, after so many tries."""
    return first * min(tries, _MOST)
