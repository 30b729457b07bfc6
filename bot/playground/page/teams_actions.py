"""Do what a browser asks for in Teams, as the person it is; every action goes over the real wire."""

from collections.abc import Callable
from typing import Final

from bot.playground.page import contract, page_models
from bot.playground.page.scene import Scene
from bot.playground.page.teams_seen import TeamsSeen
from bot.playground.people.people import Person
from bot.playground.slack.entities import File
from bot.playground.slack.interactions import CannotDo
from bot.playground.teams.connector_standin import Message
from bot.playground.teams.room import NotTaken
from bot.playground.teams.teams_scene import (
    IN_CHANNEL,
    IN_CHAT,
    Answered,
    GivenFile,
    Post,
)

NOT_SEEN: Final = "That is not there any more."
NOT_TAKEN: Final = "MASIS could not take that. The terminal says why."
NO_FILES: Final = "In a channel of Teams files are not handed to a bot: send them in your chat."


class TeamsActions:
    """Do what one person asks for. `file` finds an upload of this person's own."""

    def __init__(self, scene: Scene, person: Person, file: Callable[[str], File]) -> None:
        self._teams = scene.teams
        self._user = TeamsSeen(scene, person).user
        self._file = file

    async def do(self, action: contract.AnyTeamsAction) -> contract.Reply:
        """Do it, and say what came of it.

        Raises:
            CannotDo: it cannot be done, or MASIS did not take it.
        """
        try:
            answered = await self._done(action)
        except NotTaken:
            raise CannotDo(NOT_TAKEN) from None
        return contract.Reply(
            id=action.id,
            ok=True,
            words=answered.words or None,
            dialog=_shown(action, answered),
        )

    async def _done(self, action: contract.AnyTeamsAction) -> Answered:
        user = self._user
        match action:
            case contract.TeamsSay():
                await self._say(action)
                return Answered()
            case contract.TeamsPress():
                message = self._card(action.message)
                return await self._teams.press(user, message, action.verb, action.data)
            case contract.TeamsOpen():
                return await self._teams.open(user, self._card(action.message), action.data)
            case contract.TeamsSend():
                return await self._teams.send(user, self._card(action.message), action.data)
            case contract.TeamsRate():
                await self._teams.rate(user, self._card(action.message), good=action.good)
                return Answered()

    async def _say(self, action: contract.TeamsSay) -> None:
        if action.place not in {IN_CHANNEL, IN_CHAT} or not self._user:
            raise CannotDo(NOT_SEEN)
        if not action.text.strip() and not action.files:
            raise CannotDo("There is nothing to send.")
        if action.files and action.place == IN_CHANNEL:
            raise CannotDo(NO_FILES)
        thread = self._thread(action.thread) if action.thread else ""
        files = [self._given(self._file(each)) for each in action.files]
        await self._teams.say(self._user, action.place, action.text, thread, files)

    def _given(self, file: File) -> GivenFile:
        return GivenFile(file.id, file.name, file.content)

    def _thread(self, message: str) -> str:
        if self._teams.message(message, self._user) is None:
            raise CannotDo(NOT_SEEN)
        return message

    def _card(self, message: str) -> Message:
        found = self._teams.message(message, self._user)
        if found is None or isinstance(found, Post):
            raise CannotDo(NOT_SEEN)
        return found


def _shown(action: contract.AnyTeamsAction, answered: Answered) -> page_models.TeamsDialog | None:
    if answered.card is None or isinstance(action, contract.TeamsSay):
        return None
    return page_models.TeamsDialog(message=action.message, title=answered.title, card=answered.card)
