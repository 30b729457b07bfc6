"""Teams beside Slack on one page: a team with a channel, personal chats, and who writes there."""

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from pydantic import SecretStr

from bot.playground.teams.connector_standin import (
    ConnectorStandin,
    Message,
    connecting,
    member,
)
from bot.playground.teams.issuer import APP, HOME, SECRET, Issuer, issuing
from bot.playground.teams.room import TeamsRoom, invoke
from bot.playground.teams.teams_payloads import (
    ANN,
    BEN,
    CHANNEL,
    GROUP,
    activity,
    mention,
    person,
    personal,
)
from bot.teams.inbound.activities import FILE
from masis.conversation import TEAMS, Tenant

TEAM: Final = Tenant(chat=TEAMS, enterprise=HOME, team=GROUP)
CARL: Final = "cccccccc-0000-0000-0000-000000000003"
USERS: Final[Mapping[str, str]] = {"owen": CARL, "denise": ANN, "jonas": BEN}
"""Who of the page's people is whom in Teams: a member, the owner of the team, a guest."""
IN_CHANNEL: Final = "teams-channel"
IN_CHAT: Final = "teams-chat"
CALLED: Final = "@MASIS"
"""What is typed to mention it."""
_TARGETED: Final = "8:orgid:"
_PEOPLE: Final = "choices.data"
"""What a field has of which the client itself looks up the choices."""

Json = dict[str, Any]


class GivenFile(NamedTuple):
    """A file that somebody sends with a message."""

    id: str
    name: str
    content: bytes


@dataclass(frozen=True)
class Post:
    """What a person wrote: in a thread of the channel, or to MASIS alone."""

    id: str
    place: str
    thread: str
    user: str
    text: str
    files: Sequence[GivenFile] = ()


class Answered(NamedTuple):
    """What a client is answered: a sentence for the one who pressed, or a dialog to show."""

    words: str = ""
    title: str = ""
    card: Json | None = None


