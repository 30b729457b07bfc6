"""Choose the leading points of a document that a question asks to be summarised.

Pure and lexical. They are what stands under a heading that promises a summary, else the first statement
under each heading.
"""

import re
from collections.abc import Sequence
from typing import Final

from masis.extractive.selection import LIST_CHARS, length, readable, states
from masis.retrieval.extraction import Scored
from masis.retrieval.introduction import whole_words
from masis.text.lexical import terms

MOST_POINTS: Final = 6
"""A handful: what a person takes in at one reading."""
LEAST_POINTS: Final = 2
"""Fewer are no summary."""

_ASKS = re.compile(
    r"\b(?:summari[sz]e|summary|sum up|overview|gist|outline|tl;?dr|(?:key|main|important) (?:points?|"
    r"findings|messages|facts|results)|highlights)\b",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    r"\b(?:summary|in (?:short|brief|a nutshell|\w+ lines)|overview|highlights|key (?:points|messages|"
    r"figures|facts)|main points|at a glance)\b",
    re.IGNORECASE,
)
_ASKED_FOR: Final = frozenset(terms("list me give highlights findings results facts messages"))


def points(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the leading points of the document that is to be summarised, in reading order.

    None where no summary is asked for, or no document has in its name what is.
    """
    if not _ASKS.search(question):
        return []
    named = _of_named(question, scored)
    told = [s for s in readable(named) if states(s)]
    told.sort(key=lambda s: (s.passage.chunk.position, s.passage.index))
    promised = [s for s in told if _SUMMARY.search(s.passage.heading)]
    chosen = promised if len(promised) >= LEAST_POINTS else _first_of_each(told)
    chosen = chosen[:MOST_POINTS]
    while length(chosen) > LIST_CHARS:
        chosen.pop()
    return chosen if len(chosen) >= LEAST_POINTS else []


def _of_named(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """The passages of the best document whose name has all words that are not about summaries."""
    asked = {t for t in terms(question) if t not in whole_words() and t not in _ASKED_FOR}
    for s in sorted(scored, key=lambda s: -s.passage.chunk.rank_score):
        chunk = s.passage.chunk
        if asked and asked.issubset(terms(f"{chunk.title} {chunk.document}")):
            return [each for each in scored if each.passage.chunk.document_id == chunk.document_id]
    return []


def _first_of_each(told: Sequence[Scored]) -> list[Scored]:
    """The first statement under each heading, a sentence rather than an item."""
    first: dict[tuple[str, ...], Scored] = {}
    for s in told:
        place = (*s.passage.chunk.place.headings, s.passage.heading)
        held = first.get(place)
        if held is None or (held.passage.unit.kind != "sentence" == s.passage.unit.kind):
            first[place] = s
    return list(first.values())
