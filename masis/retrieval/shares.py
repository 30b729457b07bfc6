"""Put searches of several documents together, so that each that was named has its share."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from masis.domain import EvidenceChunk, Narrowed, SearchResult


def together(found: Sequence[SearchResult], limit: int) -> SearchResult:
    """Return at most `limit` candidates of several searches in turns, the best of each first."""
    first = found[0]
    reranked = [each.reranked for each in found if each.reranked is not None]
    return first.model_copy(
        update={
            "candidates": list(_round_robin([each.candidates for each in found]))[:limit],
            "introduction": [chunk for each in found for chunk in each.introduction],
            "lexical_only": any(each.lexical_only for each in found),
            "timings": {
                name: sum(e.timings.get(name, 0.0) for e in found) for name in first.timings
            },
            "narrowed": _narrowed([each.narrowed for each in found if each.narrowed]),
            "reranked": all(reranked) if reranked else None,
        }
    )


def _round_robin(rankings: Sequence[Sequence[EvidenceChunk]]) -> Iterator[EvidenceChunk]:
    seen: set[str] = set()
    for rank in zip_longest(*rankings):
        for chunk in rank:
            if chunk is not None and chunk.chunk_id not in seen:
                seen.add(chunk.chunk_id)
                yield chunk


def _narrowed(each: Sequence[Narrowed]) -> Narrowed | None:
    if not each:
        return None
    return Narrowed(
        filters=" ".join(dict.fromkeys(one.filters for one in each)),
        documents=sum(one.documents for one in each),
        undated=max(one.undated for one in each),
        unknown=[unknown for one in each for unknown in one.unknown],
        unread=list(dict.fromkeys(text for one in each for text in one.unread)),
    )
