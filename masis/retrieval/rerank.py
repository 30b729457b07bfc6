"""The order of what a search found: each candidate by its nearest sentence.

Measured by `tests/bench/retrieval_bench.py`, where the reasons of the numbers below can be seen.
"""

import asyncio
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray

from masis.domain import EmbeddingProfile, EvidenceChunk, WorkspaceId
from masis.ports import Scope
from masis.retrieval.evidence import distinct
from masis.retrieval.extraction import Passage, embedded_text, passages
from masis.retrieval.mentions import latest, named
from masis.retrieval.sentence_vectors import SentenceVectors
from masis.text.lexical import coverage, share, terms, weighed

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

CHUNK_WEIGHT: Final = 0.30
SENTENCE_WEIGHT: Final = 0.60
WORDS_WEIGHT: Final = 0.30
FUSED_WEIGHT: Final = 0.05
"""In the order of candidates, which is not their relevance: of the chunk's own cosine, its best
sentence's, the question's coverage, and the fused score relative to the best one's. Chosen on every
second question of five sets, and best on all of them as well; `tests/bench/RESULTS.md` has both."""
NAMED_WEIGHT: Final = 0.15
LATEST_WEIGHT: Final = 0.15
"""Of a mention of the document's name and of the latest one (see `masis.retrieval.mentions`): enough to set the
right one of four quarterly reports before the others, not to set it before a passage that answers."""

LEXICAL_FUSED_WEIGHT: Final = 0.50
"""Without an embedder the BM25 score counts as much as the words of the best sentence."""

_KEPT: Final = 128
"""Chunks that were read last, some 15 kB each."""

_Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Rerank:
    """Set how candidates are reranked.

    Of the `depth` first chunks at most `sentences` sentences are embedded, those with the most words
    of the question. With 0, or where `Retrieval` was given no sentence vectors (each would be a paid
    call of a service), the chunk's own cosine stands for theirs.
    """

    depth: int = 20
    sentences: int = 64


@dataclass(frozen=True, slots=True)
class Question:
    """Hold what is asked, as the search needs it: the question, its terms and their weights.

    `vector` is that of the search text, None without an embedder. `within` is None where the whole
    workspace is searched.
    """

    workspace_id: WorkspaceId
    text: str
    terms: list[str]
    weights: Mapping[str, float]
    vector: _Vector | None
    within: Scope | None = None

    def covered(self, present: set[str]) -> float:
        """The weighted share of the question's terms that are `present`."""
        return coverage(self.terms, present, self.weights)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of the candidate at `rank`. `coverage` is that of its context and itself."""

    rank: int
    text: str
    coverage: float


@dataclass(frozen=True, slots=True)
class _Reading:
    """The candidates without duplicates, what was found in each, and their sentences.

    `coverage` is the question's by each of them, `mentions` what each gains in the order because
    the question speaks of its document.
    """

    candidates: list[EvidenceChunk]
    coverage: list[float]
    mentions: list[float]
    sentences: list[_Sentence]


class SentenceRerank:
    """Orders the candidates of one search; without sentence vectors by their own cosines.

    `profile` is None without an embedder: words alone count then.
    """

    def __init__(
        self,
        profile: EmbeddingProfile | None,
        sentences: SentenceVectors | None,
        rerank: Rerank,
    ) -> None:
        self._given = profile
        self._sentences = sentences
        self._rerank = rerank

    async def order(
        self,
        question: Question,
        found: list[EvidenceChunk],
        limit: int,
        timings: dict[str, float],
    ) -> list[EvidenceChunk]:
        """At most `limit` of `found`: the first in the order of their best sentence, then the others.

        Duplicates are left out. `timings` gets what it took.
        """
        depth = self._rerank.depth
        with timed(timings, "rerank"):
            # Beside the event loop: this is ten milliseconds of work for the processor.
            reading = await asyncio.to_thread(_read, question, found, max(depth, limit), depth)
        with timed(timings, "embedding"):
            cosines = await self._cosines(question, reading)
        best = _best_by_candidate(cosines)
        judged = [
            self._judged(chunk, covered, best.get(rank, chunk.cosine), mention)
            for rank, (chunk, covered, mention) in enumerate(
                zip(reading.candidates, reading.coverage, reading.mentions, strict=True)
            )
        ]
        first = sorted(judged[:depth], key=lambda chunk: chunk.rank_score, reverse=True)
        return descending([*first, *judged[depth:]])[:limit]

    async def _cosines(self, question: Question, reading: _Reading) -> dict[_Sentence, float]:
        """Measure how near the sentences that may speak for their chunk are to the question.

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

    def _judged(
        self, chunk: EvidenceChunk, covered: float, best: float, mention: float
    ) -> EvidenceChunk:
        """The candidate with its nearness, relevance, coverage and place in the order."""
        near = COSINE_SHARE * (chunk.cosine + best) + COVERAGE_SHARE * covered
        nearness = near if self._reads_sentences else chunk.cosine
        order = CHUNK_WEIGHT * chunk.cosine + SENTENCE_WEIGHT * best + WORDS_WEIGHT * covered
        order += FUSED_WEIGHT * chunk.rank_score
        if self._given is None:
            nearness = covered
            order = LEXICAL_FUSED_WEIGHT * chunk.rank_score + (1 - LEXICAL_FUSED_WEIGHT) * best
        return chunk.model_copy(
            update={
                "score": self._profile.relevance(nearness),
                "nearness": nearness,
                "coverage": covered,
                "rank_score": order + mention,
            }
        )

    @property
    def _profile(self) -> EmbeddingProfile:
        return self._given or LEXICAL_PROFILE

    @property
    def _reads_sentences(self) -> bool:
        return self._sentences is not None and self._rerank.sentences > 0


