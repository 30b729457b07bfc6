"""Tell a question that describes something and wants the code that it has.

It names a kind of code ("which ticket type ...") or an act that gives one ("how do I classify ..."), and
says more than that: what is to be classified.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from masis.text.lexical import terms
from masis.words.mistyped import is_spelt_otherwise

GENERIC: Final = frozenset(terms("code codes category class classification"))
"""Terms that call a code of any list."""
_HEADS: Final = GENERIC | frozenset(terms("type centre center account group heading"))
"""Terms in which the names of most kinds of code end."""
_PLAIN: Final = frozenset(terms("right correct best proper suitable fitting kind sort type list entry our"))  # fmt: skip
"""Terms beside those that name a list."""

# --- the forms ---------------------------------------------------------------------------------

_LEAD_IN: Final = (
    r"\s*(?:(?:hi|hello|hey|please|so|ok(?:ay)?|and|also|sorry|quick question)\b[\s,.!:–-]*)*"
    r"(?:(?:(?:can|could|would|will)\s+(?:you|somebody|someone|anybody|anyone)|(?:do|does)\s+(?:you|anybody|anyone)|i|we|any|no)?\s*"
    r"(?:please\s+)?(?:tell\s+me|know|say|let\s+me\s+know|(?:would\s+|want\s+to\s+|need\s+to\s+|like\s+to\s+)+know|am\s+not\s+sure|wonder(?:ing)?|idea)\s+)?"
)
_KIND: Final = r"(?P<kind>(?!which\b|what\b)(?:[\w'’/-]+\s+){0,4}?[\w'’/-]+)"
_WHICH: Final = (
    r"(?:under|to|on|in|into|against|with|for|as|of)?\s*(?:which|what|wich|wat)(?:['’]?s|\s+is|\s+are)?"
    r"(?:\s+(?:the|of\s+(?:the|our|these|those)|one\s+of\s+(?:the|our)))?"
)
_VERB: Final = (
    r"(?:is|are|has|have|had|does|do|should|shall|would|wud|will|must|can|could|may|might|fits?|suits?|match(?:es)?"
    r"|belongs?|appl(?:y|ies)|covers?|goes|go|takes?|gets?|describes?|for|to|when|if|i|we|be|am)"
)
_ACT: Final = r"(?:classify|classifying|categori[sz]e|categori[sz]ing)"
_PUT: Final = (
    r"(?:log|file|record|book|tag|label|register|enter|raise|put|report|charge|code|class)"
)
_DONE: Final = (
    r"(?:class(?:ed|ified)|categori[sz]ed|filed|logged|coded|booked|recorded|tagged|labelled|labeled|registered"
    r"|raised|charged)"
)
_WHO: Final = r"(?:i|we|you|one|they|somebody|someone)"
_FLAGS: Final = re.IGNORECASE | re.DOTALL

_COMMANDED: Final = re.compile(
    rf"{_LEAD_IN}(?:please\s+|(?:can|could|would)\s+you\s+(?:please\s+)?|help\s+me\s+(?:to\s+)?|i\s+(?:want|need)\s+to\s+)?"
    rf"(?:{_ACT}\b[\s:,]*|code(?=\s+(?:this|these|the following)|\s*:)[\s:]*)"
    r"(?:this|these|the following|it)?\b(?:\s+as\s+[\w ]{1,30}?)?\s*[:\-–]?\s*(?P<what>.+)",
    _FLAGS,
)
_HOW: Final = re.compile(
    rf"{_LEAD_IN}(?:how|what|where|{_WHICH}\s+\w+)\s+(?:do|does|should|shall|would|can|could|to)?\s*(?:{_WHO}\s+)?{_ACT}\s+(?P<what>.+?)(?:\s+(?:as|under|in|to))?[\s?.!]*",
    _FLAGS,
)
_AS_WHAT: Final = re.compile(
    rf"{_LEAD_IN}(?:what|how|where)\s+(?:do|does|should|shall|would|can|could|must)\s+{_WHO}\s+{_PUT}\s+(?P<what>.+?)\s*(?:\b(?:as|under|into|against)\b)(?P<more>\s*[:,?–-].+|[\s?.!]*)",
    _FLAGS,
)
_BE_DONE: Final = re.compile(
    rf"{_LEAD_IN}(?:what|how|where)\s+(?:would|should|will|must|can|could|does|is)\s+(?P<what>.+?)\s+(?:be\s+|get\s+)?{_DONE}(?:\s+(?:as|under|in|into|to|against))?[\s?.!]*",
    _FLAGS,
)
_LOGGED: Final = re.compile(
    rf"(?P<what>.+?)\s*[:,;.?!–—-]+\s*(?:so\s+|and\s+)?(?:what|how)\s+(?:do|should|shall|would|can|could|must)\s+{_WHO}\s+(?:{_PUT}\s+(?:this|that|it)\s+(?:as|under|against)|{_ACT}\s+(?:this|that|it))\b[\s?.!]*",
    _FLAGS,
)
_FOUND: Final = re.compile(
    rf"{_LEAD_IN}(?:(?:can|could|would)\s+you\s+|i\s+|we\s+|please\s+)?"
    rf"(?:find|give|need|looking\s+for|look\s+up|assign|what['’]?s|what\s+is|what\s+are|show|want|suggest|tell\s+me|get|is\s+there|are\s+there)\s+(?:me\s+)?"
    rf"(?:(?:the|a|an|any|some)\s+)?{_KIND}\s*(?:\b(?:for|to\s+use\s+for|to\s+use\s+(?:if|when)|about|if|when|to)\b|:)\s*:?\s*(?P<what>.+)",
    _FLAGS,
)
_BARE: Final = re.compile(
    rf"{_LEAD_IN}(?:the\s+|a\s+)?{_KIND}\s*(?:\b(?:for|if|when)\b\s*:?|:)\s*(?P<what>.+)", _FLAGS
)
_LEADING: Final = re.compile(
    rf"{_LEAD_IN}{_WHICH}\s+{_KIND}\s*(?:\b(?P<verb>{_VERB})\b|[:,?–-])\s*(?P<what>.+)", _FLAGS
)
_TRAILING: Final = re.compile(
    rf"\s*(?P<what>.+?)\s*[:,;.?!–—-]+\s*(?:so\s+|and\s+|but\s+)?{_LEAD_IN}(?:{_WHICH}\s+)?{_KIND}\s*"
    r"(?:\b(?:is|does|do|should|shall|would|fits?|has|have|can|could|for|applies|covers|to|wise|please|pls)\b\s*(?:this|that|it|they|these|i|we|be)?\b[^?.!:]{0,40})?[?.!\s]*",
    _FLAGS,
)
_FORMS: Final = (
    _COMMANDED,
    _HOW,
    _AS_WHAT,
    _BE_DONE,
    _LEADING,
    _FOUND,
    _BARE,
    _LOGGED,
    _TRAILING,
)

_CANNOT_ASK_OF_LIST: Final = (_COMMANDED, _LOGGED, _TRAILING)
"""Forms that order it, or in which the description comes first."""

# --- what is described -------------------------------------------------------------------------

_FRAME: Final = re.compile(
    r"^(?:(?:should|would|do|does|can|could|must|may|might|shall|i|we|you|they|is|are|be|has|have|the right one|used?|pick|choose"
    r"|select|take|raise|log|report|enter|give|go|with|when|if|whenever|where|what|about|out|there"
    r"|book(?:ed)?|put|file[d]?|charge[d]?|assign(?:ed)?|for|to|of|on|under|belongs?|goes|go(?:es)?|this|that|these|it|best|one)\b(?!['’])[\s:,?.!–-]*)+",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"(?:\b(?:belongs?|go(?:es)?|booked|charged|filed|put|assigned|fall|falls|come|comes)\b\s*(?:to|on|under|in|into|against)?"
    r"|\b(?:have|has|get|gets|be|to|under|into|against))?\s*[?.!\s]*$",
    re.IGNORECASE,
)
_POLITE: Final = re.compile(
    r"(?:[\s,.!?–-]+(?:please|pls|plz|thanks|thank you|thx|cheers|then|ta))+[\s.!?]*$",
    re.IGNORECASE,
)
_EDGES: Final = " \n\t:,;?!–-"
_ASKS_OF_LIST: Final = re.compile(
    r"^\s*(?:there|exist|mean(?:s|t)?|stands? for|changed?|(?:new|valid|available|in (?:use|force))\W*$|(?:we|you) (?:have|use)"
    r"|(?:\w+\s+){0,3}?(?:the\s+)?(?:most|fewest|least|longest|shortest|highest|lowest|oldest|newest|biggest|largest|smallest)\b)(?!\w)",
    re.IGNORECASE,
)
_MANY: Final = re.compile(r"(?:are|have|do|belong|exist|is|has|of|in|under|about|there)\b", re.IGNORECASE)  # fmt: skip
_PLURAL: Final = re.compile(r"(?:ies|[^s]s)$", re.IGNORECASE)
_A_CODE: Final = re.compile(
    r"[\s\W]*[A-Za-z]{0,4}[\s.-]?\d[\w./-]*[\s\W]*(?:mean|means|stand for)?"
)
_ASKING: Final = re.compile(
    r"\W*(?:(?:so|and|but|or|also|ok|okay|hi|hello|hey|please)\b[\s,.!–-]*)*"
    r"(?:how|what|who|whose|whom|when|where|why|which|whats|hows|wheres|whos|is|are|was|were|do|does|did|can|could|may"
    r"|must|should|will|would|has|have|had|am"
    r"|list|show|give|compare|count|summari[sz]e|find|search|tell|explain)\b(?!n?['’]?t\b)",
    re.IGNORECASE,
)
"""How a question or an order begins; "can't log in" is none."""
_AND_THIS: Final = re.compile(r"\W*(?:and\s+)?(?:what|how)\s+about\b\s*", re.IGNORECASE)
_LEAST_TOLD: Final = 2
"""Different terms of a message that goes on with another one, if it asks nothing."""
_GOES_ON: Final = re.compile(r"\W*(?:and|or|also|then|but|not|only|just|no|yes)\b", re.IGNORECASE)
_JOINING: Final = frozenset({"of", "our", "your", "the", "this", "a", "an", "in"})
"""Words within the name of a kind."""
_ACRONYM: Final = re.compile(r"[A-Z]{2,8}")


class Described(NamedTuple):
    """What is to be classified, and the words for what kind of code is wanted."""

    text: str
    kind: str


def described(text: str, names: Collection[str] | None = None) -> Described | None:
    """Return what a question wants classified; None where it wants something else.

    With `names`, the terms by which the code lists are called, its kind of code must be called by them,
    or be called a code or category.
    """
    return next(_read(_POLITE.sub("", text.strip()), names), None)


def description_of(text: str) -> str:
    """Return what a message describes that asks nothing; empty where it asks something, or says too little.

    Where all documents are code lists, whoever tells something wants the code that it has.
    """
    said = _AND_THIS.sub("", _POLITE.sub("", text.strip()))
    least = _LEAST_TOLD if _GOES_ON.match(said) else 1
    says_enough = len(set(terms(said))) >= least
    return said if says_enough and not _ASKING.match(said) and not _A_CODE.fullmatch(said) else ""


def _read(text: str, names: Collection[str] | None) -> Iterator[Described]:
    for form in _FORMS:
        match = form.fullmatch(text)
        if match is None:
            continue
        groups = match.groupdict()
        kind = groups.get("kind") or "code"
        what = groups["what"] + (groups.get("more") or "")
        if names is None and form is not _LEADING and not ends_like_a_kind(kind):
            continue
        asks_of_list = form not in _CANNOT_ASK_OF_LIST and _ASKS_OF_LIST.match(what)
        if asks_of_list or not is_kind(kind, names) or _asks_of_many(match, kind):
            continue
        said = _said(what, kind)
        if set(terms(said)) - set(terms(kind)) - _PLAIN and not _A_CODE.fullmatch(said):
            yield Described(said, kind)


_POINTS_AHEAD: Final = re.compile(
    r"\s*(?:this|that|these|those|the\s+following|it|they)\b(?:\s+(?:one|thing|invoices?|bills?|receipts?|expenses?|costs?|items?|orders?"
    r"|purchases?|payments?|tickets?|messages?|requests?|cases?|lines?|entry|jobs?|texts?))?"
    r"(?:\s+(?:belongs?|goes|go|come|fall|be\s+\w+ed|have|get|need|fit|is|are))?(?:\s+(?:to|on|under|in|into|against|with|for))?"
    r"\s*[?:,.;!–—-]+\s*(?=\w)",
    re.IGNORECASE,
)
"""A question that says nothing of what is described behind it."""


def _said(what: str, kind: str) -> str:
    """Return a description without the words that lead to it, and without those that end the question."""
    what = _POINTS_AHEAD.sub("", what, count=1) if _POINTS_AHEAD.match(what) else what
    said = _TAIL.sub("", _FRAME.sub("", what)).strip(_EDGES)
    # "a ticket for a blocked pump": the kind of thing that has such a code.
    called = "|".join(map(re.escape, kind.split()))
    rest = re.sub(rf"^(?:an?\s+|the\s+|my\s+|this\s+)?(?:{called})s?\s*(?:(?:for|about|on|saying|from|of)\b|:)\s*", "", said, flags=re.IGNORECASE)  # fmt: skip
    return rest if terms(rest) else said


def _asks_of_many(match: re.Match[str], kind: str) -> bool:
    """Tell whether it asks which codes there are: "which ticket types belong to …"."""
    if not _PLURAL.search(kind) or kind.casefold().endswith("class"):
        return False
    return _MANY.match(match.string[match.end("kind") :].lstrip()) is not None


def ends_like_a_kind(kind: str) -> bool:
    """Tell whether words name a kind of code in most workspaces."""
    said = terms(kind)
    return bool(said) and said[-1] in _HEADS


def is_kind(kind: str, names: Collection[str] | None) -> bool:
    """Tell whether words name a kind of code: all of them call the list, or its codes."""
    words = [word for word in kind.split() if not _ACRONYM.fullmatch(word)]
    said = set(terms(" ".join(words)))
    if not said or not all(word.casefold() in _JOINING or terms(word) for word in words):
        return False
    if names is None:
        return True
    own = (said & GENERIC) | called(said, names)
    return bool(own) and said <= own | _PLAIN


def called(said: Collection[str], names: Collection[str]) -> set[str]:
    """Return the terms that are names, also spelt otherwise."""
    return {
        term
        for term in said
        if term in names or any(is_spelt_otherwise(term, name) for name in names)
    }