@dataclass
class TeamsScene:
    """One team, its channel, and a personal chat with MASIS for each person.

    `tell` is called with the id of each message that is new, or is so now, `tell_typing` with the chat
    in which MASIS shows that it writes, and when.
    """

    room: TeamsRoom
    posts: dict[str, Post] = field(default_factory=dict)
    tell: Callable[[str], None] = lambda _: None
    tell_typing: Callable[[str, str], None] = lambda _, __: None

    def settings(self) -> Json:
        """Return the settings by which a program serves this."""
        issuer = self.room.issuer
        return {
            "teams_app_id": APP,
            "teams_app_secret": SecretStr(SECRET),
            "teams_home_tenant": HOME,
            "teams_tenants": "",
            "teams_login_url": issuer.url,
            "teams_metadata_url": issuer.metadata_url,
            "teams_graph_url": issuer.url,
            "teams_service_hosts": "127.0.0.1",
            "teams_file_hosts": "127.0.0.1",
        }

    async def installed(self, address: str) -> None:
        """Let MASIS at that address know where it is: in the team, and in each personal chat."""
        self.room.address = address
        await self.room.taken(activity("installationUpdate", action="add"))
        for user in USERS.values():
            await self.room.taken(_in_chat(activity("installationUpdate", action="add"), user))

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Serve it on loopback, until the block ends."""
        async with issuing(self.room.issuer), connecting(self.room.connector):
            yield

    # --- what is seen ----------------------------------------------------------------------

    def message(self, message: str, user: str) -> Post | Message | None:
        """Return a message that this person sees."""
        found = self.posts.get(message) or self.room.connector.messages.get(message)
        return found if found is not None and self.sees(found, user) else None

    def messages(self, user: str) -> list[Post | Message]:
        """Return everything that this person sees, the oldest first."""
        every: list[Post | Message] = [*self.posts.values(), *self.room.connector.shown]
        return sorted((each for each in every if self.sees(each, user)), key=lambda x: int(x.id))

    def sees(self, message: Post | Message, user: str) -> bool:
        """Say whether a person sees a message."""
        if isinstance(message, Post):
            return message.place == IN_CHANNEL or message.user == user
        to = message.targeted.removeprefix(_TARGETED)
        is_here = message.conversation in {CHANNEL, chat_of(user)}
        return is_here and to in {"", user} and not message.deleted

    # --- what people do --------------------------------------------------------------------

    async def say(
        self, user: str, place: str, text: str, thread: str = "", files: Sequence[GivenFile] = ()
    ) -> str:
        """Post a message; gives its id. In the channel MASIS hears what mentions it alone.

        In a personal chat `thread` is the message that is quoted.

        Raises:
            NotTaken: MASIS does not take it.
        """
        name = self.room.connector.next_id()
        hangs = thread if place == IN_CHANNEL and thread else name
        self.posts[name] = Post(name, place, hangs, user, text, tuple(files))
        self.tell(name)
        if place == IN_CHANNEL and CALLED.casefold() not in text.casefold():
            return name
        body = _mention(text, hangs) if place == IN_CHANNEL else _to_masis(text, user, thread)
        body["attachments"] = [self._attached(each) for each in files]
        await self.room.taken(body | {"id": name, "from": self._person(user)})
        return name

    def _attached(self, file: GivenFile) -> Json:
        content = {
            "downloadUrl": self.room.connector.file(file.name, file.content),
            "uniqueId": file.id,
            "fileType": file.name.rpartition(".")[2],
        }
        return {"contentType": FILE, "name": file.name, "content": content}

    async def press(self, user: str, message: Message, verb: str, data: Json) -> Answered:
        """Press a button of a card.

        Raises:
            NotTaken: MASIS does not take it.
        """
        action = {"type": "Action.Execute", "verb": verb, "data": data}
        said = await self._invoked("adaptiveCard/action", {"action": action}, user, message)
        value = said.get("value")
        return Answered(words=value if isinstance(value, str) else "")

    async def open(self, user: str, message: Message, data: Json) -> Answered:
        """Open a dialog.

        Raises:
            NotTaken: MASIS does not take it.
        """
        return self._dialog(await self._invoked("task/fetch", {"data": data}, user, message))

    async def send(self, user: str, message: Message, data: Json) -> Answered:
        """Send a dialog off that was opened from a message.

        Raises:
            NotTaken: MASIS does not take it.
        """
        return self._dialog(await self._invoked("task/submit", {"data": data}, user, message))

    def _dialog(self, said: Json) -> Answered:
        task = said.get("task", {})
        if task.get("type") != "continue":
            return Answered(words=str(task.get("value", "")))
        value = task["value"]
        card = value["card"]["content"]
        return Answered(title=str(value["title"]), card=card | {"body": self._looked_up(card)})

    def _looked_up(self, card: Json) -> list[Json]:
        """Return a card's elements; where people are chosen, the client lists those of the team."""
        people = [{"title": name, "value": user} for user, name in self.room.names.items()]
        return [each | {"choices": people} if _PEOPLE in each else each for each in card["body"]]

    async def rate(self, user: str, message: Message, *, good: bool) -> None:
        """Press a thumb under an answer.

        Raises:
            NotTaken: MASIS does not take it.
        """
        given = {"reaction": "like" if good else "dislike", "feedback": "{}"}
        value = {"actionName": "feedback", "actionValue": given}
        await self._invoked("message/submitAction", value, user, message)

    async def _invoked(self, name: str, value: Json, user: str, message: Message) -> Json:
        body = invoke(name, value, self.room.connector.next_id())
        body |= {"replyToId": message.id}
        if message.conversation != CHANNEL:
            body = _in_chat(body, user)
        else:
            root = message.thread or message.id
            body["conversation"]["id"] = f"{CHANNEL};messageid={root}"
        return await self.room.taken(body | {"from": self._person(user)})

    def _person(self, user: str) -> Json:
        return person(user, self.room.names.get(user, ""))


def chat_of(user: str) -> str:
    """Return the id of somebody's own chat with MASIS: that which the connector would open."""
    return f"a:chat-{_TARGETED}{user}"


def _in_chat(body: Json, user: str) -> Json:
    """Return the same as it comes from somebody's own chat."""
    there = personal()
    where = there["conversation"] | {"id": chat_of(user)}
    moved = {"conversation": where, "channelData": there["channelData"], "from": person(user)}
    return body | moved


def _to_masis(text: str, user: str, quoted: str) -> Json:
    body = _in_chat(personal(text), user)
    return body | ({"replyToId": quoted} if quoted else {})


def _mention(text: str, thread: str) -> Json:
    body = mention()
    at = text.casefold().find(CALLED.casefold())
    called = f"{text[:at]}<at>MASIS</at>{text[at + len(CALLED) :]}"
    body["text"] = called
    body["conversation"]["id"] = f"{CHANNEL};messageid={thread}"
    return body


def teams_scene(names: Mapping[str, str]) -> TeamsScene:
    """Return the team before MASIS is in it. `names`: what the people of `USERS` are called."""
    issuer, connector = Issuer(), ConnectorStandin(clock=lambda: int(time.time() * 1000))
    called = {user: names.get(name, name.title()) for name, user in USERS.items()}
    issuer.roles = {ANN: ["owner"], BEN: ["guest"], CARL: []}
    connector.members = {
        user: member(user, role="guest" if user == BEN else "user", name=name)
        for user, name in called.items()
    }
    scene = TeamsScene(TeamsRoom(issuer, connector, names=called))
    connector.tell = lambda message: scene.tell(message.id)

    def tell_typing(chat: str, at: str) -> None:
        scene.tell_typing(chat, at)

    connector.tell_typing = tell_typing
    return scene
