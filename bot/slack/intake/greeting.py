"""Answer small talk: nothing is searched, nothing stored, nothing counted."""

import asyncio
from typing import Final

from bot.slack.access import Access
from bot.slack.intake.intake import Asked, Intake, Taken, run_of
from bot.slack.slack_errors import SlackError
from bot.slack.views.ends import small_talk
from bot.slack.views.message import Message
from masis.domain import WorkspaceId
from masis.graphs.chat.agents import Greeter

NOWHERE: Final = WorkspaceId("")
"""No workspace: it has no questions to offer."""
KNOWN_SECONDS: Final = 2.0
"""For Slack to say whether somebody may ask; questions are offered only to who may."""


class Greeting:
    """Gives a sentence, and questions of the workspace that is asked in that place."""

    def __init__(self, *, access: Access, intake: Intake, greeter: Greeter) -> None:
        self._access = access
        self._intake = intake
        self._greeter = greeter

    async def message(self, asked: Asked) -> Message:
        """Return what is said to who says hello or thanks.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        reply = await self._greeter.greet(asked.text, await self._workspace(asked))
        return small_talk(reply.text, reply.questions)

    async def _workspace(self, asked: Asked) -> WorkspaceId:
        """Find the workspace that they may ask here; its questions quote its documents."""
        found = await self._intake.workspace(asked)
        if isinstance(found, Taken):
            return NOWHERE
        try:
            async with asyncio.timeout(KNOWN_SECONDS):
                denial = await self._access.denial(run_of(asked, found))
        except (SlackError, TimeoutError):
            return NOWHERE
        return found if denial is None else NOWHERE
