"""Show in somebody's own chat that MASIS is at it, before its first message stands there."""

import logging
from typing import Final

from bot.chat.tasks import Tasks
from bot.teams.connector.connector import Connector, Spot
from bot.teams.connector.connector_errors import TeamsError
from storage.chat.teams_places import TeamsPlace

log = logging.getLogger(__name__)

SECONDS: Final = 5.0
"""A message stands there by then, or the sign has come too late."""


class TypingIndicator:
    """Shows the sign as well as that can be done. In a channel everybody would see it: not there."""

    def __init__(self, connector: Connector, tasks: Tasks) -> None:
        self._connector = connector
        self._tasks = tasks

    def show(self, place: TeamsPlace) -> None:
        """Begin to show it; returns at once."""
        if place.kind == "personal":
            self._tasks.start("typing", self._show(place), seconds=SECONDS)

    async def _show(self, place: TeamsPlace) -> None:
        try:
            await self._connector.typing(Spot.of(place))
        except TeamsError as error:
            log.info("it is not shown that something is written: %s", type(error).__name__)
