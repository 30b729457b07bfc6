"""Reads delimited tables."""

import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import Final

from masis.documents.parsing import document_limits, refusals
from masis.documents.parsing.cleaning import visible
from masis.documents.parsing.decoding import decoded
from masis.documents.parsing.office.sampled_rows import passages, sampled
from masis.documents.parsing.office.sheet_tables import LOOKED_AT, SheetTables
from masis.documents.parsing.office.sheets import add_sheet
from masis.documents.parsing.recognition.read_document import Reading
from masis.domain import Place
from masis.errors import DocumentRefused

_DELIMITERS = ",;\t|"
_SAMPLE_LINES = 100
_LONG_LINE: Final = 64 * 1024


def read(name: str, content: bytes) -> Reading:
    """Read a table; the delimiter is the one that parts the lines most evenly."""
    del name
    reading = Reading()
    text = visible(decoded(content))
    csv.field_size_limit(document_limits.TEXT_CHARS)
    try:
        _read(reading, csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text)))
    except csv.Error as error:
        raise DocumentRefused(refusals.DAMAGED) from error
    return reading


def _read(reading: Reading, lines: Iterator[list[str]]) -> None:
    """Read the rows that are text, and all of them as a table."""
    rows: list[list[str]] = []
    cells = 0
    for row in lines:
        cells += len(row)
        rows.append(row[: document_limits.COLUMNS])
        if cells > document_limits.CELLS:
            break
    found = SheetTables(rows[:LOOKED_AT], is_grid=False)
    found.more(rows[LOOKED_AT:])
    if cells > document_limits.CELLS:
        found.more(_counted(lines, cells))
        reading.tables = found.tables()
        if not reading.tables:
            raise DocumentRefused(refusals.TOO_MANY_CELLS)
        rows = sampled(reading.body, rows, reading.tables)
    else:
        reading.tables = found.tables()
    add_sheet(reading.body, rows, Place(), passages(reading.body, rows, reading.tables))


def _counted(lines: Iterator[list[str]], cells: int) -> Iterator[list[str]]:
    """Give the rest of the rows, as long as there are not too many.

    Raises:
        DocumentRefused: there are.
    """
    for row in lines:
        cells += len(row)
        if cells > document_limits.TABLE_CELLS:
            raise DocumentRefused(refusals.TABLE_TOO_LARGE)
        yield row[: document_limits.COLUMNS]


def _delimiter(text: str) -> str:
    start = text[:_LONG_LINE].split("\n")
    lines = [line for line in islice(start, _SAMPLE_LINES) if line.strip()]
    best, most = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        usual = max(set(widths), key=widths.count, default=1)
        evenness = widths.count(usual) / max(1, len(widths))
        if usual > 1 and evenness * min(usual, 10) > most:
            best, most = delimiter, evenness * min(usual, 10)
    return best
