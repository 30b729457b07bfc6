"""Decide whether somebody may do something somewhere, as of now.

It looks at authority, links and channels together.
"""

import time
from typing import Final

from cachetools import TTLCache

from bot.chat.authority import Action, Kind, manages, may
from bot.chat.surface import Denial
from bot.chat.words import shared_sentences
from bot.slack.client.web import ChannelInfo, SlackWeb
from bot.slack.persons import kind_of
from bot.slack.slack_errors import ChannelNotFound, NotInChannel
from bot.slack.text import sentences
from bot.slack.text.sentences import Closed
from masis.conversation import ChatRun, Link, RunKind, TeamSettings, Tenant
from masis.domain import Value, Workspace, WorkspaceId
from masis.ports import Repository
from storage.chat.links import Links
from storage.chat.team_settings import TeamSettingsStore

REMEMBERED: Final = 20_000
REMEMBERED_SECONDS: Final = 30.0
"""How long who left a channel may still count as in it."""
MOST_LINKS: Final = 100
"""Linked channels that are looked through for one person: each may be a call of Slack's."""
CHANNELS_LOOKED_AT: Final = 50
"""Of the channels that are linked to one workspace, when somebody's membership is looked for."""


class Foreseen(Value):
    """Hold what can be said of a question before Slack is asked about it."""

    denied: str = ""
    """Why it will get no answer; empty where that is not known."""
    admitted: bool = False
    """Whether it is known that it may be asked."""


