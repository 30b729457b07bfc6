"""Choose which wording of a question is searched.

It is the typed one, unless another finds what is nearer to it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
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

BESIDE: Final = 0.15
"""How much further another wording may be that still adds what it found, where no document has what was typed."""
MOST_BESIDE: Final = 2
"""Passages that it adds."""

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
    chosen, found = wording.model_copy(update={"others": []}), first
    for other, result in zip(wording.others, others, strict=True):
        if other.beside:
            continue
        lead = 0.0 if other.unknown else LEAD
        lead = -LEAD if other.paraphrased else lead
        if _nearest(result) > _nearest(found) + lead and _is_found(other, result.candidates):
            chosen, found = wording.instead(other), result
    if found is not first:
        return chosen, found
    pairs = zip(wording.others, others, strict=True)
    return chosen, _with(first, (pair for pair in pairs if pair[0].unknown or pair[0].beside))


def _with(first: SearchResult, others: Iterable[tuple[Other, SearchResult]]) -> SearchResult:
    """What was found, with the best passages in force that speak of it in the documents' own words."""
    least = _nearest(first) - BESIDE
    held = {chunk.chunk_id for chunk in first.candidates}
    added = [
        chunk
        for other, result in others
        if _is_found(other, result.candidates)
        for chunk in [each for each in result.candidates if not each.replaced_by][:LOOKED_AT]
        if chunk.chunk_id not in held
        and chunk.nearness >= least
        and any(_has(phrase, other, [chunk]) for phrase in other.needs)
    ]
    distinct = list({chunk.chunk_id: chunk for chunk in added}.values())[:MOST_BESIDE]
    if not distinct:
        return first
    return first.model_copy(update={"candidates": [*first.candidates, *distinct]})


def _nearest(result: SearchResult) -> float:
    """How near the nearest comes that is in force."""
    in_force = (chunk.nearness for chunk in result.candidates if not chunk.replaced_by)
    return max(in_force, default=0.0)


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
