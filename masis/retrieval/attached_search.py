"""Find the passages of the files that came with a question, beside those of the workspace.

They are compared with the question one by one, and are in no index: no other run can find them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from masis.attached import Attached
from masis.domain import Chunk, Document, EvidenceChunk
from masis.filters import Filters
from masis.policy import UNCOMPRESSED_CHUNKS
from masis.ports import Vectors
from masis.retrieval.evidence import unscored
from masis.retrieval.narrowing import is_called, stands_under
from masis.retrieval.rerank import Question

EMBEDDED: Final = 200
"""Passages that are compared by meaning: of longer files those with the most words of the question.
They take some three seconds of one core, in which the one who asked waits."""
OPENED: Final = 2 * UNCOMPRESSED_CHUNKS
"""Passages that begin the files of a question about them as a whole, of all files together."""

Embed = Callable[[Sequence[str]], Awaitable[Vectors | None]]
"""Embeds texts, one row each; None without an embedder."""


class AttachedSearch:
    """Searches the files of one run's question."""

    def __init__(self, attached: Attached) -> None:
        self._attached = attached
        self.documents: Final[Sequence[Document]] = attached.documents
        self.alone: Final = attached.alone

    async def statistics(self, asked: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Count the passages, and for each term in how many of them it stands."""
        found = await asyncio.to_thread(self._attached.frequencies, asked)
        return len(self._attached.chunks), found

    async def nearest(
        self, question: Question, filters: Filters, embed: Embed, limit: int
    ) -> list[EvidenceChunk]:
        """The `limit` passages nearest to a question, best first, with their cosines.

        Filters say where to look in the workspace: they hold here where they name one of the files.
        """
        chosen = await asyncio.to_thread(self._with_most_words, question, filters)
        chunks = [chunk for _, chunk in chosen]
        vectors = await embed([chunk.indexed_text for chunk in chunks]) if chunks else None
        cosines = [0.0] * len(chunks)
        if vectors is not None and question.vector is not None:
            cosines = (vectors @ question.vector).tolist()
        fitting = [cosine + covered for cosine, (covered, _) in zip(cosines, chosen, strict=True)]
        order = sorted(range(len(chunks)), key=lambda at: -fitting[at])[:limit]
        best = max((fitting[at] for at in order), default=0.0)
        return [
            self._evidence(chunks[at]).model_copy(
                update={
                    "cosine": cosines[at],
                    "rank_score": fitting[at] / best if best > 0 else 0.0,
                }
            )
            for at in order
        ]

    def openings(self, named: Document | None = None) -> list[EvidenceChunk]:
        """Return how the files begin, or the named one, for a question about them as a whole."""
        wanted = [each for each in self.documents if named is None or each.id == named.id]
        share = max(1, OPENED // max(1, len(wanted)))
        begins = [
            self._evidence(chunk)
            for document in wanted[:OPENED]
            for chunk in self._of(document)[: min(share, UNCOMPRESSED_CHUNKS)]
        ]
        return [chunk.model_copy(update={"asked_by_name": True}) for chunk in begins]

    def has(self, document: Document) -> bool:
        """Say whether a document is one of the files."""
        return any(each.id == document.id for each in self.documents)

    def _of(self, document: Document) -> list[Chunk]:
        return [chunk for chunk in self._attached.chunks if chunk.document_id == document.id]

    def _evidence(self, chunk: Chunk) -> EvidenceChunk:
        document = next(each for each in self.documents if each.id == chunk.document_id)
        return unscored(chunk, document)

    def _with_most_words(self, question: Question, filters: Filters) -> list[tuple[float, Chunk]]:
        """The passages to compare, each with the share of the question that it has."""
        called = {
            document.id
            for document in self.documents
            if any(is_called(document.name, file) for file in filters.files)
        }
        covered = [
            (question.covered(set(held)), chunk)
            for chunk, held in zip(self._attached.chunks, self._attached.terms, strict=True)
            if not called
            or (chunk.document_id in called and stands_under(chunk.place, filters.sections))
        ]
        return sorted(covered, key=lambda each: -each[0])[:EMBEDDED]


def shared(ordered: Sequence[EvidenceChunk], limit: int) -> list[EvidenceChunk]:
    """The first `limit`, of which half are the files' and half the workspace's where both have so many."""
    sides = ([c for c in ordered if c.attached], [c for c in ordered if not c.attached])
    sure = {chunk.chunk_id for side in sides for chunk in side[: limit // 2]}
    rest = [chunk.chunk_id for chunk in ordered if chunk.chunk_id not in sure]
    kept = {*sure, *rest[: limit - len(sure)]}
    return [chunk for chunk in ordered if chunk.chunk_id in kept]