class Access:
    """Answers from Slack's own word (at most a minute old) and the team's settings."""

    def __init__(
        self, *, web: SlackWeb, links: Links, settings: TeamSettingsStore, repository: Repository
    ) -> None:
        self._web = web
        self.channel: Final = web.channel
        """Tells what Slack says about a channel."""
        self._links = links
        self._settings = settings
        self._repository = repository
        self._members: TTLCache[tuple[Tenant, str, str], bool] = TTLCache(
            REMEMBERED, REMEMBERED_SECONDS, time.monotonic
        )

    async def kind(self, tenant: Tenant, user: str, *, fresh: bool = False) -> Kind:
        """Decide which kind of caller somebody is. `fresh` asks Slack, for what changes things."""
        person = await self._web.user(tenant, user, fresh=fresh)
        return kind_of(person, tenant, await self._settings.of(tenant))

    async def may(
        self, tenant: Tenant, user: str, action: Action, *, own: bool = True, fresh: bool = False
    ) -> bool:
        """Say whether somebody may do it, wherever it is."""
        settings = await self._settings.of(tenant)
        person = await self._web.user(tenant, user, fresh=fresh)
        return may(kind_of(person, tenant, settings), action, settings, own=own)

    async def manages(self, tenant: Tenant, user: str) -> bool:
        """Say whether somebody may answer and stop other people's questions."""
        return manages(await self.kind(tenant, user))

    async def denial(self, run: ChatRun) -> Denial | None:
        """Why the run's asker may not have its answer in its place now; None when they may."""
        admitted = await self.admission(run)
        return admitted if isinstance(admitted, Denial) else None

    async def admission(self, run: ChatRun) -> Denial | Link:
        """Find the link by which the run's asker may have its answer in its place now."""
        actions: dict[RunKind, Action] = {"upload": "upload", "reply": "clarify"}
        action = actions.get(run.kind, "ask")
        settings = await self._settings.of(run.tenant)
        kind = await self.kind(run.tenant, run.asker)
        # Whose question a reply answers was checked when it was taken in.
        if not may(kind, action, settings):
            return Denial(reason=why_not(kind, action))
        if run.direct:
            return await self._direct_admission(run)
        return await self._channel_admission(run, settings)

    async def foreseen(
        self,
        tenant: Tenant,
        user: str,
        channel: str,
        action: Action,
        workspace_id: WorkspaceId,
    ) -> Foreseen:
        """Predict what `denial` would say, by Slack's word of the last minute.

        Slack is not asked.
        """
        person = self._web.known_user(tenant, user)
        if person is None:
            return Foreseen()  # what is said of the channel is not for everybody in it
        settings = await self._settings.of(tenant)
        kind = kind_of(person, tenant, settings)
        if not may(kind, action, settings):
            return Foreseen(denied=why_not(kind, action))
        place = self._web.known_channel(tenant, channel)
        link = None if place is None else await self._links.of(tenant, channel)
        if place is None or link is None or link.suspended or link.workspace_id != workspace_id:
            return Foreseen()  # what became of the link the run finds out
        denied = _closed(place, link, settings).told
        return Foreseen(denied=denied, admitted=not denied)

    async def reachable(self, tenant: Tenant, user: str) -> list[Workspace]:
        """The workspaces of the channels that somebody is in, by name."""
        found: dict[WorkspaceId, Workspace] = {}
        for link in (await self._links.all(tenant))[:MOST_LINKS]:
            if link.workspace_id in found or link.suspended:
                continue
            if await self._was_member(tenant, link.channel, user):
                workspace = await self._repository.workspace_by_id(link.workspace_id)
                if workspace is not None and workspace.owner == tenant.owner:
                    found[workspace.id] = workspace
        return sorted(found.values(), key=lambda workspace: workspace.name)

    async def sees_channel(self, tenant: Tenant, user: str, link: Link) -> bool:
        """Say whether somebody may know of a link. Private channels are for their members alone."""
        return not await self._is_private(tenant, link) or await self._is_member(
            tenant, link.channel, user
        )

    async def closed(self, link: Link) -> Closed:
        """Why a linked channel is not answered now, a suspended link apart."""
        channel = await self._web.channel(link.tenant, link.channel)
        return _closed(channel, link, await self._settings.of(link.tenant))

    async def _direct_admission(self, run: ChatRun) -> Denial | Link:
        links = [
            link
            for link in await self._links.all(run.tenant)
            if link.workspace_id == run.workspace_id and not link.suspended
        ]
        for link in links[:CHANNELS_LOOKED_AT]:
            if await self._is_member(run.tenant, link.channel, run.asker):
                return link
        others = await self.reachable(run.tenant, run.asker)
        return Denial(reason=sentences.CHOOSE_ANOTHER if others else sentences.WITHHELD_NO_ACCESS)

    async def _channel_admission(self, run: ChatRun, settings: TeamSettings) -> Denial | Link:
        link = await self._links.of(run.tenant, run.channel)
        if link is None:
            return Denial(reason=sentences.WITHHELD_UNLINKED)
        if link.workspace_id != run.workspace_id:
            return Denial(reason=shared_sentences.WITHHELD_RELINKED)
        if link.suspended:
            return Denial(reason=sentences.suspended(link.suspended))
        channel = await self._web.channel(run.tenant, run.channel)
        denied = _closed(channel, link, settings).told
        return Denial(reason=denied) if denied else link

    async def _is_private(self, tenant: Tenant, link: Link) -> bool:
        """A channel may have become private after it was linked."""
        if link.private:
            return True
        try:
            return (await self._web.channel(tenant, link.channel)).private
        except (ChannelNotFound, NotInChannel):
            return True  # what the bot does not see it does not tell of

    async def _was_member(self, tenant: Tenant, channel: str, user: str) -> bool:
        """The same up to half a minute old: for what is offered, not for what is answered."""
        known = self._members.get((tenant, channel, user))
        if known is None:
            known = await self._is_member(tenant, channel, user)
            self._members[tenant, channel, user] = known
        return known

    async def _is_member(self, tenant: Tenant, channel: str, user: str) -> bool:
        try:
            return await self._web.members_contain(tenant, channel, user)
        except (ChannelNotFound, NotInChannel):
            return False  # the bot itself was taken out of it


def _closed(channel: ChannelInfo, link: Link, settings: TeamSettings) -> Closed:
    if channel.archived:
        return sentences.ARCHIVED
    allowed = settings.external_channels and link.external_allowed
    return sentences.EXTERNAL if channel.external and not allowed else sentences.OPEN


def why_not(kind: Kind, action: Action) -> str:
    """The sentence for somebody who may not do it, with whom to ask."""
    match kind:
        case "bot":
            return sentences.BOT
        case "stranger":
            return sentences.STRANGER
        case "single_channel_guest" | "multi_channel_guest" if action in {"ask", "clarify"}:
            return sentences.GUEST
    return sentences.SETTINGS_NOT_ALLOWED if action == "settings" else sentences.NOT_ALLOWED
