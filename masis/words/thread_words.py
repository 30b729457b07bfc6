"""Tell a message that asks for an answer to what others wrote from one that asks something itself.

Pure, by a closed table.
"""

import re
from typing import Final

from masis.text.lexical import terms
from masis.words.chat_words import spelt_out

MOST_POINTING: Final = 80
"""Characters; who writes more says something."""

_THIS: Final = r"(?: (?:with|on|at|into|about|to))?(?: (?:this|that|it|these|here|the (?:question|thread)|us|me|(?:him|her|them)))?"
_PLEASE: Final = r"(?: (?:please|pls|plz|maybe|perhaps))?"
_POINTING: Final = re.compile(
    rf"(?:(?:please|pls|hey|hi|hello|so|and|over to you)[\s,:!.]+)*(?:"
    rf"(?:can|could|would|will) (?:you|u){_PLEASE} (?:help|answer|check|look|tell|say|weigh in|chime in|advise)(?: out)?{_THIS}{_THIS}"
    rf"|(?:do|would) (?:you|u) (?:happen to )?know{_THIS}"
    rf"|(?:do you have )?any (?:ideas?|thoughts?|clue|answers?|help|insights?){_THIS}"
    rf"|what (?:do|would) (?:you|u) (?:think|say){_THIS}|what(?:'s| is) your (?:answer|take|view){_THIS}"
    rf"|(?:your )?thoughts|help{_THIS}|answer{_THIS}|(?:please )?advise|over to you|your turn"
    rf"){_PLEASE}[\s?.!]*",
    re.IGNORECASE,
)


def points_at_others(text: str) -> bool:
    """Say whether a message only asks for an answer to what somebody else asked: "any idea?"."""
    said = " ".join(text.split())
    return len(said) <= MOST_POINTING and _POINTING.fullmatch(said) is not None


def taken_about(typed: str, understood: str) -> str:
    """Return the question to which a message was only set behind: it was taken to be about that; else nothing."""
    about, colon, rest = understood.rpartition(": ")
    said, own = set(terms(rest)), set(terms(spelt_out(typed)))
    is_typed = set(terms(about)) <= own  # "classify: ..." stands so in the message itself
    if not colon or not said or not said <= own or is_typed:
        return ""
    return f"{' '.join(about.split()).rstrip(' ?.!')}?"
