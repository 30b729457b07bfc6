"""Tell what a sentence tells people to do, what it forbids, and what it says of a special case only.

Pure, by closed tables.
"""

import re
from typing import Final

_ASKS_WHAT_TO_DO: Final = re.compile(
    r"\bwhat (?:do|should|shall|must|can|have|would) (?:i|we|you|people|staff)(?: (?:have|need))?(?: to)? do\b"
    r"|\bwhat(?: am i| are we)? (?:supposed )?to do\b|\bwhat (?:now|next)\b|\bwhat happens (?:if|when)\b"
    r"|\bwhat if (?:i|my|we|our|someone|somebody)\b|\b(?:now|so) what\b",
    re.IGNORECASE,
)
_ASKS_OUTCOME: Final = re.compile(
    r"\bwhat happens (?:if|when)\b|\bwhat if\b|\bwhat (?:becomes|happens to me)\b", re.IGNORECASE
)
_OF_A_CASE: Final = re.compile(
    r"(?:if|unless|when|whoever|anyone who|anybody who|those who|without an?)\b(?! so\b)|[^.?!]{3,160}[,;:] (?:if|unless|otherwise)\b"
    r"|[^.?!]{3,160} (?:if|unless) (?:you|it|they|somebody|someone|the|this|that|not)\b",
    re.IGNORECASE,
)
_ASKS_CONTACT: Final = re.compile(
    r"\bwho(?:m)? (?:do|should|shall|must|can|could|would) (?:i|we|you|people|staff) (?:have to |need to )?"
    r"(?:call|ring|phone|telephone|contact|tell|inform|notify|report|speak|talk|email|e-mail|write|go|turn|reach)\b"
    r"|\bwho to (?:call|ring|phone|contact|tell|ask|inform|notify|email)\b"
    r"|\b(?:what|which) number (?:do|should|can|shall|must) (?:i|we|you)\b",
    re.IGNORECASE,
)
_CONTACT: Final = re.compile(
    r"\b(?:ext(?:ension)?\.?|tel(?:ephone)?\.?|phone|ring|call|dial)(?: (?:on|us|number))?:? ?(?:on )?\+?\d[\d ]{2,}"
    r"|\b\S+@\S+\.\w|\b(?:ring|call|telephone|phone|contact|tell|inform|notify) (?:the|your|our|[A-Z][a-z]+)\b"
    r"|\bby (?:telephone|phone|e-?mail) (?:to|with) (?:the|your|our|[A-Z][a-z]+)\b"
    r"|\breport(?:ed)? (?:(?:it|this|them|that) )?to (?:the|your|our|[A-Z][a-z]+)\b",
)
_INSTRUCTS: Final = re.compile(
    r"(?:^|[.:;,–-] |\b(?:please|then|first|must|should|to|and|at once|immediately|you|staff|everyone) )"
    r"(?:call|tell|ring|report|telephone|phone|inform|notify|contact|let|go|leave|speak|talk|ask|email|e-mail|write|hand|"
    r"bring|press|stop|take|send|lock|shut|raise|fill|use|log|change|do not)\b",
    re.IGNORECASE,
)
_ASKS_WHERE: Final = re.compile(r"\bwhere(?:['’]?s)?\b", re.IGNORECASE)
_FORBIDS: Final = re.compile(
    r"\b(?:do not|don['’]t|must not|may not|never|are not (?:to|allowed)|is not (?:to|allowed)|not be used|not permitted"
    r"|prohibited|forbidden|belongs? to)\b",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"(?:if|unless|where|in case|should (?:you|it|the)|except(?:ionally)?|when|only if|outside)\b(?P<case>[^,;:]{3,120})[,;:]",
    re.IGNORECASE,
)


def asks_what_to_do(question: str) -> bool:
    """Tell whether a question asks what is to be done: "my badge is gone, what now"."""
    return _ASKS_WHAT_TO_DO.search(question) is not None


def asks_outcome(question: str) -> bool:
    """Tell whether a question asks what comes of a case: "what if I miss the bus"."""
    return _ASKS_OUTCOME.search(question) is not None


def tells_outcome(text: str) -> bool:
    """Tell whether a text says what is done, or comes, in a case."""
    return _OF_A_CASE.match(text) is not None or instructs(text)


def asks_contact(question: str) -> bool:
    """Tell whether a question asks whom to call or to tell."""
    return _ASKS_CONTACT.search(question) is not None


def gives_contact(text: str) -> bool:
    """Tell whether a text gives a number or address, or says whom to call or to tell."""
    return (
        _CONTACT.search(text) is not None
        or _CONTACT.search(text[:1].lower() + text[1:]) is not None
    )


def asks_where(question: str) -> bool:
    """Tell whether a question asks for a place."""
    return _ASKS_WHERE.search(question) is not None


def instructs(text: str) -> bool:
    """Tell whether a text tells somebody to do something."""
    return _INSTRUCTS.search(text) is not None


def forbids(text: str) -> bool:
    """Tell whether a text says where or how something is not to be done."""
    return _FORBIDS.search(text) is not None


def special_case(text: str) -> str:
    """Return the case with which a sentence begins and to which it is limited; empty for a rule."""
    found = _CONDITION.match(text)
    return found["case"].strip() if found else ""
