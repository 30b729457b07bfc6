"""Do two passages answer a question differently?

Pure and lexical: it compares the figures, moments, names or places that two sentences of different
documents give. It sees a number against another number, not a yes against a no.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from masis import answers, lexical, namesakes, predicates, scope
from masis.answers import Asked, Value
from masis.extraction import Scored
from masis.predicates import Description

NEAR_BEST: Final = 0.80
"""A sentence counts that reaches this share of the best score: a weaker one answers something else."""
SAME_SUBJECT: Final = 0.55
"""It must hold this share of the question's weighted terms (heading included)."""
BARE_FLOOR: Final = 0.40
"""Or it holds all of them but the subject's, which stand elsewhere in its chunk ("The population is
4,411."), and reaches this share of the best score."""
VERY_NEAR: Final = 0.70
"""Or it is this near by meaning, as where the question has a word misspelt."""
ALIKE: Final = 0.50
"""Or it says the same as another sentence but for the figure: this share of their words is in both.
Such a pair may miss words of the question ("P1" for "Priority 1")."""
ALIKE_SUBJECT: Final = 0.30
ALIKE_FLOOR: Final = 0.50
SAME_TERMS: Final = 0.80
"""Of the question's terms that either holds, both must hold this share: else each answers
another part of it."""
SAME_TERMS_NEAR: Final = 0.70
"""Or this share, where both are very near to the question."""
NEAR_ENOUGH: Final = 0.55
"""The cosine that a sentence needs to be one of two that disagree about a name or a place:
further away, different people with different duties are soon told for one (where vectors are)."""
LOOKED_AT: Final = 40
MAX_DESCRIBING: Final = 200
"""Characters of a sentence that says what something is; in a longer one the noun is soon another's."""
MAX_CHARS: Final = 350
"""A longer sentence is the debris of a page, where any two values may stand side by side."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """A sentence that answers. `holds` are the question's terms in it and around it."""

    scored: Scored
    values: list[Value]
    holds: frozenset[str]
    words: frozenset[str]
    alone: bool
    """Whether it answers by itself, and not only as the twin of another sentence."""

    @property
    def document(self) -> str:
        return self.scored.passage.chunk.document_id


def conflicts(question: str, scored: Sequence[Scored]) -> list[tuple[Scored, Scored]]:
    """Pairs of passages of different documents that answer the question differently, best first."""
    asked = answers.asked(question)
    if asked is None or not scored:
        return []
    claims = list(_claims(question, asked, scored))
    found = [
        (one.scored, other.scored)
        for one, other in combinations(claims, 2)
        if one.document != other.document
        and answers.differ(one.values, other.values)
        and _comparable(asked, one, other)
        and not _apart(asked, one, other, question)
        and not _of_other_things(asked, one, other)
        and not _agree(asked, one, other, claims)
    ]
    return found or namesakes.pairs(question, scored)


def _claims(question: str, asked: Asked, scored: Sequence[Scored]) -> Iterator[_Claim]:
    ranked = sorted(scored, key=lambda s: -s.score)[:LOOKED_AT]
    has_vectors = any(one.cosine > 0 for one in ranked)
    for one in ranked:
        if asked.kind in {"name", "place"} and has_vectors and one.cosine < NEAR_ENOUGH:
            continue
        share = one.score / (ranked[0].score or 1.0)
        alone = _answers_alone(asked, one, share)
        near = one.coverage >= ALIKE_SUBJECT or one.cosine >= NEAR_ENOUGH
        twin = share >= ALIKE_FLOOR and near
        text = one.passage.text
        if not (alone or twin) or len(text) > MAX_CHARS:
            continue
        values = answers.given(asked, scope.narrowed(text, question))
        if values and not (isinstance(values[0], Description) and len(text) > MAX_DESCRIBING):
            words = _besides(values, frozenset(lexical.terms(text)))
            yield _Claim(one, values, _holds(asked, one), words, alone)


def _besides(values: Sequence[Value], words: frozenset[str]) -> frozenset[str]:
    """The words of a sentence without those that are the answer: it is about these that two differ."""
    names = frozenset[str]().union(*(v.terms for v in values if isinstance(v, answers.Name)))
    kinds = frozenset[str]().union(*(v.words for v in values if isinstance(v, Description)))
    return frozenset(word for word in words - names if predicates.family(word) not in kinds)


def _answers_alone(asked: Asked, one: Scored, share: float) -> bool:
    """Whether a sentence holds the question's terms, or all of them but the subject's."""
    if share >= NEAR_BEST and (one.coverage >= SAME_SUBJECT or one.cosine >= VERY_NEAR):
        return True
    rest = asked.terms - asked.subject
    return (
        share >= BARE_FLOOR
        and bool(rest and asked.subject)
        and one.covers.keys() >= rest
        and asked.subject <= _around(one)
    )


