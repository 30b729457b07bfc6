"""Find which document of the evidence is an older version of which.

Pure and lexical. Two documents are versions of one when one says that it replaces the other, or when
both are rules of the same name, or have their version in it; the later date or the higher version is
the one in force.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Final

from masis.domain import EvidenceChunk
from masis.text import lexical

RULES: Final = frozenset(
    lexical.terms(
        "policy procedure handbook guide guideline manual rules regulation directive list"
    )
)
"""Of these the latest holds. Minutes, reports and forecasts stand beside each other."""
LEAST_NAME: Final = 2
"""Words of a name: "Policy" alone is no name."""
MAX_SENTENCE: Final = 300
"""Characters after "replaces" in which the older version is named."""

_REPLACES = re.compile(
    rf"\b(?:replac(?:es|ing)|supersed(?:es|ing)|in place of)\b([^.\n]{{1,{MAX_SENTENCE}}})",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    rf"\b(?:(?:replaced|superseded) by)\b([^.\n]{{1,{MAX_SENTENCE}}})", re.IGNORECASE
)
_VERSION = re.compile(
    r"\b(?:v|version|issue|revision|rev|draft)[ .]?(\d{1,3})(?!\d)", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_VERSION_WORDS: Final = frozenset(lexical.terms("v version issue revision rev draft"))


def older_versions(evidence: Sequence[EvidenceChunk]) -> dict[str, EvidenceChunk]:
    """The documents of the evidence that another one of it replaces, each with a chunk of that."""
    documents: dict[str, list[EvidenceChunk]] = {}
    for chunk in evidence:
        documents.setdefault(chunk.document_id, []).append(chunk)
    found = {
        (older, newer)
        for older, newer in permutations(documents, 2)
        if _replaces(documents[newer], documents[older])
    }
    # Those that claim to replace each other, two or in a ring, say nothing.
    return {
        older: documents[newer][0]
        for older, newer in sorted(found)
        if older not in _replacing(newer, found)
    }


def is_of_rules(title: str) -> bool:
    """Return whether a title is that of rules, of which one version holds at a time."""
    return not RULES.isdisjoint(lexical.terms(title))


def _replacing(document: str, found: Collection[tuple[str, str]]) -> set[str]:
    """Find what replaces a document, and what replaces that, and so on."""
    reached: set[str] = set()
    left = [document]
    while left:
        at = left.pop()
        following = {newer for older, newer in found if older == at} - reached
        reached |= following
        left.extend(following)
    return reached


def _replaces(newer: Sequence[EvidenceChunk], older: Sequence[EvidenceChunk]) -> bool:
    """Say whether one document takes the place of another.

    One that is known to be older never does.
    """
    later = _is_later(newer[0], older[0])
    if later is False:
        return False
    if _says(_REPLACES, newer, older[0]) or _says(_REPLACED, older, newer[0]):
        return True
    return later is True and _one_name(newer[0], older[0])


def _says(pattern: re.Pattern[str], told: Iterable[EvidenceChunk], named: EvidenceChunk) -> bool:
    """Say whether a document says the whole name of the other after such a word."""
    name = _name(named)
    return len(name) >= LEAST_NAME and any(
        name <= frozenset(lexical.terms(after))
        for chunk in told
        for after in pattern.findall(chunk.text)
    )


def _one_name(newer: EvidenceChunk, older: EvidenceChunk) -> bool:
    """Whether both are versions of one name, or rules of it to which the newer may have added words."""
    name = _name(older)
    if len(name) >= LEAST_NAME and name == _name(newer) and any(_versions(newer)):
        return any(_versions(older))
    return len(name) >= LEAST_NAME and not name.isdisjoint(RULES) and name <= _name(newer)


def _name(chunk: EvidenceChunk) -> frozenset[str]:
    """The terms of a title without what tells its version."""
    return frozenset(
        term
        for term in lexical.terms(chunk.title)
        if term not in _VERSION_WORDS and not any(map(str.isdigit, term))
    )


def _is_later(one: EvidenceChunk, other: EvidenceChunk) -> bool | None:
    """By date, else by version, else by the year in the name; None where nothing tells."""
    if one.date and other.date and one.date != other.date:
        return one.date > other.date
    for read in (_versions, _years):
        ours, theirs = (max(read(chunk), default=None) for chunk in (one, other))
        if ours is not None and theirs is not None and ours != theirs:
            return ours > theirs
    return None


def _named(chunk: EvidenceChunk) -> str:
    return f"{chunk.title} {chunk.document}".replace("_", " ").replace("-", " ")


def _versions(chunk: EvidenceChunk) -> Iterator[int]:
    return map(int, _VERSION.findall(_named(chunk)))


def _years(chunk: EvidenceChunk) -> Iterator[int]:
    return map(int, _YEAR.findall(_named(chunk)))


def settled(one: EvidenceChunk, other: EvidenceChunk, older: Mapping[str, EvidenceChunk]) -> bool:
    """Say whether one of two chunks is of an older version of the other's document."""
    pair = ((one, other), (other, one))
    return any(
        old.document_id in older and older[old.document_id].document_id == new.document_id
        for old, new in pair
    )
