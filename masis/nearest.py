"""The sentence or two of a draft that come nearest to its question, to be read beside a question back."""

from collections.abc import Mapping, Sequence
from typing import Final

from masis import citations, extraction
from masis.claims import Claim
from masis.domain import Citation, EvidenceChunk
from masis.lexical import terms
from masis.question_parts import asking

MOST_STATEMENTS: Final = 2
MOST_CHARS: Final = 600
"""Of both together; the rest is a click away."""
LEAST_SHARED: Final = 0.20
"""The share of the question that a statement must speak of to be near to it."""
IN_HEADINGS: Final = 0.5
"""What a word in the headings over a statement counts of one in it."""
RIGHT_KIND: Final = 0.2
"""What it counts, as a share of the question, that a statement has a figure, a date or a name where one
is asked for. With it 24 of 34 right drafts that did not pass have their answer in the two statements
(sample and handbook), without it 18."""


def statements(question: str, draft: str, evidence: Sequence[EvidenceChunk]) -> list[int]:
    """Return which claims of a draft come nearest, by their places in it; none where none is near."""
    by_id = {chunk.chunk_id: chunk for chunk in evidence}
    told, stated = " ".join(asking(question)), citations.claims(draft)
    near = {
        place: _nearness(told, claim, by_id)
        for place, claim in enumerate(stated)
        if any(name in by_id for name in claim.ids)
    }
    ranked = sorted((p for p in near if near[p] >= LEAST_SHARED), key=lambda p: -near[p])
    shown: list[int] = []
    for place in ranked[:MOST_STATEMENTS]:
        if sum(len(stated[each].text) for each in [*shown, place]) <= MOST_CHARS:
            shown.append(place)
    return sorted(shown)


def numbered(places: Sequence[int], draft: str, sources: Sequence[Citation]) -> list[str]:
    """The claims at these places of a draft, each with the numbers of its sources."""
    numbers = {source.chunk_id: source.n for source in sources}
    stated = citations.claims(draft) if places else []
    return [_with_numbers(stated[place], numbers) for place in places if place < len(stated)]


def _with_numbers(claim: Claim, numbers: Mapping[str, int]) -> str:
    marks = "".join(f"[{numbers[name]}]" for name in claim.ids if name in numbers)
    return f"{claim.text} {marks}"


def _nearness(question: str, claim: Claim, by_id: Mapping[str, EvidenceChunk]) -> float:
    asked, said = set(terms(question)), set(terms(claim.text))
    above = {
        term for name in claim.ids if name in by_id for term in terms(by_id[name].context)
    } - said
    shared = len(asked & said) + IN_HEADINGS * len(asked & above)
    fits = extraction.fits(extraction.wanted(question), claim.text)
    return shared / len(asked) + RIGHT_KIND * fits if shared else 0.0
