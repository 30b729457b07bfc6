"""Find the passages of different documents that answer a question differently.

Pure and lexical: it compares the figures, moments, names, places or descriptions that two sentences
give, or whether they allow or deny; of one thing, one time and one kind alone. Where no two sentences
differ, the name in the question may still fit two different things.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final

from masis.extractive import answers, given_values, namesakes
from masis.extractive import statement_time as scope
from masis.extractive.answers import Asked, Value
from masis.extractive.statement_time import Scope
from masis.phrases import definitions
from masis.questions import calculations
from masis.retrieval import succession
from masis.retrieval.extraction import Passage, Scored
from masis.text import lexical, predicates
from masis.text.day_times import TimeOfDay, TimeSpan, on_other_days
from masis.text.predicates import Description
from masis.words.modifiers import other_kinds

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
LEAST_SAME: Final = 3
"""Of the words of two sentences that are the same but for what they give; such two may be far from
the question, as where one stands under a heading that asks it."""
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
DOUBTFUL_BEST: Final = 0.50
DOUBTFUL_SUBJECT: Final = 0.20
DOUBTFUL_COSINE: Final = 0.40
"""From these on a sentence may answer: not surely enough to ask back, but too likely for a High."""
LOOKED_AT: Final = 40
MAX_DESCRIBING: Final = 200
"""Characters of a sentence that says what something is; in a longer one the noun is soon another's."""
MAX_CHARS: Final = 350
"""A longer sentence is the debris of a page, where any two values may stand side by side."""

_ONE_OF_A_ROW: Final = re.compile(
    r"\b(?:next|upcoming|coming|following|last|latest|previous|recent)\b", re.IGNORECASE
)
"""What is asked for so is one of several in a row, of which each document tells its own."""

_OF_A_NAME: Final = 2
"""Words of the name of a thing: "notice period"."""
_TWO: Final = re.compile(r"(?=\b(\w+ \w+))")
_OF_IT: Final = re.compile(r"\w+ (?:of|for) (?:\w+ )?\w+")
"""How a name is said the other way round: "period of notice"."""

_OPENING: Final = frozenset(
    lexical.terms(
        "open opens opened opening close closes closed closing shut shuts start begin end finish"
    )
)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A sentence that answers. `holds` are the question's terms in it and around it."""

    scored: Scored
    values: list[Value]
    scope: Scope
    holds: frozenset[str]
    words: frozenset[str]
    """Its words without those that are the answer."""
    alone: bool
    """Whether it answers by itself, and not only as the twin of another sentence."""
    far: bool = False
    """Whether it counts only beside a sentence that is the same but for what it gives."""

    @property
    def document(self) -> str:
        return self.scored.passage.chunk.document_id


def conflicts(question: str, scored: Sequence[Scored]) -> list[tuple[Scored, Scored]]:
    """Pairs of passages of different documents that answer the question differently, best first.

    Without such a pair those that introduce different things of the question's name.
    """
    asked = answers.asked(question)
    if asked is None or not scored:
        return []
    if asked.kind == "moment" and _ONE_OF_A_ROW.search(question):
        return []
    claims = _priced(question, list(_claims(question, asked, scored)))
    found = [
        (one.scored, other.scored)
        for one, other in combinations(claims, 2)
        if one.document != other.document
        and answers.differ(one.values, other.values)
        and _comparable(asked, one, other)
        and not _apart(asked, question, one, other)
        and not _of_other_things(asked, one, other)
        and not _of_other_parts(question, one, other)
        and not _open_apart(asked, one, other)
        and not _of_other_kinds(asked, question, one, other)
        and not any(_scatters(question, claim) for claim in (one, other))
        and not _explain_no_code(question, one, other)
        and not _agree(asked, one, other, claims)
        and not _are_operands(question, one, other)
    ]
    return found or namesakes.pairs(question, scored)


def _priced(question: str, claims: list["_Claim"]) -> list["_Claim"]:
    """The claims that have a sum, where one is asked for and some have: 29 degrees are no other price."""
    if not given_values.asks_sum(question):
        return claims
    is_sum = calculations.AMOUNT_OF_MONEY.search
    return [each for each in claims if is_sum(each.scored.passage.text)] or claims


