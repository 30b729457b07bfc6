"""Agents that say what a test tells them to, at the port of `agents.py`, and remember what they were asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from masis.domain import (
    Answered,
    Badge,
    CitationAudit,
    Critique,
    EvidenceChunk,
    Narrowed,
    NeedsClarification,
    Question,
    Scores,
    SearchResult,
    Usage,
    WorkspaceId,
)
from masis.filters import NO_FILTERS, Filters
from masis.graphs.common import BoundGraph, Context, Wrap
from masis.graphs.research.agents import (
    Audit,
    Draft,
    Judgement,
    ResearchAgents,
    ResearchContext,
    Summaries,
)
from masis.graphs.research.graph import RESEARCH
from masis.graphs.research.state import State
from masis.policy import Policy
from masis.questions.question_audit import Vocabulary
from masis.questions.rewording import Rewording

ONE_CALL = Usage(calls=1, prompt_tokens=100, completion_tokens=20)
T = TypeVar("T")
Research = BoundGraph[State, ResearchAgents]
GOOD_SCORES = Scores(faithfulness=0.9, relevance=0.9, completeness=0.9, reasoning_quality=0.9)


def chunk_id(number: int) -> str:
    """A chunk id of the right form."""
    return f"c_{'abcdefghijklmnopqrstuvwxyz234567'[number % 32] * 12}"


def chunk(number: int = 0, score: float = 0.8, text: str = "", **more: object) -> EvidenceChunk:
    """One candidate; its text says that office number `number` opens at nine."""
    values: dict[str, object] = {
        "chunk_id": chunk_id(number),
        "document_id": f"d_{number}",
        "version_id": f"v_{number}",
        "document": f"paper-{number}.md",
        "title": f"Paper {number}",
        "text": text or f"Office number {number} opens at nine in the morning.",
        "score": score,
        "cosine": score,
    }
    return EvidenceChunk.model_validate(values | more)


def cited(number: int = 0) -> str:
    """A sound draft of one claim that cites that chunk."""
    return f"Office number {number} opens at nine in the morning [{chunk_id(number)}]."


def badge_of(outcome: Answered | NeedsClarification) -> Badge:
    """The badge of an outcome that has one."""
    assert outcome.badge is not None
    return outcome.badge


def critique(confidence: float = 0.9, **more: object) -> Critique:
    """A critique without findings, unless told otherwise."""
    return Critique.model_validate({"confidence": confidence} | more)


def _next(script: list[T], turn: int) -> T:
    return script[min(turn, len(script) - 1)]


@dataclass
class ScriptedResearcher:
    """Gives one list of candidates a search; the last one again when they run out."""

    results: list[list[EvidenceChunk]] = field(default_factory=lambda: [[chunk(0)]])
    indexed: int = 40
    asked: list[tuple[WorkspaceId, str, int]] = field(default_factory=list)
    questions: list[str | None] = field(default_factory=list)
    filters: list[Filters] = field(default_factory=list)
    narrowed: Narrowed | None = None
    introduction: list[EvidenceChunk] = field(default_factory=list)

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        self.asked.append((workspace_id, query, limit))
        self.questions.append(question)
        self.filters.append(filters)
        candidates = _next(self.results, len(self.asked) - 1)[:limit]
        return SearchResult(
            candidates=candidates,
            indexed=self.indexed,
            workspace="handbook",
            narrowed=self.narrowed,
            introduction=self.introduction,
        )


@dataclass
class ScriptedSynthesizer:
    """Gives one draft a pass."""

    drafts: list[str] = field(default_factory=lambda: [cited(0)])
    summaries: dict[str, str] = field(default_factory=dict)
    max_context_chars: int | None = 6000
    asked: list[tuple[list[EvidenceChunk], Critique | None]] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    async def draft(
        self, question: Question, evidence: Sequence[EvidenceChunk], critique: Critique | None
    ) -> Draft:
        assert question
        self.questions.append(question)
        self.asked.append((list(evidence), critique))
        return Draft(text=_next(self.drafts, len(self.asked) - 1), usage=ONE_CALL)

    async def summarise(self, question: Question, chunks: Sequence[EvidenceChunk]) -> Summaries:
        assert question
        assert chunks
        return Summaries(by_chunk=self.summaries, usage=ONE_CALL)


@dataclass
class ScriptedCritic:
    """Gives one critique a pass; None is an audit that failed."""

    critiques: list[Critique | None] = field(default_factory=lambda: [critique()])
    asked: list[str] = field(default_factory=list)
    passed_over: list[list[EvidenceChunk]] = field(default_factory=list)

    async def audit(
        self,
        question: Question,
        draft: str,
        evidence: Sequence[EvidenceChunk],
        passed_over: Sequence[EvidenceChunk],
    ) -> Audit:
        assert question
        assert evidence
        self.asked.append(draft)
        self.passed_over.append(list(passed_over))
        return Audit(critique=_next(self.critiques, len(self.asked) - 1), usage=ONE_CALL)


@dataclass
class ScriptedEvaluator:
    """Gives one set of scores a pass; None is a judgement that failed."""

    scores: list[Scores | None] = field(default_factory=lambda: [GOOD_SCORES])
    asked: list[CitationAudit] = field(default_factory=list)

    async def score(
        self,
        question: Question,
        answer: str,
        evidence: Sequence[EvidenceChunk],
        audit: CitationAudit,
        critique: Critique,
    ) -> Judgement:
        assert question
        assert answer
        assert evidence
        assert critique
        self.asked.append(audit)
        return Judgement(scores=_next(self.scores, len(self.asked) - 1), usage=ONE_CALL)


@dataclass
class ScriptedQuoter:
    """Quotes one text, or nothing."""

    text: str = ""
    asked: list[list[EvidenceChunk]] = field(default_factory=list)

    async def quote(self, question: Question, passages: Sequence[EvidenceChunk]) -> Draft | None:
        assert question
        self.asked.append(list(passages))
        return Draft(text=self.text) if self.text else None


@dataclass
class Cast:
    """All four, and the context that puts them on stage."""

    researcher: ScriptedResearcher = field(default_factory=ScriptedResearcher)
    synthesizer: ScriptedSynthesizer = field(default_factory=ScriptedSynthesizer)
    critic: ScriptedCritic = field(default_factory=ScriptedCritic)
    evaluator: ScriptedEvaluator = field(default_factory=ScriptedEvaluator)
    policy: Policy = field(default_factory=Policy)
    vocabulary: Vocabulary | None = None
    wordings: Rewording | None = None
    quoter: ScriptedQuoter | None = None

    def context(self) -> ResearchContext:
        agents = ResearchAgents(
            researcher=self.researcher,
            synthesizer=self.synthesizer,
            critic=self.critic,
            evaluator=self.evaluator,
            extractive=False,
            vocabulary=self.vocabulary,
            wordings=self.wordings,
            quoter=self.quoter,
        )
        return Context(agents=agents, policy=self.policy)

    def bound(self, wrap: Wrap | None = None) -> Research:
        """The graph with these agents."""
        return RESEARCH.bound(self.context(), wrap)


def research(context: ResearchContext, wrap: Wrap | None = None) -> dict[str, Research]:
    """The one graph of an assistant, as that wants it."""
    return {RESEARCH.name: RESEARCH.bound(context, wrap)}
