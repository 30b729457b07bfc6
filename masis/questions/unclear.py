"""Tell a question that says nothing of what it is about, and what it could be about.

Pure and lexical.
"""

from collections.abc import Sequence
from typing import Final

from masis.domain import EvidenceChunk
from masis.retrieval import extraction
from masis.rewriting import gaps, pronouns
from masis.rewriting.noun_phrases import parse
from masis.text.lexical import terms
from masis.words.chat_words import plain

MOST_OPTIONS: Final = 4
OPTION_CHARS: Final = 60
_NUMBERING: Final = "0123456789. "


def pronoun(question: str) -> str:
    """Return the pronoun that a question has in place of all that could be searched; else nothing."""
    parsed = parse(plain(question))
    if not gaps.is_thin(parsed):
        return ""
    return pronouns.first_back(parsed)


def options(question: str, candidates: Sequence[EvidenceChunk]) -> list[str]:
    """Return what a question could be about: the headings over what would answer it, best first."""
    wanted = extraction.wanted(question)
    found = [
        _label(passage.heading) or _label(passage.chunk.title)
        for passage in extraction.passages(candidates)
        if extraction.fits(wanted, passage.text) and _speaks(question, passage.text)
    ]
    named = [
        _label(each.place.headings[-1] if each.place.headings else each.title)
        for each in candidates
    ]
    return list(dict.fromkeys(filter(None, [*found, *named])))[:MOST_OPTIONS]


def _speaks(question: str, text: str) -> bool:
    return not set(terms(question)).isdisjoint(terms(text))


def _label(text: str) -> str:
    """Return a heading without its number; nothing where it is too long for a choice."""
    flat = " ".join(text.lstrip("# ").lstrip(_NUMBERING).split())
    return flat if len(flat) <= OPTION_CHARS else ""
