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
from bot.teams.connector.connector_errors import TeamsError, Unavailable
from bot.teams.inbound.activities import Where
from storage.chat.teams_places import TeamsPlaces, place_id

log = logging.getLogger(__name__)

ASK_SECONDS: Final = 20.0
"""For one attempt, with what the connector itself repeats."""
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
            Unavailable: Teams cannot be asked now.
        """
        if where.kind != "channel" or where.group:
            return where
        group = await self.known(where) or await self._asked(where)
        if group and where.team:
            self._groups[where.tenant, where.team] = group
        return where.model_copy(update={"group": group})

    async def known(self, where: Where) -> str:
        """Return the team of a place, as far as that is known without asking Teams."""
        if where.kind != "channel":
            return ""
        if group := self._groups.get((where.tenant, where.team), ""):
            return group
        place = await self._places.get(where.tenant, place_id(where.tenant, where.conversation))
        return "" if place is None else place.tenant.team

    async def _asked(self, where: Where) -> str:
        if not where.team:
            return ""
        try:
            async with asyncio.timeout(ASK_SECONDS):
                return (await self._connector.team(where.service_url, where.team)).group
        except TimeoutError:
            raise Unavailable(NOT_NOW) from None
        except TeamsError as error:
            if not error.permanent:
                raise
            log.info("Teams does not say which team this is: %s", type(error).__name__)
            return ""
