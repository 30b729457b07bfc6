"""From a question to candidates: hybrid search in one workspace, then a rerank by sentences.

Measured by `tests/bench/retrieval_bench.py`, where the reasons of the numbers below can be seen.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from masis.domain import (
    Chunk,
    Document,
    EmbeddingProfile,
    EvidenceChunk,
    SearchResult,
    Workspace,
    WorkspaceId,
)
from masis.errors import UnknownWorkspace
from masis.evidence import distinct
from masis.extraction import embedded_text, passages
from masis.filters import NO_FILTERS, Filters
from masis.lexical import coverage, idf_weights, sparse_query, term_id, terms
from masis.narrowing import Narrowing, narrow
from masis.ports import Embedder, Hit, Repository, Scope, VectorStores
from masis.sentence_vectors import SentenceVectors

POOL: Final = 40
"""Fused hits that are read: twice the most candidates, so that duplicates may be dropped."""

_LOOKS: Final = 3
"""A hit that the database does not show is of a version that was switched between the two. Looked
for again, a document answers whole with its new version instead of not at all."""

LEXICAL_PROFILE: Final = EmbeddingProfile(
    name="lexical",
    model="BM25",
    dimension=0,
    version="1",
    calibration=[(0.0, 0.0), (0.32, 0.60), (0.80, 0.90), (1.0, 1.0)],
)
"""What coverage means where there is no embedder. A gate at 0.32 keeps 90 % of the chunks that
answer and stops 63 % of the questions about something else; a cosine does far better."""

COSINE_SHARE: Final = 0.45
"""Of the chunk's own cosine, and as much of its best sentence's: a short answer in a chunk about
much else is near to the question as a sentence only."""
COVERAGE_SHARE: Final = 0.18
"""Of the question's coverage. The three parts together say whether a chunk is about a question
better than its cosine (AUROC against questions about something else: 0.91 and 0.85 on the sample,
above 0.99 on both other sets) and stay on its scale, so that its calibration holds."""

LEXICAL_FUSED_WEIGHT: Final = 0.50
"""Without an embedder the BM25 score counts as much as the words of the best sentence."""

_Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Rerank:
    """How candidates are reranked.

    A chunk counts by its nearness (see `COSINE_SHARE`) and by its fused score relative to the best
    one's, which has the weight `fused_weight`. Of the `depth` first chunks at most `sentences`
    sentences are embedded, those with the most words of the question. With 0, or where `Retrieval`
    was given no sentence vectors (each would be a paid call of a service), the chunk's own cosine
    stands for theirs.
    """

    depth: int = 20
    sentences: int = 64
    fused_weight: float = 0.20


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked, as the search needs it: the question's terms and their weights.

    `vector` is that of the search text, None without an embedder. `within` is None where the whole
    workspace is searched.
    """

    workspace_id: WorkspaceId
    terms: list[str]
    weights: Mapping[str, float]
    vector: _Vector | None
    within: Scope | None = None

    def covered(self, present: set[str]) -> float:
        return coverage(self.terms, present, self.weights)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of the candidate at `rank`. `coverage` is that of its context and itself."""

    rank: int
    text: str
    coverage: float


@dataclass(frozen=True, slots=True)
class _Reading:
    """The candidates without duplicates, the question's coverage by each, and their sentences."""

    candidates: list[EvidenceChunk]
    coverage: list[float]
    sentences: list[_Sentence]


