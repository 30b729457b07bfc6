"""Reads OpenDocument texts: headings, lists and tables in document order."""

import datetime as dt
from collections.abc import Iterator
from itertools import islice
from typing import Final

from lxml.etree import _Element

from masis.adapters.parsing import limits, texts, xml_parts
from masis.adapters.parsing.blocks import BlockCollector
from masis.adapters.parsing.cleaning import one_line
from masis.adapters.parsing.dates import metadata_date
from masis.adapters.parsing.properties import MOST_READ
from masis.adapters.parsing.reading import Reading
from masis.errors import DocumentRefused

_SPACES: Final = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "meta": "urn:oasis:names:tc:opendocument:xmlns:meta:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
}


def _name(short: str) -> str:
    space, name = short.split(":")
    return f"{{{_SPACES[space]}}}{name}"


_PARAGRAPH, _HEADING, _LIST = _name("text:p"), _name("text:h"), _name("text:list")
_TABLE, _ROW, _CELL = _name("table:table"), _name("table:table-row"), _name("table:table-cell")
_COVERED, _HEADER_ROWS = _name("table:covered-table-cell"), _name("table:table-header-rows")
_ITEMS: Final = {_name("text:list-item"), _name("text:list-header")}
_FRAME: Final = _name("draw:frame")
_SPACE: Final = {
    _name("text:s"): " ",
    _name("text:tab"): "\t",
    _name("text:line-break"): "\n",
}
_BOXES: Final = {_name("draw:text-box"), _name("text:section"), _name("text:note-body")}
# Deleted text, comments, and lists that are made of the headings.
_SKIPPED: Final = {
    _name(short)
    for short in (
        "text:tracked-changes", "office:annotation", "text:table-of-content",
        "text:illustration-index", "text:table-index", "text:alphabetical-index",
        "text:note-citation", "office:forms", "text:sequence-decls", "text:variable-decls",
    )
}  # fmt: skip
_TITLES: Final = {"Title"}
_MAX_NESTING: Final = 30
_MOST_REPEATS: Final = 50


def read(name: str, content: bytes) -> Reading:
    """Read a text; headers and footers of its pages are left out."""
    del name
    reading = Reading()
    with xml_parts.opened(content) as package:
        root = xml_parts.part(package, "content.xml")
        meta = xml_parts.part(package, "meta.xml")
    body = None if root is None else root.find(".//office:body/office:text", _SPACES)
    if root is None or body is None:
        raise DocumentRefused(texts.DAMAGED)
    if meta is not None:
        reading.title = one_line(meta.findtext(".//dc:title", "", _SPACES))
        reading.date = _saved(meta)
        reading.fields = list(_fields(meta))
    _Walk(reading.body, _titles(root)).into(body)
    return reading


def _saved(meta: _Element) -> dt.date | None:
    stamps = (
        meta.findtext(f".//{field}", "", _SPACES) for field in ("dc:date", "meta:creation-date")
    )
    return next((date for stamp in stamps if (date := metadata_date(stamp))), None)


def _fields(meta: _Element) -> Iterator[tuple[str, str]]:
    """The common properties, and those that the author named."""
    yield "author", meta.findtext(".//meta:initial-creator", "", _SPACES)
    yield "subject", meta.findtext(".//dc:subject", "", _SPACES)
    keywords = islice(meta.iterfind(".//meta:keyword", _SPACES), MOST_READ)
    yield "keywords", ", ".join(keyword.text for keyword in keywords if keyword.text)
    for named in islice(meta.iterfind(".//meta:user-defined", _SPACES), MOST_READ):
        yield named.get(_name("meta:name"), ""), named.text or ""


def _titles(root: _Element) -> set[str]:
    """The names of the styles that make a title: the common one, and what is derived from it."""
    styles = root.iterfind("./office:automatic-styles/style:style", _SPACES)
    derived = {
        style.get(_name("style:name"), "")
        for style in styles
        if style.get(_name("style:parent-style-name")) in _TITLES
    }
    return _TITLES | derived


