"""The parts of a question that its answer leaves open: "How long is it, and why?".

Pure and lexical. A part is open where the answer has nothing of the kind that it asks for, no reason
for a "why" and no figure for a "how much", or not one of the words that are the part's own.
"""

import re
from collections.abc import Sequence
from typing import Final

from masis import extraction
from masis.extraction import Wanted
from masis.lexical import terms

_BARE: Final = re.compile(
    r"(?:[,;:–—-]|\band\b|\bor\b|[.?!])\s*(?:and |or )?"
    r"((?:why|how|when|where|who|since when|until when|by whom|from when|how much|how many|how long"
    r"|how often|what for|why not|at what cost|for how long|who by|to whom)(?: (?:exactly|so|then))?)"
    r"\s*\??\s*$",
    re.IGNORECASE,
)
"""A part in a word or two, at the end."""
_REASON: Final = re.compile(
    r"\b(?:because|since|due to|so that|in order|therefore|thus|hence|reasons?|causes?|caused|why"
    r"|as a result|owing to|thanks to|follow(?:s|ed|ing)|after|given that|led to|leads? to|result(?:s|ed)"
    r"|to (?:avoid|prevent|protect|ensure|allow|keep|make|reduce|save|meet|comply|give|help|let|stop)"
    r"|for (?:safety|security|the sake)|otherwise|means that|as (?:it|they|the|this|we|there)\b"
    r"|so (?:it|they|the|we|you|no)\b|purpose|required by|prompted|explain(?:s|ed)?|which is why)",
    re.IGNORECASE,
)
_STRONG: Final[frozenset[Wanted]] = frozenset({"reason", "number", "money", "time"})
"""Kinds that a text has or has not; a person or a place may be anything in capitals."""
_WHY: Final = re.compile(r"\bwhy\b|\breasons?\b", re.IGNORECASE)
_ASKING: Final = frozenset(
    terms(
        "how what who whose when which where why is are was does do did can also else exactly happen "
        "happens need needs apply applies long much many often soon far work works there must should "
        "one another way kind people person thing person day days time date"
    )
)
"""Words of any question, which say nothing of what it is about."""


def parts(question: str) -> list[str]:
    """What a question asks for one after another, the short ones too; empty for one thing."""
    bare = _BARE.search(question)
    if not bare or not question[: bare.start()].strip():
        return extraction.parts(question)
    before = question[: bare.start()].strip(" ,;?")
    return [*(extraction.parts(before) or [before]), bare[1].strip()]


def unanswered(question: str, said: Sequence[str]) -> list[str]:
    """The parts that none of what an answer says speaks to; `said` are its statements in context.

    Empty where it has one part, or where no part is answered: then the whole is open.
    """
    asked = parts(question)
    found = [part for n, part in enumerate(asked) if not _is_answered(part, asked[:n], said)]
    return found if len(found) < len(asked) else []


def _is_answered(part: str, before: Sequence[str], said: Sequence[str]) -> bool:
    kind = extraction.wanted(part)
    if kind in _STRONG and not any(_gives(kind, statement) for statement in said):
        return False
    own = set(terms(part)) - _ASKING - {term for other in before for term in terms(other)}
    return kind in _STRONG or not own or any(not own.isdisjoint(terms(text)) for text in said)


def _gives(kind: Wanted, statement: str) -> bool:
    if kind == "reason":
        return bool(_REASON.search(statement))
    return extraction.fits(kind, statement)
