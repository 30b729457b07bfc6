"""Reads delimited tables."""

import csv
import io

from masis.documents.parsing import limits, refusals
from masis.documents.parsing.cleaning import visible
from masis.documents.parsing.decoding import decoded
from masis.documents.parsing.office.sheets import add_sheet
from masis.documents.parsing.recognition.read_document import Reading
from masis.domain import Place
from masis.errors import DocumentRefused

_DELIMITERS = ",;\t|"
_SAMPLE_LINES = 100


def read(name: str, content: bytes) -> Reading:
    """Read a table; the delimiter is the one that parts the lines most evenly."""
    del name
    reading = Reading()
    text = visible(decoded(content))
    csv.field_size_limit(limits.TEXT_CHARS)
    rows: list[list[str]] = []
    cells = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text)):
            cells += len(row)
            if cells > limits.CELLS:
                raise DocumentRefused(refusals.TOO_MANY_CELLS)
            rows.append(row[: limits.COLUMNS])
    except csv.Error as error:
        raise DocumentRefused(refusals.DAMAGED) from error
    add_sheet(reading.body, rows, Place())
    return reading


def _delimiter(text: str) -> str:
    lines = [line for line in text.split("\n")[:_SAMPLE_LINES] if line.strip()]
    best, most = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        usual = max(set(widths), key=widths.count, default=1)
        evenness = widths.count(usual) / max(1, len(widths))
        if usual > 1 and evenness * min(usual, 10) > most:
            best, most = delimiter, evenness * min(usual, 10)
    return best
