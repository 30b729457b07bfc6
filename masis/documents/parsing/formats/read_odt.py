"""Reads OpenDocument texts: headings, lists and tables in document order."""

import datetime as dt
import posixpath
import zipfile
from collections.abc import Iterator
from itertools import islice
from typing import Final

from lxml.etree import _Element

from masis.documents.parsing import document_limits, refusals, xml_parts
from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.dates import metadata_date
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.office.drawings import description, mathml
from masis.documents.parsing.properties import MOST_READ
from masis.documents.parsing.recognition.read_document import Reading
from masis.documents.parsing.sparing import spared
from masis.documents.parsing.tables.cells import LONGEST_NAME
from masis.errors import DocumentRefused

_SPACES: Final = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "meta": "urn:oasis:names:tc:opendocument:xmlns:meta:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
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
_SHAPES: Final = {
    _name(f"draw:{kind}")
    for kind in (
        "custom-shape", "rect", "ellipse", "circle", "line", "polygon", "polyline", "path",
        "connector", "caption", "g",
    )
}  # fmt: skip
_BOXES: Final = _SHAPES | {
    _name("draw:text-box"), _name("text:section"), _name("text:note-body"), _name("draw:object"),
}  # fmt: skip
_OBJECT, _IMAGE_TEXT = _name("draw:object"), {_name("svg:title"), _name("svg:desc")}
_LINK: Final = "{http://www.w3.org/1999/xlink}href"
_RUBY_TEXT: Final = _name("text:ruby-text")
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
_MOST_OBJECTS: Final = 200
_MATH: Final = "{http://www.w3.org/1998/Math/MathML}math"


def read(name: str, content: bytes) -> Reading:
    """Read a text; headers and footers of its pages are left out."""
    del name
    reading = Reading()
    with xml_parts.opened(content) as package:
        root = xml_parts.part(package, "content.xml")
        meta = xml_parts.part(package, "meta.xml")
        styles = xml_parts.part(package, "styles.xml")
        objects = _objects(package, reading.body)
    body = None if root is None else root.find(".//office:body/office:text", _SPACES)
    if root is None or body is None:
        raise DocumentRefused(refusals.DAMAGED)
    if meta is not None:
        reading.title = one_line(meta.findtext(".//dc:title", "", _SPACES))
        reading.date = _saved(meta)
        reading.fields = list(_fields(meta))
    hidden = _hidden(root) if styles is None else _hidden(root) | _hidden(styles)
    _Walk(reading.body, _titles(root), hidden, objects).into(body)
    return reading


def _objects(package: zipfile.ZipFile, body: BlockCollector) -> dict[str, _Element]:
    """The formulas and charts that are kept in folders of their own, by the folder."""
    found: dict[str, _Element] = {}
    for name in package.namelist():
        folder, _, part = name.rpartition("/")
        if folder and part == "content.xml" and len(found) < _MOST_OBJECTS:
            with spared(body, "an embedded object"):
                root = xml_parts.part(package, name)
                if root is not None:
                    found[folder] = root
    return found


