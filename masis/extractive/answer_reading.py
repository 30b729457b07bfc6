"""The reading model's word: does the evidence hold the answer, or only speak of the matter?"""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from cachetools import LRUCache

from masis.domain import EvidenceChunk
from masis.errors import ReadingError
from masis.ports import AnswerReader
from masis.retrieval.extraction import Passage, Scored

MOST_READ: Final = 3
"""Of the nearest chunks, and of the best passages: six texts take some 0.1 s on two cores. With the
nearest chunk alone a tenth less of what can be answered stays above the same mark."""

MOST_JUDGED: Final = 8
"""Of the best statements of a draft, which are read one by one: some 20 ms each on a busy core."""
WEIGHT: Final = 0.5
"""What the reading model's word, times the cosine, adds to a statement's score of about 1: whatever has
the right form is taken in too easily, however far it is. Of 260 plain questions 155 drafts begin with
the right words so (143 unread), 182 have them in two statements (171), 215 at all (214); by the word
alone it is 150, 181 and 215, with eight statements or twelve."""
REMEMBERED: Final = 1024
"""Texts read last: the draft, its audit and the next attempt read most of the same."""

log = logging.getLogger(__name__)


class RememberingReader:
    """Remembers how likely the texts read last answer; of the texts themselves nothing is kept."""

    def __init__(self, reader: AnswerReader, size: int = REMEMBERED) -> None:
        self._reader = reader
        self._known: LRUCache[bytes, float] = LRUCache(size)

    async def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        """How likely each text holds the answer, in order; those that are not remembered are read."""
        keys = {text: _digest(question, text) for text in texts}
        found = {text: self._known[key] for text, key in keys.items() if key in self._known}
        missing = [text for text in keys if text not in found]
        if missing:
            found |= zip(missing, await self._reader.answers(question, missing), strict=True)
        for text, likelihood in found.items():
            self._known[keys[text]] = likelihood
        return [found[text] for text in texts]


def _digest(question: str, text: str) -> bytes:
    said = f"{len(question)} {question}\0{text}"
    return hashlib.blake2b(said.encode(errors="replace"), digest_size=16).digest()


class Read(NamedTuple):
    """Hold how likely the nearest chunks and the best passages answer.

    Each is the likeliest one's probability, in [0, 1].
    """

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


async def judged(
    reader: AnswerReader | None, question: str, scored: Sequence[Scored]
) -> list[Scored]:
    """Score the best statements by the reading model's word as well; as they are where nobody can read."""
    best = sorted(scored, key=_score)[:MOST_JUDGED]
    texts = [_of_passage(one.passage) for one in best]
    read = await _likelihoods(reader, question, texts)
    # Without vectors every cosine is 0, and so is what is added.
    added = {
        one.passage.key: WEIGHT * likelihood * max(0.0, one.cosine)
        for one, likelihood in zip(best, read, strict=False)
    }
    return [replace(one, score=one.score + added.get(one.passage.key, 0.0)) for one in scored]


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
