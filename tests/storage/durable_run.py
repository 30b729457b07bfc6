"""A workspace with a document, and an engine that asks it; as a program it hangs in its critic."""

import asyncio
import datetime as dt
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from masis.assistant import Assistant, Finished
from masis.conversation import ChatRun, Tenant
from masis.domain import Chunk, EvidenceChunk, ParsedDocument, Question, Workspace
from masis.graphs.research.agents import Audit
from masis.graphs.research.graph import RESEARCH
from storage.documents.repository import SqlRepository
from storage.durable.durable_steps import durable
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from tests.scripted_agents import (
    Cast,
    ScriptedCritic,
    ScriptedResearcher,
    chunk,
    chunk_id,
    research,
)

TENANT = Tenant(team="T1")
QUESTION = "When does office number 0 open?"
CHUNKS = 10


def text_of(number: int) -> str:
    """What the document says in that chunk: 700 characters, none of it in the scripted drafts."""
    return f"Passage {number}. " + "The quick brown fox jumps over the lazy dog. " * 15


def found(workspace: Workspace) -> list[EvidenceChunk]:
    """What a search brings of the document."""
    return [chunk(n, text=text_of(n), workspace_id=workspace.id) for n in range(CHUNKS)]


@dataclass
class WaitingCritic(ScriptedCritic):
    """Waits for its gate before it answers."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def audit(
        self,
        question: Question,
        draft: str,
        evidence: Sequence[EvidenceChunk],
        passed_over: Sequence[EvidenceChunk],
    ) -> Audit:
        """Answer once the gate is open."""
        self.reached.set()
        await self.gate.wait()
        return await super().audit(question, draft, evidence, passed_over)


async def stocked(repository: SqlRepository, name: str = "handbook") -> Workspace:
    """The workspace, with its document."""
    workspace = await repository.create_workspace(TENANT.owner, name)
    version = await repository.begin_version(workspace.id, "paper-0.md", "hash", 1)
    pieces = [
        Chunk(
            id=chunk_id(n),
            workspace_id=workspace.id,
            document_id=version.document_id,
            version_id=version.id,
            position=n,
            text=text_of(n),
        )
        for n in range(CHUNKS)
    ]
    await repository.write_chunks(version, pieces, {})
    parsed = ParsedDocument(format="md", title="Paper 0", blocks=[])
    await repository.activate(version, parsed, len(pieces))
    return workspace


@dataclass
class Asking:
    """Asks each run's question; remembers what came of it."""

    repository: SqlRepository
    workspace: Workspace
    critic: ScriptedCritic = field(default_factory=ScriptedCritic)
    finished: list[Finished] = field(default_factory=list)
    seen: list[ChatRun] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cast = Cast(researcher=ScriptedResearcher([found(self.workspace)]), critic=self.critic)
        self.assistant = Assistant(
            repository=self.repository,
            graphs=research(self.cast.context(), durable(RESEARCH, self.repository)),
        )

    async def __call__(self, run: ChatRun) -> None:
        self.seen.append(run)
        asked = self.assistant.ask(self.workspace, run.query, graph=run.graph, run_id=run.id)
        self.finished.append(await asked)

    def request(self, name: str = "run", graph: str = RESEARCH.name) -> ChatRun:
        """A request to this workspace."""
        return ChatRun(
            id=name,
            graph=graph,
            tenant=TENANT,
            channel="C1",
            asker="U1",
            question=QUESTION,
            query=QUESTION,
            workspace_id=self.workspace.id,
            accepted_at=dt.datetime.now(dt.UTC),
        )


async def _hang(location: str) -> None:
    database = await Database.open(location)
    repository = SqlRepository(database)
    critic = WaitingCritic()
    asking = Asking(repository, await stocked(repository), critic)
    engine = await DbosEngine.open(database, poll_seconds=0.02)
    await engine.start(asking)
    await engine.accept(asking.request())
    await critic.reached.wait()
    print("reached", flush=True)  # noqa: T201 - the parent waits for it
    await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(_hang(sys.argv[1]))
