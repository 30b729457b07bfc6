"""Tell who somebody of Slack is, asked anew, and which channels can be linked."""

from typing import Final

from bot.chat.admin import NotDone
from bot.chat.authority import Kind
from bot.slack.access import Access, why_not
from bot.slack.slack_errors import ChannelNotFound, NotInChannel
from bot.slack.text import sentences
from masis.conversation import Tenant
from storage.chat.team_settings import TeamSettingsStore


class SlackRights:
    """Slack as `bot.chat.admin.Rights`."""

    def __init__(self, access: Access, settings: TeamSettingsStore) -> None:
        self._access = access
        self._settings = settings
        self.why_not: Final = why_not

    async def kind(self, tenant: Tenant, user: str) -> Kind:
        """Decide which kind of caller somebody is now."""
        return await self._access.kind(tenant, user, fresh=True)

    async def linkable(self, tenant: Tenant, channel: str, *, external: bool) -> bool:
        """Check that the channel can be linked, and say whether it is private.

        Raises:
            NotDone: the bot does not see it, or it is shared and nobody allowed that.
        """
        try:
            info = await self._access.channel(tenant, channel)
        except (ChannelNotFound, NotInChannel):
            raise NotDone(sentences.CHANNEL_UNKNOWN, "channel") from None
        if not info.member or info.archived:
            raise NotDone(sentences.CHANNEL_UNKNOWN, "channel")
        if info.external and not (await self._settings.of(tenant)).external_channels:
            raise NotDone(sentences.EXTERNAL_NOT_ALLOWED, "channel")
        if info.external and not external:
            raise NotDone(sentences.EXTERNAL_NOT_TICKED, "external")
        return info.private
