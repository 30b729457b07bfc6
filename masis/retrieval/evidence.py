"""Make evidence of what a search finds: gate, duplicates, and compression for a prompt."""

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from masis.domain import Chunk, Critique, Document, EvidenceChunk, Value
from masis.policy import (
    CRITIQUE_TEXT_LIMIT,
    CRITIQUE_TEXTS,
    NEAR_DUPLICATE,
    OVER_COMPRESSION_RATIO,
    RELATIVE_GATE,
    RETRY_THRESHOLD_DROP,
    SUMMARY_CHARS,
    UNCOMPRESSED_CHUNKS,
)

_RUN_WORDS: Final = 4
_MAX_WORDS: Final = 2_000
"""Of a text that is compared; a chunk has some 130."""
_MAX_COMPARED: Final = 100
"""Each text is compared with this many before it; a search brings 40 at most."""

RESERVED: Final = 3
"""Passages of the files that came with a question which are kept where a retry would keep them: what
somebody sends along is what the question is about, however many documents have more of its words."""

DropReason = Literal["below_threshold", "far_behind_nearest", "repeats_another"]

_WORD: Final = re.compile(r"\w+")
# "n't" in all its spellings ends in "t" behind an apostrophe, which is a word of its own here.
_NEGATIONS: Final = frozenset(
    ["except", "never", "no", "none", "nor", "not", "t", "unless", "until", "without"]
)
_CITATION: Final = re.compile(r"[\[【]*\bc_[a-z2-7]{12}\b[\]】]*")


class Compressed(Value):
    """Evidence as it enters a prompt. `ratio` is its size to that before, in characters."""

    chunks: list[EvidenceChunk]
    ratio: float
    over_compressed: bool


def unscored(chunk: Chunk, document: Document) -> EvidenceChunk:
    """A stored chunk as evidence, before anything says how near it is to a question."""
    return EvidenceChunk(
        workspace_id=chunk.workspace_id,
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        version_id=chunk.version_id,
        document=document.name,
        title=document.title,
        date=document.date,
        date_source=document.date_source,
        place=chunk.place,
        position=chunk.position,
        text=chunk.text,
        context=chunk.context,
        score=0.0,
    )


def nearest_floor(candidates: Iterable[EvidenceChunk]) -> float:
    """Return the nearness below which a candidate is left far behind by the nearest one."""
    return RELATIVE_GATE * max((chunk.nearness for chunk in candidates), default=0.0)


def gate(
    candidates: Sequence[EvidenceChunk], threshold: float, coverage_gate: float, floor: float = 0.0
) -> tuple[list[EvidenceChunk], list[EvidenceChunk]]:
    """Part candidates into those kept and those filtered out, both in their order.

    Kept is what reaches `coverage_gate` by words, or `threshold` by relevance and `floor` by
    nearness; once: a duplicate of something kept is filtered out, so that both lists together are
    the candidates. Of the files that came with the question the nearest few need less.
    """
    least = round(threshold - RETRY_THRESHOLD_DROP, 4)
    sent = [chunk for chunk in candidates if chunk.attached and chunk.score >= least]
    reserved = set(map(id, sent[:RESERVED]))
    passing = [
        chunk
        for chunk in candidates
        if chunk.coverage >= coverage_gate
        or (chunk.score >= threshold and chunk.nearness >= floor)
        or id(chunk) in reserved
    ]
    kept = distinct(passing)
    # By identity: two candidates may be equal, and one of them is the duplicate.
    kept_objects = set(map(id, kept))
    return kept, [chunk for chunk in candidates if id(chunk) not in kept_objects]


def drop_reason(
    chunk: EvidenceChunk, threshold: float, coverage_gate: float, floor: float
) -> DropReason:
    """Return why a candidate that was filtered out was."""
    if chunk.coverage >= coverage_gate:
        return "repeats_another"
    if chunk.score < threshold:
        return "below_threshold"
    return "far_behind_nearest" if chunk.nearness < floor else "repeats_another"


def passed_over(
    dropped: Iterable[EvidenceChunk], threshold: float, coverage_gate: float, floor: float
) -> list[EvidenceChunk]:
    """Return what was filtered out although a retry would keep it: too far behind the nearest.

    It is too far from the question to be quoted, and near enough to say otherwise.
    """
    least = round(threshold - RETRY_THRESHOLD_DROP, 4)
    return [
        chunk
        for chunk in dropped
        if chunk.score >= least
        and drop_reason(chunk, threshold, coverage_gate, floor) != "repeats_another"
    ]


