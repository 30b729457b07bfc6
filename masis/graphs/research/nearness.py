"""Measures how near the statements of a draft come to its question, by a model that reads them."""

from collections.abc import Sequence
from typing import Final

from masis.answering.claims import Claim
from masis.domain import EvidenceChunk
from masis.extractive import comparison, selection, summary
from masis.extractive.answer_reading import likelihoods
from masis.graphs.research.offline import Reader
from masis.policy import NEAREST_READ
from masis.ports import AnswerReader
from masis.questions.nearest import Measured
from masis.questions.question_parts import asking_clauses
from masis.retrieval import extraction
from masis.retrieval.extraction import Scored

MOST_READ: Final = 20
"""Statements of a draft, in some 10 ms each; a list may have more."""


class ReadNearness:
    """Goes by the cosine of a statement and by what the reading model makes of it.

    That words are shared tells less: where other words are used, the right statement has none of the
    question's. A summary, a list and a comparison are measured as wholes, by what was asked for.
    """

    def __init__(self, reader: Reader, answers: AnswerReader) -> None:
        self._reader = reader
        self._answers = answers

    async def of(
        self, question: str, stated: Sequence[Claim], evidence: Sequence[EvidenceChunk]
    ) -> Measured | None:
        """One number a claim, in order; None where there are no statements."""
        if not stated or not evidence:
            return None
        context = {chunk.chunk_id: chunk.context for chunk in evidence}
        texts = [claim.text for claim in stated]
        above = [next((context[i] for i in c.ids if i in context), "") for c in stated]
        pairs = list(zip(above, texts, strict=True))[:MOST_READ]
        read = await likelihoods(self._answers, " ".join(asking_clauses(question)), pairs)
        read += [0.0] * (len(texts) - len(read))
        near = await self._reader.cosines(question, texts, evidence)
        nearness = [cosine + NEAREST_READ * one for cosine, one in zip(near, read, strict=True)]
        return Measured(nearness, await self._is_whole(question, stated, evidence))

    async def _is_whole(
        self, question: str, stated: Sequence[Claim], evidence: Sequence[EvidenceChunk]
    ) -> bool:
        """Whether the draft is the summary, the list or the comparison that is asked for."""
        if pair := comparison.sides(question):
            said = [f"{c.text} {_above(c, evidence)}" for c in stated if c.ids]
            return all(any(side.is_named_in(text) for text in said) for side in pair)
        scored = (await self._reader.read(question, evidence)).scored
        wanted = summary.points(question, scored) or _rows(question, scored)
        quoted = {s.passage.chunk.chunk_id for s in wanted}
        return bool(quoted) and all(quoted.intersection(claim.ids) for claim in stated)


def _rows(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """The rows of the table of what is asked for; none where a fact is asked for."""
    if extraction.wanted(question) != "any":
        return []
    found = selection.of_a_kind(extraction.kinds_asked_for(question), scored)
    top = max((s.score for s in found), default=0.0)
    return [s for s in found if s.score == top]


def _above(claim: Claim, evidence: Sequence[EvidenceChunk]) -> str:
    return " ".join(f"{c.title} {c.context}" for c in evidence if c.chunk_id in claim.ids)
