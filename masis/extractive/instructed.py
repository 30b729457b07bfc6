"""Score passages by whether they tell what was asked: what to do, whom to call, how often, what a thing is, or where.

What documents themselves only ask is left out, or stands alone where it is what was asked.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from masis.phrases import asked_matters, definitions, named_places, obligations, open_points
from masis.phrases.left_out import leaves_out
from masis.phrases.named_places import Told
from masis.questions.question_parts import ASKING
from masis.retrieval.extraction import Scored, parts, wanted
from masis.text import instructions
from masis.text.grammars import frequencies, tenses
from masis.text.lexical import terms
from masis.words import synonyms
from masis.words.plain_words import PLAIN_WORDS

TO_DO_BONUS: Final = 0.25
"""Of a passage that tells to do something, where it is asked what to do. What the confidence is fitted
on has no part of it."""
OUTCOME_BONUS: Final = 0.35
"""Of one that says what is done in a case, where it is asked what happens if something does."""
CONTACT_BONUS: Final = 0.35
"""Of one that gives a number or says whom to call, where that is asked."""
DEFINES_BONUS: Final = 0.35
"""Of one that says what a thing is, where that is asked."""
FREQUENCY_BONUS: Final = 0.35
"""Of one that says how often, where that is asked: "seven days a week" and "from Monday on" are times as well."""
TO_COME_PENALTY: Final = 0.25
"""Of one that speaks of what is to come alone, where it is asked when something was: "the next meeting will be"."""
FORBIDS_PENALTY: Final = 0.10
"""Of one that says where not, where it is asked where."""
REASON_BONUS: Final = 0.25
"""Of one under a heading that promises reasons, where it is asked why."""
_WHY: Final = re.compile(r"\b(?:why|reasons?|background|causes?|rationale)\b", re.IGNORECASE)
CODE_BONUS: Final = 0.3
"""Of the row that is called by the code asked about."""
_CODE: Final = re.compile(r"\b(?:[A-Za-z]{1,4}-?\d[\w-]{0,12}|\d{3,8})\b")
SENT_LEAD: Final = 1.2
"""What a passage of a file that came with the question scores of what a document's would."""
SENT_COVERS: Final = 0.4
"""The share of the question that it must speak of for that; what then also gives what is asked for leads."""
RULE_FLOOR: Final = 0.65
"""Of the score of what only excepts somebody, or tells of another place, a rule needs so much to stand above it."""
_CASE: Final = re.compile(
    r"\b(?:if|when|while|unless|whenever|in case|during|after|before)\b", re.IGNORECASE
)
"""How a question tells the case that it is about."""
NAMED_FLOOR: Final = 0.8
"""Of the best score, what has both words of a name needs so much for those with one of them to be of another thing."""
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_BESIDE: Final = re.compile(r"[ -]")
LEAD: Final = 0.01
"""How much what is to lead stands above the best of all else."""
SAME_QUESTION: Final = 0.6
"""Of the words of a question that an open point has, it asks the same."""


