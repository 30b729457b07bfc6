"""The clause that asks, behind a case that is told: "I lost my badge on the way in, what does a new one cost?".

Lexical. In a chat both stand in one sentence, parted by a comma or less. What is told says which of several
things is meant; what is asked stands in the last clause, with the condition right before it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from masis.text.lexical import terms

LEAST_TOLD: Final = 6
"""Words of what is told: fewer belong to the question ("on Fridays, when do we close")."""
LEAST_ASKED: Final = 3
SHARE: Final = 0.5
"""What the clause that asks counts for itself, in the vector of a case, where it says what it asks about; as
much less what is only told weighs by its words. Of 66 plain questions that tell a case and have an answer the
right words are shown for 56 (54 as one text), 52 where an empty clause ("do I get those days back") counts as much."""
ENOUGH: Final = 3
"""Words beyond the first from which on a clause says what it asks about; with fewer it counts less."""

_ASKS: Final = (
    r"(?:(?:by|from|to|with|for|of|at|in|on|under|since|until|till|through|after|up to|as of) )?"
    r"(?:how|what|who|whom|whose|when|where|why|which)(?:['’]?(?:s|re|d))?"
)
_PERSON: Final = (
    r"(?:i|we|you|they|he|she|it|there|the|any|my|our|your|his|her|their|its|these|those|some(?:one|body)"
    r"|any(?:one|body)|every(?:one|body)|people|staff)"
)
_AUXILIARY: Final = (
    rf"(?:(?:do|does|did|has|have|had|am)(?:n['’]?t)? {_PERSON}"
    r"|(?:is|are|was|were|can|could|may|must|should|shall|will|would)(?:n['’]?t)?"
    rf" (?:{_PERSON}|an?|this|that))"
)
_BEGINS: Final = re.compile(
    rf"(?:(?:and|but|so|or|now|then|also|please|just) )*(?:{_ASKS}|{_AUXILIARY})\b",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"(?:(?:and|but|so) )?(?:if|when|unless|after|before|because|while|until|once|in case|provided)\b",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(r"(?:[,;:.!?…]|\s[–—-])\s+|\n+|\s+(?=(?:and|but) )", re.IGNORECASE)
_SAYS_LITTLE: Final = frozenset(
    terms(
        "get do need have pay much many long say ask tell take happen still go make call cost way"
    )
)


class Case(NamedTuple):
    """Hold what a question tells, and what it asks; nothing is told where it only asks."""

    told: str
    asked: str


def parted(question: str) -> Case:
    """Part a question into the case that is told and the clause that asks."""
    starts = [match.end() for match in _BREAK.finditer(question)]
    for start in reversed(starts):
        if not _BEGINS.match(question[start:]) or len(question[start:].split()) < LEAST_ASKED:
            continue
        begins = _from(question, starts, start)
        told = question[:begins].strip(" ,;:–—-\n")
        is_told = len(told.split()) >= LEAST_TOLD and not _BEGINS.match(told)
        return Case(told, question[begins:]) if is_told else Case("", question)
    return Case("", question)


def _from(question: str, starts: Sequence[int], last: int) -> int:
    """Where the asking begins: with the clauses before the last one that ask, too, or set a condition."""
    begins = last
    for start in reversed([0, *(each for each in starts if each < last)]):
        left = question[start:]
        if not (_BEGINS.match(left) or _CONDITION.match(left)):
            break
        begins = start
    return begins


def share(question: str) -> float:
    """Return what the clause that asks counts for itself: less where it says little, 0 where nothing is told."""
    case = parted(question)
    if not case.told:
        return 0.0
    said = len(set(terms(case.asked)) - _SAYS_LITTLE)
    return SHARE * min(1.0, max(0, said - 1) / ENOUGH)


def lowered(question: str, weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of a question's terms, of words that are only told lowered."""
    less = share(question)
    if not less:
        return dict(weights)
    asked = set(terms(parted(question).asked))
    return {
        term: weight if term in asked else weight * (1 - less) for term, weight in weights.items()
    }