def _of_other_parts(question: str, one: "_Claim", other: "_Claim") -> bool:
    ours, theirs = (claim.scored.passage for claim in (one, other))
    around = (f"{ours.heading} {ours.chunk.title}", f"{theirs.heading} {theirs.chunk.title}")
    return namesakes.of_other_parts(question, ours.text, theirs.text, around)


def _open_apart(asked: Asked, one: "_Claim", other: "_Claim") -> bool:
    """Tell whether two statements give spans of time of two things, of which the question names neither."""
    if not _give_spans(one, other):
        return False
    ours, theirs = (
        frozenset(lexical.terms(given_values.subject(claim.scored.passage.text)))
        for claim in (one, other)
    )
    return bool(ours and theirs) and (ours | theirs).isdisjoint(asked.terms) and not ours & theirs


def _are_operands(question: str, one: "_Claim", other: "_Claim") -> bool:
    """Tell whether a calculation is asked for, of which neither of two statements gives the result."""
    said = [claim.scored.passage.text for claim in (one, other)]
    return calculations.is_asked_only(question, said)


def doubts(
    question: str, scored: Sequence[Scored], kept: Collection[str] | None = None
) -> list[tuple[Scored, Scored]]:
    """Pair the sentence that answers best with those that may answer otherwise, one a document.

    Of questions that name something alone, whose answers are about that if they are near at all.
    `kept` are the chunks that an answer is written from, where others were found besides: of those
    a sentence must be near to the question by meaning, or name what it asks about.
    """
    asked = answers.asked(question)
    if asked is None or not names_something(question):
        return []
    claims = [
        claim
        for claim in _likely(question, asked, scored)
        if _is_kept(claim, kept) or _is_about(asked, claim)
    ]
    best = next((claim for claim in claims if _is_kept(claim, kept)), None)
    if best is None:
        return []
    firsts = {claim.document: claim for claim in reversed(claims)}
    return [
        (best.scored, other.scored)
        for document, other in firsts.items()
        if document != best.document
        and answers.differ(best.values, other.values)
        and not _apart(asked, question, best, other)
        and not _share_a_value(claims, best, other)
    ]


def _is_kept(claim: _Claim, kept: Collection[str] | None) -> bool:
    return kept is None or claim.scored.passage.chunk.chunk_id in kept


def names_something(question: str) -> bool:
    """Return whether a question has a name, besides that of a period: nothing else is doubted."""
    asked = answers.asked(question)
    return asked is not None and bool(asked.subject - asked.period)


def _is_about(asked: Asked, claim: _Claim) -> bool:
    return claim.scored.cosine >= DOUBTFUL_COSINE or bool(asked.subject & claim.holds)


# --- the sentences that answer -------------------------------------------------------------


def _claims(question: str, asked: Asked, scored: Sequence[Scored]) -> Iterator[_Claim]:
    ranked = sorted(scored, key=lambda s: -s.score)[:LOOKED_AT]
    has_vectors = any(one.cosine > 0 for one in ranked)
    for one in ranked:
        is_far = has_vectors and asked.kind in {"name", "place"} and one.cosine < NEAR_ENOUGH
        share = one.score / (ranked[0].score or 1.0)
        alone = not is_far and _answers_alone(asked, one, share)
        if alone or _may_be_twin(one, share):
            yield from _claim(question, asked, one, alone=alone, far=is_far)


def _likely(question: str, asked: Asked, scored: Sequence[Scored]) -> Iterator[_Claim]:
    ranked = sorted(scored, key=lambda s: -s.score)[:LOOKED_AT]
    for one in ranked:
        is_near = one.coverage >= DOUBTFUL_SUBJECT or one.cosine >= DOUBTFUL_COSINE
        if one.score >= DOUBTFUL_BEST * ranked[0].score and is_near:
            yield from _claim(question, asked, one, alone=False)


def _claim(
    question: str, asked: Asked, one: Scored, *, alone: bool, far: bool = False
) -> Iterator[_Claim]:
    """The claim of a sentence, if it gives what is asked for and can be read for sure."""
    passage = one.passage
    if len(passage.text) > MAX_CHARS or _is_of_another_code(question, passage):
        return
    text = scope.narrowed(passage.text, question)
    values = answers.given(asked, text)
    describes = any(isinstance(value, Description) for value in values)
    if not values or (describes and len(text) > MAX_DESCRIBING):
        return
    yield _Claim(
        scored=one,
        values=values,
        scope=scope.of(text, passage.heading, passage.chunk, question),
        holds=_holds(asked, one),
        words=_besides(values, frozenset(lexical.terms(passage.text))),
        alone=alone,
        far=far,
    )


