"""Tell which code of a list a text names outright."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from masis.text.lexical import terms

_AROUND: Final = frozenset(
    "it is its it's it’s that's that’s thats this that would will should be code codes number no nr type the a an one i we think guess"
    " mean take use choose pick please pls under as say yes ok okay so".split()
)
_ASKING: Final = frozenset(
    "what whats what's what’s does do means meaning stand stands for mean tell me explain which one who about hi hello hey can you know".split()
)
"""Words that ask what a code stands for."""
"""Words beside a code that say nothing else."""
_WORD: Final = re.compile(r"[^\W_][\w./:'’\-]*")
_NOT: Final = frozenset("not no isn't isnt nor except".split())


def named_code(text: str, titles: Mapping[str, str]) -> str:
    """Return the code that a text names, alone or with its own title; empty where it says anything else.

    `titles` are those of all codes.
    """
    return _named(text, titles, _AROUND)


def asked_code(text: str, titles: Mapping[str, str]) -> str:
    """Return the code of which a text asks what it stands for; empty where it asks anything else."""
    return _named(text, titles, _AROUND | _ASKING)


def _named(text: str, titles: Mapping[str, str], around: Collection[str]) -> str:
    words = [each.rstrip(".:/-") for each in _WORD.findall(text.casefold())]
    codes = {code.casefold(): code for code in titles}
    named = {word for word in words if word in codes}
    if len(named) != 1 or not _NOT.isdisjoint(words):
        return ""
    code = codes[named.pop()]
    rest = [word for word in words if word != code.casefold() and word not in around]
    return code if set(terms(" ".join(rest))) <= set(terms(titles[code])) else ""
