"""Tell the row of a table that a question names from one that leaves it out: "outside London"."""

import re
from collections.abc import Collection
from typing import Final

from masis.text.lexical import terms

_CELL: Final = re.compile(r"(?:^|\| )([^:|]{1,60}): ([^|]+?)(?= \||\s*$)")
_LEFT_OUT: Final = re.compile(
    r"\b(?:outside|excluding|excl\.|except(?: for| in)?|other than|apart from|not (?:in|for|including))"
    r"\s+(?:of\s+)?(?:the\s+)?(?P<what>[^,;|:()]{2,40})",
    re.IGNORECASE,
)


def leaves_out(question: str, text: str) -> bool:
    """Tell whether a row is of all but what a question names; who asks for the rest names that as well.

    Only its name tells of what it is: its other cells may well leave out what is asked, and so answer it.
    """
    if _LEFT_OUT.search(question):
        return False
    asked = set(terms(question))
    return any(
        not asked.isdisjoint(terms(each["what"])) for each in _LEFT_OUT.finditer(_name(text))
    )


def _name(row: str) -> str:
    """Return the first cell of a row without its column; of one cell alone, what it is called by."""
    first, beside, _ = row.strip("| ").partition(" | ")
    column, colon, said = first.partition(": ")
    return said if colon and beside else column


def is_row_of(asked: Collection[str], question: str, row: str) -> bool:
    """Tell whether a row has, in its first cell and over one other, every word that a question has of its own."""
    cells = _CELL.findall(row.strip("| "))
    if not cells[1:] or leaves_out(question, cells[0][1]):
        return False
    item, sought = set(terms(f"{cells[0][0]} {cells[0][1]}")), set(asked)
    is_named = not sought.isdisjoint(terms(cells[0][1]))
    named = (set(terms(header)) for header, _ in cells[1:])
    # "Bids lost" is more than the bids that are asked about.
    return is_named and any(over <= sought <= item | over for over in named)
