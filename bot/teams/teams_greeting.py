"""Greet: answer small talk, and welcome who put MASIS in, with questions that the documents answer."""

import logging
from collections.abc import Sequence
from typing import Any, Final

from bot.chat.shown.form_shown import workspace_names
from bot.chat.tasks import Tasks
from bot.teams.cards import notice_card
from bot.teams.connector.connector import Connector, Spot
from bot.teams.connector.connector_errors import TeamsError
from bot.teams.question_intake import Asked, QuestionIntake, Taken
from bot.teams.teams_access import TeamsAccess
from masis.domain import Workspace, WorkspaceId
from masis.errors import StoreUnavailable
from masis.graphs.chat.agents import Greeter
from masis.ports import Repository
from masis.questions.suggestions import Suggestions
from storage.chat.teams_places import TeamsPlace

log = logging.getLogger(__name__)

NOWHERE: Final = WorkspaceId("")
"""No workspace: it has no questions to offer."""
MAKING_SECONDS: Final = 60.0
"""For the questions of a workspace, each of which is tried."""

Json = dict[str, Any]


class Greeting:
    """Says hello. Questions quote documents: they are offered only to who may ask them there.

    `tasks` holds the making of questions, for which Teams would not wait.
    """

    def __init__(
        self,
        *,
        access: TeamsAccess,
        connector: Connector,
        greeter: Greeter,
        intake: QuestionIntake,
        repository: Repository,
        suggestions: Suggestions,
        tasks: Tasks,
    ) -> None:
        self._access = access
        self._connector = connector
        self._greeter = greeter
        self._intake = intake
        self._repository = repository
        self._suggestions = suggestions
        self._tasks = tasks

    async def small_talk(self, asked: Asked) -> Json:
        """Return the message for who says hello or thanks; its questions are those made by now.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        workspace = await self._workspace(asked)
        if workspace is not None and await self._suggestions.ready(workspace) is None:
            making = self._suggestions.of(workspace)
            self._tasks.start("questions", making, seconds=MAKING_SECONDS)
        named = NOWHERE if workspace is None else workspace.id
        reply = await self._greeter.greet(asked.text, named)
        return notice_card.greeting(reply.text, reply.questions, personal=asked.direct)

    async def words(self, said: str) -> str:
        """Return the sentence alone for small talk, where no questions can be offered."""
        return (await self._greeter.greet(said, NOWHERE)).text

    def add_questions(self, place: TeamsPlace, message: str, user: str) -> None:
        """Add to a welcome what may be asked there, once that is known."""
        by = Asked(place=place, user=user, text="", origin="message", key="", thread="")
        adding = self._add_questions(message, by)
        self._tasks.start("questions of a welcome", adding, seconds=MAKING_SECONDS)

    async def _add_questions(self, message: str, asked: Asked) -> None:
        names = await self._names(asked)
        if names:  # questions take their time, and may not come to be
            await self._show(message, asked, names, [])
        workspace = await self._workspace(asked)
        suggested = [] if workspace is None else await self._suggestions.of(workspace)
        if suggested:
            await self._show(message, asked, names, [each.text for each in suggested])

    async def _show(
        self, message: str, asked: Asked, names: Sequence[str], questions: Sequence[str]
    ) -> None:
        shown = notice_card.welcome(personal=asked.direct, questions=questions, workspaces=names)
        spot = Spot.of(asked.place)
        try:
            await self._connector.update(spot, message, shown, droppable=True)
        except TeamsError as error:
            log.info("a welcome does not say more: %s", type(error).__name__)

    async def _names(self, asked: Asked) -> list[str]:
        """Return the workspaces that somebody's own chat can ask, as they are called."""
        if not asked.direct:
            return []
        try:
            links = await self._access.reachable(asked.place.tenant.enterprise, asked.user)
            ids = dict.fromkeys(link.workspace_id for link in links)
            found = [await self._repository.workspace_by_id(each) for each in ids]
        except (StoreUnavailable, TeamsError) as error:
            log.info("no workspaces are named: %s", type(error).__name__)
            return []
        return workspace_names([each for each in found if each is not None])

    async def _workspace(self, asked: Asked) -> Workspace | None:
        """Find the workspace that this person may ask in that place."""
        try:
            link = await self._intake.link(asked)
            if isinstance(link, Taken):
                return None
            if not asked.direct and await self._access.refusal(link, asked.user) is not None:
                return None
        except (StoreUnavailable, TeamsError) as error:
            log.info("no questions are offered: %s", type(error).__name__)
            return None
        return await self._repository.workspace_by_id(link.workspace_id)
