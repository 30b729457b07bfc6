"""Looks after what nobody waits for: clarifications past their time, and what is old."""

import asyncio
import datetime as dt
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.slack.errors import SlackError
from bot.slack.services import Services
from bot.slack.views.clarification import expired
from bot.slack.views.message import notice
from masis import policy
from masis.conversation import Session
from masis.errors import MasisError
from storage.chat.retention import Retention

log = logging.getLogger(__name__)

EVERY_SECONDS: Final = 30.0
RETAIN_EVERY: Final = dt.timedelta(hours=1)
EXPIRED: Final = "expired"


class Sweeping:
    """Goes round every half minute; what fails is tried again on the next round."""

    def __init__(
        self,
        services: Services,
        retention: Retention,
        purge_steps: Callable[[dt.datetime], Awaitable[object]],
        *,
        keep_steps: dt.timedelta = dt.timedelta(days=policy.KEEP_STEPS_DAYS),
    ) -> None:
        self._services = services
        self._retention = retention
        self._purge_steps = purge_steps
        self._keep_steps = keep_steps
        self._retained_at: dt.datetime | None = None

    async def forever(self, every: float = EVERY_SECONDS) -> None:
        """Go round until cancelled."""
        while True:
            try:
                await self.once(dt.datetime.now(dt.UTC))
            except MasisError as error:
                log.warning("sweeping waits for its next round: %s", error)
            await asyncio.sleep(every)

    async def once(self, now: dt.datetime) -> None:
        """Close what nobody replied to in time; once an hour forget what is old."""
        for session in await self._services.sessions.expire(now):
            await self._tell(session)
        if self._retained_at is None or now - self._retained_at >= RETAIN_EVERY:
            self._retained_at = now
            await self._retention.sweep(now)
            await self._purge_steps(now - self._keep_steps)

    async def _tell(self, session: Session) -> None:
        """Say in the thread that it is closed, and take the buttons away."""
        run = await self._services.runs.get(session.tenant, session.run_id)
        if run is None:
            return
        closed = expired(session)
        try:
            await self._services.delivery.post(run, EXPIRED, notice(closed.text))
            await self._services.delivery.update(run, "clarification", closed)
            await self._services.web.session_status(
                session.tenant, session.channel, session.thread, "active", initiator=session.asker
            )
        except SlackError as error:
            log.info("the end of session %s cannot be shown: %s", session.id, error.code)