@contextmanager
def timed(timings: dict[str, float], part: str) -> Iterator[None]:
    """Count the milliseconds of the block towards a part."""
    start = time.perf_counter()
    try:
        yield
    finally:
        timings[part] = timings.get(part, 0.0) + (time.perf_counter() - start) * 1000


def _read(question: Question, found: Sequence[EvidenceChunk], limit: int, depth: int) -> _Reading:
    """Drop duplicates, and find how much of the question stands in each chunk and sentence."""
    mentions = dict(zip([c.chunk_id for c in found], _mentions(question, found), strict=True))
    candidates = _distinct(found, mentions)[:limit]
    reading = _Reading(candidates, [], [mentions[c.chunk_id] for c in candidates], [])
    asked = weighed(question.terms, question.weights)
    for rank, chunk in enumerate(reading.candidates):
        parted = _parted(chunk)
        reading.coverage.append(share(asked, parted.present))
        if rank < depth:
            reading.sentences.extend(
                _Sentence(rank, text, share(asked, present)) for text, present in parted.sentences
            )
    return reading


def _distinct(found: Sequence[EvidenceChunk], mentions: Mapping[str, float]) -> list[EvidenceChunk]:
    """Without duplicates, in their order; of several the one stays whose document is asked for."""
    asked_first = sorted(found, key=lambda chunk: mentions[chunk.chunk_id], reverse=True)
    kept = {chunk.chunk_id for chunk in distinct(asked_first)}
    return [chunk for chunk in found if chunk.chunk_id in kept]


def _mentions(question: Question, candidates: Sequence[EvidenceChunk]) -> list[float]:
    """Score what each candidate gains because the question speaks of its document."""
    by_name = named(question.text, question.weights, candidates)
    by_date = latest(question.text, candidates)
    return [
        NAMED_WEIGHT * name + LATEST_WEIGHT * date
        for name, date in zip(by_name, by_date, strict=True)
    ]


class _Parted(NamedTuple):
    """Hold a chunk's terms, and its sentences, list items and rows, as the writer would embed them.

    Each has its terms beside it; headings and leads count as context of what follows them.
    """

    present: frozenset[str]
    sentences: list[tuple[str, frozenset[str]]]


def _key(chunk: EvidenceChunk) -> tuple[str, ...]:
    return chunk.chunk_id, chunk.context, chunk.text, *chunk.place.headings


# A run searches twice, whether to search and what, and finds much the same.
@cached(LRUCache(_KEPT), key=_key, lock=threading.Lock())
def _parted(chunk: EvidenceChunk) -> _Parted:
    context = frozenset(terms(chunk.context))
    return _Parted(
        context.union(terms(chunk.text)),
        [(embedded_text(each), context | _terms_of(each)) for each in passages([chunk])],
    )


def _terms_of(passage: Passage) -> frozenset[str]:
    parts = (passage.heading, passage.lead, passage.text)
    return frozenset(term for part in parts for term in terms(part))


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


def descending(chunks: Sequence[EvidenceChunk]) -> list[EvidenceChunk]:
    """The same order with rank scores that never rise: what was moved back stands behind."""
    lowest = float("inf")
    ordered = []
    for chunk in chunks:
        lowest = min(lowest, chunk.rank_score)
        ordered.append(chunk.model_copy(update={"rank_score": lowest}))
    return ordered