def _is_of_another_code(question: str, passage: Passage) -> bool:
    chunk = passage.chunk
    return scope.of_another_code(
        question, passage.text, passage.heading, chunk.title, chunk.document
    )


def _besides(values: Sequence[Value], words: frozenset[str]) -> frozenset[str]:
    """The words of a sentence without those that are the answer."""
    names = frozenset[str]().union(*(v.terms for v in values if isinstance(v, answers.Name)))
    kinds = frozenset[str]().union(*(v.words for v in values if isinstance(v, Description)))
    return frozenset(word for word in words - names if predicates.family(word) not in kinds)


def _answers_alone(asked: Asked, one: Scored, share: float) -> bool:
    """Say whether a sentence holds the question's terms, or all of them but the subject's."""
    if share >= NEAR_BEST and (one.coverage >= SAME_SUBJECT or one.cosine >= VERY_NEAR):
        return True
    rest = asked.terms - asked.subject
    return (
        share >= BARE_FLOOR
        and bool(rest and asked.subject)
        and one.covers.keys() >= rest
        and asked.subject <= _around(one)
    )


def _may_be_twin(one: Scored, share: float) -> bool:
    is_near = one.coverage >= ALIKE_SUBJECT or one.cosine >= NEAR_ENOUGH
    return share >= ALIKE_FLOOR and is_near


def _around(one: Scored) -> frozenset[str]:
    chunk = one.passage.chunk
    return frozenset(lexical.terms(f"{chunk.context} {chunk.title} {chunk.text}"))


def _holds(asked: Asked, one: Scored) -> frozenset[str]:
    """The question's terms in a sentence and its headings, and the subject's in its chunk."""
    passage = one.passage
    near = lexical.terms(f"{passage.chunk.context} {passage.heading} {passage.lead} {passage.text}")
    return (asked.terms & frozenset(near)) | (asked.subject & _around(one))


# --- two of them ---------------------------------------------------------------------------


def _comparable(asked: Asked, one: _Claim, other: _Claim) -> bool:
    """Both speak of the same: of the same terms of the question, and of the same subject."""
    beside = _OPENING if _give_spans(one, other) else frozenset()
    shared, either = (one.holds & other.holds) - beside, (one.holds | other.holds) - beside
    both_near = min(claim.scored.cosine for claim in (one, other)) >= VERY_NEAR
    least = SAME_TERMS_NEAR if both_near else SAME_TERMS
    return (
        _of_one_subject(asked, one, other)
        and len(shared) >= min(2, len(asked.terms - beside))
        and len(shared) >= least * len(either)
        and ((one.alone and other.alone) or _alike(one, other))
        and (_same_words(one, other) or not (one.far or other.far))
    )


def _give_spans(one: _Claim, other: _Claim) -> bool:
    """Say whether both give a span of time.

    That answers when something opens, and when it closes.
    """
    return all(any(isinstance(v, TimeSpan) for v in claim.values) for claim in (one, other))


def _of_one_subject(asked: Asked, one: _Claim, other: _Claim) -> bool:
    """Say whether both hold the same words of the subject, and every code of it ("TX50")."""
    named = asked.subject - asked.period
    codes = {term for term in named if any(map(str.isdigit, term))}
    return not (one.holds ^ other.holds) & named and codes <= one.holds


def _same_words(one: _Claim, other: _Claim) -> bool:
    """Say whether they are one sentence but for what they give: "The head of sales is …"."""
    return len(one.words) >= LEAST_SAME and one.words == other.words


def _alike(one: _Claim, other: _Claim) -> bool:
    """Say whether they say the same, figures aside."""
    ours, theirs = (
        {word for word in claim.words if not any(map(str.isdigit, word))} for claim in (one, other)
    )
    return len(ours & theirs) >= ALIKE * len(ours | theirs)


def _apart(asked: Asked, question: str, one: _Claim, other: _Claim) -> bool:
    """Say whether they speak of different times.

    Where it is asked when something is, the time is the answer itself.
    """
    if _on_other_days(question, one, other):
        return True
    if asked.kind in {"moment", "name", "place"}:
        return one.scope.expected != other.scope.expected
    return scope.apart(one.scope, other.scope, question)