def as_asked(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages with what was asked for above what only speaks of the same matter."""
    if name := definitions.thing(question.partition("\n")[0]):
        return [
            _lifted(s, DEFINES_BONUS, tells=definitions.says_what(name, s.passage.text))
            for s in scored
        ]
    if wanted(question.partition("\n")[2] or question) == "reason":
        return [
            _lifted(s, REASON_BONUS, tells=bool(_WHY.search(s.passage.heading))) for s in scored
        ]
    asked = _asked_last(question)
    for asks, tells, by in _LEADING:
        if asks(asked):
            return [_lifted(s, by, tells=tells(s.passage.text)) for s in scored]
    return list(scored)


_LEADING: Final[Sequence[tuple[Callable[[str], bool], Callable[[str], bool], float]]] = (
    (instructions.asks_contact, instructions.gives_contact, CONTACT_BONUS),
    (instructions.asks_outcome, instructions.tells_outcome, OUTCOME_BONUS),
    (instructions.asks_what_to_do, instructions.instructs, TO_DO_BONUS),
    (frequencies.asks_for_one, frequencies.gives_one, FREQUENCY_BONUS),
    (tenses.asks_of_the_past, tenses.is_to_come, -TO_COME_PENALTY),
    (instructions.asks_where, instructions.forbids, -FORBIDS_PENALTY),
)
"""How something is asked, what tells it or tells the opposite, and what that is worth; the first counts."""


def _asked_last(question: str) -> str:
    """Return what was typed of a question, its first line, where the rest is what a thread has put before it."""
    typed, _, whole = question.partition("\n")
    before, _, last = whole.rpartition(", and ")
    return typed if before and terms(last) == terms(typed) else question


def _lifted(scored: Scored, by: float, *, tells: bool) -> Scored:
    return replace(scored, score=scored.score + by) if tells else scored


def of_the_files(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages with those of the files that came with the question before those of documents.

    Who sends a contract and asks for the notice period means that of the contract.
    """
    top = max((s.score for s in scored), default=0.0)
    gives = wanted(question) not in {"any", "yes_no"}
    return [
        replace(s, score=max(SENT_LEAD * s.score, (top + LEAD * s.score) * gives * s.hint))
        if s.passage.chunk.attached and s.coverage >= SENT_COVERS
        else s
        for s in scored
    ]


def of_the_code(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages with the row of the code that is asked about above what says no more of it.

    Of documents that have no such row what does not speak of the code is left out.
    """
    codes = [terms(code) for code in _CODE.findall(question)]
    told = {
        s.passage.key: len(s.covers)
        for s in scored
        if any(s.covers.keys() >= set(code) for code in codes)
    }
    most = max(told.values(), default=0)
    rows = [s for s in scored if told.get(s.passage.key) == most and _called(s) in codes]
    if not rows:
        return list(scored)
    theirs = {s.passage.chunk.document_id for s in rows}
    left = [s for s in scored if s.passage.key in told or s.passage.chunk.document_id in theirs]
    return [_lifted(s, CODE_BONUS, tells=s in rows) for s in left]


def _called(scored: Scored) -> list[str]:
    """The terms that a row is called by; none of what is no row."""
    passage = scored.passage
    first = passage.text.strip("| ").split(" | ")[0].rpartition(": ")[2]
    return terms(first) if passage.unit.kind == "table_row" else []


def ruling(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages with the rule above what is taken from it, where it is asked whether one may.

    What leans on a sentence before it, begins with a case where none is told, or is done at another place than
    the one asked about, is no rule; of the last nothing is left where there is a rule.
    """
    best = max(scored, key=lambda s: s.score, default=None)
    if best is None or not obligations.asks_for_one(question):
        return list(scored)
    where = asked_matters.places(question)
    is_rule = not (best.passage.dangling or _is_elsewhere(where, best))
    if is_rule and not _is_another_case(question, best):
        return list(scored)
    found = [s for s in scored if _is_rule(s, best) and not _is_elsewhere(where, s)]
    if not found:
        return list(scored)
    rule = max(found, key=lambda s: s.score)
    lifted = replace(rule, score=best.score + LEAD)
    return [lifted if s is rule else s for s in scored if not _is_elsewhere(where, s)]


def _is_rule(scored: Scored, best: Scored) -> bool:
    passage = scored.passage
    return (
        passage.unit.kind == "sentence"
        and not passage.dangling
        and not instructions.special_case(passage.text)
        and obligations.decides(passage.text)
        and scored.coverage >= best.coverage
        and scored.score >= RULE_FLOOR * best.score
    )


def _is_another_case(question: str, scored: Scored) -> bool:
    """Tell whether a passage is limited to a case, and a question tells of none."""
    return bool(instructions.special_case(scored.passage.text)) and not _CASE.search(question)


def _is_elsewhere(where: frozenset[asked_matters.Elsewhere], scored: Scored) -> bool:
    passage = scored.passage
    said = terms(f"{passage.heading} {passage.lead} {passage.text}")
    return asked_matters.is_elsewhere(where, passage.text, said)


def answering(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages without the questions that documents leave open, nor tasks of another matter.

    Where it is asked how many, every task is; where it is asked who or when, one with that only as its object.

    Where the best of all asks what was asked, it stands alone: that it is open is all there is to say.
    """
    if open_points.asks_for_points(question):
        return list(scored)
    kind = wanted(question)
    asked = _words_of(question) if kind in {"person", "time"} else frozenset[str]()
    left_open = [
        s
        for s in scored
        if _posed(s)
        or (kind == "number" and _is_to_do(s))
        or (asked and _is_to_do(s) and _is_other_task(asked, s))
    ]
    best = max(scored, key=lambda s: s.score, default=None)
    if best is not None and _posed(best) and _asks_the_same(question, best):
        return [best]
    return [s for s in scored if s not in left_open] or list(scored)


def of_the_place(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages without those of another place than the one asked about, where any is left."""
    chunks = {s.passage.chunk.chunk_id: s.passage.chunk for s in scored}.values()
    read = (f"{each.title}\n{each.context}\n{each.text}" for each in chunks)
    where = named_places.place(question, read)
    plain = [s for s in scored if not _leaves_out(question, s)] or list(scored)
    if where is None:
        return plain
    return [s for s in plain if not named_places.is_of_another(where, _statement(s))] or plain


def of_the_name(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages without those of another document that have one word of a name of two alone.

    "Ada keeps the rota" of standby tells nothing of the parking rota, where a document speaks of that. Where no
    value is asked for, or several are, all stays.
    """
    if wanted(question) in {"any", "yes_no", "reason"} or parts(question):
        return list(scored)
    top = max((s.score for s in scored), default=0.0)
    phrases = synonyms.in_other_words(question)
    left = list(scored)
    for kind, thing in _names(question):
        theirs = {
            s.passage.chunk.document_id
            for s in left
            if s.score >= NAMED_FLOOR * top and {kind, thing} <= _said(s)
        }
        if theirs:
            left = [
                s
                for s in left
                if s.passage.chunk.document_id in theirs
                or thing not in _said(s)
                or kind in _around(s, phrases)
            ]
    return left


def _names(question: str) -> list[tuple[str, str]]:
    """The terms of words that stand beside each other and name something: "parking rota"."""
    found = [m for m in _WORD.finditer(question) if m[0].lower() not in PLAIN_WORDS]
    named = [
        (terms(one[0]), terms(other[0]))
        for one, other in pairwise(found)
        if _BESIDE.fullmatch(question, one.end(), other.start())
    ]
    return [(a[0], b[0]) for a, b in named if a and b and ASKING.isdisjoint((*a, *b))]


def _said(scored: Scored) -> set[str]:
    passage = scored.passage
    return set(terms(f"{passage.heading} {passage.lead} {passage.text}"))


def _around(scored: Scored, phrases: Collection[synonyms.InOtherWords]) -> set[str]:
    chunk = scored.passage.chunk
    said = set(terms(f"{chunk.title} {chunk.document} {chunk.context} {chunk.text}"))
    return said | synonyms.said(said, phrases)


def _leaves_out(question: str, scored: Scored) -> bool:
    passage = scored.passage
    return passage.unit.kind == "table_row" and leaves_out(question, passage.text)


def _statement(scored: Scored) -> Told:
    passage, chunk = scored.passage, scored.passage.chunk
    headings = [*chunk.place.headings, passage.heading, passage.lead]
    return Told(
        passage.text,
        [each for each in headings if each != chunk.title],
        f"{chunk.title} {chunk.document}",
    )


def _is_to_do(scored: Scored) -> bool:
    """Tell whether an item stands under points that are to be done: of how much there is it tells nothing."""
    passage = scored.passage
    return (
        open_points.is_open(f"{passage.heading}\n{passage.lead}")
        and passage.unit.kind != "sentence"
    )


def _words_of(question: str) -> frozenset[str]:
    """The words of a question by which a task may be meant, with those that mean the same."""
    others = (o for each in synonyms.found(question, synonyms.bundled()) for o in each.others)
    return frozenset(terms(" ".join([question, *others])))


def _is_other_task(asked: frozenset[str], scored: Scored) -> bool:
    """Tell whether a task is about what is asked about, and is not that: "trial of a shorter rota"."""
    first = scored.passage.text.strip("| ").split(" | ")[0].rpartition(": ")[2]
    return open_points.is_about(first, asked)


def _posed(scored: Scored) -> str:
    passage = scored.passage
    return open_points.posed(passage.text, f"{passage.heading}\n{passage.lead}")


def _asks_the_same(question: str, scored: Scored) -> bool:
    asked, chunk = set(terms(question)), scored.passage.chunk
    said = set(terms(f"{chunk.title} {chunk.context} {scored.passage.text}"))
    return len(asked & said) >= SAME_QUESTION * len(asked)
