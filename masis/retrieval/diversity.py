"""Room for other documents: of chunks of one document that are near-equal only a few stand in front."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from masis.domain import EvidenceChunk
from masis.text.lexical import terms

MOST_ALIKE: Final = 3
"""Near-equal chunks of a document that stand in front. With 2 to 4 nothing that answers is lost on the
sample and the handbook (108 questions: the same 45 and 44 have their words among the first ten), nor with
one alone; three leave room for a table that goes on over three chunks."""
ALIKE: Final = 0.5
"""The Jaccard similarity of their terms from which chunks are near-equal. At 0.35 three questions more
have another first ten, none of them a better one."""


@dataclass(slots=True)
class _Group:
    """Near-equal chunks of a document: the terms of the first, and how many there are."""

    terms: frozenset[str]
    count: int = 1


@dataclass(slots=True)
class _Seen:
    """The groups of one document."""

    groups: list[_Group] = field(default_factory=list)

    def crowds(self, chunk: EvidenceChunk, most: int, alike: float) -> bool:
        """Say whether enough chunks like this one stand before it, and count it."""
        found = frozenset(terms(chunk.text))
        for group in self.groups:
            both = len(found & group.terms)
            if both >= alike * (len(found) + len(group.terms) - both):
                group.count += 1
                return group.count > most
        self.groups.append(_Group(found))
        return False


def diverse(
    chunks: Sequence[EvidenceChunk], *, most: int = MOST_ALIKE, alike: float = ALIKE
) -> list[EvidenceChunk]:
    """The same chunks, those behind that repeat the form of `most` others of their document.

    Two are near-equal from a Jaccard similarity of their terms of `alike` on: rows of one table,
    forms filled in, sections of one template.
    """
    seen: dict[str, _Seen] = defaultdict(_Seen)
    crowding = [seen[chunk.document_id].crowds(chunk, most, alike) for chunk in chunks]
    front = [chunk for chunk, behind in zip(chunks, crowding, strict=True) if not behind]
    return [*front, *(chunk for chunk, behind in zip(chunks, crowding, strict=True) if behind)]
