"""Read descriptions from the rows of a file, of which each wants a code of its own."""

import re
from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from masis.codelists.described import is_kind
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
_EACH: Final = (
    r"(?:each|every|all|these|those)(?:\s+one)?(?:\s+of)?(?:\s+(?:the|these|those|my|our|them))?(?:\s+[\w'’-]+){0,2}?"
    r"(?:\s+(?:in|from|of)\s+(?:the|this|my|our)(?:\s+attached)?\s+\w+)?"
)
_KIND: Final = (
    r"(?:(?:own|right|correct|best|matching|proper)\s+)?(?P<kind>[\w'’/-]+(?:\s+[\w'’/-]+){0,3}?)"
)
_GIVE: Final = (
    r"(?:(?:please|can\s+you|could\s+you|would\s+you|i\s+(?:need|want)(?:\s+to)?|help\s+me(?:\s+to)?)\s+)*"
    r"(?:give|assign|add|put|find|write|fill\s+in|set|tell\s+me|get|show|look\s+up|suggest|determine|tag|label|mark|sort|match|map|group)?(?:\s+me)?\s*"
)
_END: Final = r"(?:\s+(?:please|pls|thanks|thank\s+you))?[\s?.!]*"
_DOES: Final = r"(?:is|are|has|have|does|do|goes|fits?|suits?|appl(?:y|ies)|for|of|should|would)"
_BELONG: Final = r"(?:\s+(?:belongs?(?:\s+to)?|have|get|be|go(?:\s+(?:on|under|to|in))?))?"
_OF_EACH: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\s*{_GIVE}{_EACH}\s+(?:its|their|a|an|the|one)\s+{_KIND}{_END}",
        rf"\s*{_GIVE}{_EACH}\s+(?:with|by|to|into|under)\s+(?:(?:its|their|a|an|the|one)\s+)?{_KIND}{_END}",
        rf"\s*{_GIVE}(?:(?:the|a|an|its|their)\s+)?{_KIND}\s+(?:to|for|of|on|in|next\s+to|beside|behind)\s+{_EACH}{_END}",
        rf"\s*(?:which|what)\s+(?:is\s+the\s+)?{_KIND}\s+{_DOES}\s+{_EACH}{_BELONG}{_END}",
    )
)
"""How each row of a file is asked for, and for which kind of code."""


def asks_of_rows(text: str, names: Collection[str] | None = None) -> bool:
    """Tell whether a question beside a file wants a code for each of its rows.

    With `names`, the terms by which the code lists are called, its kind of code must be called by them.
    """
    if _ACT.search(text) is not None and is_about_rows(_ACT.sub(" ", text)):
        return True
    found = filter(None, (form.fullmatch(text) for form in _OF_EACH))
    return any(is_kind(match["kind"], names) for match in found)


def is_about_rows(text: str) -> bool:
    """Tell whether words describe nothing themselves, but speak of what stands in a file."""
    return not {term for term in terms(text) if not term.isdigit()} - _OF_FILES


class SentRow(NamedTuple):
    """A row that somebody sent: its description, and its cells by the names of their columns."""

    text: str
    cells: Mapping[str, str]


def sent_rows(chunks: Sequence[Chunk]) -> list[SentRow]:
    """Return the rows of files, described by the column that is called so, else the one with the most text."""
    rows = [row.cells for row in rows_of(chunks, least=1)]
    if not rows:
        return [SentRow(line, {}) for line in _lines(chunks) if line]
    names = list(dict.fromkeys(name for row in rows for name in row))
    lengths = {
        name: fmean(
            [len(row.get(name, "")) if not _is_number(row.get(name, "")) else 0 for row in rows]
        )
        for name in names
    }
    called = [name for name in names if _NAMED.search(name) and lengths[name]]
    column = max(called or names, key=lambda name: lengths[name])
    return [SentRow(row.get(column, "").strip(), row) for row in rows]


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
