"""Read descriptions from the rows of a file, of which each wants a code of its own."""

import re
from collections.abc import Sequence
from statistics import fmean
from typing import Final

from masis.codelists.list_rows import rows_of
from masis.domain import Chunk
from masis.text.lexical import terms

_NAMED: Final = re.compile(
    r"\b(?:description|details?|summary|subject|text|message|problem|issue|request|what|complaint|note)s?\b",
    re.IGNORECASE,
)
_OF_FILES: Final = frozenset(
    terms(
        "row rows line lines file files list table sheet entry entries item items description descriptions attached"
        " attachment csv excel spreadsheet column columns ticket tickets record records case cases one text texts"
        " new help please"
    )
)
_ITEM: Final = re.compile(r"^(?:[-*•]|\d{1,4}[.)])\s+")
_LABEL: Final = re.compile(r"^(?P<name>[^:|]{1,40}): (?P<said>.+)$")


_ACT: Final = re.compile(r"\b(?:classif\w*|categori[sz]\w*|cod(?:e|es|ing))\b", re.IGNORECASE)


def asks_of_rows(text: str) -> bool:
    """Tell whether a question beside a file wants a code for each of its rows."""
    return _ACT.search(text) is not None and is_about_rows(_ACT.sub(" ", text))


def is_about_rows(text: str) -> bool:
    """Tell whether words describe nothing themselves, but speak of what stands in a file."""
    return not {term for term in terms(text) if not term.isdigit()} - _OF_FILES


def descriptions(chunks: Sequence[Chunk]) -> list[str]:
    """Return the description of each row: its column that is called so, else the one with the most text."""
    rows = [row.cells for row in rows_of(chunks)]
    if not rows:
        return _lines(chunks)
    names = list(dict.fromkeys(name for row in rows for name in row))
    lengths = {
        name: fmean(
            [len(row.get(name, "")) if not _is_number(row.get(name, "")) else 0 for row in rows]
        )
        for name in names
    }
    called = [name for name in names if _NAMED.search(name) and lengths[name]]
    column = max(called or names, key=lambda name: lengths[name])
    return [row.get(column, "").strip() for row in rows]


def _lines(chunks: Sequence[Chunk]) -> list[str]:
    """Return the lines of a file with one column, without what each begins with."""
    lines = [line.strip() for chunk in chunks for line in chunk.text.split("\n") if line.strip()]
    found = [_LABEL.match(line) for line in lines]
    names = {match["name"] for match in found if match}
    if len(names) == 1 and all(found):
        return [match["said"].strip() for match in found if match]
    return [_ITEM.sub("", line) for line in lines]


def _is_number(cell: str) -> bool:
    return not any(each.isalpha() for each in cell)
