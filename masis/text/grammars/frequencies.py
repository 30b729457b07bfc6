"""How often: what asks for it, and what in a text gives it."""

import re
from typing import Final

from masis.text.grammars.calendar import WEEKDAY
from masis.text.grammars.number_words import NUMBER_WORD

_COUNT: Final = rf"(?:\d+|{NUMBER_WORD})"
_SPAN: Final = r"(?:minute|hour|shift|day|night|week|fortnight|month|quarter|season|term|year)"
_ASKS: Final = re.compile(r"\bhow (?:often|frequent(?:ly)?|regularly|many times)\b", re.IGNORECASE)
_BEHIND: Final = (
    r"\W*(?:\Z|[.,;:)|]|(?:and|or|but|by|at|on|in|for|from|to|if|as|when|while|until|unless|before|after|between|during"
    r"|over|through|throughout|under|with|without|not|rather)\b)"
)
"""Follows an adverb of time; a noun there has it for an adjective: "the monthly fee"."""
_FACTOR: Final = r"(?: (?:the|as|that|this|what|my|your|his|her|its|our|their)\b)"
"""Follows "twice" where that says how much: "twice the rate"."""
_GIVES: Final = re.compile(
    rf"\bevery (?:{_COUNT} |to |or |other |second |third |fourth |few |working |operating |running |single )*(?:{_SPAN}|{WEEKDAY})s?\b"
    rf"|\b(?:twice|{_COUNT} times)\b(?!{_FACTOR})|\beach (?:{_SPAN}|{WEEKDAY})\b(?! of\b)"
    r"|\bonce (?:an?|per|each|every|in|within|or)\b|\b(?:only|least|most|than) once\b"
    rf"|\b{_COUNT} (?:\w+ )?(?:in|out of) (?:every )?(?!\d{{3}}){_COUNT}\b(?! (?!(?:is|was|has)\b)\w+s\b)"
    rf"|\b(?:hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annual(?:ly)?)\b(?={_BEHIND})"
    r"|\b(?:times|weeks?|nights?) (?:a|per|in any|in each) (?:week|month|quarter|year)\b"
    rf"|\b(?:up to|at most|at least|(?:no )?more than|maximum of|minimum of) {_COUNT} (?:time|shift|day|night|weekend|week|month)s? (?:a|per|each|in any|in each) {_SPAN}\b"
    rf"|\b(?:first|second|third|fourth|last) (?:working )?(?:day|night|week|weekend|{WEEKDAY}) (?:of|in) (?:the (?:week|month|quarter|season|term)|(?:each|every) {_SPAN})\b",
    re.IGNORECASE,
)


def asks_for_one(question: str) -> bool:
    """Tell whether a question asks how often something is or may be."""
    return _ASKS.search(question) is not None


def gives_one(text: str) -> bool:
    """Tell whether a text says how often; the days of a week that something is open are none."""
    return _GIVES.search(text) is not None
