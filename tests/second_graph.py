"""A second graph, small and whole: it counts a workspace's passages, then says how many there are.

Nothing of the product knows it. Its state, its agents and what it reads and writes are its own.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypedDict

from langgraph.graph import END, START
from langgraph.runtime import Runtime

from masis.domain import (
    Answered,
    Citation,
    CitationAudit,
    Critique,
    EvidenceChunk,
    NeedsClarification,
    Value,
    WorkspaceId,
)
from masis.graphs.codec import Codec
from masis.graphs.common import (
    Compiled,
    Conclusion,
    Context,
    Graph,
    GraphStep,
    Report,
    Request,
    RunState,
    Wrap,
    assembled,
)

NAME: Final = "counting"


class Passages(Protocol):
    """Where its first node reads, and for what its second one waits."""

    async def of(self, workspace_id: WorkspaceId) -> list[EvidenceChunk]:
        """The passages of a workspace."""
        ...

    async def ready(self) -> None:
        """Return when it may be told."""
        ...


@dataclass
class Given:
    """Passages that are there already; `gate` holds back what is told of them."""

    passages: list[EvidenceChunk]
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    read: int = 0

    async def of(self, workspace_id: WorkspaceId) -> list[EvidenceChunk]:
        """All of them, whichever workspace it is."""
        assert workspace_id
        self.read += 1
        return self.passages

    async def ready(self) -> None:
        """Return once the gate is open."""
        self.reached.set()
        await self.gate.wait()


class Counted(Value):
    """How many passages there are, and the first of them."""

    number: int
    first: EvidenceChunk | None


class CountingState(RunState):
    """What flows through it."""

    asked: str
    counted: Counted | None
    told: str


class ToCount(TypedDict):
    """Read by the first node."""

    workspace_id: WorkspaceId


class HasCounted(Report):
    """Left by the first node."""

    counted: Counted


class ToTell(TypedDict):
    """Read by the second node."""

    counted: Counted | None


class HasTold(Report):
    """Left by the second node."""

    told: str


async def count(state: ToCount, runtime: Runtime[Context[Passages]]) -> HasCounted:
    """Count the passages."""
    found = await runtime.context.agents.of(state["workspace_id"])
    counted = Counted(number=len(found), first=found[0] if found else None)
    entry = {"node": "count", "passages": len(found)}
    return {"counted": counted, "trace": [entry], "figures": {"searches": 1}}


async def tell(state: ToTell, runtime: Runtime[Context[Passages]]) -> HasTold:
    """Say how many there are."""
    await runtime.context.agents.ready()
    counted = state["counted"]
    told = f"There are {counted.number} passages [1]." if counted and counted.first else ""
    return {"told": told, "trace": [{"node": "tell"}], "figures": {}}


def build(wrap: Wrap | None = None) -> Compiled[CountingState]:
    """Compile it."""
    graph = assembled(CountingState, {"count": (count, ToCount), "tell": (tell, ToTell)}, wrap)
    graph.add_edge(START, "count")
    graph.add_edge("count", "tell")
    graph.add_edge("tell", END)
    return graph.compile(name=NAME)


def start(request: Request) -> CountingState:
    """The state in which a request begins."""
    return {
        "workspace_id": request.workspace_id,
        "asked": request.question.text,
        "counted": None,
        "told": "",
        "trace": [],
        "figures": {},
    }


def conclude(state: CountingState, run_id: str, context: Context[Passages]) -> Conclusion:
    """What it comes to: an answer, or a question back where there is nothing."""
    assert context
    shared: dict[str, Any] = {"run_id": run_id, "question": state["asked"], "badge": None}
    counted = state["counted"]
    if counted is None or counted.first is None:
        return Conclusion(
            NeedsClarification(
                kind="empty_workspace",
                clarification_question="Nothing to count. Which workspace is meant?",
                answer="",
                confidence=0.0,
                **shared,
            )
        )
    audit = CitationAudit(citations=[counted.first.chunk_id], claims=1, cited_claims=1)
    answer = Answered(
        answer=state["told"],
        confidence=1.0,
        citations=[_cited(counted.first)],
        critique=Critique(confidence=1.0),
        evaluation=None,
        audit=audit,
        **shared,
    )
    return Conclusion(answer, [counted.first])


def _cited(chunk: EvidenceChunk) -> Citation:
    names = set(Citation.model_fields) - {"n"}
    return Citation(n=1, **{name: getattr(chunk, name) for name in names})


_CODEC: Final = Codec(CountingState)

COUNTING: Final[Graph[CountingState, Passages]] = Graph(
    name=NAME,
    build=build,
    start=start,
    conclude=conclude,
    encode=_CODEC.encode,
    decode=_CODEC.decode,
    steps=(
        GraphStep("count", "count", "Count the passages"),
        GraphStep("tell", "tell", "Tell the number"),
    ),
)
