"""Reads documents of Word 97 to 2003: headings, paragraphs and tables (MS-DOC)."""

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import olefile

from masis.documents.parsing import refusals
from masis.documents.parsing.dates import saved_date
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.recognition.containers import opened, stated_fields, stated_text
from masis.documents.parsing.recognition.read_document import Reading
from masis.errors import DocumentRefused

# Where the file information block (FibBase, FibRgLw97, FibRgFcLcb97) says what.
_MAGIC, _MAGIC_AT, _FLAGS_AT = 0xA5EC, 0, 0x0A
_ENCRYPTED, _SECOND_TABLE = 0x0100, 0x0200
_COUNTS_AT: Final = 0x4C
"""Characters of the main text, footnotes, headers, reserved, comments, endnotes and text boxes."""
_PARAGRAPHS_AT, _PIECES_AT = 0x0102, 0x01A2
_TEXTS: Final = (0, 1, 5, 6)
"""Of those the main text, footnotes, endnotes and text boxes are read."""
_COMPRESSED: Final = 0x40000000
_PAGE: Final = 512
_HEADING_STYLES: Final = 9
"""Styles 1 to 9 are the headings in every document."""
# Single property modifiers: the paragraph stands in a table, ends a row, its outline level, its list.
_IN_TABLE, _ROW_END, _OUTLINE, _LIST = 0x2416, 0x2417, 0x2640, 0x460B
_OPERAND_BYTES: Final = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}
_TABLE_DEFINITION: Final = 0xD608
_BODY_LEVEL: Final = 9
_FIELD_CODE = re.compile("\x13[^\x13\x14\x15]{0,2000}(?:\x14|(?=\x15))")
_MARKS = str.maketrans({"\x0b": "\n", "\x0c": "\n", "\x1e": "-", "\x1f": None, "\xa0": " "})


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Hold what a paragraph's properties say.

    `level` is its heading level (0 is text); the others say whether it is an item or ends a row.
    """

    level: int = 0
    item: bool = False
    row_end: bool = False


def read(name: str, content: bytes) -> Reading:
    """Read a document's body; headers, footers and comments are left out."""
    del name
    reading = Reading()
    with opened(content) as container:
        main = container.openstream("WordDocument").read()
        magic, flags = struct.unpack_from("<H8xH", main)
        if magic != _MAGIC:
            raise DocumentRefused(refusals.LEGACY_OFFICE)
        if flags & _ENCRYPTED:
            raise DocumentRefused(refusals.OFFICE_LOCKED)
        table = container.openstream("1Table" if flags & _SECOND_TABLE else "0Table").read()
        _add_metadata(reading, container)
    _add(reading.body, _Text(main, table), _Properties(main, table))
    return reading


def _add_metadata(reading: Reading, container: olefile.OleFileIO) -> None:
    metadata = container.get_metadata()
    reading.title = stated_text(metadata.title, metadata.codepage)
    reading.fields = stated_fields(container)
    reading.date = saved_date(metadata.last_saved_time) or saved_date(metadata.create_time)


def _add(body: BlockCollector, text: "_Text", properties: "_Properties") -> None:
    rows: list[list[str]] = []
    row: list[str] = []
    cell: list[str] = []
    for line, end, at in text.paragraphs():
        paragraph = properties.of(at)
        shown = _FIELD_CODE.sub("", line).translate(_MARKS)
        if end == "\x07" and paragraph.row_end:
            rows.append(row)
            row, cell = [], []
        elif end == "\x07":
            row.append(" ".join([*cell, shown]))
            cell = []
        elif properties.in_table(at):
            cell.append(shown)
        else:
            body.table(rows)
            rows = []
            _add_paragraph(body, shown, paragraph)
    body.table([*rows, row] if row else rows)


def _add_paragraph(body: BlockCollector, text: str, paragraph: _Paragraph) -> None:
    if paragraph.level:
        body.heading(text, paragraph.level)
    elif paragraph.item:
        body.item(text)
    else:
        body.paragraph(text)


