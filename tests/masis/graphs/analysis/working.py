"""A search, agents and passages that a test makes as it needs them, at the port of `agents.py`."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from masis.conversation import LOCAL_TENANT, Spot
from masis.domain import Answered, EvidenceChunk, Figure, Question, SearchResult, WorkspaceId
from masis.errors import MasisError
from masis.filters import NO_FILTERS, Filters
from masis.graphs.analysis.agents import AnalysisAgents, Kept, Rest, Verdict
from masis.graphs.analysis.graph import ANALYSIS
from masis.graphs.analysis.rule_agents import by_rule
from masis.graphs.analysis.state import Fault, Line, State
from masis.graphs.common import Context, Onward, Request
from masis.runs import run

HERE = WorkspaceId("w_1")
THREAD = Spot(tenant=LOCAL_TENANT, channel="terminal", thread="t_1")
GROWTH = "how much did revenue of clay grow from 2024 to 2025 in %?"
REVENUE = "Line: Clay | 2024, £k: 7,810 | 2025, £k: 8,270\nLine: Glaze | 2024, £k: 4,762 | 2025, £k: 4,187"


def passage(name: str, text: str, title: str = "Annual report 2025") -> EvidenceChunk:
    more = {"document_id": f"d_{name}", "version_id": f"v_{name}", "document": f"{name}.md"}
    return EvidenceChunk(chunk_id=f"c_{name:a<12}"[:14], title=title, context=f"{title} revenue", text=text, score=0.8, **more)  # fmt: skip


REPORT = passage("report", REVENUE)


@dataclass
class Shelf:
    """A search of which each time brings the next passages; the last ones are brought again."""

    brings: Sequence[Sequence[EvidenceChunk]] = ((REPORT,),)
    error: MasisError | None = None
    asked: list[str] = field(default_factory=list)

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        if self.error is not None:
            raise self.error
        found = self.brings[min(len(self.asked), len(self.brings) - 1)]
        assert workspace_id
        assert (question, filters) == (query, NO_FILTERS)
        self.asked.append(query)
        return SearchResult(candidates=list(found)[:limit], indexed=len(found), workspace="kiln")

    async def beside(self, _: Sequence[EvidenceChunk]) -> Rest:
        return Rest([], frozenset())


@dataclass
class Doubting:
    """A checker that finds fault with lines of one kind, each time it is asked."""

    kind: str
    asked: int = 0

    async def check(self, question: str, lines: Sequence[Line]) -> Verdict:
        assert question
        self.asked += 1
        return Verdict(
            faults=[
                Fault(line=line.text, why="beside the point")
                for line in lines
                if line.kind == self.kind
            ][:1]
        )


@dataclass
class Remembering:
    """A thread whose runs kept these figures."""

    figures: Sequence[Figure]
    passages: Sequence[EvidenceChunk]
    delay: float = 0.0

    async def recall(self, thread: Spot, workspace_id: WorkspaceId) -> list[Kept]:
        assert (thread, workspace_id) == (THREAD, HERE)
        await asyncio.sleep(self.delay)
        return [Kept("run-0", list(self.figures), list(self.passages))]


def agents(shelf: Shelf | None = None, **changed: object) -> AnalysisAgents:
    """Rules over a shelf, some of them replaced."""
    shelf = shelf or Shelf()
    return replace(by_rule(shelf, shelf), **changed)  # type: ignore[arg-type] # by their names


async def worked(asked: str, having: AnalysisAgents | None = None) -> State:
    context = Context(agents=having or agents())
    request = Request(question=Question.plain(asked), workspace_id=HERE, thread=THREAD)
    return await run(ANALYSIS.bound(context), ANALYSIS.start(request))


def concluded(state: State) -> Answered | Onward:
    found = ANALYSIS.conclude(state, "r_1", Context(agents=agents()))
    if isinstance(found, Onward):
        return found
    assert isinstance(found.outcome, Answered)
    return found.outcome


def visited(state: State, node: str) -> int:
    """How often a node left a word in the trail."""
    return [entry["node"] for entry in state["trace"]].count(node)
