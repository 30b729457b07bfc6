"""Arrange the points of an answer as a table: a column a key where they have keys, else what each says."""

import re
from collections.abc import Sequence
from typing import Final

from masis.domain import Value
from masis.graphs.chat import texts
from masis.values.shown import ShownColumn, ShownTable

MOST_COLUMNS: Final = 8
"""Of keys; more are told in one column."""
_ITEM: Final = re.compile(r"(?P<item>[^.!?;]{2,90}?)(?: – |: )(?P<rest>\S.*)", re.DOTALL)
_CELL: Final = re.compile(r"(?P<key>[^:;]{1,60}): (?P<value>[^;]+)")

_MARK: Final = re.compile(r"^(?:[-•*]\s+)+")
"""Of a list; a sign that stands at a word is the word's own: "-5 °C"."""


class _Point(Value):
    """Hold a point as it is told: of which item, in which cells, and where it stands."""

    item: str
    cells: dict[str, str]
    where: str


def points_table(points: Sequence[tuple[str, str]]) -> ShownTable:
    """Make a table of points, each with where it stands."""
    read = [_read(_bare(text), where) for text, where in points]
    keys = list(dict.fromkeys(key for each in read for key in each.cells))
    if not all(each.item for each in read) or len(keys) > MOST_COLUMNS:
        keys, read = [texts.SAYS], [_whole(_bare(text), where) for text, where in points]
    first = [texts.ITEM] if any(each.item for each in read) else []
    rows = [
        [*([each.item] if first else []), *(each.cells.get(key, "") for key in keys), each.where]
        for each in read
    ]
    columns = [ShownColumn(name=name) for name in (*first, *keys, texts.STANDS_IN)]
    return ShownTable(
        title=texts.POINTS.rstrip(":"), columns=columns, rows=rows, total_rows=len(rows)
    )


def _read(text: str, where: str) -> _Point:
    """Read "Hotel, London – Limit: £170" as an item and its cells."""
    told = _ITEM.fullmatch(text)
    if told is None:
        return _whole(text, where)
    return _Point(item=told["item"].strip(), cells=_cells(told["rest"]), where=where)


def _cells(rest: str) -> dict[str, str]:
    """Read "Limit: £170; Days: 7" as cells; what would lose a word of it stays whole."""
    found = [_CELL.fullmatch(part) for part in rest.split(";")]
    cells = {each["key"].strip(): each["value"].strip(" .") for each in found if each}
    return cells if len(cells) == len(found) else {texts.SAYS: rest}


def _whole(text: str, where: str) -> _Point:
    return _Point(item="", cells={texts.SAYS: text}, where=where)


def _bare(text: str) -> str:
    """Return a point without the mark of a list and what is only for emphasis."""
    return _MARK.sub("", " ".join(text.split())).replace("**", "")
