"""Find what a follow-up puts in the place of something that was asked before: "and for contractors?"."""

import re
from collections.abc import Sequence
from typing import Final

from masis.domain import Question
from masis.questions.question_audit import speaks_of_nothing
from masis.text.lexical import terms
from masis.words.abbreviations import in_full
from masis.words.chat_words import plain

_SWAPPED: Final = re.compile(
    r"^(?:(?:ok|okay|so|and|but|also|then)[\s,]+)*"
    r"(?:(?:what|how) about|(?:the )?same(?= (?:for|in|at|with)\b)|(?<=and )|(?<=but )|(?<=also ))\s*"
    r"(?:for|in|with|on|at|of|from|by|to)?\s*(?:the |a |an |our |my )?(?P<thing>[^,;:.!?\n]{2,60})\W*$",
    re.IGNORECASE,
)
_THE_SAME: Final = re.compile(
    r"^(?P<thing>[^,;:.!?\n]{2,60}?),? (?:the same|as well|too)\W*$", re.IGNORECASE
)
_ASKS: Final = re.compile(
    r"(?:if|when|while|who|whom|whose|what|which|where|why|how|is|are|do|does|did|can|could|will|would|should|must|may"
    r"|i|we|you|they|he|she|it|there)\b",
    re.IGNORECASE,
)
"""Begins what is a question or a condition of its own, and no thing."""
_MOST_WORDS: Final = 5
"""Of a thing; more are a question of their own."""


def swapped_in(typed: str) -> str:
    """Return the thing that a follow-up asks the same question about; empty where it is none."""
    said = plain(typed).strip()
    match = _SWAPPED.match(said) or _THE_SAME.match(said)
    if match is None or len(match["thing"].split()) > _MOST_WORDS or _ASKS.match(match["thing"]):
        return ""
    return match["thing"].strip()


def unspoken(question: Question, said: Sequence[str], searched: str = "") -> list[str]:
    """Return the thing that a follow-up is about, where no statement of its answer speaks of it.

    The rest of the question was lent by the thread: an answer that fits that alone answers the
    question before. A thing that was searched in other words (`searched`) may be said in these.
    """
    if question.reply or question.text == question.standalone:
        return []
    thing = in_full(swapped_in(question.text))
    own = {term for word in thing.split() if not speaks_of_nothing(word) for term in terms(word)}
    if searched and not own.issubset(terms(searched)):
        return []
    spoken = {term for statement in said for term in terms(statement)}
    return [thing] if own and own.isdisjoint(spoken) else []
