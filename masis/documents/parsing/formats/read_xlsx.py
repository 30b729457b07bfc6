"""Reads Excel workbooks: every visible sheet as tables, values as they are displayed.

Read by openpyxl, since python-calamine gives no number formats: 12.5 % would be 0.125.
"""

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final

import openpyxl
from openpyxl.utils import range_boundaries

from masis.documents.parsing import document_limits, refusals, xml_parts
from masis.documents.parsing.dates import saved_date
from masis.documents.parsing.office.sampled_rows import passages, sampled
from masis.documents.parsing.office.sheet_tables import Merged, SheetTables
from masis.documents.parsing.office.sheets import add_sheet
from masis.documents.parsing.office.workbook_parts import formulas_without_value, only_values
from masis.documents.parsing.properties import core_fields, further_fields
from masis.documents.parsing.recognition.read_document import Reading
from masis.documents.parsing.sparing import DAMAGE
from masis.documents.parsing.tables.number_formats import displayed, exact
from masis.domain import Place
from masis.values.tabular import PackedTable

_MAX_ROWS: Final = document_limits.CELLS
_MERGED: Final = re.compile(rb'<mergeCell ref="([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})"')
_MOST_MERGED: Final = 20_000


def read(name: str, content: bytes) -> Reading:
    """Read a workbook's stored values; formulas show what they last gave."""
    del name
    try:
        reading = Reading()
        _read(reading, content)
    except DAMAGE:
        reading = Reading()
        reading.body.left_out("some parts of the workbook")
        _read(reading, only_values(content))
    if count := formulas_without_value(content):
        reading.body.note(refusals.FORMULAS_WITHOUT_VALUE.format(count=count))
    return reading


def _read(reading: Reading, content: bytes) -> None:
    with warnings.catch_warnings():
        # Parts of a workbook that openpyxl leaves out (validation, drawings) hold no text.
        warnings.simplefilter("ignore")
        # What formulas link to outside the file is not needed: the values stand in the cells.
        workbook = openpyxl.load_workbook(
            io.BytesIO(content), read_only=True, data_only=True, keep_links=False
        )
        reading.title = workbook.properties.title or ""
        reading.date = saved_date(workbook.properties.modified)
        reading.fields = core_fields(workbook.properties) + further_fields(content)
        for sheet in workbook.worksheets:
            if sheet.sheet_state == "visible":
                _add(reading, sheet, _merged(content, sheet))
        workbook.close()


def _add(reading: Reading, sheet: Any, merged: Merged) -> None:
    # The stated dimension is often wrong, and one far cell would make every row 16,384 wide.
    sheet.reset_dimensions()
    grid: list[list[str]] = []
    exact_grid: list[list[str]] = []
    place = Place(sheet=sheet.title)
    beyond = False
    cells = 0
    rows = sheet.iter_rows()
    for row in rows:
        if len(grid) >= _MAX_ROWS:
            beyond = True
            break
        shown = [
            displayed(cell.value, cell.number_format) if cell.value is not None else ""
            for cell in row
        ]
        beyond = beyond or any(shown[document_limits.COLUMNS :])
        while shown and not shown[-1]:
            shown.pop()
        cells += sum(1 for cell in shown if cell)
        grid.append(shown[: document_limits.COLUMNS])
        exact_grid.append(_exact(row, shown))
        if reading.body.cells + cells > document_limits.CELLS:
            break
    if beyond:
        reading.body.note(f"Sheet {sheet.title}: cells far outside the table were left out.")
    if not any(map(any, grid)):
        return
    found = SheetTables(exact_grid, sheet=sheet.title, merged=merged, is_grid=True)
    if reading.body.cells + cells > document_limits.CELLS:
        grid, tables = _beyond(reading, found, grid, rows)
        cells = sum(1 for row in grid for cell in row if cell)
    else:
        tables = found.tables()
    reading.tables += tables
    reading.body.count_cells(cells)
    reading.body.heading(sheet.title, 1, place)
    add_sheet(reading.body, grid, place, passages(reading.body, grid, tables))


def _beyond(
    reading: Reading, found: SheetTables, grid: list[list[str]], rows: Iterator[Any]
) -> tuple[list[list[str]], list[PackedTable]]:
    """Read the rest of a long sheet as a table alone; its first rows stay text."""
    found.more(_exact(row) for row in rows)
    tables = found.tables()
    if not tables:
        reading.body.count_cells(document_limits.CELLS)
    return sampled(reading.body, grid, tables), tables


def _exact(row: Sequence[Any], shown: Sequence[str] = ()) -> list[str]:
    """The cells of a row with all their decimals; what is no number as it is shown."""
    cells = []
    for at, cell in enumerate(row[: len(shown) or document_limits.COLUMNS]):
        value = cell.value
        if value is None:
            cells.append("")
        elif shown and not isinstance(value, int | float):
            cells.append(shown[at])
        else:
            cells.append(exact(value, cell.number_format))
    return cells


def _merged(content: bytes, sheet: Any) -> Merged:
    """The merged cells of a sheet, which this way of reading does not tell."""
    path = str(getattr(sheet, "_worksheet_path", "")).lstrip("/")
    with xml_parts.opened(content) as package:
        part = package.read(path) if path in package.namelist() else b""
    found = []
    for span in _MERGED.findall(part)[:_MOST_MERGED]:
        left, top, right, last = (at or 1 for at in range_boundaries(span.decode()))
        found.append((top - 1, left - 1, last - 1, right - 1))
    return found