class _Text:
    """The characters of a document, which lie in pieces about the file."""

    def __init__(self, main: bytes, table: bytes) -> None:
        self._main = main
        self._counts = struct.unpack_from("<7I", main, _COUNTS_AT)
        start, size = struct.unpack_from("<II", main, _PIECES_AT)
        self._pieces = list(_pieces(table[start : start + size]))

    def paragraphs(self) -> Iterator[tuple[str, str, int]]:
        """Each paragraph's text, the mark that ends it, and where that mark lies in the file."""
        begins = [sum(self._counts[:number]) for number in range(len(self._counts))]
        wanted = [(begins[one], begins[one] + self._counts[one]) for one in _TEXTS]
        line: list[str] = []
        for first, position, text, each in self._stretches():
            for number, char in enumerate(text):
                if not any(begin <= first + number < end for begin, end in wanted):
                    continue
                if char in "\r\x07":
                    yield "".join(line), char, position + number * each
                    line.clear()
                else:
                    line.append(char)
        if line:
            yield "".join(line), "\r", -1

    def _stretches(self) -> Iterator[tuple[int, int, str, int]]:
        """Number of the first character, its place in the file, the text, and bytes a character."""
        left = len(self._main)  # pieces do not overlap: no document says more than its file holds
        for first, last, where in self._pieces:
            count = min(last - first, left)
            left -= count
            if where & _COMPRESSED:
                place = (where & ~_COMPRESSED) // 2
                raw = self._main[place : place + count]
                yield first, place, raw.decode("cp1252", "replace"), 1
            else:
                raw = self._main[where : where + 2 * count]
                yield first, where, raw.decode("utf-16-le", "replace"), 2


def _pieces(table: bytes) -> Iterator[tuple[int, int, int]]:
    """First and last character of each piece, and where it lies."""
    at = 0
    while at < len(table) and table[at] == 1:  # formatting before the pieces
        at += 3 + int(struct.unpack_from("<H", table, at + 1)[0])
    size = struct.unpack_from("<I", table, at + 1)[0]
    plan = table[at + 5 : at + 5 + size]
    count = (len(plan) - 4) // 12
    bounds = struct.unpack_from(f"<{count + 1}I", plan)
    for number in range(count):
        where = struct.unpack_from("<I", plan, 4 * (count + 1) + 8 * number + 2)[0]
        if bounds[number] <= bounds[number + 1]:
            yield bounds[number], bounds[number + 1], where


class _Properties:
    """Read what the pages of paragraph properties say, by places in the file."""

    def __init__(self, main: bytes, table: bytes) -> None:
        self._ends: list[int] = []
        self._found: list[tuple[_Paragraph, bool]] = []
        start, size = struct.unpack_from("<II", main, _PARAGRAPHS_AT)
        plan = table[start : start + size]
        count = max(0, (len(plan) - 4) // 8)
        for number in struct.unpack_from(f"<{count}I", plan, 4 * (count + 1)):
            at = (number & 0x3FFFFF) * _PAGE
            if at + _PAGE <= len(main):
                self._add_page(main[at : at + _PAGE])

    def of(self, place: int) -> _Paragraph:
        """The properties of the paragraph whose mark lies at a place."""
        return self._at(place)[0]

    def in_table(self, place: int) -> bool:
        """Say whether the paragraph whose mark lies at a place stands in a cell."""
        return self._at(place)[1]

    def _at(self, place: int) -> tuple[_Paragraph, bool]:
        number = bisect_right(self._ends, place)
        return (
            self._found[number]
            if place >= 0 and number < len(self._found)
            else (_Paragraph(), False)
        )

    def _add_page(self, page: bytes) -> None:
        runs = page[-1]
        for number in range(runs):
            end = struct.unpack_from("<I", page, 4 * (number + 1))[0]
            offset = 2 * page[4 * (runs + 1) + 13 * number]
            if self._ends and end <= self._ends[-1]:
                continue
            self._ends.append(end)
            self._found.append(_paragraph(page, offset) if offset else (_Paragraph(), False))


def _paragraph(page: bytes, offset: int) -> tuple[_Paragraph, bool]:
    start, size = offset + 1, 2 * page[offset] - 1
    if size < 0:  # an even size stands in the next byte
        start, size = offset + 2, 2 * page[offset + 1]
    style = struct.unpack_from("<H", page, start)[0]
    modifiers = dict(_modifiers(page[start + 2 : start + size]))
    level = style if 1 <= style <= _HEADING_STYLES else 0
    outline = modifiers.get(_OUTLINE, _BODY_LEVEL)
    level = level or (outline + 1 if outline < _BODY_LEVEL else 0)
    found = _Paragraph(level, bool(modifiers.get(_LIST)), bool(modifiers.get(_ROW_END)))
    return found, bool(modifiers.get(_IN_TABLE))


def _modifiers(raw: bytes) -> Iterator[tuple[int, int]]:
    """Numbers of property modifiers with the first bytes of their operands as a number."""
    at = 0
    while at + 3 <= len(raw):
        code = struct.unpack_from("<H", raw, at)[0]
        at += 2
        kind = code >> 13
        if kind in _OPERAND_BYTES:
            size = _OPERAND_BYTES[kind]
        elif code == _TABLE_DEFINITION:
            size = 1 + int.from_bytes(raw[at : at + 2], "little")
        else:
            size = 1 + raw[at]
        yield code, int.from_bytes(raw[at : at + min(size, 4)], "little")
        at += size
