"""Reads workbooks of Excel 97 to 2003: every visible sheet as tables, values as they are displayed.

Read by xlrd, since python-calamine gives no number formats: 12.5 % would be 0.125.
"""

import io

import xlrd
from xlrd.biffh import XLRDError, error_text_from_code

from masis.documents.parsing import document_limits, refusals
from masis.documents.parsing.office.sampled_rows import passages
from masis.documents.parsing.office.sheet_tables import SheetTables
from masis.documents.parsing.office.sheets import add_sheet
from masis.documents.parsing.recognition.containers import opened, stated_fields
from masis.documents.parsing.recognition.read_document import Reading
from masis.documents.parsing.tables.number_formats import displayed, exact
from masis.domain import Place
from masis.errors import DocumentRefused


def read(name: str, content: bytes) -> Reading:
    """Read a workbook's stored values; formulas show what they last gave."""
    del name
    reading = Reading()
    with opened(content) as container:
        path = "Workbook" if container.exists("Workbook") else "Book"
        with container.openstream(path) as stream:
            records = stream.read()
        reading.fields = stated_fields(container)
    try:
        # It gets the records alone: in a damaged container it may go in circles for ever.
        # What it says of a file's oddities goes nowhere. It reads all formats, to show values by.
        book = xlrd.open_workbook(
            file_contents=records, formatting_info=True, logfile=io.StringIO()
        )
    except XLRDError as error:
        locked = "encrypted" in str(error).lower()
        raise DocumentRefused(refusals.OFFICE_LOCKED if locked else refusals.DAMAGED) from error
    for sheet in book.sheets():
        if sheet.visibility == 0:
            _add(reading, book, sheet)
    return reading


def _add(reading: Reading, book: xlrd.Book, sheet: xlrd.sheet.Sheet) -> None:
    grid: list[list[str]] = []
    exact_grid: list[list[str]] = []
    for number in range(sheet.nrows):
        row = [_shown(book, cell) for cell in sheet.row(number)[: document_limits.COLUMNS]]
        reading.body.count_cells(sum(1 for cell in row if cell))
        grid.append(row)
        exact_grid.append(
            [_exact(book, cell, shown) for cell, shown in zip(sheet.row(number), row, strict=False)]
        )
    if not any(map(any, grid)):
        return
    place = Place(sheet=sheet.name)
    merged = [(top, left, below - 1, right - 1) for top, below, left, right in sheet.merged_cells]
    found = SheetTables(exact_grid, sheet=sheet.name, merged=merged, is_grid=True)
    tables = found.tables()
    reading.tables += tables
    reading.body.heading(sheet.name, 1, place)
    add_sheet(reading.body, grid, place, passages(reading.body, grid, tables))


def _exact(book: xlrd.Book, cell: xlrd.sheet.Cell, shown: str) -> str:
    if cell.ctype != xlrd.XL_CELL_NUMBER:
        return shown
    formats = book.format_map.get(book.xf_list[cell.xf_index].format_key)
    return exact(cell.value, formats.format_str if formats is not None else "")


def _shown(book: xlrd.Book, cell: xlrd.sheet.Cell) -> str:
    if cell.ctype in {xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK}:
        return ""
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return displayed(bool(cell.value), "")
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(error_text_from_code.get(cell.value, ""))
    if cell.ctype == xlrd.XL_CELL_DATE:
        try:
            return displayed(xlrd.xldate_as_datetime(cell.value, book.datemode), "")
        except (xlrd.xldate.XLDateError, OverflowError, ValueError):
            return displayed(cell.value, "")
    formats = book.format_map.get(book.xf_list[cell.xf_index].format_key)
    return displayed(cell.value, formats.format_str if formats is not None else "")
