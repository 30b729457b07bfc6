"""Which of two documents that disagree a question or the reply to a clarification has chosen.

Pure and lexical.
"""

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final

from masis.domain import EvidenceChunk, Question

_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})\b", re.IGNORECASE)
_NEWER = re.compile(r"\b(?:newer|newest|later|latest|most recent|current)\b", re.IGNORECASE)
_OLDER = re.compile(r"\b(?:older|oldest|earlier|earliest)\b", re.IGNORECASE)


def chosen(question: Question, one: EvidenceChunk, other: EvidenceChunk) -> EvidenceChunk | None:
    """The document that is named by its whole name, or in a reply by its date; None where neither is.

    Both named is none chosen.
    """
    said = f"{question.standalone}\n{question.reply}"
    return (
        _only(lambda chunk: _is_named(said, chunk), one, other)
        or _only(lambda chunk: _has_date(question.reply, chunk), one, other)
        or _by_age(question.reply, one, other)
    )


def _only(
    fits: Callable[[EvidenceChunk], bool], one: EvidenceChunk, other: EvidenceChunk
) -> EvidenceChunk | None:
    fitting = [chunk for chunk in (one, other) if fits(chunk)]
    return fitting[0] if len(fitting) == 1 else None


def _is_named(question: str, chunk: EvidenceChunk) -> bool:
    name = re.escape(PurePosixPath(chunk.document).name)
    return bool(re.search(rf"(?<![\w.-]){name}(?!\w)", question, re.IGNORECASE))


def _has_date(reply: str, chunk: EvidenceChunk) -> bool:
    """Whether the reply gives the document's day as files write it, or its month in words."""
    if chunk.date is None:
        return False
    # A small "may" is hardly ever the month.
    months = {found.lower() for found in _MONTH.findall(reply) if found != "may"}
    return chunk.date.isoformat() in reply or _MONTHS[chunk.date.month - 1] in months


def _by_age(reply: str, one: EvidenceChunk, other: EvidenceChunk) -> EvidenceChunk | None:
    newer, older = bool(_NEWER.search(reply)), bool(_OLDER.search(reply))
    if one.date is None or other.date is None or one.date == other.date or newer == older:
        return None
    return one if (one.date > other.date) == newer else other
