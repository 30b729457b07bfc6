"""MASIS served to Teams: the real program on loopback, with an issuer and a connector beside it."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp

from bot.compose import App, compose
from bot.serve import serve
from bot.settings import Settings, load
from masis.conversation import TEAMS, Link, Tenant
from masis.domain import Workspace
from storage.chat.links import Links
from storage.chat.teams_places import place_id
from tests.bot.teams.card_checker import card_violations, texts, violations
from tests.bot.teams.connector_standin import ConnectorStandin, Message, connecting, member
from tests.bot.teams.issuer import APP, HOME, SECRET, Issuer, issuing, sign
from tests.bot.teams.teams_payloads import ANN, BEN, CHANNEL, GROUP, ROOT, mention, person
from tests.storage.chat.samples import NOON

TEAM: Final = Tenant(chat=TEAMS, enterprise=HOME, team=GROUP)
LEAVE: Final = (
    "# Leave\n\n## Annual leave\n\nEvery employee has 26 days of annual leave a year. "
    "Up to 4 days may be carried over until 31 March of the next year.\n"
)
NUMBERS: Final = itertools.count(1)
SECONDS: Final = 30.0

Json = dict[str, Any]


@dataclass
class TeamsOffice:
    """The program, and Teams around it."""

    issuer: Issuer
    connector: ConnectorStandin
    settings: Settings
    workspace: Workspace
    address: str = ""
    said: list[str] = field(default_factory=list)

    async def send(self, body: Json, **over: Any) -> tuple[int, Any]:
        """What Teams sends, signed; gives the answer's status and body."""
        whole = body | {"serviceUrl": self.connector.url, **over}
        headers = {"Authorization": f"Bearer {sign(self.connector.url)}"}
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{self.address}/teams/messages", json=whole, headers=headers) as response,
        ):
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def say(self, body: Json) -> str:
        """A message with an id of its own; gives the id."""
        body = body | {"id": str(1_700_000_200_000 + next(NUMBERS))}
        status, _ = await self.send(body)
        assert status == 200
        return str(body["id"])

    async def press(self, message: Message, title: str, user: str = ANN, **typed: str) -> str:
        """Press a button of a card; gives what the presser is told."""
        action = button(message.card, title)
        value = {"action": action | {"data": action["data"] | typed}}
        body = mention() | {
            "type": "invoke",
            "name": "adaptiveCard/action",
            "value": value,
            "replyToId": message.id,
            "id": f"f:{next(NUMBERS)}",
            "from": person(user),
        }
        body["conversation"] = body["conversation"] | {
            "id": f"{message.conversation};messageid={message.thread or ROOT}"
        }
        status, said = await self.send(body)
        assert status == 200
        return str(said.get("value"))

    async def dialog(self, message: Message, title: str, user: str = ANN) -> Json:
        """Open a card's dialog; gives its card."""
        body = mention() | {
            "type": "invoke",
            "name": "task/fetch",
            "value": {"data": button(message.card, title)["data"]},
            "id": f"f:{next(NUMBERS)}",
            "from": person(user),
        }
        status, said = await self.send(body)
        assert status == 200
        return shown_in(said)

    async def submit(self, form: Json, user: str = ANN, **typed: Any) -> Json | str:
        """Send a dialog's form off; gives the card that is shown then, or the closing words."""
        (action,) = form["actions"]
        held = {each["id"]: each["value"] for each in form["body"] if "value" in each}
        body = mention() | {
            "type": "invoke",
            "name": "task/submit",
            "value": {"data": action["data"] | held | typed},
            "id": f"f:{next(NUMBERS)}",
            "from": person(user),
        }
        status, said = await self.send(body)
        assert status == 200
        return str(said["task"]["value"]) if said["task"]["type"] == "message" else shown_in(said)

    async def shown(self, *parts: str, messages: int = 1) -> Message:
        """The newest message, once it shows these texts and there are so many messages."""

        def is_there() -> bool:
            found = self.connector.shown
            return len(found) >= messages and all(part in words(found[-1]) for part in parts)

        await self._until(is_there)
        message = self.connector.shown[-1]
        assert violations(message.activity) == []
        return message

    async def _until(self, holds: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(SECONDS):
                while not holds():
                    self.connector.changed.clear()
                    if not holds():
                        await self.connector.changed.wait()
        except TimeoutError:
            seen = "\n---\n".join(words(each) for each in self.connector.shown)
            raise AssertionError(f"not shown; what is: {seen}") from None


def words(message: Message) -> str:
    return "\n".join(texts(message.card))


def button(card: Any, title: str) -> Json:
    """The button of that title."""
    found = [each for each in _actions(card) if each.get("title") == title]
    assert found, f"no button {title}"
    return found[0]


def _actions(value: Any) -> list[Json]:
    if isinstance(value, list):
        return [found for each in value for found in _actions(each)]
    if not isinstance(value, dict):
        return []
    own = [value] if str(value.get("type", "")).startswith("Action.") else []
    return [*own, *(found for each in value.values() for found in _actions(each))]


def shown_in(answer: Json) -> Json:
    """The card of a dialog, which keeps to the grammar."""
    card: Json = answer["task"]["value"]["card"]["content"]
    assert card_violations(card) == []
    return card


async def fill(app: App, documents: dict[str, str]) -> Workspace:
    """A workspace of the team's, linked to the channel."""
    made = await app.repository.create_workspace(TEAM.owner, "handbook")
    for name, text in documents.items():
        assert (await app.ingest.ingest(made, name, text.encode())).status == "added"
    link = Link(
        tenant=TEAM,
        channel=place_id(HOME, CHANNEL),
        workspace_id=made.id,
        linked_by="operator",
        linked_at=NOON,
    )
    await Links(app.database).link(link)
    return made


@asynccontextmanager
async def teams_office(
    folder: Path, documents: dict[str, str] | None = None
) -> AsyncIterator[TeamsOffice]:
    async with AsyncExitStack() as closing:
        issuer = await closing.enter_async_context(issuing())
        connector = await closing.enter_async_context(connecting())
        connector.members = {each: member(each) for each in (ANN, BEN)}
        settings = load(
            Path("no.env"),
            data_dir=folder / "data",
            embedder="none",
            http_port=0,
            teams_app_id=APP,
            teams_app_secret=SECRET,
            teams_home_tenant=HOME,
            teams_login_url=issuer.url,
            teams_metadata_url=issuer.metadata_url,
            teams_graph_url=issuer.url,
            teams_service_hosts="127.0.0.1",
        )
        issuer.roles = {ANN: ["owner"], BEN: []}
        async with compose(settings) as app:
            workspace = await fill(app, documents or {"leave.md": LEAVE})
        office = TeamsOffice(issuer, connector, settings, workspace)
        await closing.enter_async_context(served(office))
        yield office


@asynccontextmanager
async def served(office: TeamsOffice) -> AsyncIterator[None]:
    """The program at work, until the block ends."""
    stop = asyncio.Event()
    health: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def announce(line: str) -> None:
        office.said.append(line)
        if line.startswith("Health:"):
            health.set_result(line.split()[1].removesuffix("/healthz"))

    serving = asyncio.create_task(serve(office.settings, announce, stop))
    serving.add_done_callback(lambda _: health.done() or health.cancel())
    try:
        office.address = await health
        yield
    finally:
        stop.set()
        await serving
