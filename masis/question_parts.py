"""The parts of a question, and those that its answer leaves open: "How long is it, and why?".

Pure and lexical. A part is open where the answer has nothing of the kind that it asks for, no reason
for a "why" and no amount for a "what does it cost", or where no evidence has a word of the part's own.
What asks whether is never called open: it is answered in too many ways.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.extraction import MAX_PARTS
from masis.lexical import terms

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_ASKS: Final = (
    r"(?:how|what|what's|whats|who|who's|whos|whose|whom|when|when's|whens|which|where|where's"
    r"|wheres|why|by whom|since when|until when|at what|for how|for what|by when|to whom|with whom)"
)
_BEGINS: Final = re.compile(
    rf"(?:so |and |but |or |also )*(?:{_ASKS}|is|are|was|were|do|does|did|can|could|may|must|should"
    r"|will|would|has|have|had|am)\b",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(
    rf"\s*(?:[,;–—-]\s*)?\b(?:and|plus)\s+(?={_ASKS}\b)|\s*[,;–—-]\s+(?={_ASKS}\b)", re.IGNORECASE
)
_LEAST_ASKING: Final = 3
_LEAST_WORDS: Final = 2
"""Of the first part: what has fewer is a greeting."""

_REASON: Final = re.compile(
    r"\b(?:because|since|due to|so that|in order|therefore|thus|hence|reasons?|causes?|caused|cause"
    r"|as a result|owing to|thanks to|follow(?:s|ed|ing)|after|given that|led to|leads? to|result(?:s|ed)"
    r"|to (?:avoid|prevent|protect|ensure|allow|keep|make|reduce|save|meet|comply|give|help|let|stop)"
    r"|for (?:safety|security|the sake)|otherwise|means that|as (?:it|they|the|this|we|there|no)\b"
    r"|so (?:it|they|the|we|you|no)\b|purpose|required by|prompted|explain(?:s|ed)?|which is why"
    r"|too \w+|no longer|instead of|rather than|reflect(?:s|ed|ing)?|driven by|blam|excuse)",
    re.IGNORECASE,
)
_MONEY: Final = re.compile(
    r"[£$€¥]|\b(?:GBP|USD|EUR|CHF|pounds?|dollars?|euros?|pence|cents?|free|no (?:charge|fee|cost)|paid"
    r"|cost|price|fee|charge|rate|amount)\b|\d[\d,.]*\s?(?:k|m|bn|million|p)\b",
    re.IGNORECASE,
)
_TIME: Final = re.compile(
    r"\b(?:\d{4}|\d{1,2}[:.]\d{2}|\d{1,2}(?:st|nd|rd|th)|jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?"
    r"|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|days?|weeks?"
    r"|months?|years?|yearly|hours?|minutes?|seconds?|quarter\w*|annual\w*|daily|weekly|monthly|noon"
    r"|midnight|immediately|at once|same day|today|tomorrow|before|after|until|once|twice|am|pm"
    r"|o'clock|spring|summer|autumn|winter|term|date|when|always|never|every|\d{1,2} ?[ap]m)\b",
    re.IGNORECASE,
)
_FIGURE: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|once|twice|half"
    r"|none|no|all|both|every|each|unlimited|several|some|many|few|single)\b",
    re.IGNORECASE,
)
_KINDS: Final = (
    (re.compile(r"\bwhy\b|\breasons? (?:for|why|of)\b", re.IGNORECASE), _REASON),
    (
        re.compile(r"\b(?:phone|telephone|mobile|fax|extension) ?(?:numbers?)?\b", re.IGNORECASE),
        re.compile(r"\d{3}|\d \d"),
    ),
    (re.compile(r"\be-?mail address", re.IGNORECASE), re.compile(r"@")),
    (
        re.compile(
            r"\bhow much (?:does|do|did|will|would|is|are|was|were)\b|\bcosts?\b", re.IGNORECASE
        ),
        _MONEY,
    ),
    (
        re.compile(r"\bwhen\b|\bhow (?:long|often|soon)\b|\bwhat (?:time|date)\b", re.IGNORECASE),
        _TIME,
    ),
    (re.compile(r"\bhow many\b", re.IGNORECASE), _FIGURE),
)
"""What a part asks for, and what a text has that gives it."""
_WHETHER: Final = re.compile(
    r"^(?:so |and |but |or |also )*(?:is|are|was|were|do|does|did|can|could|may|must|should|will|would"
    r"|has|have|had|am)\b",
    re.IGNORECASE,
)
_OWN_WORD: Final = re.compile(
    r"^(?:and |so )*(?:who|whom|whose|how many|which|by whom)\b", re.IGNORECASE
)
"""Parts that are open where nothing found has a word of their own; what else is asked for, documents say
in other words."""
ASKING: Final = frozenset(
    terms(
        "how what who whose when which where why else exactly happen need apply long often soon far "
        "work must agree approve decide authorise authorize there one another way kind people person thing day time date give gave get has "
        "have made make done do does let go goes come comes been being allowed able"
    )
)
"""Words of any question, which say nothing of what it is about."""


class Said(NamedTuple):
    """What an answer states, and all that was found for it."""

    statements: Sequence[str]
    evidence: str


def asks(text: str) -> bool:
    """Tell whether a text is a question of its own, and no word or two that answer one."""
    ends = text.rstrip("\"”') ").endswith("?")
    return len(text.split()) >= _LEAST_ASKING and (ends or bool(_BEGINS.match(text)))


def asking(question: str) -> list[str]:
    """The sentences of a question that ask; all of it where none can be told from the rest."""
    sentences = [part.strip() for part in _SENTENCE_END.split(question) if part.strip()]
    marked = [sentence for sentence in sentences if sentence.rstrip("\"”') ").endswith("?")]
    return marked or [s for s in sentences if _BEGINS.match(s)] or sentences


def parts(question: str) -> list[str]:
    """What a question asks for one after another, as it words it; empty for one thing."""
    found = [
        part.strip(" ,;?.!–—-") for sentence in asking(question) for part in _NEXT.split(sentence)
    ]
    found = [part for part in found if part and (_BEGINS.match(part) or part is found[0])]
    if len(found) < 2 or len(found[0].split()) < _LEAST_WORDS:  # noqa: PLR2004 - one thing
        return []
    return found[-MAX_PARTS:]


def unanswered(question: str, said: Said) -> list[str]:
    """The parts that an answer leaves open.

    Empty where it has one part, or where none is answered: then the whole is open.
    """
    asked = parts(question)
    found = [part for part in asked if _is_open(part, [p for p in asked if p != part], said)]
    return found if len(found) < len(asked) else []


def _is_open(part: str, others: Sequence[str], said: Said) -> bool:
    if not said.statements or _WHETHER.match(part):
        return False
    for asks, gives in _KINDS:
        if asks.search(part) and not any(gives.search(text) for text in said.statements):
            return True
    if not _OWN_WORD.match(part):
        return False
    own = set(terms(part)) - ASKING - {term for other in others for term in terms(other)}
    return bool(own) and own.isdisjoint(terms(said.evidence))
