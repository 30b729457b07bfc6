"""Every word of a report that more than one part of it says."""

from collections.abc import Mapping
from typing import Final

from bot.evaluation.evaluation import Verdict

VERDICTS: Final[Mapping[Verdict, str]] = {
    "right": "Right",
    "held_back": "Rightly held back",
    "unchecked": "Answered, not checked",
    "other_source": "Other source cited",
    "incomplete": "Words missing",
    "not_answered": "Not answered",
    "answered_anyway": "Wrongly answered",
    "failed": "Failed",
}
"""In the order in which they are drawn: from good to bad."""

MEANINGS: Final[Mapping[Verdict, str]] = {
    "right": "The answer holds the expected words and cites an expected document.",
    "held_back": "The documents do not say, and no answer was given.",
    "unchecked": "Answered; the file says neither words nor documents to check it by.",
    "other_source": "The words are there; none of the expected documents is cited.",
    "incomplete": "Answered without some of the expected words.",
    "not_answered": "The documents say, but it asked back or answered with a Low badge.",
    "answered_anyway": "Given as an answer where the documents do not say.",
    "failed": "The run failed; the same command asks again.",
}


def share(hits: int, of: int) -> str:
    """`52 % (32 of 61)`, or a dash."""
    return f"{100 * hits / of:.0f} % ({hits} of {of})" if of else "–"
