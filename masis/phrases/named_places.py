"""Tell of which place a passage speaks, where the question names one: "There are 52 bays" under "Parking in York".

Pure and lexical. Places are names that documents write behind "in" or "at", and only those that stand side by
side with the one asked for count as others of its kind: in "York and Leeds", or in one column.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from masis.text.grammars.calendar import ANY_MONTH, WEEKDAY
from masis.text.lexical import terms

MOST_CHARS: Final = 60_000
"""Of the evidence that is read for places."""

_NAME: Final = r"[A-ZÀ-Þ][a-zß-ÿ'’-]{2,}(?: [A-ZÀ-Þ][a-zß-ÿ'’-]{2,})?"
_PLACED: Final = re.compile(rf"\b(?:[Ii]n|[Aa]t|[Nn]ear) (?P<name>{_NAME})")
_BESIDE: Final = re.compile(
    rf"(?P<names>{_NAME}(?:(?:, | and | or | & |/| – ){_NAME})+)(?:,? (?:and|or) {_NAME})?"
)
_BEGINS: Final = re.compile(rf"\W*(?:In|At) (?P<name>{_NAME})\b")
_PARTS: Final = re.compile(r", | and | or | & |/| – ")
_FIRST: Final = re.compile(
    rf"^[|\s]*(?P<column>[^:|\n]{{1,40}}): (?P<name>{_NAME})(?= ?(?:\||$))", re.MULTILINE
)
_NO_PLACE: Final = re.compile(
    rf"(?:{ANY_MONTH}|{WEEKDAY}|Appendix|Section|Annex|Table|Figure|Clause)\b",
    re.IGNORECASE,
)


class Place(NamedTuple):
    """The place that is asked about, and the others of its kind, by the terms of their names."""

    asked: frozenset[frozenset[str]]
    others: frozenset[frozenset[str]]


class Told(NamedTuple):
    """A passage, the headings over it from the outermost on, and the name of its document."""

    text: str
    headings: Sequence[str]
    title: str


def place(question: str, evidence: Iterable[str]) -> Place | None:
    """Return the place that a question names, with those that documents name beside it; None without any."""
    told = "\n".join(evidence)[:MOST_CHARS]
    known = {name for found in _PLACED.finditer(told) if (name := _as_terms(found["name"]))}
    said = frozenset(terms(question))
    asked = {name for name in known if name <= said}
    if not asked:
        return None
    others = {name for group in _groups(told) if group & asked for name in group & known} - asked
    others = {name for name in others if not name <= said}
    return Place(frozenset(asked), frozenset(others)) if others else None


def named_in(heading: str) -> list[frozenset[str]]:
    """Return the places that a heading says its section is of: "Leave in York and Leeds"."""
    found = _PLACED.search(heading)
    if found is None:
        return []
    return [
        name for part in _PARTS.split(heading[found.start("name") :]) if (name := _as_terms(part))
    ]


def is_of_another(where: Place, told: Told) -> bool:
    """Tell whether a passage speaks of another place of the kind: it, else what stands over it, names that alone."""
    own = frozenset(terms(told.text))
    if _names(where.asked, own):
        return False
    if (begun := _BEGINS.match(told.text)) and _names(
        where.others, frozenset(terms(begun["name"]))
    ):
        return True
    for heading in reversed(told.headings):
        over = frozenset(terms(heading))
        if _names(where.asked, over):
            return False
        if _names(where.others, over):
            return True
    if _names(where.others, own):
        return True
    title = frozenset(terms(told.title))
    return _names(where.others, title) and not _names(where.asked, title)


def _names(names: Iterable[frozenset[str]], said: frozenset[str]) -> bool:
    return any(name <= said for name in names)


def _groups(told: str) -> Iterable[set[frozenset[str]]]:
    """Yield the names that stand side by side, in a sentence or in the first column of rows."""
    for found in _BESIDE.finditer(told):
        yield {name for part in _PARTS.split(found[0]) if (name := _as_terms(part))}
    columns: dict[str, set[frozenset[str]]] = {}
    for row in _FIRST.finditer(told):
        if name := _as_terms(row["name"]):
            columns.setdefault(row["column"], set()).add(name)
    yield from columns.values()


def _as_terms(name: str) -> frozenset[str]:
    return frozenset() if _NO_PLACE.match(name) else frozenset(terms(name))
