"""The statements of a draft that come nearest to its question, to be read beside a question back."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple, Protocol

from masis.answering import citations
from masis.answering.claims import Claim
from masis.domain import Citation, CitationAudit, EvidenceChunk, is_attached
from masis.phrases import asked_matters, definitions, held_roles
from masis.questions.question_parts import asking_clauses
from masis.retrieval import extraction, succession
from masis.text import instructions
from masis.text.grammars import tenses
from masis.text.lexical import terms

MOST_STATEMENTS: Final = 2
MOST_CHARS: Final = 600
"""Of all together; the rest is a click away."""
MOST_BESIDE: Final = 300
"""Of one that has another beside it; a longer one stands alone."""
LEAST_SHARED: Final = 0.20
"""The share of the question that a statement must speak of to be near to it."""
LEAST_BESIDE: Final = 0.80
"""What the second must have of the nearness of the first, where that is measured."""
IN_HEADINGS: Final = 0.5
"""What a word in the headings over a statement counts of one in it."""
RIGHT_KIND: Final = 0.2
"""What it counts, as a share of the question, that a statement has a figure, a date or a name where one
is asked for. With it 24 of 34 right drafts that did not pass have their answer in the two statements
(sample and handbook), without it 18."""


_ROLE: Final = re.compile(
    r"\b(?:manager|director|officer|teams?|lead(?:er)?|head|supervisor|adviser|engineers?|desk|reception|people|"
    r"you|nobody|anyone|everyone|staff|board|HR|IT)\b"
)
"""Who may be meant without a name."""


class Measured(NamedTuple):
    """How near each claim of a draft comes to its question, by a reader of both.

    `is_whole` where all of the draft is what was asked for: the summary of the document that is named,
    the rows of what is to be listed, the two sides of a comparison.
    """

    nearness: Sequence[float]
    is_whole: bool = False


class Measure(Protocol):
    """Measures how near claims come to a question."""

    async def of(
        self, question: str, stated: Sequence[Claim], evidence: Sequence[EvidenceChunk]
    ) -> Measured | None:
        """One number a claim, in order; None where nobody can read."""
        ...


class Nearest(NamedTuple):
    """Hold which claims of a draft come nearest, by their places in it.

    `share` is that of the question's words that the nearest and the headings over it have; `nearness`
    is how near it comes, None where that was not measured.
    """

    places: list[int]
    share: float
    nearness: float | None = None
    is_whole: bool = False


def statements(
    question: str,
    draft: str,
    evidence: Sequence[EvidenceChunk],
    measured: Measured | None = None,
) -> Nearest:
    """Find the claims of a draft that come nearest to its question; none where none is near.

    Without a measure those are near that have words of the question.
    """
    by_id = {chunk.chunk_id: chunk for chunk in evidence}
    told, stated = " ".join(asking_clauses(question)), citations.claims(draft)
    cited = {p: c for p, c in enumerate(stated) if any(name in by_id for name in c.ids)}
    # What an older version says stands below the one in force in a draft, and told as such.
    older = succession.older_versions(evidence)
    in_force = {p: c for p, c in cited.items() if not _documents(c, by_id) <= older.keys()}
    past, years = tenses.asks_of_the_past(told), extraction.years(told)
    fits = {
        p: c
        for p, c in in_force.items()
        if not (past and tenses.is_to_come(c.text)) and not _of_other_years(years, c.text)
    }
    shares = {p: _shared(told, c, by_id) for p, c in (fits or in_force or cited).items()}
    if measured is not None:
        headed = {p for p in shares if _is_headed(told, stated[p], by_id)}
        # What comes with the question is what it is about.
        headed |= {p for p in shares if all(map(is_attached, _documents(stated[p], by_id)))}
        found = _measured(
            told,
            draft,
            stated,
            dict.fromkeys(shares, 0.0) | dict.fromkeys(headed, RIGHT_KIND),
            measured,
        )
        # Of a case that is told before the question the words count, too.
        said = [_shared(question, stated[p], by_id) for p in found.places]
        return found._replace(share=min(1.0, max(said, default=0.0)))
    kind = extraction.wanted(told)
    near = {
        place: share + RIGHT_KIND * extraction.fits(kind, stated[place].text)
        for place, share in shares.items()
        if share
    }
    ranked = sorted((p for p in near if near[p] >= LEAST_SHARED), key=lambda p: -near[p])
    shown = _fitting(ranked[:MOST_STATEMENTS], stated)
    return Nearest(sorted(shown), min(1.0, shares[shown[0]]) if shown else 0.0)


def _measured(
    told: str,
    draft: str,
    stated: Sequence[Claim],
    places: Mapping[int, float],
    measured: Measured,
) -> Nearest:
    """The claims that a reader found nearest, a list with all of it that there is room for.

    `places` has for each claim that counts what else speaks for it.
    """
    kind = extraction.wanted(told)
    where, to_do = instructions.asks_where(told), instructions.asks_what_to_do(told)
    contact, name = instructions.asks_contact(told), definitions.thing(told)
    is_how_to = extraction.asks_how_to(told)
    steps = {p for each in _lists(draft, len(stated)) for p in each} if is_how_to else set()
    if kind == "person":
        places = {p: more for p, more in places.items() if _tells_who(told, stated[p].text)}
    near = {
        place: measured.nearness[place]
        + beforehand
        + RIGHT_KIND * (place in steps)
        + RIGHT_KIND * extraction.fits(kind, stated[place].text)
        + RIGHT_KIND * (to_do and instructions.instructs(stated[place].text))
        + RIGHT_KIND * (contact and instructions.gives_contact(stated[place].text))
        + RIGHT_KIND * (bool(name) and definitions.says_what(name, stated[place].text))
        - RIGHT_KIND * (where and instructions.forbids(stated[place].text))
        for place, beforehand in places.items()
    }
    if not near:
        return Nearest([], 0.0)
    ranked = sorted(near, key=lambda p: -near[p])
    beside = [p for p in ranked[:MOST_STATEMENTS] if near[p] >= LEAST_BESIDE * near[ranked[0]]]
    shown = _fitting(beside, stated)
    if not shown:
        return Nearest([], 0.0)
    first = shown[0]
    listed = [p for p in _listed(told, draft, stated, first, measured) if p in near]
    told_of = listed if first in listed else sorted(shown)
    return Nearest(told_of, 0.0, near[first], measured.is_whole)


def _tells_who(told: str, text: str) -> bool:
    """Tell whether a claim names somebody, or a role or desk that does it."""
    return held_roles.names_somebody(text, terms(told)) or _ROLE.search(text) is not None


def _listed(
    told: str, draft: str, stated: Sequence[Claim], first: int, measured: Measured
) -> list[int]:
    """The list that the nearest claim is an item of, as far as there is room; none for one fact.

    Of a draft that is what was asked for as a whole it is all of it.
    """
    if measured.is_whole:
        return _within(range(len(stated)), stated)
    if not (extraction.asks_for_list(told) or extraction.asks_how_to(told)):
        return []
    return next((_within(each, stated) for each in _lists(draft, len(stated)) if first in each), [])


def _lists(draft: str, claims: int) -> list[range]:
    """The places of the claims of each list of a draft."""
    paragraphs = draft.split("\n\n")
    counts = [len(citations.claims(paragraph)) for paragraph in paragraphs]
    ends = [0, *accumulate(counts)]
    if ends[-1] != claims:
        return []
    return [
        range(start, end)
        for (start, end), paragraph in zip(pairwise(ends), paragraphs, strict=True)
        if paragraph.splitlines()[-1:] and paragraph.splitlines()[-1].startswith("- ")
    ]


def _within(places: Sequence[int], stated: Sequence[Claim]) -> list[int]:
    """The first of them for which there is room together."""
    ends = accumulate(len(stated[place].text) for place in places)
    return [place for place, end in zip(places, ends, strict=True) if end <= MOST_CHARS]


def _of_other_years(asked: Collection[str], text: str) -> bool:
    """Say whether years are asked for, and a claim tells of others alone."""
    told = extraction.years(text)
    return bool(asked and told) and told.isdisjoint(asked)


def _is_headed(told: str, claim: Claim, by_id: Mapping[str, EvidenceChunk]) -> bool:
    """Say whether what a claim cites stands under the name of what is asked about."""
    sources = (by_id[name] for name in claim.ids if name in by_id)
    return any(asked_matters.is_headed(told, chunk.place.headings) for chunk in sources)


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
