"""MASIS served to Teams: the real program on loopback, with an issuer and a connector beside it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bot.compose import App, compose
from bot.database_address import DATABASE_FILE
from bot.playground.teams.connector_standin import Message, connecting, member
from bot.playground.teams.issuer import APP, HOME, SECRET, issuing
from bot.playground.teams.room import NAMES, TeamsRoom
from bot.playground.teams.teams_payloads import ANN, BEN, CHANNEL, GROUP
from bot.serve import serve
from bot.settings import Settings, load
from masis.conversation import TEAMS, Link, Tenant
from masis.domain import Workspace
from storage.chat.links import Links
from storage.chat.teams_places import place_id
from tests.bot.teams.card_checker import card_violations, texts, violations
from tests.current_schema import copy_to
from tests.openai_server import KEY, MODELS, OpenAIServer
from tests.storage.chat.samples import NOON
from tests.walks.office import TRANSCRIPTS, assert_golden, masked

TEAM: Final = Tenant(chat=TEAMS, enterprise=HOME, team=GROUP)
LEAVE: Final = (
    "# Leave\n\n## Annual leave\n\nEvery employee has 26 days of annual leave a year. "
    "Up to 4 days may be carried over until 31 March of the next year.\n"
)

Json = dict[str, Any]


@dataclass
class TeamsOffice(TeamsRoom):
    """The program, and Teams around it."""

    settings: Settings = field(kw_only=True)
    workspace: Workspace = field(kw_only=True)
    said: list[str] = field(default_factory=list)

    async def dialog(self, message: Message, title: str, user: str = ANN) -> Json:
        """Its card keeps to the grammar."""
        card = await super().dialog(message, title, user)
        assert card_violations(card) == []
        return card

    async def submit(self, form: Json, user: str = ANN, **typed: Any) -> Json | str:
        """Its card keeps to the grammar."""
        told = await super().submit(form, user, **typed)
        assert isinstance(told, str) or card_violations(told) == []
        return told

    async def shown(self, *parts: str, messages: int = 1) -> Message:
        """The newest message, once it shows these texts and there are so many messages."""

        def is_there() -> bool:
            found = self.connector.shown
            return len(found) >= messages and all(part in words(found[-1]) for part in parts)

        try:
            await self.until(is_there)
        except TimeoutError:
            seen = "\n---\n".join(words(each) for each in self.connector.shown)
            raise AssertionError(f"not shown; what is: {seen}") from None
        message = self.connector.shown[-1]
        assert violations(message.activity) == []
        return message


async def assert_told(office: TeamsOffice, name: str, *, by_thread: bool = False) -> None:
    """Compare the whole walk with `transcripts/teams/<name>.txt`, once it has come to rest.

    `by_thread`: thread by thread, where what is done at once comes in no certain order.
    """
    await office.until(lambda: not office.is_at_work())
    shown = [version for each in office.connector.messages.values() for version in each.versions]
    assert [wrong for each in shown for wrong in violations(each)] == []
    entries = office.entries()
    if by_thread:
        entries.sort(key=lambda each: each.thread)
    told = "\n".join(each.text for each in entries)
    assert_golden(masked(told), TRANSCRIPTS / "teams" / f"{name}.txt")


def words(message: Message) -> str:
    return "\n".join(texts(message.card))


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


def asking(service: OpenAIServer) -> dict[str, Any]:
    """Return the settings by which a model service is asked."""
    models = {f"{role}_model": model for role, model in MODELS.items()}
    return {
        "agents": "model",
        "model_base_url": service.url,
        "model_api_key": KEY,
        "model_calls_per_minute": 1000,
        **models,
    }


@asynccontextmanager
async def teams_office(
    folder: Path, documents: dict[str, str] | None = None, service: OpenAIServer | None = None
) -> AsyncIterator[TeamsOffice]:
    """An office at work. With a `service` its agents ask that as a model service."""
    async with closed_office(folder, documents, service) as office, served(office):
        yield office


@asynccontextmanager
async def closed_office(
    folder: Path, documents: dict[str, str] | None = None, service: OpenAIServer | None = None
) -> AsyncIterator[TeamsOffice]:
    """An office whose program is yet to be served."""
    async with AsyncExitStack() as closing:
        issuer = await closing.enter_async_context(issuing())
        connector = await closing.enter_async_context(connecting())
        connector.members = {each: member(each, name=NAMES.get(each, "")) for each in (ANN, BEN)}
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
            teams_file_hosts="127.0.0.1",
            **({} if service is None else asking(service)),
        )
        issuer.roles = {ANN: ["owner"], BEN: []}
        await asyncio.to_thread(copy_to, settings.data_dir / DATABASE_FILE)
        async with compose(settings) as app:
            workspace = await fill(app, documents or {"leave.md": LEAVE})
        yield TeamsOffice(issuer, connector, settings=settings, workspace=workspace)


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
