"""The reading model's word: does the evidence hold the answer, or only speak of the matter?"""

import logging
from collections.abc import Sequence

from masis.domain import EvidenceChunk
from masis.errors import ReadingError
from masis.ports import AnswerReader

log = logging.getLogger(__name__)


async def likelihood(
    reader: AnswerReader | None, question: str, evidence: Sequence[EvidenceChunk]
) -> float | None:
    """How likely the chunk nearest to the question answers it; None where nobody can read it.

    One chunk is read, in some 15 ms on two cores; reading the second and third one as well told no
    more of the labelled questions. Of a long chunk the reader sees the beginning alone.
    """
    if not evidence:
        return None
    nearest = max(evidence, key=lambda chunk: chunk.nearness)
    found = await _read(reader, question, [(nearest.context, nearest.text)])
    return found[0] if found else None


async def likelihoods(
    reader: AnswerReader | None, question: str, texts: Sequence[tuple[str, str]]
) -> list[float]:
    """How likely each text, under its headings, answers; 0 where nobody can read it."""
    return await _read(reader, question, texts) or [0.0] * len(texts)


async def _read(
    reader: AnswerReader | None, question: str, texts: Sequence[tuple[str, str]]
) -> list[float]:
    """The reader's word on each text; nothing where nobody can read."""
    if reader is None or not texts:
        return []
    try:
        said = [f"{context}: {text}" if context else text for context, text in texts]
        return await reader.answers(question, said)
    except ReadingError as error:
        log.error("judged without reading: %s", error)  # noqa: TRY400 - the text says all there is
        return []
