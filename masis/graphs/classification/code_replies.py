"""Read what somebody replies to the question which of several codes it is."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.codelists.described import described
from masis.codelists.named_codes import asked_code
from masis.graphs.classification import texts
from masis.graphs.classification.state import Candidate, Said
from masis.graphs.classification.thresholds import SHORT_TERMS
from masis.questions.choice import says_nothing
from masis.questions.replies import EDGES, all_turned_down, asks_meaning, is_wrong, told_instead
from masis.rewriting import small_words
from masis.text.lexical import terms

_LEAD: Final = (
    r"(?:(?:i\s+(?:think|guess|mean|meant|would\s+say)|it\s+is|it['’]?s|that['’]?s|that\s+is|probably|maybe|perhaps|yes|yeah"
    r"|yep|ok(?:ay)?|well|hm+|um+|definitely|more\s+like|rather|take|use|choose|pick)\b[\s,.:–-]*)*"
)
_TAIL: Final = r"(?:[\s,]+(?:please|pls|i\s+think|i\s+guess|thanks?|probably|maybe|then))*\W*"
_COUNTED: Final = {
    name: at
    for at, names in enumerate(
        (
            "first 1st one former",
            "second 2nd two",
            "third 3rd three",
            "fourth 4th four",
            "fifth 5th five",
            "sixth 6th six",
            "seventh 7th seven",
            "eighth 8th eight",
        )
    )
    for name in names.split()
}
_LAST: Final = frozenset({"last", "latter"})
_PLACE: Final = re.compile(
    rf"\W*{_LEAD}(?:the\s+)?(?:(?:number|no\.?|nr\.?|option|#)\s*)?(?P<n>\d|{'|'.join([*_COUNTED, *_LAST])})"
    rf"(?:\s+(?:one|option|of\s+(?:them|these|those)))?{_TAIL}",
    re.IGNORECASE,
)
_NOT: Final = re.compile(
    r"\W*(?:(?:it['’]?s|it\s+is|that['’]?s)\s+)?not\s+(?P<what>(?:(?!\bbut\b)[^,.;:!])+)(?:\bbut\b)?",
    re.IGNORECASE,
)
_ALL: Final = re.compile(
    r"\W*(?:(?:it['’]?s|could\s+be|maybe|both|all|any|either)\b\s*)*(?:both|all|any|either)(?:\s+of\s+(?:them|these|those))?\W*",
    re.IGNORECASE,
)
_PART: Final = re.compile(r"[^\W_]+")
_CLOSED: Final = re.compile(r"\s*\([^()]*\)$")
_FILLER: Final = frozenset(
    terms(
        "one thing option code type think guess mean sort kind something that please probably maybe more like"
        " rather"
    )
)


class CodeReply(NamedTuple):
    """What a reply says of the titles that were offered.

    `chosen` is the one that it names, `rejected` those that it turns down, `text` what else it says, and
    `is_undecided` that somebody cannot say; who `asks_meaning` does not understand the question.
    """

    chosen: str = ""
    rejected: Sequence[str] = ()
    text: str = ""
    is_undecided: bool = False
    asks_meaning: bool = False


def read(reply: str, offered: Sequence[str], *, was_asked: bool = True) -> CodeReply:
    """Read a reply by rule; where nothing was offered it says more, or that somebody cannot say."""
    if was_asked and asks_meaning(reply):
        return CodeReply(asks_meaning=True)
    if was_asked and is_wrong(reply):
        return CodeReply(rejected=offered)
    if not offered:
        is_undecided = was_asked and says_nothing(reply)
        return CodeReply(text="" if is_undecided else reply, is_undecided=is_undecided)
    return _of_offered(reply, offered)


def _of_offered(reply: str, offered: Sequence[str]) -> CodeReply:
    chosen = _named_title(reply, offered) or _placed(reply, offered)
    if chosen:
        return CodeReply(chosen=chosen)
    if (beside := all_turned_down(reply)) is not None:
        return CodeReply(rejected=offered, text=beside)
    if says_nothing(reply) or _ALL.fullmatch(reply):
        return CodeReply(is_undecided=True)
    if against := _NOT.match(reply):
        # What it is not says nothing for the search: words alone are near to it.
        turned_down = _about(against["what"], offered)
        return CodeReply(rejected=turned_down, text=reply[against.end() :].strip(EDGES))
    return CodeReply(text=reply)


def _named_title(reply: str, offered: Sequence[str]) -> str:
    """Return the only offered title that stands whole in a short reply, or at its beginning."""
    said = " ".join(re.sub(r"[^\w()']+", " ", reply.casefold()).split())
    whole = [each for each in offered if _plain(each) == said]
    if whole:
        return whole[0]
    if re.search(r"\b(?:not|isn't|isnt|no)\b", said):
        return ""
    bare = {each: _plain(_CLOSED.sub("", each)) for each in offered}
    is_short = len(set(terms(reply))) <= SHORT_TERMS
    held = [
        each
        for each, title in bare.items()
        if title and (said.startswith(f"{title} ") or said == title or (is_short and f" {title} " in f" {said} "))
    ]  # fmt: skip
    return held[0] if len(held) == 1 else ""


def _plain(title: str) -> str:
    return " ".join(re.sub(r"[^\w()']+", " ", title.casefold()).split())


def _placed(reply: str, offered: Sequence[str]) -> str:
    """Return the offered title whose place a reply names."""
    found = _PLACE.fullmatch(reply)
    if found is None:
        return ""
    word = found["n"].casefold()
    at = len(offered) - 1 if word in _LAST else _COUNTED.get(word, -1)
    at = int(word) - 1 if word.isdigit() else at
    return offered[at] if 0 <= at < len(offered) else ""


def _about(words: str, offered: Sequence[str]) -> list[str]:
    """Return the offered titles that hold all these words, where not all do."""
    if place := _placed(words, offered):
        return [place]
    said = set(terms(words)) - _FILLER
    held = [each for each in offered if said and said <= set(terms(each))]
    return held if len(held) < len(offered) else []


_CODED: Final = re.compile(r"(?P<title>.*)\s\((?P<code>[^()a-z]+)\)")
"""A title with its code; what has small letters may be its group as well."""


def still_meant(said: Sequence[str], rejected: Sequence[str]) -> list[str]:
    """Leave out of what was said what only names a code that was turned down."""
    named = filter(None, map(_CODED.fullmatch, rejected))
    titles = {each["code"]: each["title"] for each in named}
    return [each for each in said if not asked_code(each, titles)]


# --- what begins anew ----------------------------------------------------------------------

_RESTARTS: Final = re.compile(
    r"\W*(?:(?:let(?:'|’)?s|can we|please)\s+)?(?:start(?:ing)? (?:over|again|anew|afresh)|restart|begin again|from the beginning"
    r"|forget (?:that|it|all that|what i said)|reset)\b(?:\s*,?\s*please)?[\s,.:;!–-]*",
    re.IGNORECASE,
)
_ASKS_ANEW: Final = re.compile(
    r"\b(?:which|what(?:['’]?s)?|classify|categori[sz]e)\b", re.IGNORECASE
)


def since_restart(messages: Sequence[Said]) -> list[Said]:
    """Return what was said since somebody wanted to start over, or asked for a code anew."""
    for at in range(len(messages) - 1, -1, -1):
        each = messages[at]
        if each.role == "asker" and (anew := _begun_anew(each, at)) is not None:
            return [*anew, *messages[at + 1 :]]
    return list(messages)


def _begun_anew(each: Said, at: int) -> list[Said] | None:
    """Return with what a message begins anew; None where it goes on."""
    if _ASKS_ANEW.search(each.text) and described(each.text):
        return [each]
    if found := _RESTARTS.match(each.text):
        rest = each.text[found.end() :].strip()
        if rest and not at:  # The first message describes: "restart of a pump".
            return None
        return [Said(role="asker", text=rest)] if rest else []
    return None


_POINTING: Final = (
    frozenset(
        "he him his she her they them their this that these those there same such one".split()
    )
    | small_words.POSSESSIVE_PRONOUNS
    | {"it", "you", "your"}
)
"""Words by which a message goes on with what was said before, or speaks to the bot."""
_ASKING: Final = small_words.WH | small_words.AUXILIARIES
_LEAST_TOLD: Final = 2
"""Different terms of what may describe something by itself."""


def may_begin_anew(reply: str, said: Sequence[str]) -> bool:
    """Tell whether a reply that turns all down may be about something else: its nearness to a code tells then.

    That is said outright and without a word of what was said before; who asks, points back, or speaks of
    the bot goes on.
    """
    told = told_instead(reply) or ""
    words, own = _PART.findall(told.casefold()), set(terms(told))
    asks = "?" in told or not _ASKING.isdisjoint(words[:1])
    goes_on = asks or not _POINTING.isdisjoint(words)
    known = {term for each in said for term in terms(each)}
    return len(own) >= _LEAST_TOLD and not goes_on and own.isdisjoint(known)


# --- among the codes -----------------------------------------------------------------------


def told_apart(
    reply: str, offered: Sequence[str], candidates: Sequence[Candidate]
) -> list[Candidate]:
    """Return the codes that a reply names: by a code, or by words that some of those offered have alone.

    A code above names those below it. Nothing where it says more, which is for the search.
    """
    if by_code := _by_code(reply, candidates):
        return by_code
    said = set(terms(reply)) - _FILLER
    among = [each for each in candidates if set(texts.labels(each)) & set(offered)]
    if not said or len(said) > SHORT_TERMS or len(among) <= 1:  # one alone is told
        return []
    for words_of in (_titled, _grouped, _described):
        held = [each for each in among if said <= words_of(each)]
        if 0 < len(held) < len(among):
            return held
    return []


def _by_code(text: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    titles = {step.code: step.title for each in candidates for step in each.path}
    titles |= {each.code: each.title for each in candidates}
    code = asked_code(text, titles)
    if not code:
        return []
    own = [each for each in candidates if each.code == code]
    return own or [each for each in candidates if code in {step.code for step in each.path}]


def _titled(candidate: Candidate) -> set[str]:
    return set(terms(candidate.title))


def _grouped(candidate: Candidate) -> set[str]:
    return _titled(candidate).union(*(terms(step.title) for step in candidate.path))


def _described(candidate: Candidate) -> set[str]:
    return _grouped(candidate).union(candidate.words)
