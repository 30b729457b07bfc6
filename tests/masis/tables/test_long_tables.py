"""Test which sheets may have more rows than are text."""

import pytest

from masis.tables.long_tables import WHOLE_ROWS, SheetName, long_sheets
from masis.values.tabular import Column, TableInfo, TableShape


def table(sheet: str, rows: int, columns: int) -> TableInfo:
    named = [Column(name=f"c{at}", type="number") for at in range(columns)]
    shape = TableShape(sheet=sheet, first_row=2, last_row=rows + 1, rows=rows, columns=named)
    return TableInfo(table_id=sheet, document_id="d", version_id="v", source="a.xlsx", shape=shape)


@pytest.mark.parametrize(
    ("sizes", "long"),
    [
        ([(WHOLE_ROWS, 5), (900, 5)], set()),
        ([(40_000, 5), (900, 5)], {"s0"}),
        ([(1_500, 200)], {"s0"}),
        ([(1_500, 50), (1_500, 50), (1_500, 50)], {"s0", "s1", "s2"}),
    ],
)
def test_sheet_is_long_by_rows_or_cells(sizes: list[tuple[int, int]], long: set[str]) -> None:
    """One long sheet strikes out no other; sheets of too many cells together may all be cut."""
    tables = [table(f"s{at}", *size) for at, size in enumerate(sizes)]
    assert long_sheets(tables) == {SheetName("v", each) for each in long}
