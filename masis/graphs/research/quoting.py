"""Quotes what probably answers from passages of which none is close enough to answer from."""

from collections.abc import Sequence
from typing import Final

from masis.domain import EvidenceChunk, Question
from masis.extractive import conflict
from masis.extractive.answer_reading import likelihoods
from masis.extractive.render import as_text
from masis.graphs.research.agents import Draft
from masis.graphs.research.offline import Reader
from masis.policy import UNSURE_COSINE, UNSURE_PASSAGE, UNSURE_STATEMENT
from masis.ports import AnswerReader
from masis.retrieval import succession
from masis.retrieval.extraction import Scored

MOST_STATEMENTS: Final = 2
MOST_READ: Final = 20
"""Statements of the passages that are read one by one, in some 10 ms each; a passage has about six."""
MOST_CHARS: Final = 300
"""Of a statement: a longer one holds the words of too much to be read as one."""


class ReadingQuoter:
    """Goes by the reading model: a passage must answer as a whole, and a statement of it alone.

    Each alone is taken in too easily by a text that has the right form. Without the model, or an
    embedder, nothing is quoted: that words are shared is what the search has found wanting.
    """

    def __init__(self, reader: Reader, answers: AnswerReader | None) -> None:
        self._reader = reader
        self._answers = answers

    async def quote(self, question: Question, passages: Sequence[EvidenceChunk]) -> Draft | None:
        """The one or two statements that probably answer, cited; None where none does."""
        asked = question.standalone
        answering = await self._answering(asked, passages)
        if not answering:
            return None
        scored = (await self._reader.read(asked, passages)).scored
        if conflict.conflicts(asked, scored):
            return None
        chosen = await self._chosen(asked, _statements(scored, answering))
        return Draft(text=as_text(asked, chosen, passages)) if chosen else None

    async def _answering(self, asked: str, passages: Sequence[EvidenceChunk]) -> set[str]:
        """The ids of the passages that the reading model takes for answering, in force."""
        older = succession.older_versions(passages)
        current = [chunk for chunk in passages if chunk.document_id not in older]
        read = await likelihoods(self._answers, asked, [(c.context, c.text) for c in current])
        return {
            chunk.chunk_id
            for chunk, found in zip(current, read, strict=True)
            if found >= UNSURE_PASSAGE
        }

    async def _chosen(self, asked: str, near: Sequence[Scored]) -> list[Scored]:
        read = await likelihoods(
            self._answers, asked, [(s.passage.chunk.context, s.passage.text) for s in near]
        )
        answering = [
            (found * one.cosine, one)
            for one, found in zip(near, read, strict=True)
            if found >= UNSURE_STATEMENT
        ]
        best = sorted(answering, key=lambda pair: -pair[0])[:MOST_STATEMENTS]
        return [one for _, one in best]


def _statements(scored: Sequence[Scored], answering: set[str]) -> list[Scored]:
    """The statements of the passages that answer as wholes, nearest first, so near that it counts."""
    near = [
        one
        for one in scored
        if one.passage.chunk.chunk_id in answering
        and one.cosine >= UNSURE_COSINE
        and len(one.passage.text) <= MOST_CHARS
    ]
    return sorted(near, key=lambda one: -one.cosine)[:MOST_READ]
