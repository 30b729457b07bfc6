"""Read the months that a question names without a year: "for July to September"."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from masis.domain import Period
from masis.text.grammars.calendar import SHORT_MONTHS, WRITTEN_MONTH
from masis.text.periods import months_of

_LINK: Final = r"(?:\s*[-–,]\s*|\s+(?:to|until|till|through|and|or)\s+)"
_SAID: Final = re.compile(
    rf"\b(?:in|for|during|from|between|of)\s+"
    rf"(?P<months>(?:{WRITTEN_MONTH})\b(?:{_LINK}(?:{WRITTEN_MONTH})\b)*)(?!\s*\d)",
    re.IGNORECASE,
)
# "Since", "from" and "by" one month are open at an end.
_OPEN: Final = re.compile(r"from\b", re.IGNORECASE)
_MONTH: Final = re.compile(rf"\b(?:{WRITTEN_MONTH})\b", re.IGNORECASE)
_RANGE: Final = re.compile(r"[-–]|\b(?:to|until|till|through)\b", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"between\b", re.IGNORECASE)
_YEAR: Final = 12
_TIMES: Final = 2
"""Times of a row that are its own: when it began and when it ended."""


@lru_cache(maxsize=256)
def months_named(text: str) -> frozenset[int]:
    """Return the months, from 1 to 12, that a text names without a year; none where it names none."""
    match = _SAID.search(text)
    if match is None:
        return frozenset()
    said = [SHORT_MONTHS.index(each[:3].casefold()) + 1 for each in _MONTH.findall(match["months"])]
    if len(said) == 1 and _OPEN.match(match[0]):
        return frozenset()
    is_range = _RANGE.search(match["months"]) or _BETWEEN.match(match[0])
    if len(said) != 2 or not is_range:
        return frozenset(said)
    length = (said[1] - said[0]) % _YEAR
    return frozenset((said[0] - 1 + step) % _YEAR + 1 for step in range(length + 1))


def may_be_in(months: frozenset[int], stated: Sequence[Period]) -> bool:
    """Tell whether what a row states as its times has one of the months, or it states none.

    Where it has a date, a year or a quarter beside it is of what the row speaks of.
    """
    dated = [each for each in stated if each.kind in {"day", "month"}]
    spans = [months_of(each) for each in (dated or stated)[:_TIMES]]
    return not spans or any(first <= month <= last for first, last in spans for month in months)
