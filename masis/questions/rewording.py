"""Choose which wording of a question is searched.

It is the typed one, unless another finds what is nearer to it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from masis.domain import EvidenceChunk, SearchResult, WorkspaceId
from masis.questions.question_parts import ASKING
from masis.text.lexical import terms
from masis.words.compounds import stand_together
from masis.words.wording import Other, Wording

LOOKED_AT: Final = 3
"""Candidates in which the words of another wording are looked for."""
LEAD: Final = 0.06
"""By how much another wording must be nearer to what it finds than the typed one: a synonym counts less
than the word itself. One for a word that no document has needs no lead, and one for a phrase that means
one thing may be so much further."""

Search = Callable[[str], Awaitable[SearchResult]]


class Rewording(Protocol):
    """Words a question anew."""

    async def of(self, workspace_id: WorkspaceId, question: str) -> Wording:
        """Return how a question is to be searched in a workspace."""
        ...


async def best(wording: Wording, search: Search) -> tuple[Wording, SearchResult]:
    """Search all wordings of a question, and return the best with what it found."""
    first, *others = await asyncio.gather(
        search(wording.text), *(search(other.text) for other in wording.others)
    )
    chosen, found = Wording(text=wording.text, searched_for=wording.searched_for), first
    for other, result in zip(wording.others, others, strict=True):
        lead = 0.0 if other.unknown else LEAD
        lead = -LEAD if other.paraphrased else lead
        if _nearest(result) > _nearest(found) + lead and _is_found(other, result.candidates):
            chosen, found = wording.instead(other), result
    return chosen, found


def _nearest(result: SearchResult) -> float:
    return max((chunk.nearness for chunk in result.candidates), default=0.0)


def _is_found(other: Other, candidates: Sequence[EvidenceChunk]) -> bool:
    return all(_has(phrase, other, candidates[:LOOKED_AT]) for phrase in other.needs)


def _has(phrase: str, other: Other, best: Sequence[EvidenceChunk]) -> bool:
    """Whether a phrase is among the best, together, and a single word not only by chance.

    One word has many uses: where the question has other words, one of them must stand beside it, and
    where it has none, a passage must stand under it. Where no document has the typed word, what stands
    for it is enough beside others.
    """
    texts = [f"{chunk.context}\n{chunk.text}" for chunk in best]
    if len(terms(phrase)) == 1:
        beside = set(terms(other.text)).difference(terms(phrase), ASKING)
        if not beside:
            texts = [f"{chunk.title}\n{chunk.context}" for chunk in best]
        elif not other.unknown:
            texts = [text for text in texts if not beside.isdisjoint(terms(text))]
    return any(stand_together(phrase, text) for text in texts)
