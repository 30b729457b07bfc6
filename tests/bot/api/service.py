"""The API as it is served: real HTTP, database and engine; only the agents say what they are told."""

import asyncio
import datetime as dt
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from bot.api.authentication import Door
from bot.api.documents.document_routes import Documents
from bot.api.documents.file_bodies import FileBodies, FileBounds
from bot.api.events import Events, StreamBounds
from bot.api.lookup import Lookup
from bot.api.routes import Api
from bot.api.surface import API, ApiSurface
from bot.api.waits import Waits
from bot.at_work import by_surface
from bot.chat.handler import Background
from bot.chat.wanted_files import WantedFiles
from bot.observability.logs import keep_texts_out
from bot.observability.metrics import Metrics
from bot.observability.run_spans import observed_runs
from masis.assistant import Assistant
from masis.conversation import LOCAL_TENANT, ChatRun, Tenant
from masis.documents.ingestion import Ingest
from masis.domain import Chunk, EvidenceChunk, ParsedDocument, Workspace, WorkspaceId
from masis.graphs.chat.agents import ChatAgents
from masis.graphs.chat.graph import CHAT
from masis.graphs.chat.rules import RuleGreeter, RuleRewriter
from masis.graphs.classification.agents import ClassificationAgents
from masis.graphs.classification.by_rule import RuleAnalyzer, RuleExpander
from masis.graphs.classification.graph import CLASSIFICATION
from masis.graphs.common import AnyBoundGraph, Context
from masis.graphs.research.graph import RESEARCH
from masis.spending import NO_BUDGET, Budget
from storage.accounts.api_tokens import ASK_ALONE, ApiTokens, Right
from storage.api.received_files import ReceivedFiles
from storage.api.run_steps import RunSteps
from storage.chat.admin_log import AdminLog
from storage.chat.memory import ThreadMemory
from storage.chat.requests import ChatRuns
from storage.documents.document_pages import DocumentPages
from storage.documents.repository import SqlRepository
from storage.durable.durable_steps import durable
from storage.queue.engine import DbosEngine
from storage.queue.worker import Handler
from storage.sql.database import Database
from tests.fakes import FakeEmbedder, FakeParser, FakeVectorStores
from tests.masis.graphs.classification.scripted import Finder
from tests.scripted_agents import Cast, ScriptedResearcher, chunk, research
from tests.storage.durable_run import WaitingCritic

QUESTION = "When does office number 0 open?"
DAYS = dt.timedelta(days=7)


@dataclass
class Reply:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: Any


@dataclass
class Service:
    """The service, one workspace of the command line's, and a token of it."""

    database: Database
    workspace: Workspace
    token: str
    cast: Cast
    url: str = ""
    engine: DbosEngine = field(init=False)
    chats: list[ChatRun] = field(default_factory=list)
    bounds: StreamBounds | None = None
    is_stopping: bool = False
    file_bounds: FileBounds = field(default_factory=lambda: FileBounds(most_bytes=25_000_000))
    parser: FakeParser = field(default_factory=FakeParser)
    embedder: FakeEmbedder = field(default_factory=FakeEmbedder)
    _runner: web.AppRunner | None = None

    # --- its life ------------------------------------------------------------------------

    async def start(
        self, *, working: bool = True, budget: Budget = NO_BUDGET, **engine: float
    ) -> None:
        """Serve; `working` says whether the engine works on what it accepts."""
        self.engine = await DbosEngine.open(
            self.database,
            poll_seconds=0.02,
            budget=budget,
            **engine,  # type: ignore[arg-type] # counts are whole
        )
        if working:
            await self.engine.start(by_surface({API: self.handler(), "slack": self._chat}))
        lookup, door, waits = Lookup(self.runs, self.repository), Door(self.tokens), Waits()
        documents = Documents(
            door=door,
            engine=self.engine,
            forget=self.engine.forget,
            runs=self.runs,
            lookup=lookup,
            files=self.files,
            bodies=FileBodies(self.files, self.file_bounds),
            pages=DocumentPages(self.database),
            repository=self.repository,
            ingest=self.ingest,
            admin_log=AdminLog(self.database),
            waits=waits,
        )
        api = Api(
            door=door,
            waits=waits,
            engine=self.engine,
            runs=self.runs,
            repository=self.repository,
            lookup=lookup,
            events=Events(
                lookup=lookup,
                steps=self.steps,
                bounds=self.bounds,
                is_stopping=lambda: self.is_stopping,
            ),
        )
        application = web.Application()
        application.add_routes([*documents.routes(), *api.routes()])
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def stop(self) -> None:
        """End at once; what is under way stays for the next start."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
            await self.engine.stop(0)

    async def _chat(self, run: ChatRun) -> None:
        self.chats.append(run)

    def handler(self) -> Handler:
        """What takes a run to its end."""
        assistant = Assistant(repository=self.repository, graphs=self.graphs())
        handler = Background(
            assistant=assistant,
            ingest=self.ingest,
            repository=self.repository,
            sessions=None,
            runs=self.runs,
            surface=ApiSurface(
                tokens=self.tokens,
                repository=self.repository,
                steps=self.steps,
                files=self.files,
            ),
            wanted=WantedFiles(self.repository, AdminLog(self.database)),
        )
        return observed_runs(handler, Metrics())

    def graphs(self) -> dict[str, AnyBoundGraph]:
        """What a question goes through; what it means is read by the rules."""
        agents = ChatAgents(
            memory=ThreadMemory(self.database),
            greeter=RuleGreeter(no_questions),
            rewriter=RuleRewriter(),
            probe=self.cast.researcher,
            answers=self.repository,
        )
        chat = CHAT.bound(Context(agents=agents), durable(CHAT, self.repository))
        return {
            CHAT.name: chat,
            CLASSIFICATION.name: CLASSIFICATION.bound(Context(agents=self.coders)),
            **research(self.cast.context(), durable(RESEARCH, self.repository)),
        }

    @property
    def coders(self) -> ClassificationAgents:
        """The agents of a workspace without a code list."""
        return ClassificationAgents(RuleExpander(), Finder([], lists=[]), RuleAnalyzer())

    # --- what it keeps -------------------------------------------------------------------

    @property
    def repository(self) -> SqlRepository:
        return SqlRepository(self.database)

    @property
    def runs(self) -> ChatRuns:
        return ChatRuns(self.database)

    @cached_property
    def ingest(self) -> Ingest:
        return Ingest(
            repository=self.repository,
            stores=FakeVectorStores(),
            embedder=self.embedder,
            parser=self.parser,
        )

    @property
    def files(self) -> ReceivedFiles:
        return ReceivedFiles(self.database)

    @property
    def steps(self) -> RunSteps:
        return RunSteps(self.database)

    @property
    def tokens(self) -> ApiTokens:
        return ApiTokens(self.database)

    async def another(
        self,
        workspace: Workspace,
        tenant: Tenant = LOCAL_TENANT,
        rights: tuple[Right, ...] = ASK_ALONE,
    ) -> str:
        """One more token."""
        _, shown = await self.tokens.create(tenant, workspace.id, lifetime=DAYS, rights=rights)
        return shown.get_secret_value()

    # --- what clients do -----------------------------------------------------------------

    async def ask(self, query: object = QUESTION, **headers: str) -> Reply:
        """Ask the workspace; headers by their names with underscores."""
        return await self.send("POST", self.place(), {"query": query}, **headers)

    def place(self, workspace: Workspace | None = None) -> str:
        return f"/masis/workspaces/{(workspace or self.workspace).id}"

    async def look(self, run_id: str, **headers: str) -> Reply:
        """Look for the result of a run."""
        return await self.send("GET", f"/masis/runs/{run_id}", **headers)

    async def send(
        self, method: str, path: str, body: object = None, *, token: str | None = None, **named: str
    ) -> Reply:
        """One request, with the token of the workspace where none is named."""
        headers = {name.replace("_", "-"): value for name, value in named.items()}
        shown = self.token if token is None else token
        if shown:
            headers.setdefault("Authorization", f"Bearer {shown}")
        content = {"data": body} if isinstance(body, bytes) else {"json": body}
        async with (
            aiohttp.ClientSession() as session,
            session.request(
                method,
                f"{self.url}{path}",
                headers=headers,
                **(content if body is not None else {}),
            ) as answer,
        ):
            is_json = "json" in answer.content_type
            told = await answer.json() if is_json else await answer.text()
            return Reply(answer.status, dict(answer.headers), told)

    async def until(self, run_id: str, status: str) -> None:
        """Wait until the request's row says so."""
        async with asyncio.timeout(10):
            while (run := await self.runs.get(None, run_id)) is None or run.status != status:  # noqa: ASYNC110 - a row tells nobody
                await asyncio.sleep(0.01)


