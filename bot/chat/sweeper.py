"""Look after what nobody waits for, on every surface: questions past their time, and what is old."""

import asyncio
import datetime as dt
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from bot.chat.surface import ServedSurface
from bot.chat.tasks import apart
from masis import policy
from masis.conversation import Session
from masis.errors import MasisError, RunCancelled
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.privacy.retention import Retention
from storage.queue.heartbeat import elapsed

log = logging.getLogger(__name__)

EVERY_SECONDS: Final = 30.0
RETAIN_EVERY: Final = dt.timedelta(hours=1)
HELD_SECONDS: Final = 120.0
"""How long one process has a duty; it asks anew with each round."""
ROUND_SECONDS: Final = 100.0
"""A round that takes longer is broken off, so that another process can only come after it."""

_RETAINING: Final = "retaining"
_EXPIRING: Final = "expiring {surface}"
"""A duty for each surface: who does not serve it could tell nobody."""


async def _mine(_: str) -> bool:
    """Say that the duty is this process's own. This holds where there is one process."""
    return True


async def _one() -> int:
    """Count this process alone."""
    return 1


class Patient:
    """The wall clock, but never ahead of what has really passed since the start.

    What waits until a certain time is not given up because somebody set the clock forward; where it
    was set back, it is waited for longer.
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = elapsed
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._began = wall() - steady()

    def __call__(self) -> dt.datetime:
        """The time up to which what is due is certainly due."""
        passed = self._began + self._steady()
        return dt.datetime.fromtimestamp(min(self._wall(), passed), dt.UTC)


class Sweeper:
    """Goes round every half minute; what fails is tried again on the next round.

    `has_duty`: of several processes one does each thing, so that nothing is told twice. Each of
    them counts the `processes`, among which a chat's limits are shared.
    """

    def __init__(
        self,
        surfaces: Sequence[ServedSurface],
        runs: ChatRuns,
        retention: Retention,
        purge_steps: Callable[[dt.datetime], Awaitable[object]],
        *,
        keep_steps: dt.timedelta = dt.timedelta(days=policy.KEEP_STEPS_DAYS),
        retain_every: dt.timedelta = RETAIN_EVERY,
        clock: Callable[[], dt.datetime] | None = None,
        has_duty: Callable[[str], Awaitable[bool]] = _mine,
        processes: Callable[[], Awaitable[int]] = _one,
    ) -> None:
        self._surfaces = surfaces
        self._runs = runs
        self._retention = retention
        self._purge_steps = purge_steps
        self._keep_steps = keep_steps
        self._retain_every = retain_every
        self._clock = clock or Patient()
        self._has_duty = has_duty
        self._processes = processes
        self._retained_at: dt.datetime | None = None

    async def forever(self, every: float = EVERY_SECONDS) -> None:
        """Go round until cancelled, whatever becomes of one round."""
        while True:
            await apart("sweeping", self._turn(), ROUND_SECONDS)
            await asyncio.sleep(every)

    async def _turn(self) -> None:
        processes = max(1, await self._processes())
        for surface in self._surfaces:
            surface.share(processes)
        await self.once(self._clock())

    async def once(self, now: dt.datetime) -> None:
        """Close what nobody replied to in time; once an hour forget what is old."""
        for surface in self._surfaces:
            duty = _EXPIRING.format(surface=surface.name)
            if surface.sessions is not None and await self._has_duty(duty):
                await self._expire(surface, surface.sessions, now)
        if await self._has_duty(_RETAINING):
            await self._retain(now)

    async def _retain(self, now: dt.datetime) -> None:
        if self._retained_at is None or now - self._retained_at >= self._retain_every:
            self._retained_at = now
            await self._retention.sweep(now)
            await self._purge_steps(now - self._keep_steps)

    async def _expire(self, surface: ServedSurface, sessions: Sessions, now: dt.datetime) -> None:
        # Expired first: from here on a reply loses. What cannot be told now is found again.
        await sessions.expire(now)
        for session in await sessions.expired_unannounced(now, surface.name):
            await self._announce(surface, session)

    async def _announce(self, surface: ServedSurface, session: Session) -> None:
        """Tell the thread; what keeps one from being told keeps no other."""
        run = await self._runs.get(session.tenant, session.run_id)
        if run is None:
            return
        try:
            await surface.shows.expired(run, session)
        except (MasisError, RunCancelled) as error:
            log.info("the end of session %s is not shown: %s", session.id, type(error).__name__)
