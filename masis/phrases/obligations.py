"""Whether one may or must: how it is asked, and what in a text allows, obliges or denies."""

import re
from typing import Final

_ASKS: Final = re.compile(
    r"^\W*(?:(?:hi|hey|hello|ok|so|and|please|pls)\W+)*(?:can|could|may|must|should|am|are|is it|is there|"
    r"do (?:i|we|you|they|staff|employees)\b.{0,40}\b(?:need|have|must))\b",
    re.IGNORECASE,
)
_ASKS_LEAVE: Final = re.compile(
    r"^\W*(?:(?:hi|hey|hello|ok|so|and|please|pls)\W+)*(?:(?:can|could|may) (?:i|we|staff|employees|people|contractors|visitors"
    r"|guests|customers|members|children|apprentices)"
    r"|(?:am i|are we|is it|is one|are (?:staff|employees|people)) (?:allowed|permitted|ok|okay|all ?right|fine)"
    r"|(?:is|are) (?:[\w'’-]+ ){1,4}?(?:allowed|permitted))\b"
    r"(?! (?:find|see|get|have|read|look up|ask|know|check) (?:out |about )?(?:the|a list|your|who|what|where|when|how|which)\b)"
    r"(?! (?:(?:find out|read|ask|know|hear) about|expect|afford|reach|help)\b)",
    re.IGNORECASE,
)
"""Asks whether one may; "can I see the price list" asks for that, and "can anyone tell me" for what is told."""
_MAY: Final = r"(?<!\bin )(?<!\bof )(?<!\bby )(?<!\d )(?<!\d\. )(?<!\d(?:st|nd|rd|th) )(?<!until )(?<!since )(?<!from )(?<!during )may(?! \d)"
"""The verb, and not the month."""
_OF_ALL: Final = (
    r"(?:^|[.;:] )(?:everyone|everybody|all (?:staff|employees|colleagues|visitors|engineers|managers|new starters))"
    r"(?: [\w'’-]+){0,7}? (?:is|are|wears?|comes?|signs?|goes|attends?|brings?)\b(?! (?:happy|pleased|welcome|proud|glad)\b)"
)
"""What all do is a rule: "everybody is on site on Monday"."""
_RULES: Final = re.compile(
    rf"\b(?:{_MAY}|must|can|cannot|could|should|shall|allowed|permitted|only|required?|needs?|never|not|no|free|"
    r"nobody|nothing|forbidden|prohibited|banned|have to|has to|entitled|agrees?|up to|at most)\b|n['’]t\b|"
    + _OF_ALL,
    re.IGNORECASE,
)
_LIMITS: Final = re.compile(
    r"\b(?:limits?|highest|lowest|maximum|minimum|within|fines?(?= of)|paid|claim\w*"
    r"|welcome|takes?|accept\w*|allow\w*)\b",
    re.IGNORECASE,
)
_DECIDES: Final = re.compile(
    rf"\b(?:{_MAY}|must|cannot|can ?not|(?:not )?(?:allowed|permitted)|forbidden|prohibited|banned|never|refused"
    r"|not (?:paid|covered|accepted|possible|needed|required|given|reimbursed)|do not|don['’]t|nobody|no one"
    r"|only (?:if|when|with|after)|without exception|entitled|no\b(?=[.,]))\b|" + _OF_ALL,
    re.IGNORECASE,
)


def asks_for_one(question: str) -> bool:
    """Tell whether a question asks whether one may or must."""
    return _ASKS.search(question) is not None


def asks_leave(question: str) -> bool:
    """Tell whether a question asks whether one may do a thing."""
    return _ASKS_LEAVE.search(question) is not None


def has_one(text: str) -> bool:
    """Tell whether a text has a word of rules, however weak."""
    return _RULES.search(text) is not None


def rules(text: str) -> bool:
    """Tell whether a text has a word of rules, or names a limit."""
    return has_one(text) or _LIMITS.search(text) is not None


def decides(text: str) -> bool:
    """Tell whether a text says that one may, must or must not, and not only of what or how much."""
    return _DECIDES.search(text) is not None
