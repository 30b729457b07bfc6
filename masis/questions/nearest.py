"""The sentence or two of a draft that come nearest to its question, to be read beside a question back."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from masis.answering import citations
from masis.answering.claims import Claim
from masis.domain import Citation, CitationAudit, EvidenceChunk
from masis.questions.question_parts import asking
from masis.retrieval import extraction, succession
from masis.text.lexical import terms

MOST_STATEMENTS: Final = 2
MOST_CHARS: Final = 600
"""Of both together; the rest is a click away."""
MOST_BESIDE: Final = 300
"""Of one that has another beside it; a longer one stands alone."""
LEAST_SHARED: Final = 0.20
"""The share of the question that a statement must speak of to be near to it."""
IN_HEADINGS: Final = 0.5
"""What a word in the headings over a statement counts of one in it."""
RIGHT_KIND: Final = 0.2
"""What it counts, as a share of the question, that a statement has a figure, a date or a name where one
is asked for. With it 24 of 34 right drafts that did not pass have their answer in the two statements
(sample and handbook), without it 18."""


class Nearest(NamedTuple):
    """Which claims of a draft come nearest, by their places in it.

    `share` is that of the question's words that the nearest and the headings over it have.
    """

    places: list[int]
    share: float


def statements(question: str, draft: str, evidence: Sequence[EvidenceChunk]) -> Nearest:
    """Find the claims of a draft that come nearest to its question; none where none is near."""
    by_id = {chunk.chunk_id: chunk for chunk in evidence}
    told, stated = " ".join(asking(question)), citations.claims(draft)
    cited = {p: c for p, c in enumerate(stated) if any(name in by_id for name in c.ids)}
    # What an older version says stands below the one in force in a draft, and told as such.
    older = succession.older_versions(evidence)
    in_force = {p: c for p, c in cited.items() if not _documents(c, by_id) <= older.keys()}
    shares = {p: _shared(told, c, by_id) for p, c in (in_force or cited).items()}
    kind = extraction.wanted(told)
    near = {
        place: share + RIGHT_KIND * extraction.fits(kind, stated[place].text)
        for place, share in shares.items()
        if share
    }
    ranked = sorted((p for p in near if near[p] >= LEAST_SHARED), key=lambda p: -near[p])
    shown = _fitting(ranked[:MOST_STATEMENTS], stated)
    return Nearest(sorted(shown), min(1.0, shares[shown[0]]) if shown else 0.0)


def _documents(claim: Claim, by_id: Mapping[str, EvidenceChunk]) -> set[str]:
    return {by_id[name].document_id for name in claim.ids if name in by_id}


def _fitting(ranked: Sequence[int], stated: Sequence[Claim]) -> list[int]:
    """The first of them that is short enough to be shown, and the next one where both are brief."""
    short = [place for place in ranked if len(stated[place].text) <= MOST_CHARS]
    together = all(len(stated[place].text) <= MOST_BESIDE for place in short)
    return short if together else short[:1]


def borne_out(places: Sequence[int], draft: str, audit: CitationAudit) -> list[int]:
    """Those of the places whose claim is what its source says."""
    unsupported = tuple(claim.sentence for claim in audit.unsupported)
    stated = citations.claims(draft) if places else []
    kept = [place for place in places if place < len(stated)]
    return [place for place in kept if not stated[place].text.startswith(unsupported)]


def numbered(places: Sequence[int], draft: str, sources: Sequence[Citation]) -> list[str]:
    """The claims at these places of a draft, each with the numbers of its sources."""
    numbers = {source.chunk_id: source.n for source in sources}
    stated = citations.claims(draft) if places else []
    return [_with_numbers(stated[place], numbers) for place in places if place < len(stated)]


def _with_numbers(claim: Claim, numbers: Mapping[str, int]) -> str:
    marks = "".join(f"[{numbers[name]}]" for name in claim.ids if name in numbers)
    return f"{claim.text} {marks}"


def _shared(question: str, claim: Claim, by_id: Mapping[str, EvidenceChunk]) -> float:
    asked, said = set(terms(question)), set(terms(claim.text))
    above = {
        term for name in claim.ids if name in by_id for term in terms(by_id[name].context)
    } - said
    return (len(asked & said) + IN_HEADINGS * len(asked & above)) / max(1, len(asked))