class _Walk:
    """Goes through the text once, in document order."""

    def __init__(self, body: BlockCollector, titles: set[str]) -> None:
        self._body = body
        self._titles = titles

    def into(self, element: _Element, nesting: int = 0) -> None:
        """Add what an element holds."""
        if nesting > _MAX_NESTING:
            self._body.paragraph(_all_text(element))
            return
        for child in element.iterchildren(tag="*"):
            if child.tag in _SKIPPED:
                continue
            if child.tag in {_PARAGRAPH, _HEADING}:
                self._paragraph(child)
                self._within(child, nesting)
            elif child.tag == _LIST:
                self._list(child, 0, nesting)
            elif child.tag == _TABLE:
                self._table(child, nesting)
            else:
                self.into(child, nesting + 1)

    def _paragraph(self, element: _Element) -> None:
        text = "".join(_pieces(element))
        level = element.get(_name("text:outline-level"), "1")
        if element.tag == _HEADING:
            self._body.heading(text, int(level) if level.isdecimal() else 1)
        elif element.get(_name("text:style-name")) in self._titles:
            self._body.heading(text, 1)
        else:
            self._body.paragraph(text)

    def _within(self, paragraph: _Element, nesting: int) -> None:
        """Text boxes and footnotes are anchored in paragraphs; they are read after them."""
        for box in paragraph.iter(*_BOXES):
            if next(box.iterancestors(*_BOXES, _PARAGRAPH, _HEADING), None) is paragraph:
                self.into(box, nesting + 1)

    def _list(self, element: _Element, depth: int, nesting: int) -> None:
        for item in element.iterchildren(*_ITEMS):
            first = True
            for child in item.iterchildren(tag="*"):
                if child.tag == _LIST and depth < _MAX_NESTING:
                    self._list(child, depth + 1, nesting)
                elif child.tag == _HEADING:
                    self._paragraph(child)
                elif child.tag == _PARAGRAPH:
                    text = "".join(_pieces(child))
                    self._body.item(text, depth) if first else self._body.continued(text)
                    first = first and not text.strip()
                    self._within(child, nesting)

    def _table(self, element: _Element, nesting: int) -> None:
        rows: list[list[str]] = []
        header_rows = 0
        for row in element.iter(_ROW):
            if next(row.iterancestors(_TABLE)) is not element:
                continue  # of a table within
            cells = list(_cells(row))
            for _ in range(_repeats(row, "table:number-rows-repeated") if any(cells) else 1):
                rows.append(cells)
                self._body.count_cells(0)
            if next(row.iterancestors(_HEADER_ROWS, _TABLE)).tag == _HEADER_ROWS:
                header_rows = len(rows)
        if max(map(len, rows), default=0) == 1:
            for cells in rows:
                self._body.paragraph(cells[0])
        else:
            self._body.table(rows, header_rows or None)
        for inner in element.iter(_TABLE):
            if next(inner.iterancestors(_TABLE), None) is element and nesting < _MAX_NESTING:
                self._table(inner, nesting + 1)


def _cells(row: _Element) -> Iterator[str]:
    """The texts of a row's cells, one a column; a cell that another covers is empty."""
    width = 0
    for cell in row.iterchildren(_CELL, _COVERED):
        own = (p for p in cell.iter(_PARAGRAPH, _HEADING) if next(p.iterancestors(_CELL)) is cell)
        text = one_line(" ".join("".join(_pieces(paragraph)) for paragraph in own))
        for _ in range(_repeats(cell, "table:number-columns-repeated")):
            width += 1
            if width <= limits.COLUMNS:
                yield "" if cell.tag == _COVERED else text


def _repeats(element: _Element, attribute: str) -> int:
    value = element.get(_name(attribute), "1")
    return max(1, min(int(value), _MOST_REPEATS)) if value.isdecimal() and len(value) < 6 else 1  # noqa: PLR2004 - longer numbers are hostile


def _pieces(element: _Element) -> Iterator[str]:
    """A paragraph's own text: without comments, and without the boxes that are anchored in it."""
    yield element.text or ""
    for child in element.iterchildren(tag="*"):
        if child.tag in _SPACE:
            count = child.get(_name("text:c"), "1")
            yield _SPACE[child.tag] * (min(int(count), _MOST_REPEATS) if count.isdecimal() else 1)
        elif child.tag not in _SKIPPED and child.tag not in _BOXES and child.tag != _TABLE:
            yield from _pieces(child)
        yield child.tail or ""


def _all_text(element: _Element) -> str:
    return " ".join(str(text) for text in element.itertext())
