"""Tell a question that describes something and wants the code that it has."""

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from masis.text.lexical import terms

FEWEST_TERMS: Final = 1
MOST_KIND_WORDS: Final = 4

_KIND: Final = r"(?P<kind>(?:[\w'’-]+\s+){0,3}?[\w'’-]+)"
_WHICH: Final = r"(?:under|to|on|in|into|against|with|for)?\s*(?:which|what)(?:'s| is| are)?(?: the)?(?: right| correct| best| proper)?"
_VERB: Final = (
    r"(?:is|are|has|have|had|does|do|did|should|shall|would|will|must|can|could|may|might|fits?|suits?|belongs?"
    r"|appl(?:y|ies)|covers?|goes|go|takes?|gets?|describes?|for|to|i|we|be)"
)
_COMMANDED: Final = re.compile(
    r"\s*(?:please\s+|can you\s+|could you\s+)?(?:(?:classify|categori[sz]e)\b[\s:,]*|code(?=\s+(?:this|these|the following)|\s*:)[\s:]*)"
    r"(?:this|these|the following|it)?\b(?:\s+as\s+[\w ]{1,30}?)?\s*[:\-–]?\s*(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_FOUND: Final = re.compile(
    rf"\s*(?:please\s+|can you\s+|could you\s+)?(?:find|give me|tell me|look up|assign|what's|show me)\s+(?:me\s+)?"
    rf"(?:the|a|an)\s+{_KIND}\s+(?:for|of|to)\b\s*:?\s*(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_LEADING: Final = re.compile(
    rf"\s*{_WHICH}\s+{_KIND}\s+{_VERB}\b\s*(?P<what>.+)", re.IGNORECASE | re.DOTALL
)
_TRAILING: Final = re.compile(
    rf"\s*(?P<what>.+?)\s*[:,;.?!–—-]+\s*(?:so\s+|and\s+)?{_WHICH}\s+{_KIND}\s*"
    r"(?:\b(?:is|does|do|should|would|fits?|has|have|can|for|applies|covers)\b\s*(?:this|that|it|they|these|i|we)?\b[^?]{0,40})?\?*\s*",
    re.IGNORECASE | re.DOTALL,
)
_FRAME: Final = re.compile(
    r"^(?:(?:should|would|do|does|can|could|must|may|i|we|you|they|is|are|be|has|have|the right one|used?|pick|choose"
    r"|select|book(?:ed)?|put|file[d]?|charge[d]?|assign(?:ed)?|for|to|of|on|under|belongs?|go(?:es)?|this|that|it|best)\b[\s:,]*)+",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"(?:\b(?:belongs?|go(?:es)?|booked|charged|filed|put|assigned|fall|falls|come|comes)\b\s*(?:to|on|under|in|into|against)?"
    r"|\b(?:have|has|get|gets|be|to|under|on|in|into|against))?\s*[?.!\s]*$",
    re.IGNORECASE,
)
_ASKS_OF_LIST: Final = re.compile(
    r"^\s*(?:there|exist|mean(?:s|t)?|stands? for|changed?|new|valid|available|in (?:use|force)|we (?:have|use))\b",
    re.IGNORECASE,
)
GENERIC: Final = frozenset(terms("code codes category class classification"))
"""Terms that call a code of any list."""
_A_CODE: Final = re.compile(r"[\s\W]*[A-Za-z]{0,4}[\s.-]?\d[\w./-]*[\s\W]*")


class Described(NamedTuple):
    """What is to be classified, and the words for what kind of code is wanted."""

    text: str
    kind: str


def may_ask(text: str) -> bool:
    """Tell quickly whether a text has the form of a question for a code."""
    return described(text) is not None


def described(text: str, names: Collection[str] | None = None) -> Described | None:
    """Return what a question wants classified; None where it wants something else.

    With `names`, the terms by which the code lists are called, its kind of code must be one of them,
    or be called a code or category.
    """
    for pattern in (_COMMANDED, _FOUND, _TRAILING, _LEADING):
        match = pattern.fullmatch(text)
        if match is None:
            continue
        kind = match.groupdict().get("kind") or "code"
        what = match["what"]
        if _ASKS_OF_LIST.match(what) or not _is_kind(kind, names):
            continue
        said = _TAIL.sub("", _FRAME.sub("", what)).strip(" \n:,;-")
        if len(set(terms(said)) - set(terms(kind))) >= FEWEST_TERMS and not _A_CODE.fullmatch(said):
            return Described(said, kind)
    return None


def _is_kind(kind: str, names: Collection[str] | None) -> bool:
    """Tell whether words name a kind of code: their last one does."""
    said: Sequence[str] = terms(kind)
    if not said:
        return False
    if names is None:
        return True
    return said[-1] in GENERIC or said[-1] in names
