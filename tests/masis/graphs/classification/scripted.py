"""Agents at the ports of the classification graph that a test scripts, and a way to run it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from masis.domain import EvidenceChunk, Question, WorkspaceId
from masis.graphs.classification.agents import (
    Analyzer,
    ClassificationAgents,
    CodeFinder,
    Expander,
    Found,
)
from masis.graphs.classification.by_rule import RuleAnalyzer, RuleExpander
from masis.graphs.classification.graph import CLASSIFICATION, build
from masis.graphs.classification.state import Above, Analysis, Candidate, Expansion, Said, State
from masis.graphs.common import Context, Request

HERE = WorkspaceId("w_1")
TRAVEL = Above(code="20", title="Travel", chunk_id="c_travelaaaaaa")
OFFICE = Above(code="10", title="Office", chunk_id="c_officeaaaaaa")


def candidate(code: str, title: str, score: float, path: Sequence[Above] = (TRAVEL,)) -> Candidate:
    """A code as a search brings it."""
    chunk_id = f"c_{code:a<12}"[:14]
    return Candidate(
        code=code,
        title=title,
        document_id="d_1",
        path=list(path),
        score=score,
        chunk_ids=[chunk_id],
        column="Code",
    )


def passage(each: Candidate | Above) -> EvidenceChunk:
    """The passage that a code's row stands in."""
    text = f"Code: {each.code} | Title: {each.title}"
    chunk_id = each.chunk_id if isinstance(each, Above) else each.chunk_ids[0]
    return EvidenceChunk(chunk_id=chunk_id, document_id="d_1", version_id="v_1", document="codes.csv", title="Codes", text=text, score=0.8)  # fmt: skip


CLEAR = [candidate("201", "Trains", 9.0), candidate("101", "Rent", 4.0, [OFFICE])]
TWINS = [candidate("201", "Drivers", 9.0), candidate("101", "Drivers", 8.9, [OFFICE])]


@dataclass
class Finder:
    """A search that brings the same codes each time."""

    candidates: Sequence[Candidate]
    relevance: float = 0.9
    asked: list[list[str]] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=lambda: ["Codes"])
    spread: float | None = None

    async def find(
        self, workspace_id: WorkspaceId, texts: Sequence[str], *, kind: str = "", limit: int
    ) -> Found:
        assert workspace_id
        self.kinds.append(kind)
        self.asked.append(list(texts))
        held = list(self.candidates)[:limit] if texts else []
        return Found(
            held,
            [*map(passage, held), passage(TRAVEL), passage(OFFICE)] if held else [],
            self.relevance if held else 0.0,
            self.lists,
            self.spread,
        )


@dataclass
class Script:
    """An analyzer that says what it was told to, the last of it for ever."""

    said: list[Analysis]
    may: list[bool] = field(default_factory=list)

    async def analyze(
        self,
        messages: Sequence[Said],  # noqa: ARG002 - its port's
        expansion: Expansion,  # noqa: ARG002
        candidates: Sequence[Candidate],  # noqa: ARG002
        *,
        is_near: bool,  # noqa: ARG002
        may_improve: bool,
    ) -> Analysis:
        self.may.append(may_improve)
        return self.said[min(len(self.may), len(self.said)) - 1]


MATCH = Analysis(status="MATCH_FOUND", code="201")
MORE = Analysis(status="MORE_INFO", question="By rail?")
IMPROVE = Analysis(status="IMPROVED_SEARCH", query="railway")


class Talk:
    """A conversation with the graph, which waits where it asks."""

    def __init__(
        self, finder: CodeFinder, analyzer: Analyzer | None = None, expander: Expander | None = None
    ) -> None:
        agents = ClassificationAgents(
            expander or RuleExpander(), finder, analyzer or RuleAnalyzer()
        )
        self.context = Context(agents=agents)
        self.compiled: Any = build(checkpointer=InMemorySaver())
        self.config = {"configurable": {"thread_id": "s_1"}, "recursion_limit": 20}

    async def say(self, text: str) -> State:
        """Begin with a description."""
        request = Request(question=Question.plain(text), workspace_id=HERE)
        return await self._run(CLASSIFICATION.start(request))

    async def reply(self, text: str) -> State:
        """Reply to what it asked."""
        return await self._run(Command(resume=text))

    @property
    def waits(self) -> bool:
        """Whether it waits for a reply."""
        return bool(self.compiled.get_state(self.config).next)

    async def _run(self, given: Any) -> State:
        state = await self.compiled.ainvoke(
            given, self.config, context=self.context, durability="sync"
        )
        found: State = state
        return found
