"""Decide whether somebody of Teams may have an answer somewhere, as of now."""

import asyncio
import logging
import time
from typing import Final

from cachetools import TTLCache

from bot.chat.admin import NotDone
from bot.chat.authority import may
from bot.chat.surface import Denial
from bot.chat.words import shared_sentences
from bot.teams.connector.connector import Connector, Member, Spot
from bot.teams.connector.connector_errors import NotThere, RemovedFromPlace, TeamsError
from bot.teams.managing.team_rights import TeamRights
from bot.teams.text import sentences
from masis.conversation import TEAMS, ChatRun, Link
from storage.chat.links import Links
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.teams_places import TeamsPlace, TeamsPlaces

log = logging.getLogger(__name__)

REMEMBERED: Final = 20_000
REMEMBERED_SECONDS: Final = 30.0
"""How long who left a channel may still be offered what it asks."""
CHANNELS_LOOKED_AT: Final = 50
"""Linked channels that are looked through for one person: each may be a call of Teams'."""
LOOKED_AT_ONCE: Final = 5
_USER: Final = frozenset({"user", "owner", ""})
"""Roles of who belongs to the tenant; where Teams says none, its tenant says it."""


class TeamsAccess:
    """Answers from Teams' own word and the team's settings."""

    def __init__(
        self,
        *,
        connector: Connector,
        links: Links,
        places: TeamsPlaces,
        rights: TeamRights,
        settings: TeamSettingsStore,
    ) -> None:
        self._rights = rights
        self._connector = connector
        self._links = links
        self._places = places
        self._settings = settings
        self._members: TTLCache[tuple[str, str], bool] = TTLCache(
            REMEMBERED, REMEMBERED_SECONDS, time.monotonic
        )

    async def denial(self, run: ChatRun) -> Denial | None:
        """Why the run's asker may not have its answer in its place now; None when they may.

        Raises:
            TeamsError: Teams does not say who is where.
        """
        if run.kind == "upload":
            return await self._upload_denial(run)
        if run.direct:
            return await self._direct_denial(run)
        link = await self._links.of(run.tenant, run.channel)
        if link is None:
            return Denial(reason=sentences.WITHHELD_UNLINKED)
        if link.workspace_id != run.workspace_id:
            return Denial(reason=shared_sentences.WITHHELD_RELINKED)
        if link.suspended:
            return Denial(reason=sentences.suspended(link.suspended))
        return await self.refusal(link, run.asker)

    async def manages(self, run: ChatRun, user: str) -> bool:
        """Say whether somebody may stop and answer other people's questions."""
        return await self._rights.manages(run.tenant, user)

    async def reachable(self, enterprise: str, user: str) -> list[Link]:
        """The links of the channels that somebody is in, up to half a minute old.

        Raises:
            TeamsError: Teams does not say.
        """
        links = await self._open_links(enterprise)
        gate = asyncio.Semaphore(LOOKED_AT_ONCE)

        async def is_in(link: Link) -> bool:
            async with gate:
                return await self._was_in(link, user)

        found = await asyncio.gather(*map(is_in, links))
        return [link for link, is_there in zip(links, found, strict=True) if is_there]

    async def _open_links(self, enterprise: str) -> list[Link]:
        links = await self._links.of_enterprise(TEAMS, enterprise)
        return [link for link in links if not link.suspended][:CHANNELS_LOOKED_AT]

    async def _upload_denial(self, run: ChatRun) -> Denial | None:
        """Whoever manages MASIS in a team fills its workspaces: asked anew when its turn comes."""
        try:
            kind = await self._rights.kind(run.tenant, run.asker)
        except NotDone as error:
            return Denial(reason=str(error))
        is_allowed = may(kind, "upload", await self._settings.of(run.tenant))
        return None if is_allowed else Denial(reason=self._rights.why_not(kind, "upload"))

    async def _direct_denial(self, run: ChatRun) -> Denial | None:
        """Somebody who is in a channel that asks the workspace may ask it alone as well."""
        said: Denial | None = None
        for link in await self._open_links(run.tenant.enterprise):
            if (link.tenant, link.workspace_id) == (run.tenant, run.workspace_id):
                said = await self.refusal(link, run.asker)
                if said is None:
                    return None
        return said or Denial(reason=sentences.WITHHELD_NO_ACCESS)

    async def _was_in(self, link: Link, user: str) -> bool:
        known = self._members.get((link.channel, user))
        if known is None and await self._places.get(link.tenant.enterprise, link.channel) is None:
            return False  # Not remembered: the channel is known as soon as anybody speaks there.
        if known is None:
            known = await self.refusal(link, user) is None
            self._members[link.channel, user] = known
        return known

    async def refusal(self, link: Link, user: str) -> Denial | None:
        """Say why somebody is none of a linked channel's own people; None for who is.

        Raises:
            TeamsError: Teams does not say who is where.
        """
        place = await self._places.get(link.tenant.enterprise, link.channel)
        member = None if place is None else await self._member(place, user)
        if place is None or member is None:
            return Denial(reason=sentences.WITHHELD_NO_ACCESS)
        if member.tenant and member.tenant != link.tenant.enterprise:
            return Denial(reason=sentences.STRANGER)
        if member.role == "guest":
            guests = (await self._settings.of(link.tenant)).guests
            return None if guests else Denial(reason=sentences.GUEST)
        return None if member.role in _USER else Denial(reason=sentences.STRANGER)

    async def name(self, run: ChatRun, user: str) -> str:
        """Return what somebody is called where a run was asked; empty where Teams does not say."""
        place = await self._places.get(run.tenant.enterprise, run.channel)
        try:
            member = None if place is None else await self._member(place, user)
        except TeamsError as error:
            log.info("a name is not told: %s", type(error).__name__)
            return ""
        return "" if member is None else member.name

    async def _member(self, place: TeamsPlace, user: str) -> Member | None:
        try:
            found = await self._connector.member(Spot(place.service_url, place.conversation), user)
        except (RemovedFromPlace, NotThere):
            return None  # the bot itself was taken out of it
        return found if found is not None and found.id in {user, ""} else None