def _around(one: Scored) -> frozenset[str]:
    chunk = one.passage.chunk
    return frozenset(lexical.terms(f"{chunk.context} {chunk.title} {chunk.text}"))


def _holds(asked: Asked, one: Scored) -> frozenset[str]:
    """The question's terms in a sentence and its headings, and the subject's in its chunk."""
    passage = one.passage
    near = lexical.terms(f"{passage.chunk.context} {passage.heading} {passage.lead} {passage.text}")
    return (asked.terms & frozenset(near)) | (asked.subject & _around(one))


def _comparable(asked: Asked, one: _Claim, other: _Claim) -> bool:
    """Both speak of the same: of the same terms of the question, and not of different years."""
    shared, either = one.holds & other.holds, one.holds | other.holds
    if not _of_one_subject(asked, one, other):
        return False
    both_near = min(claim.scored.cosine for claim in (one, other)) >= VERY_NEAR
    least = SAME_TERMS_NEAR if both_near else SAME_TERMS
    if len(shared) < min(2, len(asked.terms)) or len(shared) < least * len(either):
        return False
    if not (one.alone and other.alone) and not _alike(one, other):
        return False
    return True


def _of_one_subject(asked: Asked, one: _Claim, other: _Claim) -> bool:
    """Whether both hold the same words of the subject, and a code of it at all ("TX50")."""
    named = asked.subject - asked.period
    codes = {term for term in named if any(map(str.isdigit, term))}
    return not (one.holds ^ other.holds) & named and codes <= one.holds


def _apart(asked: Asked, one: _Claim, other: _Claim, question: str) -> bool:
    """Whether they speak of different times; of when something is, that is the answer itself."""
    ours, theirs = (_scope(question, claim) for claim in (one, other))
    if asked.kind in {"moment", "name", "place"}:
        return ours.expected != theirs.expected
    return scope.apart(ours, theirs, question)


def _of_other_things(asked: Asked, one: _Claim, other: _Claim) -> bool:
    """Whether their titles, headings or sentences tell them apart: "Leave in Spain", "Leave in Peru"."""
    ours, theirs = (claim.scored.passage for claim in (one, other))
    titles = zip((ours.chunk.title, ours.heading), (theirs.chunk.title, theirs.heading), strict=True)
    return any(scope.of_other_names(*pair) for pair in titles) or _of_other_names(asked, one, other)


def _of_other_names(asked: Asked, one: _Claim, other: _Claim) -> bool:
    """Whether two sentences are the same but for what they give and for names."""
    ours, theirs = (
        {word for word in scope.timeless(claim.words) - asked.terms if word.isalpha()}
        for claim in (one, other)
    )
    left = (ours - theirs, theirs - ours)
    return all(left) and all(
        scope.is_name_in(claim.scored.passage.text, word)
        for claim, words in zip((one, other), left, strict=True)
        for word in words
    )


def _scope(question: str, claim: _Claim) -> scope.Scope:
    passage = claim.scored.passage
    return scope.of(
        scope.narrowed(passage.text, question), passage.heading, passage.chunk, question
    )


def _alike(one: _Claim, other: _Claim) -> bool:
    """Whether they say the same, figures aside."""
    ours, theirs = (
        {word for word in claim.words if not any(map(str.isdigit, word))} for claim in (one, other)
    )
    return len(ours & theirs) >= ALIKE * len(ours | theirs)


def _agree(asked: Asked, one: _Claim, other: _Claim, claims: Sequence[_Claim]) -> bool:
    """Whether another sentence of one of the documents gives what the other document gives.

    Not of figures: documents hold many, and two of them are soon the same.
    """
    if asked.kind == "figure" and not any(isinstance(v, Description) for v in one.values):
        return False
    if any(_mentions(ours, theirs) for ours, theirs in ((one, other), (other, one))):
        return True
    return any(
        answers.agree(ours.values, theirs.values)
        for ours in claims
        for theirs in claims
        if ours.document == one.document and theirs.document == other.document
    )


def _mentions(one: _Claim, other: _Claim) -> bool:
    """Whether the chunk of one says somewhere what the other says that the thing is."""
    heads = {
        head for value in other.values if isinstance(value, Description) for head in value.heads
    }
    chunk = one.scored.passage.chunk
    return bool(heads) and not heads.isdisjoint(
        predicates.families(f"{chunk.context} {chunk.text}")
    )
