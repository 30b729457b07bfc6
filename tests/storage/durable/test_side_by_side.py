"""Steps that are done side by side are kept each for itself, and a stop between them loses neither."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from masis.assistant import Assistant, Finished
from masis.conversation import ChatRun, Spot
from masis.domain import Answered, Chunk, ParsedDocument, Workspace, WorkspaceId
from masis.graphs.analysis.agents import Kept, Understanding
from masis.graphs.analysis.graph import ANALYSIS
from masis.graphs.analysis.rule_agents import RuleUnderstander
from masis.graphs.common import Context
from masis.retrieval.evidence import unscored
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.durable.durable_steps import durable
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from tests.masis.graphs.analysis.working import GROWTH, REVENUE, THREAD, Shelf, agents
from tests.scripted_agents import chunk_id
from tests.storage.beside import kept_steps, sqlite_alone
from tests.storage.durable_run import TENANT

WAYS = ["ask_tables", "recall", "understand", "retrieve", "validate", "extract", "calculate", "check", "draw", "explain", "assemble", "quality"]  # fmt: skip


def in_order(steps: list[str]) -> list[str]:
    """The steps as they came, those that are taken side by side at the end by their names."""
    made = list(steps)
    places = [place for place, name in enumerate(steps) if name in {"draw", "explain"}]
    for place, name in zip(places, sorted(steps[place] for place in places), strict=True):
        made[place] = name
    return made


@dataclass
class Gate:
    """Holds one of the two steps back, and counts what either of them did."""

    held: str = ""
    done: list[str] = field(default_factory=list)
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def pass_by(self, name: str) -> None:
        if name == self.held:
            self.reached.set()
            await asyncio.Event().wait()
        self.done.append(name)


@dataclass
class Gated(RuleUnderstander):
    """Both steps, behind the gate."""

    gate: Gate

    async def understand(self, question: str) -> Understanding:
        await self.gate.pass_by("understand")
        return await super().understand(question)

    async def recall(self, thread: Spot, workspace_id: WorkspaceId) -> list[Kept]:
        assert (thread, bool(workspace_id)) == (THREAD, True)
        await self.gate.pass_by("recall")
        return []


@dataclass
class Calculating:
    """Asks each run's question of the analysis graph."""

    repository: SqlRepository
    workspace: Workspace
    gate: Gate
    finished: list[Finished] = field(default_factory=list)

    async def __call__(self, run: ChatRun) -> None:
        held = await self.repository.chunks(self.workspace.id, [chunk_id(0)])
        shelf = Shelf([[unscored(*held[chunk_id(0)])]])
        both = Gated(self.gate)
        having = agents(shelf, understander=both, recaller=both)
        bound = ANALYSIS.bound(Context(agents=having), durable(ANALYSIS, self.repository))
        assistant = Assistant(repository=self.repository, graphs={ANALYSIS.name: bound})
        asked = assistant.ask(self.workspace, GROWTH, run_id=run.id, thread=THREAD)
        self.finished.append(await asked)


async def stocked(repository: SqlRepository) -> Workspace:
    """A workspace whose one document has the figures."""
    workspace = await repository.create_workspace(TENANT.owner, "kiln")
    version = await repository.begin_version(workspace.id, "report.md", "hash", 1)
    piece = Chunk(
        id=chunk_id(0),
        workspace_id=workspace.id,
        document_id=version.document_id,
        version_id=version.id,
        position=0,
        text=REVENUE,
        context="Annual report 2025 revenue",
    )
    await repository.write_chunks(version, [piece], {})
    parsed = ParsedDocument(format="md", title="Annual report 2025", blocks=[])
    await repository.activate(version, parsed, 1)
    return workspace


def request(workspace: Workspace) -> ChatRun:
    return ChatRun(
        id="run",
        graph=ANALYSIS.name,
        tenant=TENANT,
        channel="C1",
        asker="U1",
        question=GROWTH,
        query=GROWTH,
        workspace_id=workspace.id,
        accepted_at=dt.datetime.now(dt.UTC),
    )


@pytest.fixture
async def engines(database: Database) -> AsyncIterator[list[DbosEngine]]:
    opened = [
        await DbosEngine.open(
            database, poll_seconds=0.02, retry_seconds=0.01, heartbeat_seconds=0.1, ttl_seconds=1.0
        )
        for _ in range(2)
    ]
    yield opened
    for engine in opened:
        await engine.stop(0)


async def ended(database: Database) -> None:
    runs = ChatRuns(database)
    async with asyncio.timeout(10):
        while True:
            run = await runs.get(None, "run")
            if run is not None and run.status == "finished":
                return
            await asyncio.sleep(0.01)


async def kept(location: str, name: str) -> None:
    """Wait until a step is kept."""
    async with asyncio.timeout(10):
        while True:
            if name in [each for each, _ in kept_steps(location)]:
                return
            await asyncio.sleep(0.01)


@sqlite_alone
@pytest.mark.parametrize("held", ["recall", "understand"])
async def test_stop_between_them_loses_neither(
    engines: list[DbosEngine],
    repository: SqlRepository,
    database: Database,
    location: str,
    held: str,
) -> None:
    """One of two was done when the process stopped: it is read back, and the other one is done."""
    workspace = await stocked(repository)
    before = Calculating(repository, workspace, Gate(held))
    await engines[0].start(before)
    await engines[0].accept(request(workspace))
    await before.gate.reached.wait()
    other = ({"recall", "understand"} - {held}).pop()
    await kept(location, other)
    await engines[0].stop(0)

    after = Calculating(repository, workspace, Gate())
    await engines[1].start(after)
    await ended(database)
    assert (before.gate.done, after.gate.done) == ([other], [held])
    [finished] = after.finished
    assert isinstance(finished.outcome, Answered)
    assert "+5.9 %" in finished.outcome.answer
    assert in_order([name for name, _ in kept_steps(location)]) == WAYS
    assert in_order([entry["node"] for entry in finished.trace]) == WAYS[2:]
