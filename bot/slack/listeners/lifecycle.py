"""Handle what happens to the app and to channels.

They are uninstalled, shared, archived or stopped, or the home tab is opened.
"""

import datetime as dt
import logging
from collections.abc import Mapping
from typing import Final

from slack_bolt.async_app import AsyncAck, AsyncBoltContext

from bot.slack.install.uninstall import Uninstall
from bot.slack.intake.payload_values import (
    Json,
    Unreadable,
    a_ts,
    an_id,
    an_object,
    tenant_of,
    text,
)
from bot.slack.listeners.home_tab import Home
from bot.slack.services import Services
from bot.slack.text import sentences
from bot.slack.views.message import notice
from masis.conversation import OPEN, Tenant

log = logging.getLogger(__name__)

SHARED_LATER: Final = "the channel was shared with another organisation"
ARCHIVED: Final = "the channel was archived"
_NEVER: Final = 10**11
"""In Unix seconds, the year 5138; a larger number is no time."""


class Lifecycle:
    """Events that nobody waits for an answer to."""

    def __init__(self, services: Services, uninstall: Uninstall, home: Home) -> None:
        self._services = services
        self._uninstall = uninstall
        self._home = home

    async def uninstalled(self, ack: AsyncAck, body: Json, context: AsyncBoltContext) -> None:
        """The app was removed: nothing of the team is used from here on."""
        if (tenant := _installed(context)) is not None:
            await self._uninstall.on_uninstalled(tenant, _at(body))
        await ack()

    async def tokens_revoked(self, ack: AsyncAck, body: Json, context: AsyncBoltContext) -> None:
        """Tokens were revoked; before or after the other event."""
        tokens: Mapping[str, object] = an_object(an_object(body.get("event")).get("tokens"))
        if (tenant := _installed(context)) is not None:
            await self._uninstall.on_tokens_revoked(tenant, tokens, _at(body))
        await ack()

    async def shared(self, ack: AsyncAck, event: Json, context: AsyncBoltContext) -> None:
        """A channel became one with outsiders: it is asked only where an admin allows that."""
        await self._suspend(event, context, SHARED_LATER, unless_allowed=True)
        await ack()

    async def archived(self, ack: AsyncAck, event: Json, context: AsyncBoltContext) -> None:
        """Nobody can read an answer there."""
        await self._suspend(event, context, ARCHIVED)
        await ack()

    async def stopped(self, ack: AsyncAck, event: Json, context: AsyncBoltContext) -> None:
        """Slack's own Stop, on the thread of a run."""
        tenant = _tenant(context)
        channel, thread = text(event.get("channel")), a_ts(event.get("thread_ts"))
        user = text(event.get("user"))
        if tenant is not None and channel and thread and user:
            self._services.tasks.start("native stop", self._stop(tenant, channel, thread, user))
        await ack()

    async def home_opened(self, ack: AsyncAck, event: Json, context: AsyncBoltContext) -> None:
        """Somebody looks at the home tab, or at the messages beside it."""
        tenant = _tenant(context)
        if tenant is not None and event.get("tab") == "home":
            self._services.tasks.start("home", self._home.show(tenant, text(event.get("user"))))
        elif tenant is not None and event.get("tab") == "messages":
            user, channel = text(event.get("user")), text(event.get("channel"))
            self._services.tasks.start("prompts", self._home.prompts(tenant, user, channel))
        await ack()

    async def _suspend(
        self, event: Json, context: AsyncBoltContext, why: str, *, unless_allowed: bool = False
    ) -> None:
        tenant = _tenant(context)
        if tenant is None:
            return
        try:
            channel = an_id(event.get("channel"))
        except Unreadable:
            return
        links = self._services.links
        link = await links.of(tenant, channel)
        if link is not None and not (unless_allowed and link.external_allowed):
            await links.suspend(tenant, channel, why)

    async def _stop(self, tenant: Tenant, channel: str, thread: str, user: str) -> None:
        services = self._services
        run = await services.runs.latest_in_thread(tenant, channel, thread)
        if run is None or run.status not in OPEN:
            return
        if user == run.asker or await services.access.manages(tenant, user):
            await services.engine.cancel(run.id, user)
        else:
            no = notice(sentences.NOT_YOURS)
            await services.web.ephemeral(tenant, channel, user, no, thread=thread)


def _tenant(context: AsyncBoltContext) -> Tenant | None:
    try:
        return tenant_of(context)
    except Unreadable:
        return None


def _installed(context: AsyncBoltContext) -> Tenant | None:
    """Return the tenant whose installation an event is about. An organisation's own has no team."""
    tenant = _tenant(context)
    if tenant is None or not context.is_enterprise_install:
        return tenant
    return tenant.model_copy(update={"team": ""})


def _at(body: Json) -> dt.datetime | None:
    """Return when it happened, by Slack's clock."""
    moment = body.get("event_time")
    if not isinstance(moment, int) or not 0 < moment < _NEVER:
        return None
    return dt.datetime.fromtimestamp(moment, dt.UTC)
