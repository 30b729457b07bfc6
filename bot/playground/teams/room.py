"""A channel of a team, people in it, and MASIS: what they do is signed and sent as Teams sends it."""

import asyncio
import datetime as dt
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, NamedTuple

import aiohttp

from bot.chat.words.shared_sentences import WORKING
from bot.playground.teams import card_text
from bot.playground.teams.connector_standin import ConnectorStandin, Message
from bot.playground.teams.issuer import Issuer, sign
from bot.playground.teams.teams_payloads import (
    ANN,
    BEN,
    CHANNEL,
    ROOT,
    mention,
    person,
    personal,
)
from bot.teams.inbound.messages_route import MESSAGES_PATH
from bot.teams.text import sentences
from masis.errors import MasisError

NAMES: Final = {ANN: "Ann Example", BEN: "Ben Example"}
SECONDS: Final = 30.0
MASIS: Final = "MASIS"
REFUSED_FOR_NOW: Final = frozenset({408, 429, 502, 503, 504})
"""Statuses upon which Teams sends the same once more."""
PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Before each time that it is sent once more, in seconds."""
MOST_OPENED: Final = 5
"""Times that a dialog is opened of which MASIS says that it takes longer."""

Json = dict[str, Any]


class NotTaken(MasisError):
    """MASIS did not take what was sent; the message says so to who plays."""


class Said(NamedTuple):
    """A line of a person's: what they wrote or pressed, and where."""

    at: str
    thread: str
    name: str
    text: str


class Entry(NamedTuple):
    """Something as it stands in the conversation: when it came, its thread, and its lines."""

    at: int
    thread: str
    text: str


