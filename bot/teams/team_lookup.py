"""Find the team that something was said in: Teams names its id in Entra in some activities alone.

What tells of an installation or of a channel's fate names it; a message and a press name the team by
its id in Teams. MASIS asks the connector for the other one, once for each team.
"""

import asyncio
import logging
import time
from typing import Final

from cachetools import TTLCache

from bot.teams.connector.connector import Connector
from bot.teams.connector.connector_errors import TeamsError
from bot.teams.inbound.activities import Where
from masis.errors import StoreUnavailable
from storage.chat.teams_places import TeamsPlaces, place_id

log = logging.getLogger(__name__)

ASK_SECONDS: Final = 8.0
"""Teams sends an activity again that was not acknowledged within 15."""
NOT_NOW: Final = "Teams does not say now which team this is."
REMEMBERED: Final = 10_000
REMEMBERED_SECONDS: Final = 3600.0


class TeamLookup:
    """Completes where something was said: by what is known of the place, else by Teams' word."""

    def __init__(self, connector: Connector, places: TeamsPlaces) -> None:
        self._connector = connector
        self._places = places
        self._groups: TTLCache[tuple[str, str], str] = TTLCache(
            REMEMBERED, REMEMBERED_SECONDS, time.monotonic
        )

    async def completed(self, where: Where) -> Where:
        """Return where it was, with the team's id in Entra; unchanged where nobody can tell.

        Raises:
            StoreUnavailable: Teams cannot be asked now; it sends the activity again.
        """
        if where.kind != "channel" or where.group:
            return where
        group = self._groups.get((where.tenant, where.team), "")
        group = group or await self._known(where) or await self._asked(where)
        if group and where.team:
            self._groups[where.tenant, where.team] = group
        return where.model_copy(update={"group": group})

    async def _known(self, where: Where) -> str:
        place = await self._places.get(where.tenant, place_id(where.tenant, where.conversation))
        return "" if place is None else place.tenant.team

    async def _asked(self, where: Where) -> str:
        if not where.team:
            return ""
        try:
            async with asyncio.timeout(ASK_SECONDS):
                return (await self._connector.team(where.service_url, where.team)).group
        except TimeoutError:
            raise StoreUnavailable(NOT_NOW) from None
        except TeamsError as error:
            if not error.permanent:
                raise StoreUnavailable(NOT_NOW) from error
            log.info("Teams does not say which team this is: %s", type(error).__name__)
            return ""
