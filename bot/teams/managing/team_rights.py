"""Tell who somebody of a team is, asked anew, and which channels can be linked."""

import logging
from collections.abc import Mapping
from typing import Final

from bot.chat.admin import NotDone
from bot.chat.authority import Action, Kind, manages
from bot.teams.connector.connector_errors import TeamsError
from bot.teams.managing.team_owners import NotConsented, Role, TeamOwners
from bot.teams.text import sentences
from masis.conversation import Tenant
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.teams_places import TeamsPlaces

log = logging.getLogger(__name__)

_KINDS: Final[Mapping[Role, Kind]] = {
    "owner": "owner",
    "member": "member",
    "guest": "multi_channel_guest",
    "none": "stranger",
}


class TeamRights:
    """Teams as `bot.chat.admin.Rights`. An owner of the team is one of MASIS there."""

    def __init__(
        self, *, owners: TeamOwners, places: TeamsPlaces, settings: TeamSettingsStore
    ) -> None:
        self._owners = owners
        self._places = places
        self._settings = settings

    async def kind(self, tenant: Tenant, user: str) -> Kind:
        """Decide which kind of caller somebody is now.

        Raises:
            NotDone: nobody tells MASIS who owns the team, and it is none of its managers.
            TeamsError: Teams cannot be asked now.
        """
        is_manager = user in (await self._settings.of(tenant)).managers
        try:
            kind = _KINDS[await self._owners.role(tenant, user, fresh=True)]
        except NotConsented:
            if is_manager:
                return "manager"
            raise NotDone(sentences.NOT_CONSENTED) from None
        return "manager" if kind == "member" and is_manager else kind

    async def manages(self, tenant: Tenant, user: str) -> bool:
        """Say whether somebody may stop and answer other people's questions, up to a minute old."""
        if user in (await self._settings.of(tenant)).managers:
            return True
        try:
            return manages(_KINDS[await self._owners.role(tenant, user)])
        except TeamsError as error:
            log.info("nobody tells who owns a team: %s", type(error).__name__)
            return False

    def why_not(self, kind: Kind, action: Action) -> str:
        """The sentence for somebody who may not do it, with whom to ask."""
        if kind == "stranger":
            return sentences.STRANGER
        return sentences.SETTINGS_NOT_ALLOWED if action == "settings" else sentences.NOT_ALLOWED

    async def linkable(self, tenant: Tenant, channel: str, *, external: bool) -> bool:  # noqa: ARG002 - the port's signature
        """Check that the channel is one of the team's; none of those is private.

        Raises:
            NotDone: it is not.
        """
        place = await self._places.get(tenant.enterprise, channel)
        if place is None or place.kind != "channel" or place.tenant != tenant:
            raise NotDone(sentences.CHANNEL_UNKNOWN)
        return False