def distinct(chunks: Iterable[EvidenceChunk]) -> list[EvidenceChunk]:
    """The chunks without repeated ids and without near-duplicates; the first of each stays."""
    kept: dict[str, EvidenceChunk] = {}
    seen: list[_Words] = []
    for chunk in chunks:
        if chunk.chunk_id in kept:
            continue
        words = _words(chunk.text)
        if not any(_repeats(words, other) for other in seen[:_MAX_COMPARED]):
            kept[chunk.chunk_id] = chunk
            seen.append(words)
    return list(kept.values())


def augmented_query(user_query: str, critique: Critique | None) -> str:
    """The search text of a retry: the question, then what the critique found missing.

    Ids of chunks are no words to search for, and are left out.
    """
    if critique is None:
        return user_query
    found = [*critique.unsupported_claims, *critique.logical_gaps]
    plain = [" ".join(_CITATION.sub(" ", text).split()) for text in found[:CRITIQUE_TEXTS]]
    return " ".join([user_query, *(text[:CRITIQUE_TEXT_LIMIT] for text in plain if text)])


def compress(chunks: Sequence[EvidenceChunk], summaries: Mapping[str, str]) -> Compressed:
    """The first chunks whole, the others by their summary, or by their beginning without one.

    Every chunk stays under its id. Whether to compress at all is the caller's decision.
    """
    short = [
        chunk
        if rank < UNCOMPRESSED_CHUNKS
        else chunk.model_copy(update={"text": _shortened(chunk, summaries)})
        for rank, chunk in enumerate(chunks)
    ]
    before, after = _size(chunks), _size(short)
    ratio = round(after / before, 4) if before else 1.0
    return Compressed(chunks=short, ratio=ratio, over_compressed=ratio < OVER_COMPRESSION_RATIO)


def average(scores: Sequence[float]) -> float:
    """The mean to 4 decimals; 0 of nothing."""
    return round(statistics.fmean(scores), 4) if scores else 0.0


@dataclass(frozen=True)
class _Words:
    """A text's words, prepared for comparison: what few comparisons come to is made by the first."""

    words: list[str]
    decisive: list[str]

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(self.words)

    @cached_property
    def runs(self) -> frozenset[tuple[str, ...]]:
        starts = range(max(1, len(self.words) - _RUN_WORDS + 1))
        return frozenset(tuple(self.words[at : at + _RUN_WORDS]) for at in starts)


def _words(text: str) -> _Words:
    words = _WORD.findall(text.lower())[:_MAX_WORDS]
    return _Words(
        words=words,
        decisive=[word for word in words if word in _NEGATIONS or _has_digit(word)],
    )


def _has_digit(word: str) -> bool:
    return not word.isalpha() and any(map(str.isdigit, word))


def _repeats(one: _Words, other: _Words) -> bool:
    """Say whether both say the same.

    The Jaccard similarity of word runs tells, and nothing may be exchanged.

    Two papers that differ in one figure, one name or one "not" contradict each other: the very
    thing that must be seen, however much else they share. So one text may only add words to the
    other, and no figures or negations.
    """
    if one.decisive != other.decisive:
        return False
    fewer, more = sorted((len(one.runs), len(other.runs)))
    if fewer < NEAR_DUPLICATE * more:  # no need to look: they cannot share enough
        return False
    if len(one.runs & other.runs) < NEAR_DUPLICATE * len(one.runs | other.runs):
        return False
    return not (one.counts - other.counts and other.counts - one.counts)


def _shortened(chunk: EvidenceChunk, summaries: Mapping[str, str]) -> str:
    summary = summaries.get(chunk.chunk_id, "").strip()
    text = _cut(summary, SUMMARY_CHARS - 1) if summary else _cut(chunk.text, SUMMARY_CHARS)
    return min(text, chunk.text, key=len)


def _cut(text: str, limit: int) -> str:
    """At most `limit` characters; a word is not torn, since half a number is another number."""
    if len(text) <= limit:
        return text
    head = text[: limit + 1]
    space = max(map(head.rfind, " \n\t"))
    return text[:space].rstrip() if space > 0 else text[:limit]


def _size(chunks: Iterable[EvidenceChunk]) -> int:
    return sum(len(chunk.text) for chunk in chunks)
