"""Define what the graph's agents can do. The supervisor is code (`nodes.decide`), not an agent."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from masis.attached import Attached, with_files
from masis.domain import (
    CitationAudit,
    Critique,
    EvidenceChunk,
    Question,
    Scores,
    SearchResult,
    Usage,
    Value,
    WorkspaceId,
)
from masis.extractive.wholes.values import FoundWhole, Whole
from masis.filters import NO_FILTERS, Filters
from masis.graphs.common import Context
from masis.questions.nearest import Measure
from masis.questions.question_audit import Vocabulary
from masis.questions.rewording import Rewording


class Draft(Value):
    """A written answer with `[chunk_id]` citations; never empty."""

    text: str
    usage: Usage = Usage()


class Summaries(Value):
    """Short versions of chunks by chunk id; a chunk without one is cut by the node."""

    by_chunk: dict[str, str]
    usage: Usage = Usage()


class Audit(Value):
    """The critic's findings. `critique` is None when the audit failed twice: not audited."""

    critique: Critique | None
    usage: Usage = Usage()


class Judgement(Value):
    """The evaluator's scores. `scores` is None when they failed twice: not audited."""

    scores: Scores | None
    usage: Usage = Usage()


class Researcher(Protocol):
    """Finds candidates in one workspace, best first, ungated."""

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        """At most `limit` candidates within `filters`, after reranking.

        `question` is what coverage is measured by.
        """
        ...


class Neighbours(Protocol):
    """Finds what stands beside the evidence."""

    async def beside(
        self, question: str, evidence: Sequence[EvidenceChunk], room: int
    ) -> list[EvidenceChunk]:
        """Chunks that the evidence goes on in, with `room` characters at most together."""
        ...


class Synthesizer(Protocol):
    """Writes a cited answer from the evidence alone."""

    @property
    def max_context_chars(self) -> int | None:
        """Evidence above this many characters is compressed first; None where there is no prompt."""
        ...

    async def draft(
        self, question: Question, evidence: Sequence[EvidenceChunk], critique: Critique | None
    ) -> Draft:
        """Strongest evidence first; on a retry the last critique comes along.

        Raises:
            ModelServiceError: the model refused or stayed empty after one repair try.
        """
        ...

    async def summarise(self, question: Question, chunks: Sequence[EvidenceChunk]) -> Summaries:
        """Each chunk in under 200 characters that keep its numbers."""
        ...


class Critic(Protocol):
    """Audits a draft against its evidence, and does nothing else."""

    async def audit(
        self,
        question: Question,
        draft: str,
        evidence: Sequence[EvidenceChunk],
        passed_over: Sequence[EvidenceChunk],
    ) -> Audit:
        """Raw findings; the citation audit and the penalties are the node's.

        What was `passed_over` is no evidence; it may be looked at for what says otherwise.
        """
        ...


class Evaluator(Protocol):
    """Scores an answer, knowing the audit."""

    async def score(
        self,
        question: Question,
        answer: str,
        evidence: Sequence[EvidenceChunk],
        audit: CitationAudit,
        critique: Critique,
    ) -> Judgement:
        """Raw scores; the clamps are the node's."""
        ...


class Quoter(Protocol):
    """Quotes from passages of which none is close enough to answer from."""

    async def quote(self, question: Question, passages: Sequence[EvidenceChunk]) -> Draft | None:
        """The statements that probably answer, cited; None where none does."""
        ...


class Wholes(Protocol):
    """Finds the whole that a question asks for, and writes it down."""

    async def find(
        self, workspace_id: WorkspaceId, question: str, filters: Filters
    ) -> FoundWhole | None:
        """The whole with its evidence; None where a question asks for none, or none is there."""
        ...

    async def draft(
        self, question: Question, whole: Whole, evidence: Sequence[EvidenceChunk]
    ) -> Draft:
        """Its lines, each cited.

        Raises:
            ModelServiceError: the model refused or stayed empty after one repair try.
        """
        ...


@dataclass(frozen=True, slots=True)
class ResearchAgents:
    """One implementation of each. `extractive` says that no language model writes.

    Without `neighbours` the evidence is what was found alone; without `vocabulary` it cannot be said
    that a word of the question stands in no document; without `wordings` it is searched as typed;
    without `quoter` nothing is shown of passages that are not close enough to answer from; without
    `measure` what of a draft is nearest to the question is told by their words; without `wholes` a
    question for a whole is answered like any other.
    """

    researcher: Researcher
    synthesizer: Synthesizer
    critic: Critic
    evaluator: Evaluator
    extractive: bool
    neighbours: Neighbours | None = None
    vocabulary: Vocabulary | None = None
    wordings: Rewording | None = None
    quoter: Quoter | None = None
    measure: Measure | None = None
    wholes: Wholes | None = None

    def with_files(self, attached: Attached) -> "ResearchAgents":
        """Return the agents of one run, who find in the files of its question as well."""
        return replace(
            self,
            researcher=with_files(self.researcher, attached),
            vocabulary=with_files(self.vocabulary, attached),
            wordings=with_files(self.wordings, attached),
        )


ResearchContext = Context[ResearchAgents]
"""What a run of this graph is handed beside its state."""
