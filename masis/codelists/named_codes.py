"""Tell which code of a list a text names outright."""

import re
from collections.abc import Mapping
from typing import Final

from masis.text.lexical import terms

_AROUND: Final = frozenset(
    "it is its it's it’s that's that’s thats this that would will should be code codes number no nr type the a an one i we think guess"
    " mean take use choose pick please pls under as say yes ok okay so".split()
)
"""Words beside a code that say nothing else."""
_WORD: Final = re.compile(r"[^\W_][\w./:'’\-]*")
_NOT: Final = frozenset("not no isn't isnt nor except".split())


def named_code(text: str, titles: Mapping[str, str]) -> str:
    """Return the code that a text names, alone or with its own title; empty where it says anything else.

    `titles` are those of all codes.
    """
    words = [each.rstrip(".:/-") for each in _WORD.findall(text.casefold())]
    codes = {code.casefold(): code for code in titles}
    named = {word for word in words if word in codes}
    if len(named) != 1 or not _NOT.isdisjoint(words):
        return ""
    code = codes[named.pop()]
    rest = [word for word in words if word != code.casefold() and word not in _AROUND]
    return code if set(terms(" ".join(rest))) <= set(terms(titles[code])) else ""
