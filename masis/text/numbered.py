"""The years and numbered things that a question names: "in 2027", "year 12", "SEV3", "FY27".

Pure and lexical. A passage that speaks of another year, or of another one of such things, comes near
to the question in every other way, and does not answer it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from masis.text.lexical import terms

_MOST_IN_A_RANGE: Final = 50
_CENTURY: Final = 2000

_YEAR: Final = re.compile(r"(?<![\d.,/])((?:19|20)\d{2})(?:\s?[-/–]\s?(\d{2}))?(?!\d|[.,]\d)")
_FISCAL: Final = re.compile(r"\bFY[ '’-]?(\d{2})(?:\s?[-/–]\s?(\d{2}))?(?!\d)", re.IGNORECASE)
_NUMBERS: Final = (
    r"\d{1,3}(?!\d|[.,:]\d)(?:\s?(?:-|–|to|and|or|&|,|/)\s?\d{1,3}(?!\d|[.,:]\d)){0,20}"
)
_THING: Final = re.compile(rf"\b([^\W\d_]{{2,30}}?)s?[ :#|-]{{0,3}}({_NUMBERS})", re.IGNORECASE)
_JOINED: Final = re.compile(r"(-|–|to)?\s?(\d{1,3})", re.IGNORECASE)
_AMOUNT: Final = re.compile(
    r"\s?(?:%|[£$€]|(?:per ?cent|pence|pounds?|euros?|dollars?|seconds?|minutes?|hours?|days?|nights?"
    r"|weeks?|months?|years?|times|people|miles?|km|kg|[kmp])\b)",
    re.IGNORECASE,
)
"""What makes a number behind a word an amount: "after 6 years"."""
_CODE: Final = re.compile(r"-[^\W\d_]")
"""What goes on behind a number that is part of a code: "TC-18-CS1"."""
_NO_THING: Final = frozenset(
    """
    after before within over under above below around between last past next first than until till
    least most up nearly almost approximately fy
    """.split()
)
"""Words before a number that are no name; of the others many are stop words."""


def speaks_of_others(question: str, passages: Iterable[str], evidence: Iterable[str]) -> bool:
    """Tell whether passages lack a year or a numbered thing that the question names.

    A number behind a word names a thing where the evidence numbers such things, too: where it has a
    "year 11", "year 12" is one of them, and "order 30" is none.
    """
    said = "\n".join(passages)
    if not years(question) <= years(said):
        return True
    asked, given = things(question), things(said)
    known = things("\n".join(evidence)) if asked else {}
    return any(name in known and not asked[name] <= given.get(name, set()) for name in asked)


def years(text: str) -> set[int]:
    """Return the years that a text names, both of "2023-24", and that of "FY27"."""
    found: set[int] = set()
    for match in _YEAR.finditer(text):
        first = int(match[1])
        found |= {first, first // 100 * 100 + int(match[2] or first % 100)}
    for match in _FISCAL.finditer(text):
        found |= {_CENTURY + int(year) for year in match.groups() if year}
    return found


def things(text: str) -> Mapping[str, set[int]]:
    """Return the numbers of the things that a text numbers, by the stem of their name."""
    found: dict[str, set[int]] = defaultdict(set)
    for match in _THING.finditer(text):
        name = terms(match[1])
        is_other = _AMOUNT.match(text, match.end()) or _CODE.match(text, match.end())
        if name and match[1].lower() not in _NO_THING and not is_other:
            found[name[-1]].update(_numbers(match[2]))
    return found


def _numbers(text: str) -> Iterator[int]:
    """The numbers of a list, those within its ranges as well: "7-9 and 11"."""
    last: int | None = None
    for joined, digits in _JOINED.findall(text):
        number = int(digits)
        if joined and last is not None and 0 <= number - last <= _MOST_IN_A_RANGE:
            yield from range(last, number)
        yield number
        last = number
