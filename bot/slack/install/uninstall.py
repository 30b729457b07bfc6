"""The end of an installation: no token, no link, no run and, where a team wants so, no data."""

import asyncio
import datetime as dt
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.slack.install.tokens import Tokens
from masis.conversation import Tenant
from masis.errors import StoreUnavailable
from masis.installation import InstallationStore, Uninstalled

log = logging.getLogger(__name__)

BY_UNINSTALL: Final = "uninstalled"
"""Who cancelled a run whose app is gone (`ChatRun.cancelled_by`): it ends without a word."""

_PAUSES: Final = (1.0, 10.0)
"""Before a database that is locked is tried again."""

Cancel = Callable[[str, str], Awaitable[bool]]
"""`RunEngine.cancel`: the run's id, and by whom."""
Purge = Callable[[Tenant], Awaitable[None]]
"""Removes everything that is kept of a team."""


class Uninstall:
    """Handle what listeners are told when the app was removed from Slack.

    Slack sends both events, in any order, and repeats them for an hour: whichever comes first ends
    the installation, and `at` (the event's time) keeps a late one from ending the next
    installation. The tenant of an organisation's installation has no team
    (`context.is_enterprise_install`); with a team, what the organisation installed stays, and that
    team alone leaves, as `team_access_revoked` means it.
    """

    def __init__(
        self, *, installations: InstallationStore, tokens: Tokens, cancel: Cancel, purge: Purge
    ) -> None:
        self._installations = installations
        self._tokens = tokens
        self._cancel = cancel
        self._purge = purge

    async def on_uninstalled(self, tenant: Tenant, at: dt.datetime | None = None) -> Uninstalled:
        """The app was removed; teams that do not want their data kept lose it."""
        uninstalled = await self._end(tenant, at)
        for team in uninstalled.forgotten:
            await self._purge(team)
        return uninstalled

    async def on_tokens_revoked(
        self, tenant: Tenant, tokens: Mapping[str, object], at: dt.datetime | None = None
    ) -> Uninstalled:
        """Tokens were revoked: `tokens` is the event's own, users by kind of token.

        MASIS holds bot tokens alone. One that is revoked ends the installation, yet purges nothing:
        that is left to the uninstallation that follows.
        """
        if not tokens.get("bot"):
            return Uninstalled(stale=True)
        return await self._end(tenant, at)

    async def _end(self, tenant: Tenant, at: dt.datetime | None) -> Uninstalled:
        uninstalled = await self._removed(tenant, at)
        if uninstalled.stale:
            return uninstalled
        self._tokens.drop(tenant)
        log.info("The installation of %s ended", tenant.owner)
        for run_id in uninstalled.open_runs:
            await self._silence(run_id)
        return uninstalled

    async def _removed(self, tenant: Tenant, at: dt.datetime | None) -> Uninstalled:
        # Slack repeats an event that was not received a few times in an hour, and then no more.
        for pause in _PAUSES:
            try:
                return await self._installations.remove(tenant, before=at)
            except StoreUnavailable:
                await asyncio.sleep(pause)
        return await self._installations.remove(tenant, before=at)

    async def _silence(self, run_id: str) -> None:
        try:
            await self._cancel(run_id, BY_UNINSTALL)
        except StoreUnavailable:
            # Without a token it cannot say anything either; the other runs still want their end.
            log.warning("Run %s could not be cancelled after the uninstallation", run_id)
