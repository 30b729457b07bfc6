"""Reads Word documents: headings, lists and tables in document order."""

import io
import re
from collections.abc import Iterator
from typing import Final

import docx
from docx.document import Document
from docx.oxml.ns import qn
from docx.oxml.text.paragraph import CT_P
from docx.text.paragraph import Paragraph
from lxml.etree import _Element

from masis.adapters.parsing.blocks import BlockCollector
from masis.adapters.parsing.cleaning import one_line
from masis.adapters.parsing.dates import saved_date
from masis.adapters.parsing.properties import core_fields, further_fields
from masis.adapters.parsing.reading import Reading

_HEADING: Final = re.compile(r"(?:heading|überschrift|titre|título|titolo)\s*(\d)", re.IGNORECASE)
_LIST: Final = re.compile(r"list\s+(?:bullet|number|paragraph)\s*(\d?)", re.IGNORECASE)
_MAX_HEADING_LENGTH = 120
_MAX_NESTED_TABLES = 5
_TEXT, _TAB = qn("w:t"), qn("w:tab")
_BREAKS = {qn("w:br"), qn("w:cr")}
_PARAGRAPH, _TABLE, _ROW, _CELL = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc")
_CONTROL, _GALLERY = qn("w:sdt"), qn("w:docPartGallery")  # a form's field; a table of contents
_HEADER_ROW = f"{qn('w:trPr')}/{qn('w:tblHeader')}"
_NUMBERING = f"{qn('w:pPr')}/{qn('w:numPr')}"
_OUTLINE = f"{qn('w:pPr')}/{qn('w:outlineLvl')}"
_BODY_LEVEL: Final = 9
_BOLD_LEVEL: Final = 4
"""Where a line stands that is a heading by its looks alone: below the named ones."""
# Deleted text, field codes, and the old form of a text box that is there twice.
_SKIPPED = {
    qn("w:del"),
    qn("w:instrText"),
    qn("w:pPr"),
    qn("w:rPr"),
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
}


def read(name: str, content: bytes) -> Reading:
    """Read a document's body; headers and footers of its pages are left out."""
    del name
    reading = Reading()
    document = docx.Document(io.BytesIO(content))
    properties = document.core_properties
    reading.title = properties.title or ""
    reading.fields = core_fields(properties) + further_fields(content)
    reading.date = saved_date(properties.modified) or saved_date(properties.created)
    styles = _Styles(document)
    for element in document.element.body.iterchildren():
        _add(reading.body, document, element, styles)
    return reading


def _add(body: BlockCollector, document: Document, element: _Element, styles: "_Styles") -> None:
    if isinstance(element, CT_P):
        _add_paragraph(body, Paragraph(element, document), styles)
    elif element.tag == _TABLE:
        _add_table(body, element)
    elif element.tag == _CONTROL and element.find(f".//{_GALLERY}") is None:
        for child in element.iterfind(f"{qn('w:sdtContent')}/*"):
            _add(body, document, child, styles)


def _add_paragraph(body: BlockCollector, paragraph: Paragraph, styles: "_Styles") -> None:
    text = paragraph_text(paragraph._p)  # noqa: SLF001 - python-docx has no other way to its XML
    if not text.strip():
        return
    style = styles.name(paragraph)
    level = _heading_level(paragraph, style, text)
    if level:
        body.heading(text, level)
        return
    depth = styles.depth(paragraph, style)
    if depth is not None:
        body.item(text, depth)
    elif style.lower().startswith(("toc ", "table of figures")):
        return
    else:
        body.paragraph(text)


def paragraph_text(element: _Element) -> str:
    """A paragraph's text: insertions and links count, deletions and field codes do not."""
    return "".join(_pieces(element))


def _pieces(element: _Element) -> Iterator[str]:
    for child in element.iterchildren():
        if child.tag in _SKIPPED:
            continue
        if child.tag == _TEXT:
            yield child.text or ""
        elif child.tag == _TAB:
            yield "\t"
        elif child.tag in _BREAKS:
            yield "\n"
        elif child.tag == qn("w:noBreakHyphen"):
            yield "-"
        elif child.tag == _PARAGRAPH:  # in a text box
            yield from (" ", *_pieces(child), " ")
        elif len(child):
            yield from _pieces(child)