@dataclass
class TeamsRoom:
    """Teams around a program. `address` is where that is called."""

    issuer: Issuer
    connector: ConnectorStandin
    address: str = ""
    told: list[Said] = field(default_factory=list)
    names: Mapping[str, str] = field(default_factory=lambda: NAMES)

    # --- what people do --------------------------------------------------------------------

    async def send(self, body: Json, **over: Any) -> tuple[int, Any]:
        """Send what Teams sends, signed; gives the answer's status and body."""
        whole = sent_now() | body | {"serviceUrl": self.connector.url, **over}
        headers = {"Authorization": f"Bearer {sign(self.connector.url)}"}
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{self.address}{MESSAGES_PATH}", json=whole, headers=headers) as response,
        ):
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def say(self, body: Json) -> str:
        """Send a message with an id of its own; gives the id."""
        name = self.connector.next_id()
        thread = str(body["conversation"]["id"]).partition(";messageid=")[2]
        self._note(body["from"]["aadObjectId"], thread, str(body.get("text", body["type"])), name)
        await self.taken(body | {"id": name})
        return name

    async def press(self, message: Message, title: str, user: str = ANN, **typed: str) -> str:
        """Press a button of a card; gives what the presser is told."""
        action = button(message.card, title)
        value = {"action": action | {"data": action["data"] | typed}}
        body = self._invoke("adaptiveCard/action", value, user) | {"replyToId": message.id}
        body |= _place_of(message)
        self._note(user, message.thread, f"[{title}] {' '.join(typed.values())}".rstrip())
        told = (await self.taken(body)).get("value")
        if isinstance(told, str):
            self._note(MASIS, message.thread, f"(to {self.names.get(user, user)} alone) {told}")
        return str(told)

    async def dialog(self, message: Message, title: str, user: str = ANN) -> Json:
        """Open a card's dialog; gives its card."""
        value = {"data": button(message.card, title)["data"]}
        self._note(user, message.thread, f"[{title}]")
        for _ in range(MOST_OPENED):
            body = self._invoke("task/fetch", value, user) | _place_of(message)
            answer = await self.taken(body)
            if answer["task"].get("value") != sentences.OPEN_AGAIN:
                break
        return self._shown_in(answer, message.thread)

    async def submit(self, form: Json, user: str = ANN, **typed: Any) -> Json | str:
        """Send a dialog's form off; gives the card that is shown then, or the closing words."""
        (action,) = form["actions"]
        held = {each["id"]: each["value"] for each in form["body"] if "value" in each}
        value = {"data": action["data"] | held | typed}
        self._note(user, "", f"[{action['title']}]")
        said = await self.taken(self._invoke("task/submit", value, user))
        if said["task"]["type"] == "message":
            self._note(MASIS, "", str(said["task"]["value"]))
            return str(said["task"]["value"])
        return self._shown_in(said, "")

    async def turn(self, page: Json, title: str, user: str = ANN) -> Json:
        """Press a button of a dialog that shows something else in it; gives its card."""
        self._note(user, "", f"[{title}]")
        body = self._invoke("task/submit", {"data": button(page, title)["data"]}, user)
        return self._shown_in(await self.taken(body), "")

    def _invoke(self, name: str, value: Json, user: str) -> Json:
        body = invoke(name, value, self.connector.next_id())
        return body | {"from": person(user, self.names.get(user, user))}

    async def taken(self, body: Json) -> Json:
        """Send an activity until it is taken; gives the answer's body, empty where there is none.

        Raises:
            NotTaken: it is not, though it was sent several times.
        """
        body = sent_now() | body  # Each delivery says when it was sent first.
        status, said = await self.send(body)
        for pause in PAUSES:
            if status not in REFUSED_FOR_NOW:
                break
            await asyncio.sleep(pause)
            status, said = await self.send(body)
        if status != HTTPStatus.OK:
            raise NotTaken(f"MASIS did not take what was sent: it answered with status {status}.")
        return said or {}

    def _shown_in(self, answer: Json, thread: str) -> Json:
        value = answer["task"]["value"]
        if isinstance(value, str):
            raise NotTaken(value)
        card: Json = value["card"]["content"]
        self._note(MASIS, thread, "\n".join([f"== {value['title']} ==", *card_text.lines(card)]))
        return card

    def _note(self, user: str, thread: str, text: str, at: str = "") -> None:
        plain = text.replace("<at>", "@").replace("</at>", "")
        name = self.names.get(user, user)
        self.told.append(Said(at or self.connector.next_id(), thread, name, plain))

    # --- what is seen ----------------------------------------------------------------------

    async def until(self, holds: Callable[[], bool], seconds: float = SECONDS) -> None:
        """Wait until something holds.

        Raises:
            TimeoutError: it does not, in time.
        """
        async with asyncio.timeout(seconds):
            while not holds():
                self.connector.changed.clear()
                if not holds():
                    await self.connector.changed.wait()

    def entries(self) -> list[Entry]:
        """Return what was said and what stands there, in order."""
        told = [
            Entry(int(said.at), said.thread, _written(said.name, said.text, is_reply=False))
            for said in self.told
        ]
        for each in self.connector.shown:
            name = f"{MASIS} (to one alone)" if each.targeted else MASIS
            text = "\n".join(card_text.lines(each.card))
            written = _written(name, text, is_reply=bool(each.thread))
            told.append(Entry(int(each.id), each.thread, written))
        return sorted(told)

    def is_at_work(self) -> bool:
        """Say whether a message says that MASIS works on something."""
        return any(WORKING in card_text.lines(each.card) for each in self.connector.shown)


def _written(name: str, text: str, *, is_reply: bool) -> str:
    first, *rest = text.split("\n")
    lines = [f"{name}: {first}", *(f"  {line}" for line in rest)]
    return "\n".join(f"{'    ' if is_reply else ''}{line}" for line in lines)


def sent_now() -> Json:
    """Return when something is sent, as Teams says it."""
    return {"timestamp": dt.datetime.now(dt.UTC).isoformat().replace("+00:00", "Z")}


def invoke(name: str, value: Json, number: str) -> Json:
    """Return what a client sends when somebody presses, opens or sends something."""
    return mention() | {"type": "invoke", "name": name, "value": value, "id": f"f:{number}"}


def _place_of(message: Message) -> Json:
    """Return where a message stands, as what a client sends of it says it."""
    body = mention() if message.conversation == CHANNEL else personal()
    thread = f";messageid={message.thread or ROOT}" if message.conversation == CHANNEL else ""
    where = body["conversation"] | {"id": f"{message.conversation}{thread}"}
    return {"conversation": where, "channelData": body["channelData"]}


def button(card: Any, title: str) -> Json:
    """Return the button of that title.

    Raises:
        LookupError: there is none.
    """
    found = [each for each in card_text.buttons(card) if each["title"] == title]
    if not found:
        raise LookupError(f"no button {title}")
    return found[0]
