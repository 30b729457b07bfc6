"""The reading model's word: does the evidence hold the answer, or only speak of the matter?"""

import logging
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.domain import EvidenceChunk
from masis.errors import ReadingError
from masis.ports import AnswerReader
from masis.retrieval.extraction import Passage, Scored

MOST_READ: Final = 3
"""Of the nearest chunks, and of the best passages: six texts take some 0.1 s on two cores. With the
nearest chunk alone a tenth less of what can be answered stays above the same mark."""

log = logging.getLogger(__name__)


class Read(NamedTuple):
    """How likely the likeliest of the nearest chunks answers, and of the best passages; in [0, 1]."""

    chunk: float
    passage: float


async def read(
    reader: AnswerReader | None,
    question: str,
    evidence: Sequence[EvidenceChunk],
    scored: Sequence[Scored],
) -> Read | None:
    """Read the nearest chunks and the best passages; None where nobody can.

    Of a long chunk the reader sees the beginning alone; a passage is seen whole, with what stands
    above it.
    """
    nearest = sorted(evidence, key=_nearness)[:MOST_READ]
    chunks = [_under(chunk.context, chunk.text) for chunk in nearest]
    passages = [_of_passage(one.passage) for one in sorted(scored, key=_score)[:MOST_READ]]
    texts = list(dict.fromkeys([*chunks, *passages]))
    found = dict(zip(texts, await _likelihoods(reader, question, texts), strict=False))
    if not chunks or not found:
        return None
    likeliest = max(found[text] for text in chunks)
    return Read(likeliest, max((found[text] for text in passages), default=likeliest))


async def likelihoods(
    reader: AnswerReader | None, question: str, texts: Sequence[tuple[str, str]]
) -> list[float]:
    """Read how likely each text, under its headings, answers; 0 where nobody can."""
    said = [_under(context, text) for context, text in texts]
    return await _likelihoods(reader, question, said) or [0.0] * len(texts)


async def _likelihoods(
    reader: AnswerReader | None, question: str, texts: Sequence[str]
) -> list[float]:
    """The reader's word on each text; nothing where nobody can read."""
    if reader is None or not texts:
        return []
    try:
        return await reader.answers(question, texts)
    except ReadingError as error:
        log.error("judged without reading: %s", error)  # noqa: TRY400 - the text says all there is
        return []


def _nearness(chunk: EvidenceChunk) -> float:
    return -chunk.nearness


def _score(one: Scored) -> float:
    return -one.score


def _under(context: str, text: str) -> str:
    return f"{context}: {text}" if context else text


def _of_passage(passage: Passage) -> str:
    said = f"{passage.lead} {passage.text}".strip()
    above = [passage.chunk.context, passage.heading]
    return ". ".join([*filter(None, above), f"{passage.before} {said}".strip()])
