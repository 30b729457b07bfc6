"""How often: what asks for it, and what in a text gives it."""

import re
from typing import Final

from masis.text.grammars.calendar import WEEKDAY

_COUNT: Final = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_SPAN: Final = r"(?:minute|hour|shift|day|night|week|fortnight|month|quarter|season|term|year)"
_ASKS: Final = re.compile(r"\bhow (?:often|frequent(?:ly)?|regularly|many times)\b", re.IGNORECASE)
_GIVES: Final = re.compile(
    rf"\bevery (?:{_COUNT} |other |second |third |fourth |few |working |single )*(?:{_SPAN}|{WEEKDAY}|time)s?\b"
    rf"|\b(?:twice|{_COUNT} times)\b|\beach (?:{_SPAN}|{WEEKDAY})\b"
    r"|\bonce (?:an?|per|each|every|in|within|or)\b|\b(?:only|least|most|than) once\b"
    rf"|\b{_COUNT} (?:\w+ )?(?:in|out of) (?:every )?{_COUNT}\b(?! \w+s)"
    r"|\b(?:hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annual(?:ly)?)\b"
    r"|\b(?:times|weeks?|nights?) (?:a|per|in any|in each) (?:week|month|quarter|year)\b",
    re.IGNORECASE,
)


def asks_for_one(question: str) -> bool:
    """Tell whether a question asks how often something is or may be."""
    return _ASKS.search(question) is not None


def gives_one(text: str) -> bool:
    """Tell whether a text says how often; the days of a week that something is open are none."""
    return _GIVES.search(text) is not None
