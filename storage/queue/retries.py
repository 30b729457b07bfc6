"""Runs that this process keeps until they are queued anew; their places at work are others' then.

The queue cannot keep them itself: it knows a delay for what is queued for the first time alone.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from masis.conversation import ChatRun
from storage.durable.timeouts import Doubled, Pauses, insist
from storage.durable.workflows import Workflows
from storage.queue.heartbeat import Pulse
from storage.sql.database import Database

log = logging.getLogger(__name__)

_OUTAGES: Final = 5
"""How often the pause in an outage is doubled: from 2 s to about a minute."""
_HANDED_BACK: Final = 3
"""The same before a run is handed to others that nobody took: from 2 s to 16 s."""


class Resting:
    """They are noted as given to this process: when it dies, or ends, others have them at once."""

    def __init__(
        self,
        database: Database,
        workflows: Workflows,
        pulse: Pulse,
        pauses: Pauses,
        *,
        retry_seconds: float,
        is_alive: Callable[[], Awaitable[bool]],
    ) -> None:
        self._database = database
        self._workflows = workflows
        self._pulse = pulse
        self._pauses = pauses
        self._retry_seconds = retry_seconds
        self._is_alive = is_alive
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._outages = Doubled(_OUTAGES)
        self._handed_back = Doubled(_HANDED_BACK)

    @property
    def runs(self) -> set[str]:
        """Those that rest here."""
        return set(self._tasks)

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        """Return the tasks that end soon after the pauses do."""
        return set(self._tasks.values())

    def held_up(self, run_id: str) -> None:
        """An outage ended an attempt: the next one of the run comes later."""
        self._outages.add(run_id)

    def ended(self, run_id: str) -> None:
        """The run does not come back."""
        self._outages.forget(run_id)

    def begun(self, run_id: str) -> None:
        """The run is at work: somebody else may have queued it."""
        if (task := self._tasks.get(run_id)) is not None:
            task.cancel()

    def queue_later(self, run: ChatRun) -> None:
        """Queue the run anew after a pause; its finished steps are not done again.

        A cancel ends the pause, unless the run was cancelled before: its last word waits, too.
        """
        pause = self._retry_seconds * max(run.attempt, self._outages[run.id])
        self._keep(run.id, self._queued_later(run.id, pause, "" if run.cancelled_by else run.id))

    def hand_back(self, run_id: str) -> None:
        """Queue a run that is not for this process as soon as there are others to take it.

        One of them may be like this one, or all of them busy: then it comes back here.
        """
        self._keep(run_id, self._handed_over(run_id))

    async def _queued_later(self, run_id: str, seconds: float, cut_by: str) -> None:
        await self._pauses.wait(seconds, cut_by)
        await self._again(run_id)

    async def _handed_over(self, run_id: str) -> None:
        is_said = False
        while not self._pauses.is_over:
            self._handed_back.add(run_id)
            spread = random.uniform(0.5, 1.0)  # noqa: S311 - spreads load
            await self._pauses.wait(self._retry_seconds * spread * self._handed_back[run_id])
            if await insist(self._database, self._pulse.has_company):
                await self._again(run_id)
                return
            if not is_said:
                log.warning("run %s is of a chat that no process at work serves", run_id)
            is_said = True

    async def _again(self, run_id: str) -> None:
        async def again() -> None:
            if await self._is_alive() and await self._workflows.is_mine(run_id):
                await self._workflows.again([run_id])

        if not self._pauses.is_over:  # whatever rests at a stop is given back in one go
            await insist(self._database, again)

    def _keep(self, run_id: str, until_queued: Coroutine[Any, Any, None]) -> None:
        self._tasks[run_id] = task = asyncio.create_task(until_queued)
        task.add_done_callback(lambda done: self._rested(run_id, done))

    def _rested(self, run_id: str, task: asyncio.Task[None]) -> None:
        """Forget it; one that could not be queued is unknown here now, which the watch sees."""
        if self._tasks.get(run_id) is task:
            del self._tasks[run_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("run %s is queued later: %s", run_id, type(error).__name__)