def _heading_level(paragraph: Paragraph, style: str, text: str) -> int:
    """The level of a heading, 0 for other text; a short line that is all bold counts as one."""
    if named := _HEADING.match(style):
        return int(named[1])
    if style in {"Title", "Titel"}:
        return 1
    outline = paragraph._p.find(_OUTLINE)  # noqa: SLF001 - not in python-docx
    value = "" if outline is None else outline.get(qn("w:val"), "")
    if value.isdecimal() and int(value) < _BODY_LEVEL:
        return int(value) + 1
    return _BOLD_LEVEL if _stands_out(paragraph, style, text) else 0


def _stands_out(paragraph: Paragraph, style: str, text: str) -> bool:
    text = text.strip()
    if len(text) > _MAX_HEADING_LENGTH or text.endswith((".", ",", ";")) or _LIST.match(style):
        return False
    if paragraph._p.find(_NUMBERING) is not None:  # noqa: SLF001 - not in python-docx
        return False
    runs = [run for run in paragraph.runs if run.text.strip()]
    return bool(runs) and all(run.bold for run in runs)


class _Styles:
    """The names of styles, and which paragraphs are list items by their own or their style's numbering."""

    def __init__(self, document: Document) -> None:
        self._names: dict[str | None, str] = {}
        self._numbered = {
            style.name for style in document.styles if style.element.find(_NUMBERING) is not None
        }

    def name(self, paragraph: Paragraph) -> str:
        """The name of a paragraph's style, looked up once: that takes most of a document's time."""
        style_id = paragraph._p.style  # noqa: SLF001 - not in python-docx
        if style_id not in self._names:
            style = paragraph.style
            self._names[style_id] = (style.name if style is not None else "") or ""
        return self._names[style_id]

    def depth(self, paragraph: Paragraph, style: str) -> int | None:
        """How deep the item is nested, None for text outside lists."""
        numbering = paragraph._p.find(_NUMBERING)  # noqa: SLF001 - not in python-docx
        if numbering is not None:
            level = numbering.find(qn("w:ilvl"))
            value = "0" if level is None else level.get(qn("w:val"), "0")
            return min(int(value), 8) if value.isdecimal() else 0
        if (named := _LIST.match(style)) and not style.lower().startswith("list paragraph"):
            return int(named[1] or 1) - 1
        return 0 if style in self._numbered else None


def _add_table(body: BlockCollector, table: _Element, nesting: int = 0) -> None:
    rows: list[list[str]] = []
    nested: list[_Element] = []
    header_rows = 0
    for row in table.iterchildren(_ROW):
        if row.find(_HEADER_ROW) is not None and header_rows == len(rows):
            header_rows += 1
        cells = [cell for cell in row.iter(_CELL) if next(cell.iterancestors(_ROW)) is row]
        rows.append([text for cell in cells for text in _cell(cell)])
        nested += [inner for cell in cells for inner in cell.iterchildren(_TABLE)]
    if max(map(len, rows), default=0) == 1:
        for line in (cells[0] for cells in rows if cells):
            body.paragraph(line)
    else:
        body.table(rows, header_rows or None)
    for inner in nested if nesting < _MAX_NESTED_TABLES else []:
        _add_table(body, inner, nesting + 1)


def _cell(cell: _Element) -> list[str]:
    """A cell's text in the first of the columns that it spans."""
    text = one_line(" ".join(paragraph_text(p) for p in cell.iter(_PARAGRAPH) if _owner(p) is cell))
    span = cell.find(f"{qn('w:tcPr')}/{qn('w:gridSpan')}")
    value = "1" if span is None else span.get(qn("w:val"), "1")
    width = min(int(value), 50) if value.isdecimal() else 1
    return [text, *[""] * (width - 1)]


def _owner(paragraph: _Element) -> _Element | None:
    return next(paragraph.iterancestors(qn("w:tc")), None)