def _on_other_days(question: str, one: _Claim, other: _Claim) -> bool:
    """Say whether times of day are for different days of the week.

    One may differ from the other, or from the question's.
    """
    if not any(isinstance(v, TimeOfDay | TimeSpan) for v in (*one.values, *other.values)):
        return False
    ours, theirs = (claim.scored.passage.text for claim in (one, other))
    return any(on_other_days(*two) for two in combinations((question, ours, theirs), 2))


def _of_other_things(asked: Asked, one: _Claim, other: _Claim) -> bool:
    """Say whether their titles, headings or sentences tell them apart.

    "Leave in Spain" and "Leave in Peru" are apart.
    """
    ours, theirs = (claim.scored.passage for claim in (one, other))
    both_rules = all(succession.is_of_rules(passage.chunk.title) for passage in (ours, theirs))
    said = f"{ours.chunk.text}\n{theirs.chunk.text}" if both_rules else ""
    return (
        scope.of_other_names(ours.chunk.title, theirs.chunk.title, said)
        or scope.of_other_names(ours.heading, theirs.heading)
        or _of_other_names(asked, one, other)
    )


def _of_other_kinds(asked: Asked, question: str, one: _Claim, other: _Claim) -> bool:
    """Say whether they speak of different kinds of what is asked about, or both of another kind.

    What has a name is told by that: "the Quill valve" stays one whatever is said of it.
    """
    if asked.subject - asked.period:
        return False
    ours, theirs = (claim.scored.passage.text for claim in (one, other))
    shared = asked.terms & one.words & other.words
    return other_kinds(question, ours, theirs, shared)


def _explain_no_code(question: str, one: _Claim, other: _Claim) -> bool:
    """Say whether it is asked what something of a code is ("the TX-50"), and not both say it."""
    name = definitions.thing(question)
    if " " in name or not any(map(str.isdigit, name)):
        return False
    return not all(definitions.says_what(name, c.scored.passage.text) for c in (one, other))


def _scatters(question: str, claim: _Claim) -> bool:
    """Say whether a sentence has the two words of a name apart: "an hour worked" is no working hours.

    Of a proper name each word may tell of the thing alone.
    """
    name, passage = lexical.terms(question), claim.scored.passage
    beside = any(lexical.terms(two) == name for two in _TWO.findall(question))
    if len(name) != _OF_A_NAME or not beside:
        return False
    said = f"{passage.heading}. {passage.lead} {passage.text}"
    own = lexical.terms(said)
    if not set(name) <= set(own) or any(
        scope.is_name_in(f"· {passage.text}", word) for word in name
    ):
        return False
    turned = any(_follow(lexical.terms(part), name[::-1]) for part in _OF_IT.findall(said))
    return not (turned or _follow(own, name))


def _follow(terms: Sequence[str], name: Sequence[str]) -> bool:
    return any([*two] == [*name] for two in pairwise(terms))


def _of_other_names(asked: Asked, one: _Claim, other: _Claim) -> bool:
    """Say whether two sentences are the same but for what they give and for names."""
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


def _agree(asked: Asked, one: _Claim, other: _Claim, claims: Sequence[_Claim]) -> bool:
    """Say whether another sentence of one of the documents gives what the other document gives.

    Not of figures: documents hold many, and two of them are soon the same.
    """
    describes = any(isinstance(value, Description) for value in one.values)
    if asked.kind == "figure" and not describes:
        return False
    return _mentions(one, other) or _mentions(other, one) or _share_a_value(claims, one, other)


def _share_a_value(claims: Sequence[_Claim], one: _Claim, other: _Claim) -> bool:
    return any(
        answers.agree(ours.values, theirs.values)
        for ours in claims
        for theirs in claims
        if ours.document == one.document and theirs.document == other.document
    )


def _mentions(one: _Claim, other: _Claim) -> bool:
    """Say whether the chunk of one says somewhere what the other says that the thing is."""
    heads = {head for v in other.values if isinstance(v, Description) for head in v.heads}
    chunk = one.scored.passage.chunk
    return bool(heads) and not heads.isdisjoint(
        predicates.families(f"{chunk.context} {chunk.text}")
    )
