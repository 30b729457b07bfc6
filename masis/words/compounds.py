"""Compounds, which some write as one word and others as two: "callout" and "call out".

Pure. What could be parted or joined is tried as another wording, and only counts where a passage has
the words beside each other.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from masis.text.lexical import terms

LEAST_PART: Final = 2
LEAST_OF_LONG: Final = 4
LONG: Final = 10
"""Characters from which on a word may be a compound with a sound between its parts: "Urlaubsantrag"."""
MOST_CHARS: Final = 40
MOST_PAIRS: Final = 30
MOST_BETWEEN: Final = 1
_JOINTS: Final = ("s", "es", "n", "en", "er", "e")
_WORD: Final = re.compile(r"[^\W\d_]+")
_BETWEEN: Final = re.compile(r"[ -]")


def partings(word: str) -> Iterator[tuple[str, str]]:
    """The ways to part a word in two, those of a German or Dutch compound without the sound between."""
    plain = word.lower()
    if len(plain) > MOST_CHARS:
        return
    for at in range(LEAST_PART, len(plain) - LEAST_PART + 1):
        yield plain[:at], plain[at:]
    if len(plain) < LONG:
        return
    for at in range(LEAST_OF_LONG, len(plain) - LEAST_OF_LONG + 1):
        for joint in _JOINTS:
            first = plain[:at].removesuffix(joint)
            if len(first) >= LEAST_OF_LONG and first != plain[:at]:
                yield first, plain[at:]


def pairs(question: str) -> Iterator[tuple[int, int, str]]:
    """The words beside each other that may be one: from, to, and how they are written together."""
    found = list(_WORD.finditer(question))[: MOST_PAIRS + 1]
    for one, other in pairwise(found):
        together = one[0] + other[0]
        if min(len(one[0]), len(other[0])) < LEAST_PART or not terms(f"{one[0]} {other[0]}"):
            continue
        beside = _BETWEEN.fullmatch(question, one.end(), other.start())
        if beside and len(together) <= MOST_CHARS:
            yield one.start(), other.end(), together.lower()


def stand_together(phrase: str, text: str) -> bool:
    """Tell whether a text has the words of a phrase beside each other, in any form and order.

    Long ones may have small words between them: "Antrag auf Urlaub".
    """
    wanted = terms(phrase)
    between = MOST_BETWEEN if all(len(word) >= LEAST_OF_LONG for word in phrase.split()) else 0
    said, width = terms(text), len(wanted) + between
    return bool(wanted) and any(
        set(wanted).issubset(said[at : at + width]) for at in range(len(said))
    )
