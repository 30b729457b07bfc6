"""Finds runs that nobody is at: of processes that died, and of this one where it let go of them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from masis.errors import StoreUnavailable
from storage.durable.workflows import Workflows
from storage.queue.executors import Duties, Executors
from storage.queue.heartbeat import Pulse
from storage.queue.worker import Carrier
from storage.sql.database import Database

log = logging.getLogger(__name__)

BEAT_SECONDS: Final = 2.0
CHORES: Final = "chores"
_CHORES_EVERY: Final = 5
"""Rounds. What is rare is looked for by one process, and less often."""
_CHORES_HELD: Final = 3
"""How many of these times a process has them, in which it has to come back."""
_SHUT_SECONDS: Final = 5.0
"""For the last words to the database at a stop."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Hold what failover looks at. `executors` is None where one process works at a time."""

    database: Database
    workflows: Workflows
    carrier: Carrier
    pulse: Pulse
    duties: Duties
    executors: Executors | None


class Watch:
    """Beats, and looks around as often. A round that fails is logged, and the next one comes.

    `chores` are done by one process for all, now and then. `on_takeover` is told of each dead
    process whose runs this one handed on.
    """

    def __init__(
        self,
        watched: Watched,
        chores: Callable[[], Awaitable[None]],
        *,
        beat_seconds: float = BEAT_SECONDS,
        on_takeover: Callable[[], None] | None = None,
    ) -> None:
        self._database = watched.database
        self._workflows = watched.workflows
        self._carrier = watched.carrier
        self._pulse = watched.pulse
        self._duties = watched.duties
        self._executors = watched.executors
        self._chores = chores
        self._beat_seconds = beat_seconds
        self._on_takeover = on_takeover
        self._beating: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._suspects: set[str] = set()

    async def begin(self) -> None:
        """Be known to the others before anything is taken from the queue, and keep beating.

        Raises:
            StoreUnavailable: the database cannot be written.
        """
        await self._beat()
        if self._executors is not None:
            self._beating = asyncio.create_task(self._rounds(self._beat), name="beating")

    def look(self) -> None:
        """Look around from now on."""
        self._looking = asyncio.create_task(self._rounds(self._look, chores=True), name="watching")

    async def rest(self) -> None:
        """Look around no more: what this process lets go of now, it gives back itself."""
        await _ended(self._looking)

    async def leave(self) -> None:
        """Give back what is still this process's, and beat no more."""
        await _ended(self._beating)
        try:
            async with asyncio.timeout(_SHUT_SECONDS):
                with self._database.reported():
                    await self._leave()
        except (StoreUnavailable, TimeoutError) as error:
            log.warning("runs are handed over later: %s", type(error).__name__)

    async def _leave(self) -> None:
        await self._workflows.again(await self._workflows.at_work(self._pulse.name))
        await self._duties.leave()
        if self._executors is not None:
            await self._executors.remove(self._pulse.name)

    # --- rounds ----------------------------------------------------------------------------

    async def _rounds(self, round_: Callable[[], Awaitable[None]], *, chores: bool = False) -> None:
        """Go round until cancelled, whatever becomes of one round."""
        count = 0
        while True:
            await asyncio.sleep(self._beat_seconds)
            await self._alone(round_)
            count += 1
            if chores and count % _CHORES_EVERY == 0:
                await self._alone(self._do_chores)

    async def _alone(self, round_: Callable[[], Awaitable[None]]) -> None:
        """One round as a task of its own: what it raises ends the round alone."""
        task = asyncio.ensure_future(round_())
        try:
            await asyncio.wait({task})
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if not task.cancelled() and (error := task.exception()) is not None:
            # The name of the error only: its text may quote a statement.
            log.warning("the watch waits for its next round: %s", type(error).__name__)

    async def _beat(self) -> None:
        if not await self._pulse.beat():
            self._carrier.let_go()

    async def _look(self) -> None:
        await self._carrier.review()
        with self._database.reported():
            await self._take_back()
            if self._executors is not None and self._pulse.is_steady:
                for executor in await self._executors.dead():
                    if await self._executors.claim(executor, self._pulse.name):
                        await self._hand_on(self._executors, executor)

    async def _do_chores(self) -> None:
        held = self._beat_seconds * _CHORES_EVERY * _CHORES_HELD
        if not await self._duties.hold(CHORES, held):
            return
        with self._database.reported():
            if self._executors is not None and self._pulse.is_steady:
                await self._find_unknown(self._executors)
            await self._chores()

    # --- runs that nobody is at ------------------------------------------------------------

    async def _take_back(self) -> None:
        """Queue what was given to this process and is not at work here, seen so twice.

        The first time it may be about to begin, or have just ended; what was at work in between
        is seen for the first time.
        """
        given = set(await self._workflows.at_work(self._pulse.name))
        unknown = self._carrier.unknown(given)
        again = unknown & self._suspects - self._carrier.begun()
        self._suspects = unknown - again
        if again:
            log.info("%d runs were let go of and are queued again", len(again))
            await self._workflows.again(again)

    async def _find_unknown(self, executors: Executors) -> None:
        """Hand on what processes have that are in no table."""
        owners = set((await self._workflows.at_work()).values())
        for executor in sorted(await executors.unknown(owners)):
            if await executors.claim_unknown(executor, self._pulse.name):
                await self._hand_on(executors, executor)

    async def _hand_on(self, executors: Executors, executor: str) -> None:
        """Queue a dead process's runs; the claim on it is ours, for a while."""
        async with asyncio.timeout(executors.claim_seconds):
            runs = await self._workflows.at_work(executor)
            await self._workflows.again(runs)
            await executors.bury(executor, self._pulse.name)
        if runs:
            log.warning("%s is dead: its %d runs go on elsewhere", executor, len(runs))
        if self._on_takeover is not None:
            self._on_takeover()


async def _ended(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
