"""Tell which sheets may have more rows than are text in passages."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.values.tabular import TableInfo

WHOLE_ROWS: Final = 2_000
"""Rows of a table up to which all are text: 250 passages, some seconds of embedding."""
WHOLE_CELLS: Final = 200_000
"""Cells of a document up to which all are text; beyond them only the first rows of a sheet are."""


class SheetName(NamedTuple):
    """A sheet of a version of a document; a file without sheets is one of no name."""

    version_id: str
    sheet: str


def long_sheets(tables: Sequence[TableInfo]) -> frozenset[SheetName]:
    """Return the sheets with a table of which the first rows alone may be text."""
    cells: Counter[str] = Counter()
    for each in tables:
        text_rows = min(each.shape.last_row, WHOLE_ROWS)
        cells[each.version_id] += text_rows * len(each.shape.columns)
    return frozenset(
        SheetName(each.version_id, each.shape.sheet)
        for each in tables
        if each.shape.rows > WHOLE_ROWS or cells[each.version_id] > WHOLE_CELLS
    )