def _hidden(root: _Element) -> set[str]:
    """The names of the styles whose text is not shown."""
    styles = root.iterfind(".//style:style", _SPACES)
    return {
        style.get(_name("style:name"), "")
        for style in styles
        if any(each.get(_name("text:display")) == "none" for each in style)
    }


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

    def __init__(
        self,
        body: BlockCollector,
        titles: set[str],
        hidden: set[str],
        objects: dict[str, _Element],
    ) -> None:
        self._body = body
        self._titles = titles
        self._hidden = hidden
        self._objects = objects

    def into(self, element: _Element, nesting: int = 0) -> None:
        """Add what an element holds."""
        if nesting > _MAX_NESTING:
            self._body.paragraph(_all_text(element))
            return
        for child in element.iterchildren(tag="*"):
            if child.tag in _SKIPPED or child.get(_name("text:display")) == "none":
                continue
            if child.tag == _OBJECT:
                self._object(child)
            elif child.tag in {_PARAGRAPH, _HEADING}:
                self._paragraph(child)
                self._within(child, nesting)
            elif child.tag == _LIST:
                self._list(child, 0, nesting)
            elif child.tag == _TABLE:
                self._table(child, nesting)
            else:
                self.into(child, nesting + 1)

    def _object(self, element: _Element) -> None:
        """Add a formula, or a chart's figures; of other embedded objects it is noted that they are there."""
        root = self._objects.get(posixpath.normpath(element.get(_LINK, "")))
        if root is not None and root.tag == _MATH:
            self._body.paragraph(mathml(root))
        elif root is not None and (chart := root.find(".//office:chart", _SPACES)) is not None:
            self.into(chart)
        else:
            self._body.left_out("an embedded object")

    def _paragraph(self, element: _Element) -> None:
        text = "".join(self._pieces(element))
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
            if next(box.iterancestors(*_BOXES, _PARAGRAPH, _HEADING), None) is not paragraph:
                continue
            if box.tag == _OBJECT:
                self._object(box)
            else:
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
                    text = "".join(self._pieces(child))
                    self._body.item(text, depth) if first else self._body.continued(text)
                    first = first and not text.strip()
                    self._within(child, nesting)
                elif child.tag == _TABLE:
                    self._table(child, nesting)

    def _table(self, element: _Element, nesting: int) -> None:
        rows: list[list[str]] = []
        merged: dict[int, tuple[int, str]] = {}
        header_rows = 0
        for row in element.iter(_ROW):
            if next(row.iterancestors(_TABLE)) is not element:
                continue  # of a table within
            cells = list(self._cells(row, merged))
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

    def _cells(self, row: _Element, merged: dict[int, tuple[int, str]]) -> Iterator[str]:
        """The texts of a row's cells, one a column; a cell that another covers is empty.

        One that is merged with the cell above repeats it where that is short: `merged` holds, by
        column, for how many more rows.
        """
        width = 0
        for cell in row.iterchildren(_CELL, _COVERED):
            own = (p for p in cell.iter(_PARAGRAPH, _HEADING) if _holder(p) is cell)
            text = one_line(" ".join("".join(self._pieces(paragraph)) for paragraph in own))
            for _ in range(_repeats(cell, "table:number-columns-repeated")):
                rows, above = merged.pop(width, (0, ""))
                shown = above if cell.tag == _COVERED else text
                if cell.tag == _CELL:
                    rows, above = _repeats(cell, "table:number-rows-spanned") - 1, text
                    above = above if len(above) <= LONGEST_NAME else ""
                    if rows:
                        merged[width] = rows, above
                elif rows > 1:
                    merged[width] = rows - 1, above
                width += 1
                if width <= document_limits.COLUMNS:
                    yield shown

    def _pieces(self, element: _Element) -> Iterator[str]:
        """A paragraph's own text: without comments, and without the boxes that are anchored in it."""
        yield element.text or ""
        for child in element.iterchildren(tag="*"):
            if child.tag in _SPACE:
                count = child.get(_name("text:c"), "1")
                yield _SPACE[child.tag] * (
                    min(int(count), _MOST_REPEATS) if count.isdecimal() else 1
                )
            elif child.tag in _IMAGE_TEXT:
                yield description(child.text)
            elif child.tag == _RUBY_TEXT:  # how the word before it is read
                yield f" ({''.join(self._pieces(child))})"
            elif not self._is_apart(child):
                yield from self._pieces(child)
            yield child.tail or ""

    def _is_apart(self, element: _Element) -> bool:
        """Say whether what an element holds is no part of the line that it stands in."""
        if element.tag in _SKIPPED or element.tag in _BOXES or element.tag == _TABLE:
            return True
        return element.get(_name("text:style-name")) in self._hidden


def _holder(paragraph: _Element) -> _Element | None:
    """The cell in which a paragraph stands, unless it stands in a box there."""
    return next(paragraph.iterancestors(_CELL, *_BOXES), None)


def _repeats(element: _Element, attribute: str) -> int:
    value = element.get(_name(attribute), "1")
    return max(1, min(int(value), _MOST_REPEATS)) if value.isdecimal() and len(value) < 6 else 1


def _all_text(element: _Element) -> str:
    return " ".join(str(text) for text in element.itertext())