async def no_questions(workspace_id: WorkspaceId) -> list[str]:
    """Suggest nothing beside small talk."""
    assert workspace_id
    return []


async def stocked(repository: SqlRepository) -> tuple[Workspace, EvidenceChunk]:
    """The workspace `handbook` with a document, and what a search brings of it."""
    workspace = await repository.create_workspace("local", "handbook")
    return workspace, await put_in(repository, workspace, chunk(0))


async def put_in(
    repository: SqlRepository, workspace: Workspace, said: EvidenceChunk
) -> EvidenceChunk:
    """A document of this one chunk, and what a search brings of it."""
    version = await repository.begin_version(workspace.id, said.document, said.text, 1)
    own = {"workspace_id": workspace.id, "document_id": version.document_id}
    found = said.model_copy(update={**own, "version_id": version.id})
    piece = Chunk(id=found.chunk_id, version_id=version.id, position=0, text=found.text, **own)
    await repository.write_chunks(version, [piece], {})
    await repository.activate(version, ParsedDocument(format="md", title=said.title, blocks=[]), 1)
    return found


@dataclass(frozen=True)
class Template:
    """A database with all tables, the workspace and its token, to be copied."""

    file: Path
    workspace: Workspace
    found: EvidenceChunk
    token: str


async def template(file: Path) -> Template:
    """Make one; every test for itself would take half a second."""
    database = await Database.open(file)
    try:
        workspace, found = await stocked(SqlRepository(database))
        _, shown = await ApiTokens(database).create(LOCAL_TENANT, workspace.id, lifetime=DAYS)
        await (await DbosEngine.open(database)).stop(0)
        await database.erase_traces()
        return Template(file, workspace, found, shown.get_secret_value())
    finally:
        await database.close()


@asynccontextmanager
async def prepared(folder: Path, made: Template) -> AsyncIterator[Service]:
    """The service, not started; stopped in the end."""
    keep_texts_out()
    shutil.copy(made.file, folder / "masis.db")
    database = await Database.open(folder / "masis.db")
    cast = Cast(researcher=ScriptedResearcher([[made.found]]))
    service = Service(database, made.workspace, made.token, cast)
    try:
        yield service
    finally:
        await service.stop()
        await database.close()


@asynccontextmanager
async def held(service: Service) -> AsyncIterator[WaitingCritic]:
    """Runs of a service that starts within the block hang in their critic, until its end."""
    critic = WaitingCritic()
    service.cast.critic = critic
    try:
        yield critic
    finally:
        critic.gate.set()
