"""Read what a question says about the document. It has words of its name, or wants the latest.

Both only order candidates. Whether a passage answers, its relevance, they leave alone.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from masis.domain import EvidenceChunk
from masis.text.grammars.calendar import ANY_MONTH
from masis.text.grammars.recency import NEWEST
from masis.text.lexical import coverage, terms

NAMED_IN_FULL: Final = 0.20
"""The share of a question from which on the words of a name count whole: "Q1" and "2023" are a fifth
of a longer one. Below it they weigh less, since one common word is no mention."""

_LATEST = re.compile(
    rf"\b(?:{NEWEST})\b"
    r"|(?<!\bmy )(?<!\byour )(?<!\bhis )(?<!\bher )\blast (?:quarter|month|week|half(?:[ -]year)?)\b"
    rf"(?!,? (?:of\b|before\b|(?:in )?(?:(?:the |this |that |last )?(?:year|\d)|(?:{ANY_MONTH})\b)))",
    re.IGNORECASE,
)
"""What is told of the last quarter stands in what was written last; "the last month of the lease" and "my last
month" are others."""
_QUARTER = re.compile(r"\b(first|second|third|fourth) quarter\b", re.IGNORECASE)
_QUARTERS: Final = {"first": "q 1", "second": "q 2", "third": "q 3", "fourth": "q 4"}


def named(
    question: str, weights: Mapping[str, float], candidates: Sequence[EvidenceChunk]
) -> list[float]:
    """Score how much the question names each candidate's document, in [0, 1].

    The most named has 1.

    Its name counts with its folders; `weights` are the IDF weights of the question's terms. File
    names write quarters as Q1 to Q4, people in words as well.
    """
    quarters = " ".join(_QUARTERS[match.lower()] for match in _QUARTER.findall(question))
    asked = terms(f"{question} {quarters}")
    names = {chunk.document for chunk in candidates}
    shares = {name: coverage(asked, set(terms(name)), weights) for name in names}
    most = max(shares.values(), default=0.0)
    if most <= 0:
        return [0.0] * len(candidates)
    whole = min(1.0, most / NAMED_IN_FULL)
    return [whole * shares[chunk.document] / most for chunk in candidates]


def latest(question: str, candidates: Sequence[EvidenceChunk]) -> list[float]:
    """Score candidates by date where the question asks for the latest.

    The newest has 1, the oldest 0.

    In between by their place among the dates, not by the days between. What has no date counts as
    oldest, and where nothing is asked for or all dates are one, nothing counts.
    """
    dates = sorted({chunk.date for chunk in candidates if chunk.date is not None})
    if len(dates) <= 1 or not _LATEST.search(question):  # nothing to compare
        return [0.0] * len(candidates)
    place = {date: rank / (len(dates) - 1) for rank, date in enumerate(dates)}
    return [place[chunk.date] if chunk.date else 0.0 for chunk in candidates]
