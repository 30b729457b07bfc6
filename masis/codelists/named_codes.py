"""Tell which code of a list a text names outright."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from masis.text.lexical import terms

_AROUND: Final = frozenset(
    "it is its it's it’s that's that’s thats this that would will should be code codes number no nr type the a an one i we think guess"
    " mean take use choose pick please pls under as say yes ok okay so".split()
)
"""Words beside a code that say nothing else."""
_ASKING: Final = frozenset(
    "what whats what's what’s does do means meaning stand stands for mean tell me explain which one who about hi hello hey can you know"
    " are there in under below beneath within of list lists show give all belong belongs fall falls contain contains include includes part parts"
    " group groups category categories children subcodes types".split()
)
"""Words that ask what a code stands for, or what is below it."""
_COMMON: Final = _AROUND | _ASKING
_WORD: Final = re.compile(r"[^\W_][\w./:'’\-]*")
_NOT: Final = frozenset("not no isn't isnt nor except".split())


def named_code(text: str, titles: Mapping[str, str]) -> str:
    """Return the code that a text names, alone or with its own title; empty where it says anything else.

    `titles` are those of all codes.
    """
    return _named(text, titles, _AROUND)


def asked_code(
    text: str, titles: Mapping[str, str], kinds: Collection[Collection[str]] = ()
) -> str:
    """Return the code of which a text asks what it stands for; empty where it asks anything else.

    `kinds` are the terms of each name that the list and its columns have.
    """
    return _named(text, titles, _AROUND | _ASKING, kinds)


def _named(
    text: str,
    titles: Mapping[str, str],
    around: Collection[str],
    kinds: Collection[Collection[str]] = (),
) -> str:
    written = [each.rstrip(".:/-") for each in _WORD.findall(text)]
    codes = {code.casefold(): code for code in titles}
    named = {code for word in written if (code := _code_of(word, codes, written))}
    if len(named) != 1:
        return ""
    code = named.pop()
    beside = [word.casefold() for word in written if word.casefold() != code.casefold()]
    rest = [word for word in beside if word not in around]
    left, whole = set(terms(" ".join(rest))), set(terms(" ".join(beside)))
    is_all = left <= set(terms(titles[code])) or any(left <= set(k) <= whole for k in kinds)
    return code if is_all and _NOT.isdisjoint(beside) else ""


def _code_of(word: str, codes: Mapping[str, str], written: Sequence[str]) -> str:
    """Return the code that a word is; one that is a common word as well (IT, NO) as the list writes it."""
    code = codes.get(word.casefold(), "")
    if code.casefold() not in _COMMON and terms(code):
        return code
    shouted = len(written) > 1 and all(each.isupper() for each in written)
    return code if word == code and not shouted else ""
