"""Reads Excel workbooks: every visible sheet as tables, values as they are displayed.

Read by openpyxl, since python-calamine gives no number formats: 12.5 % would be 0.125.
"""

import io
import warnings
from typing import Any, Final

import openpyxl

from masis.documents.parsing import limits, refusals
from masis.documents.parsing.dates import saved_date
from masis.documents.parsing.office.sheets import add_sheet
from masis.documents.parsing.office.workbook_parts import formulas_without_value, only_values
from masis.documents.parsing.properties import core_fields, further_fields
from masis.documents.parsing.recognition.read_document import Reading
from masis.documents.parsing.sparing import DAMAGE
from masis.documents.parsing.tables.number_formats import displayed
from masis.domain import Place

_MAX_ROWS: Final = limits.CELLS


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
                _add(reading, sheet)
        workbook.close()


def _add(reading: Reading, sheet: Any) -> None:
    # The stated dimension is often wrong, and one far cell would make every row 16,384 wide.
    sheet.reset_dimensions()
    grid: list[list[str]] = []
    place = Place(sheet=sheet.title)
    beyond = False
    for row in sheet.iter_rows():
        if len(grid) >= _MAX_ROWS:
            beyond = True
            break
        shown = [
            displayed(cell.value, cell.number_format) if cell.value is not None else ""
            for cell in row
        ]
        beyond = beyond or any(shown[limits.COLUMNS :])
        while shown and not shown[-1]:
            shown.pop()
        reading.body.count_cells(sum(1 for cell in shown if cell))
        grid.append(shown[: limits.COLUMNS])
    if beyond:
        reading.body.note(f"Sheet {sheet.title}: cells far outside the table were left out.")
    if not any(map(any, grid)):
        return
    reading.body.heading(sheet.title, 1, place)
    add_sheet(reading.body, grid, place)
