"""Tell three things or more in the same respects, from a table that has them as rows. Pure."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.extractive.wholes.collections import Collection, Row
from masis.extractive.wholes.sides import MOST_CELL, MOST_RESPECTS
from masis.extractive.wholes.values import WholeLine
from masis.text.lexical import terms

LEAST: Final = 3
"""Things; two are compared as a pair."""
MOST: Final = 5
FEWEST_FOUND: Final = 2
"""Of the things; of one alone nothing can be compared."""
NAMING_CELLS: Final = 3
"""The first cells of a row, of which one may be its name: "E | Early | 07:15"."""

_COMPARES: Final = re.compile(
    r"\b(?:compare|comparison (?:of|between)|dif\w{3,8} (?:between|of))\s+(?P<of>\S.{2,160})",
    re.IGNORECASE,
)
_BORDER: Final = re.compile(
    r"\s*[,;/]\s*(?:(?:and|or|vs\.?|versus)\s+)?|\s+(?:and|or|vs\.?|versus|with|against|to)\s+",
    re.IGNORECASE,
)
_AGAINST: Final = re.compile(r"\b(?:vs\.?|versus)\s", re.IGNORECASE)
_BESIDE: Final = re.compile(r"\s*\([^()]*\)")


class Several(NamedTuple):
    """The things that are compared, as they are called; `loose` where nothing stands between some of them."""

    names: tuple[str, ...]
    loose: bool


class Told(NamedTuple):
    """The lines of a comparison, the table, what its rows are called, and the things that it lacks."""

    lines: list[WholeLine]
    collection: Collection
    names: tuple[str, ...]
    missing: tuple[str, ...]


def several(question: str) -> Several | None:
    """Return the three to five things that a question compares; None where it compares fewer or more.

    "Gold silver and bronze" are three where a table has a row of each: then they are `loose`.
    """
    found = _COMPARES.search(question)
    of = found["of"] if found else question if len(_AGAINST.findall(question)) > 1 else ""
    parts = [part for each in _BORDER.split(of.strip(" ?.!")) if (part := each.strip())]
    loose = len(parts) < LEAST
    if loose:
        parts = [word for part in parts for word in part.split() if terms(word)]
    if not LEAST <= len(parts) <= (MOST if not loose else MOST * 2):
        return None
    if not all(map(terms, parts)):  # "compare gold, silver and this"
        return None
    return Several(tuple(parts), loose)


def compared(of: Several, found: Sequence[Collection]) -> list[Told]:
    """Return the tables that have most of the things as rows, the one with most respects first."""
    told = [made for one in found if one.kind == "table" and (made := _of(of, one))]
    most = max((len(each.names) for each in told), default=0)
    return sorted((t for t in told if len(t.names) == most), key=lambda t: -len(t.lines))


def _of(of: Several, one: Collection) -> Told | None:
    rows = {name: found for name in of.names if (found := _row(name, one)) is not None}
    told = dict(rows.values())  # a row that is named twice is told once
    labels = list(told)
    least = LEAST if of.loose else FEWEST_FOUND
    if not least <= len(labels) <= MOST:
        return None
    lines = _lines(list(told.values()), labels)
    missing = () if of.loose else tuple(name for name in of.names if name not in rows)
    return Told(lines, one, tuple(labels), missing) if lines else None


def _row(name: str, one: Collection) -> tuple[str, Row] | None:
    """The row that is called as a thing is, by most of its words, and how it is called there."""
    said = set(terms(name))
    best: tuple[int, str, Row] | None = None
    for row in one.rows:
        for _, value in row.cells[:NAMING_CELLS]:
            label = _BESIDE.sub("", value)
            own = set(terms(label))
            if own and own <= said and (best is None or len(own) > best[0]):
                best = (len(own), label, row)
    return None if best is None else (best[1], best[2])


def _lines(rows: Sequence[Row], labels: Sequence[str]) -> list[WholeLine]:
    """A line for each column but those that name the rows."""
    cells = [dict(row.cells) for row in rows]
    ids = list(dict.fromkeys(row.chunk.chunk_id for row in rows))
    columns = dict.fromkeys(column for row in rows for column, _ in row.cells)
    lines = []
    for column in columns:
        values = [each.get(column, "–")[:MOST_CELL] for each in cells]
        if not column or all(_BESIDE.sub("", v) == n for v, n in zip(values, labels, strict=True)):
            continue
        told = "; ".join(f"{name}: {value}" for name, value in zip(labels, values, strict=True))
        lines.append(WholeLine(text=f"{column} – {told}", ids=ids))
    return lines[:MOST_RESPECTS]
