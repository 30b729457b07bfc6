"""Take out of a question the clause that only says when something happens: "where do we meet when the bell rings".

Pure. Such a "when" asks for no time; the word that asks stands before or behind its clause.
"""

import re
from typing import Final

_ASKS: Final = r"\b(?:what|who|whom|whose|where|how|why|which)(?:['’]?s)?\b"
_HELPS: Final = (
    r"(?:is|are|was|were|am|do|does|did|can|could|may|must|should|shall|will|would|has|have|had)"
)
_TELLS: Final = (
    r"(?:know|knows|tell|told|show|shows|say|says|said|see|check|find|hear|heard|remember|remind|sure|clear|idea|decide"
    r"|decided|agreed|announced?|mention(?:ed)?|confirm(?:ed)?|ask|learn|stated?|written|published|listed|date|day|time|until|since)"
)
"""Behind which "when" asks: "can you tell me when the kiln is fired"."""
_INSIDE: Final = re.compile(
    rf"(?P<before>.+?)(?<![,;]) when (?!(?:{_HELPS}|by|exactly)\b)[^,.?!;]{{3,120}}",
    re.IGNORECASE | re.DOTALL,
)
_IN_FRONT: Final = re.compile(
    rf"\W*when (?!(?:{_HELPS}|by|exactly)\b)[^.?!;]{{3,120}}?(?={_ASKS} )", re.IGNORECASE
)
_BEGINS: Final = re.compile(rf"(?:.*{_ASKS}|\W*{_HELPS}\b)", re.IGNORECASE | re.DOTALL)
_JOINED: Final = re.compile(
    rf"\b(?:and|or|since)\W*$|\b{_TELLS}\b(?: \w+){{0,2}}\W*$", re.IGNORECASE
)


def without(question: str) -> str:
    """Return a question without a clause that says when; as it is where "when" asks."""
    if led := _IN_FRONT.match(question):
        return question[led.end() :]
    found = _INSIDE.match(question)
    if found is None:
        return question
    before = found["before"]
    if _BEGINS.match(before) is None or _JOINED.search(before):
        return question
    return f"{before}{question[found.end() :]}"
