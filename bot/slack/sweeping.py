"""Looks after what nobody waits for: clarifications past their time, and what is old."""

import asyncio
import contextlib
import datetime as dt
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.slack.clocks import Patient
from bot.slack.errors import SlackError
from bot.slack.services import Services
from bot.slack.views.clarification import expired
from bot.slack.views.message import notice
from masis import policy
from masis.conversation import ChatRun, Session
from masis.errors import RunCancelled, StoreUnavailable
from storage.chat.sessions import EXPIRED
from storage.privacy.retention import Retention

log = logging.getLogger(__name__)

EVERY_SECONDS: Final = 30.0
RETAIN_EVERY: Final = dt.timedelta(hours=1)
DUTY: Final = "sweeping"
HELD_SECONDS: Final = 120.0
"""How long one process has the duty; it asks anew with each round."""
ROUND_SECONDS: Final = 100.0
"""A round that takes longer is broken off, so that another process can only come after it."""


async def _mine() -> bool:
    """Say that the duty is this process's own. This holds where there is one process."""
    return True


async def _one() -> int:
    """Count this process alone."""
    return 1


class Sweeping:
    """Goes round every half minute; what fails is tried again on the next round.

    `is_mine`: of several processes one goes round, so that nothing is told twice. Each of them
    counts the `processes`, among which Slack's limits are shared.
    """

    def __init__(
        self,
        services: Services,
        retention: Retention,
        purge_steps: Callable[[dt.datetime], Awaitable[object]],
        *,
        keep_steps: dt.timedelta = dt.timedelta(days=policy.KEEP_STEPS_DAYS),
        retain_every: dt.timedelta = RETAIN_EVERY,
        clock: Callable[[], dt.datetime] | None = None,
        is_mine: Callable[[], Awaitable[bool]] = _mine,
        processes: Callable[[], Awaitable[int]] = _one,
    ) -> None:
        self._services = services
        self._retention = retention
        self._purge_steps = purge_steps
        self._keep_steps = keep_steps
        self._retain_every = retain_every
        self._clock = clock or Patient()
        self._is_mine = is_mine
        self._processes = processes
        self._retained_at: dt.datetime | None = None

    async def forever(self, every: float = EVERY_SECONDS) -> None:
        """Go round until cancelled, whatever becomes of one round."""
        while True:
            await self._round()
            await asyncio.sleep(every)

    async def _round(self) -> None:
        """One round as a task of its own: what it raises ends the round alone."""
        task = asyncio.create_task(self._turn(), name="a sweeping round")
        try:
            await asyncio.wait({task}, timeout=ROUND_SECONDS)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if not task.cancelled() and (error := task.exception()) is not None:
            # The name of the error only: its text may quote what somebody wrote.
            log.warning("sweeping waits for its next round: %s", type(error).__name__)

    async def _turn(self) -> None:
        self._services.web.calls.pacing.processes = max(1, await self._processes())
        if await self._is_mine():
            await self.once(self._clock())

    async def once(self, now: dt.datetime) -> None:
        """Close what nobody replied to in time; once an hour forget what is old."""
        # Expired first: from here on a reply loses. What cannot be told now is found again.
        await self._services.sessions.expire(now)
        for session in await self._services.sessions.expired_unannounced(now):
            await self._announce(session)
        if self._retained_at is None or now - self._retained_at >= self._retain_every:
            self._retained_at = now
            await self._retention.sweep(now)
            await self._purge_steps(now - self._keep_steps)

    async def _announce(self, session: Session) -> None:
        """Tell the thread; what keeps one from being told keeps no other."""
        run = await self._services.runs.get(session.tenant, session.run_id)
        if run is None:
            return
        try:
            await self._tell(run, session)
        except SlackError as error:
            log.info("the end of session %s cannot be shown: %s", session.id, error.code)
            if error.permanent:
                await self._give_up(run)
        except (StoreUnavailable, RunCancelled) as error:
            log.info("the end of session %s is not shown: %s", session.id, type(error).__name__)

    async def _tell(self, run: ChatRun, session: Session) -> None:
        """Take the buttons away, and say in the thread that it is closed: that is said last."""
        closed = expired(session)
        try:
            await self._services.delivery.update(run, "clarification", closed)
        except SlackError as error:
            if not error.permanent:
                raise
            log.info("the question of session %s stays as it is: %s", session.id, error.code)
        await self._services.delivery.post(run, EXPIRED, notice(closed.text))
        await self._services.web.session_status(
            session.tenant, session.channel, session.thread, "active", initiator=session.asker
        )

    async def _give_up(self, run: ChatRun) -> None:
        """Note it as said, so that what Slack refuses for good is not tried for ever."""
        with contextlib.suppress(StoreUnavailable, RunCancelled):  # then on the next round
            await self._services.outbox.begin(run.id, EXPIRED, 0, run.channel, run.thread)
            await self._services.outbox.sent(run.id, EXPIRED, 0, "")
