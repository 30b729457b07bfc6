"""Decide whether somebody of Teams may have an answer somewhere, as of now."""

import asyncio
import logging
import time
from collections.abc import Iterable
from typing import Final

from cachetools import TTLCache

from bot.chat.admin import NotDone
from bot.chat.authority import may
from bot.chat.surface import Denial
from bot.chat.words import shared_sentences
from bot.teams.connector.connector import Connector, Member, Spot
from bot.teams.connector.connector_errors import NotThere, RemovedFromPlace, TeamsError, Unavailable
from bot.teams.managing.team_rights import TeamRights
from bot.teams.text import sentences
from masis.conversation import TEAMS, ChatRun, Link, Tenant
from storage.chat.links import Links
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.teams_places import TeamsPlace, TeamsPlaces

log = logging.getLogger(__name__)

REMEMBERED: Final = 20_000
REMEMBERED_SECONDS: Final = 600.0
"""How long who left a channel may still be offered what it asks: longer than all attempts at a message,
so that each gets further. Before an answer is shown Teams is asked anew."""
LOOKED_AT_ONCE: Final = 10
LOOK_SECONDS: Final = 45.0
"""For all teams of an organisation, each of which may be a call of Teams'. What was found out by then
is remembered, so that the next attempt gets further."""
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
        self._members: TTLCache[tuple[Tenant, str], bool] = TTLCache(
            REMEMBERED, REMEMBERED_SECONDS, time.monotonic
        )

    async def admission(self, run: ChatRun) -> Denial | Link | None:
        """Find the link by which the run's asker may have its answer in its place now.

        None where they may without one.

        Raises:
            TeamsError: Teams does not say who is where.
        """
        if run.kind == "upload":
            return await self._upload_denial(run)
        found = await self._direct_link(run) if run.direct else await self._channel_link(run)
        if isinstance(found, Denial):
            return found
        return await self.refusal(found, run.asker) or found

    async def _channel_link(self, run: ChatRun) -> Denial | Link:
        link = await self._links.of(run.tenant, run.channel)
        if link is None:
            return Denial(reason=sentences.WITHHELD_UNLINKED)
        if link.workspace_id != run.workspace_id:
            return Denial(reason=shared_sentences.WITHHELD_RELINKED)
        if link.suspended:
            return Denial(reason=sentences.suspended(link.suspended))
        return link

    async def manages(self, tenant: Tenant, user: str) -> bool:
        """Say whether somebody may stop and answer other people's questions."""
        return await self._rights.manages(tenant, user)

    async def reachable(self, enterprise: str, user: str, workspace: str = "") -> list[Link]:
        """The links of the channels that somebody is in, up to ten minutes old.

        With a `workspace` only those are looked at that ask it.

        Raises:
            TeamsError: Teams does not say.
        """
        links = await self._open_links(enterprise)
        by_team: dict[Tenant, list[Link]] = {}
        for link in links:
            if workspace in {"", link.workspace_id}:
                by_team.setdefault(link.tenant, []).append(link)
        gate = asyncio.Semaphore(LOOKED_AT_ONCE)

        async def is_in(team: list[Link]) -> bool:
            async with gate:
                return await self._was_in(team, user)

        try:
            async with asyncio.timeout(LOOK_SECONDS):
                found = await asyncio.gather(*map(is_in, by_team.values()))
        except TimeoutError:
            raise Unavailable("Teams does not say in time who is where.") from None
        theirs = [team for team, is_there in zip(by_team.values(), found, strict=True) if is_there]
        if not theirs:
            self._forget(by_team, user)
        return [link for team in theirs for link in team]

    def _forget(self, tenants: Iterable[Tenant], user: str) -> None:
        """Ask anew the next time: who is in no team may be added to one at any moment."""
        for tenant in tenants:
            self._members.pop((tenant, user), None)

    async def _open_links(self, enterprise: str) -> list[Link]:
        links = await self._links.of_enterprise(TEAMS, enterprise)
        return [link for link in links if not link.suspended]

    async def _upload_denial(self, run: ChatRun) -> Denial | None:
        """Whoever manages MASIS in a team fills its workspaces: asked anew when its turn comes."""
        try:
            kind = await self._rights.kind(run.tenant, run.asker)
        except NotDone as error:
            return Denial(reason=str(error))
        is_allowed = may(kind, "upload", await self._settings.of(run.tenant))
        return None if is_allowed else Denial(reason=self._rights.why_not(kind, "upload"))

    async def _direct_link(self, run: ChatRun) -> Denial | Link:
        """Somebody who is in a channel that asks the workspace may ask it alone as well."""
        links = await self._links.all(run.tenant)
        asking = [each for each in links if each.workspace_id == run.workspace_id]
        known = await self._known([each for each in asking if not each.suspended])
        return Denial(reason=sentences.WITHHELD_NO_ACCESS) if known is None else known

    async def _was_in(self, links: list[Link], user: str) -> bool:
        """Say whether somebody is in a team, by its links: a standard channel has all its members."""
        key = links[0].tenant, user
        known = self._members.get(key)
        link = await self._known(links) if known is None else None
        if known is None and link is None:
            return False  # Not remembered: a channel is known as soon as anybody speaks there.
        if link is not None:
            known = self._members[key] = await self.refusal(link, user) is None
        return bool(known)

    async def _known(self, links: list[Link]) -> Link | None:
        """Find one whose channel MASIS was spoken to in, so that its members can be asked after."""
        for link in links:
            if await self._places.get(link.tenant.enterprise, link.channel) is not None:
                return link
        return None

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
            found = await self._connector.member(Spot.of(place), user)
        except (RemovedFromPlace, NotThere):
            return None  # the bot itself was taken out of it
        return found if found is not None and found.id in {user, ""} else None