class Retrieval:
    """Searches one workspace at a time; fits `masis.ports.Search` and the graph's researcher.

    Raises:
        UnknownWorkspace: there is no workspace of that id.
        ProfileMismatch: it holds vectors of another embedder.
        EmbeddingError: the question could not be embedded.
        StoreUnavailable: the database or the vectors cannot be read.
    """

    def __init__(
        self,
        *,
        repository: Repository,
        stores: VectorStores,
        embedder: Embedder | None,
        sentences: SentenceVectors | None = None,
        rerank: Rerank | None = None,
    ) -> None:
        self._repository = repository
        self._stores = stores
        self._embedder = embedder
        self._sentences = sentences
        self._rerank = rerank or Rerank()

    async def search(
        self,
        workspace_id: WorkspaceId,
        query: str,
        *,
        limit: int,
        question: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> SearchResult:
        """The `limit` best candidates of the workspace, best first, ungated.

        Store and embedder look for `query`. Coverage is that of `question`, where one is given:
        a query that was augmented with a critique's findings would pass off a chunk that repeats
        them as one that answers, and lower the coverage of one that does answer.

        With `filters` only what is within them is looked at, and nothing where one of them names
        what is not there. How rare a term is remains what it is in the whole workspace, so that
        the same passage scores the same.
        """
        workspace = await self._repository.workspace_by_id(workspace_id)
        if workspace is None:
            raise UnknownWorkspace(f"there is no workspace {workspace_id}; see `masis workspaces`")
        timings: dict[str, float] = {}
        asked = terms(question or query)
        indexed, frequencies = await self._repository.term_frequencies(
            workspace_id, {term_id(term) for term in asked}
        )
        candidates: list[EvidenceChunk] = []
        narrowing = await self._narrowed(workspace_id, filters) if indexed else None
        if indexed and not (narrowing and narrowing.finds_nothing):
            with _timed(timings, "embedding"):
                vector = await self._embedded(workspace_id, query)
            weights = idf_weights(asked, indexed, frequencies)
            within = narrowing.scope if narrowing else None
            wanted = _Question(workspace_id, asked, weights, vector, within)
            with _timed(timings, "search"):
                found = await self._found(wanted, query, max(POOL, limit))
            candidates = await self._reranked(wanted, found, limit, timings)
        return self._result(workspace, indexed, candidates, timings, narrowing)

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Drop what is kept in memory of a workspace; to be called when something is deleted."""
        if self._sentences is not None:
            self._sentences.forget(workspace_id)

    def _result(
        self,
        workspace: Workspace,
        indexed: int,
        candidates: list[EvidenceChunk],
        timings: dict[str, float],
        narrowing: Narrowing | None,
    ) -> SearchResult:
        return SearchResult(
            candidates=candidates,
            indexed=indexed,
            workspace=workspace.name,
            lexical_only=self._embedder is None,
            timings={part: round(spent, 3) for part, spent in timings.items()},
            narrowed=narrowing.told if narrowing else None,
        )

    async def _narrowed(self, workspace_id: WorkspaceId, filters: Filters) -> Narrowing | None:
        if not filters:
            return None
        documents = await self._repository.documents(workspace_id)
        # Beside the event loop: names that are not there are compared with all that are.
        return await asyncio.to_thread(narrow, filters, documents)

    async def _embedded(self, workspace_id: WorkspaceId, query: str) -> _Vector | None:
        if self._embedder is None:
            return None
        if self._sentences is not None:
            return await self._sentences.question(workspace_id, query)
        vector: _Vector = (await self._embedder.embed([query], "query"))[0]
        return vector

    async def _found(self, question: _Question, query: str, limit: int) -> list[EvidenceChunk]:
        """What the store finds and the database shows, in the order of fusion.

        `rank_score` is the fused score relative to the best one's, since its scale is the
        engine's own.
        """
        workspace_id = question.workspace_id
        profile = self._embedder.profile if self._embedder else None
        store = await self._stores.open(workspace_id, profile)
        wanted = sparse_query(query)
        for _ in range(_LOOKS):
            hidden = await self._repository.hidden_versions(workspace_id)
            hits = await store.search(
                question.vector, wanted, limit=limit, hidden=hidden, within=question.within
            )
            known = await self._repository.chunks(workspace_id, [hit.chunk_id for hit in hits])
            if len(known) == len(hits):
                break
        best = max((hit.score for hit in hits), default=0.0)
        return [
            _evidence(*known[hit.chunk_id], hit, best)
            for hit in hits
            if hit.chunk_id in known
            and _is_the_same(hit, known[hit.chunk_id][0], workspace_id)
            and _is_within(known[hit.chunk_id][0], question.within)
        ]

    async def _reranked(
        self,
        question: _Question,
        found: list[EvidenceChunk],
        limit: int,
        timings: dict[str, float],
    ) -> list[EvidenceChunk]:
        """The first candidates in the order of their best sentence; the others follow."""
        depth = self._rerank.depth
        with _timed(timings, "rerank"):
            # Beside the event loop: this is ten milliseconds of work for the processor.
            reading = await asyncio.to_thread(_read, question, found, max(depth, limit), depth)
        with _timed(timings, "embedding"):
            cosines = await self._cosines(question, reading)
        best = _best_by_candidate(cosines)
        judged = [
            self._judged(chunk, covered, best.get(rank, chunk.cosine))
            for rank, (chunk, covered) in enumerate(
                zip(reading.candidates, reading.coverage, strict=True)
            )
        ]
        first = sorted(judged[:depth], key=lambda chunk: chunk.rank_score, reverse=True)
        return _descending([*first, *judged[depth:]])[:limit]

    async def _cosines(self, question: _Question, reading: _Reading) -> dict[_Sentence, float]:
        """How near the sentences that may speak for their chunk are to the question.

        Where no sentence is embedded there is none, and without an embedder its coverage.
        """
        if question.vector is None:
            return {sentence: sentence.coverage for sentence in reading.sentences}
        if self._sentences is None or not self._reads_sentences:
            return {}
        chosen = _preselected(reading.sentences, self._rerank.sentences)
        texts = [sentence.text for sentence in chosen]
        vectors = await self._sentences.of(question.workspace_id, texts)
        return dict(zip(chosen, (vectors @ question.vector).tolist(), strict=True))

    def _judged(self, chunk: EvidenceChunk, covered: float, best: float) -> EvidenceChunk:
        """The candidate with its nearness, relevance, coverage and place in the order."""
        near = COSINE_SHARE * (chunk.cosine + best) + COVERAGE_SHARE * covered
        nearness = near if self._reads_sentences else chunk.cosine
        weight = self._rerank.fused_weight
        if self._embedder is None:
            near, nearness, weight = best, covered, LEXICAL_FUSED_WEIGHT
        return chunk.model_copy(
            update={
                "score": self._profile.relevance(nearness),
                "nearness": nearness,
                "coverage": covered,
                "rank_score": weight * chunk.rank_score + (1 - weight) * near,
            }
        )

    @property
    def _profile(self) -> EmbeddingProfile:
        return self._embedder.profile if self._embedder else LEXICAL_PROFILE

    @property
    def _reads_sentences(self) -> bool:
        return self._sentences is not None and self._rerank.sentences > 0


@contextmanager
def _timed(timings: dict[str, float], part: str) -> Iterator[None]:
    start = time.perf_counter()
    try:
        yield
    finally:
        timings[part] = timings.get(part, 0.0) + (time.perf_counter() - start) * 1000


def _is_the_same(hit: Hit, chunk: Chunk, workspace_id: WorkspaceId) -> bool:
    """Checked again after store and database: a tenant's text must never reach another."""
    return chunk.workspace_id == workspace_id and chunk.version_id == hit.version_id


def _is_within(chunk: Chunk, scope: Scope | None) -> bool:
    """Checked again like the tenant: who names a file gets nothing from another one."""
    return scope is None or scope.documents is None or chunk.document_id in scope.documents


def _evidence(chunk: Chunk, document: Document, hit: Hit, best: float) -> EvidenceChunk:
    return EvidenceChunk(
        workspace_id=chunk.workspace_id,
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        version_id=chunk.version_id,
        document=document.name,
        title=document.title,
        date=document.date,
        place=chunk.place,
        position=chunk.position,
        text=chunk.text,
        context=chunk.context,
        score=0.0,
        cosine=hit.cosine,
        rank_score=hit.score / best if best > 0 else 0.0,
    )


def _read(question: _Question, found: Sequence[EvidenceChunk], limit: int, depth: int) -> _Reading:
    """Drop duplicates, and find how much of the question stands in each chunk and sentence."""
    reading = _Reading(distinct(found)[:limit], [], [])
    for rank, chunk in enumerate(reading.candidates):
        present, sentences = _sentences(question, rank, chunk)
        reading.coverage.append(question.covered(present))
        if rank < depth:
            reading.sentences.extend(sentences)
    return reading


def _sentences(
    question: _Question, rank: int, chunk: EvidenceChunk
) -> tuple[set[str], list[_Sentence]]:
    """A chunk's terms, and its sentences, list items and rows, as the writer would embed them.

    Headings and leads count as context of what follows them.
    """
    context = set(terms(chunk.context))
    sentences = []
    for passage in passages([chunk]):
        present = set(terms(f"{passage.heading} {passage.lead} {passage.text}"))
        covered = question.covered(context | present)
        sentences.append(_Sentence(rank, embedded_text(passage), covered))
    return context | set(terms(chunk.text)), sentences


def _preselected(sentences: Sequence[_Sentence], limit: int) -> list[_Sentence]:
    """At most `limit`: the best of each chunk by coverage, then the best of the rest."""
    ordered = sorted(sentences, key=lambda sentence: sentence.coverage, reverse=True)
    best_of_chunk = {sentence.rank: sentence for sentence in reversed(ordered)}
    first = set(best_of_chunk.values())
    rest = [sentence for sentence in ordered if sentence not in first]
    return [*(best_of_chunk[rank] for rank in sorted(best_of_chunk)), *rest][:limit]


def _best_by_candidate(cosines: Mapping[_Sentence, float]) -> dict[int, float]:
    """By candidate: the cosine of its nearest sentence."""
    best: dict[int, float] = {}
    for sentence, cosine in cosines.items():
        best[sentence.rank] = max(best.get(sentence.rank, cosine), cosine)
    return best


def _descending(chunks: Sequence[EvidenceChunk]) -> list[EvidenceChunk]:
    """The same order with rank scores that never rise: what was not reranked stands behind."""
    lowest = float("inf")
    ordered = []
    for chunk in chunks:
        lowest = min(lowest, chunk.rank_score)
        ordered.append(chunk.model_copy(update={"rank_score": lowest}))
    return ordered
