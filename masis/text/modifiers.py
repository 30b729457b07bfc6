"""Tell kinds of one thing apart by the word in front of it: "call-out leave" is no "annual leave"."""

import re
from typing import Final

from masis.text.lexical import terms
from masis.words.plain_words import PLAIN_WORDS

_WORD: Final = re.compile(r"[^\W\d_][\w'’-]*")
_NO_KIND: Final = frozenset(
    [
        "the",
        "a",
        "an",
        "this",
        "that",
        "these",
        "those",
        "each",
        "every",
        "all",
        "any",
        "no",
        "some",
        "our",
        "your",
        "their",
        "his",
        "her",
        "its",
        "my",
        "own",
        "of",
        "for",
        "in",
        "on",
        "at",
        "by",
        "to",
        "from",
        "with",
        "and",
        "or",
        "but",
        "per",
        "as",
        "than",
        "not",
        "only",
        "about",
        "up",
        "over",
        "under",
        "between",
        "within",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "has",
        "have",
        "had",
        "do",
        "does",
        "did",
        "will",
        "would",
        "can",
        "could",
        "may",
        "must",
        "shall",
        "should",
        "more",
        "most",
        "less",
        "least",
        "much",
        "many",
        "few",
        "several",
        "other",
        "another",
        "same",
        "such",
        "both",
        "either",
        "which",
        "what",
        "whose",
        "approved",
        "agreed",
        "current",
        "present",
        "new",
        "old",
        "full",
        "total",
        "whole",
        "standard",
        "normal",
        "usual",
        "general",
        "overall",
        "first",
        "second",
        "third",
        "last",
        "next",
        "final",
        "main",
        "basic",
        "actual",
        "former",
        "previous",
        "original",
        "revised",
        "updated",
        "stated",
        "maximum",
        "minimum",
        "average",
        "exact",
        "entire",
        "extra",
        "additional",
        "remaining",
        "paid",
        "unpaid",
    ]
)
"""In front of a thing these say how much, whose or in which state, not of which kind it is."""


def kinds_of(term: str, text: str) -> frozenset[str]:
    """Return the terms of the words that stand right in front of a term and say of which kind it is.

    Both words of "call-out leave" are one; a term that stands alone somewhere has no kind there.
    """
    found: set[str] = set()
    before = ""
    end = 0
    for match in _WORD.finditer(text):
        word = match[0]
        if term in terms(word):
            beside = text[end : match.start()].strip() == ""
            own = terms(before) if before and beside and _says_a_kind(before) else []
            if not own:
                return frozenset()
            found.add(own[-1])
        before, end = word, match.end()
    return frozenset(found)


def _says_a_kind(word: str) -> bool:
    lower = word.lower()
    return lower not in _NO_KIND and (lower not in PLAIN_WORDS or "-" in lower)


def other_kinds(asked: str, one: str, other: str, shared: frozenset[str]) -> bool:
    """Tell whether two statements speak of different kinds of a thing that is asked about.

    Also where both speak of one kind, and the question of another.
    """
    for term in shared:
        wanted, ours, theirs = (kinds_of(term, text) for text in (asked, one, other))
        if not (ours and theirs):
            continue
        if ours.isdisjoint(theirs):
            return True
        if wanted and wanted.isdisjoint(ours | theirs) and not _has(wanted, one, other):
            return True
    return False


def _has(wanted: frozenset[str], one: str, other: str) -> bool:
    return not wanted.isdisjoint([*terms(one), *terms(other)])
