"""Read what a sentence says that something is, and whether it allows or forbids.

Pure and lexical. The description is the noun phrase that follows the question's last word in the
sentence ("Jonas Veidt is a German *architect* who …", "made of *cast iron*"), or stands before it
("uses a *lead-acid* battery").
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from masis.text import lexical

FAMILY: Final = 5
"""Words that begin with the same so many letters are of one family ("football", "footballer")."""
MAX_WORDS: Final = 6
"""Of a description: a longer one is the rest of a sentence."""
MAX_BEFORE: Final = 3
_MAX_SKIPPED: Final = 5

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_BRACKETS = re.compile(r"\s*\([^()]{0,200}\)|\s*\[[^\[\]]{0,60}\]")
_LINKS: Final = frozenset(
    """
    is are was were be been being a an the of in as by with has had have also now still since
    made written called named known played plays play uses use used using its their his her this
    that it he she they currently mostly mainly usually always both either professional former
    retired current
    """.split()
)
"""What may stand between the thing and what it is."""
_ENDS: Final = frozenset(
    """
    who which that whose where when while in for from by at with to on of as than is are was
    were has had have but because since until after before during and/or not no if unless born
    best known located founded based built written published directed released served serving
    represented
    """.split()
)
_NEVER_FIRST: Final = frozenset(
    """
    without including excluding except despite besides beyond above below under over between
    through even only especially such whether if when unless until during because
    """.split()
)
"""A phrase that begins so says how or when, not what something is."""
_JOINS: Final = frozenset({"and", "or"})
_ATTRIBUTE = re.compile(
    r"\b(?:what|which) (?:(?:is|was|are|were) )?(?:the )?(?:(?:kind|type|sort) of |official |main |primary )?"
    r"([^\W\d_]{3,20})\b",
    re.IGNORECASE,
)
_BORDER = re.compile(r"[,;.:|!?()\[\]]")


class Description(NamedTuple):
    """Hold what something is said to be: the families of its head nouns and of all its words."""

    heads: frozenset[str]
    words: frozenset[str]


class Rule(NamedTuple):
    """Hold whether a sentence allows, obliges or affirms (True), or denies it."""

    holds: bool


# --- what it is ----------------------------------------------------------------------------


def attribute(question: str) -> str:
    """Return the noun of what is asked for ("which *language*", "the *genre* of"); "" for none."""
    match = _ATTRIBUTE.search(question)
    return match[1] if match else ""


def descriptions(text: str, terms: frozenset[str], noun: str = "") -> Iterator[Description]:
    """Yield what a sentence says that the thing is.

    That stands before the noun that was asked for ("Urdu-language"), else behind the last of the
    terms, else before it.
    """
    plain = _BRACKETS.sub("", text)
    if noun and (kind := re.search(rf"\b([^\W\d_]+)[ -]{re.escape(noun)}\b", plain, re.IGNORECASE)):
        word = kind[1].casefold()
        if word not in _LINKS | _ENDS | _JOINS and not _is_of(word, terms):
            yield described([kind[1]])
            return
    words = list(_WORD.finditer(plain))
    said = [match for match in words if _is_of(match[0], terms)]
    if not said:
        return
    after = _phrase(plain, said[-1].end(), [m for m in words if m.start() >= said[-1].end()])
    phrase = after or _before(plain, said[-1], words, terms)
    if any(word.isalpha() and word.casefold() not in _JOINS for word in phrase):
        yield described(phrase)


def noun_phrase(text: str) -> list[str]:
    """Return the words of the noun phrase with which a text begins, articles and "former" left out."""
    plain = _BRACKETS.sub("", text)
    return _phrase(f" {plain}", 0, list(_WORD.finditer(f" {plain}")), follows=False)


def contradict(one: Description, other: Description) -> bool:
    """Return whether neither's head noun is among the other's words."""
    return one.heads.isdisjoint(other.words) and other.heads.isdisjoint(one.words)


def family(word: str) -> str:
    """Return the letters by which words of one family are told."""
    return next(iter(lexical.terms(word)), word.casefold())[:FAMILY]


def families(text: str) -> frozenset[str]:
    """Return the families of the words of a text."""
    return frozenset(term[:FAMILY] for term in lexical.terms(text))


def _is_of(word: str, terms: frozenset[str]) -> bool:
    families = {term[:FAMILY] for term in terms if len(term) >= FAMILY}
    found = lexical.terms(word)
    return any(term in terms or term[:FAMILY] in families for term in found)


def _phrase(
    text: str, at: int, following: Sequence[re.Match[str]], *, follows: bool = True
) -> list[str]:
    """The words of the noun phrase behind a place, links skipped, up to a border or an end.

    Where it `follows` a word, a link or a colon stands between: else that word goes on in a name.
    """
    found: list[str] = []
    skipped = 0
    for match in following:
        border = _BORDER.search(text[at : match.start()])
        word = match[0].casefold()
        at = match.end()
        if border and (found or border[0] not in ":,"):
            break
        if not found and word in _NEVER_FIRST:
            break
        if not found and word in _LINKS:
            skipped += 1
            if skipped > _MAX_SKIPPED:
                break
            continue
        if (word in _ENDS and found) or len(found) == MAX_WORDS or word == "not":
            break
        if follows and not found and not skipped and not border:
            return []
        found.append(match[0])
    return found


def _before(
    text: str, last: re.Match[str], words: Sequence[re.Match[str]], terms: frozenset[str]
) -> list[str]:
    """The words right before the term: "a lead-acid battery"."""
    found: list[str] = []
    at = last.start()
    for match in reversed([m for m in words if m.end() <= at]):
        word = match[0].casefold()
        bordered = _BORDER.search(text[match.end() : at])
        if (
            bordered
            or word in _LINKS
            or word in _ENDS
            or _is_of(word, terms)
            or len(found) == MAX_BEFORE
        ):
            break
        found.insert(0, match[0])
        at = match.start()
    return found


def described(phrase: Sequence[str]) -> Description:
    """Return a phrase as a description: its heads are the last word and those before "and"."""
    plain = [word for word in phrase if word.casefold() not in _JOINS]
    heads = {plain[-1]} | {before for before, word in pairwise(phrase) if word.casefold() in _JOINS}
    words = frozenset(family(part) for word in plain for part in (word, *word.split("-")))
    return Description(frozenset(map(family, heads)), words)


# --- rules ---------------------------------------------------------------------------------

_DENIES = re.compile(
    r"\b(?:not|never|cannot|can't|mustn't|isn't|aren't|doesn't|don't|won't|no longer|nobody|neither"
    r"|forbidden|prohibited|banned|barred|disallowed|excluded|refused|optional|voluntary"
    r"|no (?:right|entitlement|permission|claim))\b",
    re.IGNORECASE,
)
_EXCEPTS = re.compile(r"\b(?:except|unless|only|other than|apart from)\b", re.IGNORECASE)
_FIRST_CLAUSE = re.compile(r"[;.]|, (?:but|and|so|as|because)\b")


def rule(text: str) -> Rule | None:
    """Return what a sentence says of a question that asks whether; None for one with exceptions."""
    clause = _FIRST_CLAUSE.split(text, maxsplit=1)[0]
    denied = len(_DENIES.findall(clause.replace("’", "'")))
    if denied > 1 or (denied and _EXCEPTS.search(text)):
        return None
    return Rule(not denied)
