"""Show what one person sees in Teams, in the words of the contract."""

from collections.abc import Iterator
from typing import Final

from bot.playground.page import contract, page_models
from bot.playground.page.scene import Scene
from bot.playground.people.people import Person
from bot.playground.teams.connector_standin import Message
from bot.playground.teams.teams_payloads import CHANNEL
from bot.playground.teams.teams_scene import IN_CHANNEL, IN_CHAT, USERS, Post, chat_of

CHANNEL_NAME: Final = "General"
_PLACES: Final = (
    page_models.TeamsPlace(id=IN_CHANNEL, name=CHANNEL_NAME, kind="channel"),
    page_models.TeamsPlace(id=IN_CHAT, name="MASIS", kind="chat"),
)


class TeamsSeen:
    """Teams through the eyes of one of the page's people."""

    def __init__(self, scene: Scene, person: Person) -> None:
        self._scene = scene
        self._person = person
        self._ids = {
            USERS[each.user.name]: each.id for each in scene.players if each.user.name in USERS
        }

    @property
    def user(self) -> str:
        """Return who the person is in Teams; nobody of those that the page does not play."""
        return USERS.get(self._person.user.name, "")

    def team(self) -> page_models.TeamsTeam:
        """Return all of it: the newest messages, as many as of a channel of Slack's."""
        shown = self._scene.teams.messages(self.user)[-contract.SHOWN :]
        return page_models.TeamsTeam(
            name=self._scene.slack.team.name,
            channel=CHANNEL_NAME,
            places=list(_PLACES),
            messages=[self._message(each) for each in shown],
        )

    def now(self, message: str) -> contract.TeamsMessageIs | contract.TeamsMessageGone:
        """Return what became of a message."""
        found = self._scene.teams.message(message, self.user)
        if found is None:
            return contract.TeamsMessageGone(id=message)
        return contract.TeamsMessageIs(message=self._message(found))

    def typing(self, chat: str, at: str) -> Iterator[contract.TeamsTyping]:
        """Say that the app writes, to whose own chat it is."""
        if self.user and chat == chat_of(self.user):
            yield contract.TeamsTyping(place=IN_CHAT, at=_seconds(at))

    def _message(self, message: Post | Message) -> page_models.TeamsMessage:
        seconds = _seconds(message.id)
        if isinstance(message, Post):
            return page_models.TeamsMessage(
                id=message.id,
                place=message.place,
                thread=message.thread,
                user=self._ids.get(message.user, ""),
                text=message.text,
                card=None,
                files=[each.name for each in message.files],
                private=False,
                is_generated=False,
                prompts=[],
                at=seconds,
            )
        return page_models.TeamsMessage(
            id=message.id,
            place=IN_CHANNEL if message.conversation == CHANNEL else IN_CHAT,
            thread=message.thread or message.id,
            user=self._scene.slack.installation.bot_user_id,
            text="",
            card=message.card,
            files=[],
            private=bool(message.targeted),
            is_generated="feedbackLoop" in message.activity.get("channelData", {}),
            prompts=_prompts(message),
            at=seconds,
        )


def _seconds(milliseconds: str) -> str:
    return f"{int(milliseconds) / 1000:.3f}"


def _prompts(message: Message) -> list[str]:
    """Return what a press says next: Teams posts the value in the name of who presses."""
    actions = message.activity.get("suggestedActions", {}).get("actions", [])
    return [str(each["value"]) for each in actions if each["type"] == "imBack"]
