"""Reads Word documents: headings, lists and tables in document order."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lxml.etree import _Element

from masis.documents.parsing import document_limits, refusals
from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.office.charts import add_chart
from masis.documents.parsing.office.drawings import description, diagram_lines, formula, symbol
from masis.documents.parsing.office.parts import OfficePackage, chosen, related_id
from masis.documents.parsing.recognition.read_document import Reading
from masis.documents.parsing.sparing import spared
from masis.documents.parsing.tables.cells import LONGEST_NAME
from masis.domain import Place
from masis.errors import DocumentRefused

_MAIN: Final = "word/document.xml"
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_HEADING: Final = re.compile(r"(?:heading|überschrift|titre|título|titolo)\s*(\d)", re.IGNORECASE)
_LIST: Final = re.compile(r"list\s+(?:bullet|number|paragraph)\s*(\d?)", re.IGNORECASE)
_MAX_HEADING_LENGTH = 120
_MAX_NESTED_TABLES = 5
_DEEPEST: Final = 60
"""Elements in elements: text further in is left out."""
_WIDEST_SPAN: Final = 50
_BODY_LEVEL: Final = 9
_BOLD_LEVEL: Final = 4
"""Where a line stands that is a heading by its looks alone: below the named ones."""
_OFF: Final = {"0", "false", "off", "none"}


def _w(name: str) -> str:
    """A name of Word's, or several with strokes between them."""
    return "/".join(f"{_W}{each}" for each in name.split("/"))


_PARAGRAPH, _TABLE, _ROW, _CELL = _w("p"), _w("tbl"), _w("tr"), _w("tc")
_NUMBERING, _VALUE = _w("pPr/numPr"), _w("val")
_ALTERNATIVES: Final = (
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
)
_FORMULAS: Final = {f"{_MATH}oMath", f"{_MATH}oMathPara"}
# Deleted text and where moved text was; field codes; what a field of a form asks for.
_SKIPPED: Final = {
    _w(name) for name in ("del", "moveFrom", "instrText", "delText", "delInstrText", "pPr", "rPr")
}
_WRAPPERS: Final = {_w(name) for name in ("customXml", "ins", "moveTo", "smartTag", "sdtContent")}
_CONTROL: Final = _w("sdt")
_SIGNS: Final = {
    _w("tab"): "\t", _w("ptab"): "\t", _w("br"): "\n", _w("cr"): "\n", _w("noBreakHyphen"): "-",
}  # fmt: skip
_NOTES: Final = {_w("footnoteReference"): "footnotes", _w("endnoteReference"): "endnotes"}
_CHARTS: Final = {
    "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart",
    "{http://schemas.microsoft.com/office/drawing/2014/chartex}chart",
}
_DIAGRAM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_PICTURE: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_LETTERING: Final = "{urn:schemas-microsoft-com:vml}textpath"
_TABLE_OF_CONTENTS: Final = "table of contents"


def read(name: str, content: bytes) -> Reading:
    """Read a document's body with its notes; headers and footers of its pages are left out."""
    del name
    reading = Reading()
    with OfficePackage(content) as package:
        package.properties_into(reading)
        path, root = package.main(_MAIN)
        body = root.find(_w("body"))
        if body is None:
            raise DocumentRefused(refusals.DAMAGED)
        _Walk(reading.body, package, path).over(body)
    return reading


@dataclass(slots=True)
class _Anchored:
    """Collect what is anchored at a paragraph and is read after it."""

    boxes: list[_Element] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    charts: list[str] = field(default_factory=list)
    diagrams: list[str] = field(default_factory=list)


class _Walk:
    """Goes through the body once, in document order."""

    def __init__(self, body: BlockCollector, package: OfficePackage, path: str) -> None:
        self._body = body
        self._package = package
        self._relations = package.relations(path)
        self._styles = _Styles(package.related(path, "styles"))
        self._notes = {
            (kind, note.get(_w("id"), "")): note
            for kind in ("footnotes", "endnotes")
            for root in [package.related(path, kind)]
            for note in (() if root is None else root)
        }

    def over(self, element: _Element, nesting: int = 0) -> None:
        """Add the blocks that an element holds."""
        for child in element.iterchildren(tag="*") if nesting < _DEEPEST else ():
            with spared(self._body, "a part of the text"):
                self._add(child, nesting)

    def _add(self, element: _Element, nesting: int) -> None:
        if element.tag == _PARAGRAPH:
            self._paragraph(element, nesting)
        elif element.tag == _TABLE:
            self._table(element, nesting)
        elif element.tag == _CONTROL:
            if not _is_contents(element):
                self.over(element, nesting + 1)
        elif element.tag in _WRAPPERS:
            self.over(element, nesting + 1)
        elif element.tag == _ALTERNATIVES:
            if (choice := chosen(element)) is not None:
                self.over(choice, nesting + 1)
        elif element.tag in _FORMULAS:
            self._body.paragraph(formula(element))
        elif element.tag == _w("altChunk"):
            self._body.left_out("a document within the document")

    def _paragraph(self, element: _Element, nesting: int) -> None:
        anchored = _Anchored()
        text = self._text(element, anchored)
        if text.strip():
            self._line(element, text)
        self._after(anchored, nesting)

    def _line(self, element: _Element, text: str) -> None:
        style = self._styles.name(element)
        if level := self._styles.heading_level(element, text):
            self._body.heading(text, level)
        elif (depth := self._styles.depth(element)) is not None:
            self._body.item(text, depth)
        elif not style.lower().startswith(("toc ", "table of figures")):
            self._body.paragraph(text)

    def _after(self, anchored: _Anchored, nesting: int) -> None:
        """Add the boxes, charts and notes of what was just read."""
        for box in anchored.boxes:
            self.over(box, nesting + 1)
        for diagram in anchored.diagrams:
            self._diagram(diagram)
        for chart in anchored.charts:
            self._chart(chart)
        for note in anchored.notes:
            # Once: a note that stands in itself would go on for ever.
            if (found := self._notes.pop(note, None)) is not None:
                self.over(found, nesting + 1)

    def _chart(self, reference: str) -> None:
        with spared(self._body, "a chart"):
            root = self._part(reference)
            if root is None or not add_chart(self._body, root, Place()):
                self._body.left_out("a chart")

    def _diagram(self, reference: str) -> None:
        root = self._part(reference)
        if root is None:
            self._body.left_out("a diagram")
        for line in () if root is None else diagram_lines(root):
            self._body.item(line)

    def _part(self, reference: str) -> _Element | None:
        relation = self._relations.get(reference)
        return None if relation is None else self._package.part(relation.path)

    # --- text ------------------------------------------------------------------------------

    def _text(self, element: _Element, anchored: _Anchored) -> str:
        """A paragraph's text: insertions and links count, deletions and field codes do not."""
        return "".join(self._pieces(element, anchored, 0))

    def _pieces(self, element: _Element, anchored: _Anchored, nesting: int) -> Iterator[str]:
        for child in element.iterchildren(tag="*") if nesting < _DEEPEST else ():
            if child.tag in _SKIPPED or self._is_unseen(child):
                continue
            if child.tag == _w("t"):
                yield child.text or ""
            elif child.tag in _SIGNS:
                yield _SIGNS[child.tag]
            elif child.tag in _FORMULAS:
                yield formula(child)
            elif child.tag == _ALTERNATIVES:
                choice = chosen(child)
                yield from () if choice is None else self._pieces(choice, anchored, nesting + 1)
            elif child.tag == _w("ruby"):
                yield from self._ruby(child, anchored, nesting)
            elif child.tag == _w("txbxContent"):
                anchored.boxes.append(child)
            else:
                yield _said(child)
                self._note(child, anchored)
                yield from self._pieces(child, anchored, nesting + 1)

    def _ruby(self, element: _Element, anchored: _Anchored, nesting: int) -> Iterator[str]:
        """A word with the reading that stands above it, in brackets."""
        for part in element.iterfind(_w("rubyBase")):
            yield from self._pieces(part, anchored, nesting + 1)
        for part in element.iterfind(_w("rt")):
            yield f" ({''.join(self._pieces(part, anchored, nesting + 1))})"

    def _is_unseen(self, element: _Element) -> bool:
        """Say whether people do not see an element.

        They see no hidden text, and no control's hint what to write.
        """
        if element.tag == _w("r"):
            return self._styles.is_hidden(element)
        hint = element.find(_w("sdtPr/showingPlcHdr")) if element.tag == _CONTROL else None
        return hint is not None and _is_on(hint)

    def _note(self, element: _Element, anchored: _Anchored) -> None:
        """Note what hangs on an element."""
        if element.tag in _NOTES:
            anchored.notes.append((_NOTES[element.tag], element.get(_w("id"), "")))
        elif element.tag in _CHARTS:
            anchored.charts.append(related_id(element))
        elif element.tag == _DIAGRAM:
            anchored.diagrams.append(related_id(element, "dm"))

    # --- tables ----------------------------------------------------------------------------

    def _table(self, table: _Element, nesting: int, within: int = 0) -> None:
        rows: list[list[str]] = []
        nested: list[_Element] = []
        anchored = _Anchored()
        above: list[str] = []
        header_rows = 0
        for row in _within(table, _ROW):
            if row.find(_w("trPr/del")) is not None:
                continue
            header = row.find(_w("trPr/tblHeader"))
            if header is not None and _is_on(header) and header_rows == len(rows):
                header_rows += 1
            above, own = self._row(row, above, nested, anchored)
            rows.append(above if own else [])
        if max(map(len, rows), default=0) == 1:
            for line in (cells[0] for cells in rows if cells):
                self._body.paragraph(line)
        else:
            self._body.table(rows, header_rows or None)
        for inner in nested if within < _MAX_NESTED_TABLES else []:
            self._table(inner, nesting, within + 1)
        self._after(anchored, nesting)

    def _row(
        self, row: _Element, above: list[str], nested: list[_Element], anchored: _Anchored
    ) -> tuple[list[str], bool]:
        """The texts of a row's cells, one a column, and whether any is its own.

        A cell merged with the one above repeats it where that is short: a row is read alone.
        """
        own = False
        line = [""] * _number(row.find(_w("trPr/gridBefore")), 0)
        for cell in _within(row, _CELL):
            merged = cell.find(_w("tcPr/vMerge"))
            if merged is not None and merged.get(_VALUE, "continue") == "continue":
                text = above[len(line)] if len(line) < len(above) else ""
                text = text if len(text) <= LONGEST_NAME else ""
            else:
                text = self._cell(cell, nested, anchored)
                own = own or bool(text)
            span = _number(cell.find(_w("tcPr/gridSpan")), 1)
            line += [text, *[""] * (span - 1)]
            if len(line) > document_limits.COLUMNS:
                break
        return line, own

    def _cell(self, cell: _Element, nested: list[_Element], anchored: _Anchored) -> str:
        parts: list[str] = []
        for child in _within(cell, _PARAGRAPH, _TABLE):
            if child.tag == _TABLE:
                nested.append(child)
            else:
                parts.append(self._text(child, anchored))
        return one_line(" ".join(parts))


def _said(element: _Element) -> str:
    """Return what an element without text of its own says."""
    if element.tag == _w("sym"):
        return symbol(element.get(_w("font"), ""), element.get(_w("char"), ""))
    if element.tag == _PICTURE:
        return f" {described} " if (described := description(element.get("descr"))) else ""
    if element.tag == _LETTERING:
        return f" {element.get('string', '')} "
    if element.tag == _w("ddList"):  # a field of a form with its entries to choose from
        entries = [entry.get(_VALUE, "") for entry in element.iterfind(_w("listEntry"))]
        chosen_one = _number(element.find(_w("result")), 0)
        return entries[chosen_one] if chosen_one < len(entries) else ""
    if element.tag == _w("checkBox"):
        ticked = element.find(_w("checked"))
        ticked = element.find(_w("default")) if ticked is None else ticked
        return "☒" if ticked is not None and _is_on(ticked) else "☐"
    return ""


def _within(element: _Element, *wanted: str) -> Iterator[_Element]:
    """The children of these names, also those in controls and other wrappers."""
    waiting = list(reversed(list(element.iterchildren(tag="*"))))
    while waiting:
        child = waiting.pop()
        if child.tag in wanted:
            yield child
        elif child.tag in _WRAPPERS or (child.tag == _CONTROL and not _is_contents(child)):
            waiting += reversed(list(child.iterchildren(tag="*")))


def _is_contents(control: _Element) -> bool:
    """Say whether a control holds a table of contents."""
    gallery = control.find(_w("sdtPr/docPartObj/docPartGallery"))
    return gallery is not None and gallery.get(_VALUE, "").casefold() == _TABLE_OF_CONTENTS


def _is_on(element: _Element) -> bool:
    return element.get(_VALUE, "1").lower() not in _OFF


def _number(element: _Element | None, usual: int) -> int:
    value = str(usual) if element is None else element.get(_VALUE, str(usual))
    known = value.isdecimal() and len(value) < 6
    return min(int(value), _WIDEST_SPAN) if known else usual


class _Styles:
    """Read what a document's styles say of its paragraphs: names, headings, lists, hidden text."""

    def __init__(self, root: _Element | None) -> None:
        self._of: dict[str, _Element] = {}
        self._usual = ""
        for style in () if root is None else root.iterfind(_w("style")):
            key = style.get(_w("styleId"), "")
            self._of[key] = style
            usual = style.get(_w("default"), "0").lower() not in _OFF
            if usual and style.get(_w("type")) == "paragraph":
                self._usual = key

    def name(self, paragraph: _Element) -> str:
        """The name of a paragraph's style."""
        return self._name(self._key(paragraph))

    def _key(self, paragraph: _Element) -> str:
        stated = paragraph.find(_w("pPr/pStyle"))
        key = "" if stated is None else stated.get(_VALUE, "")
        return key if key in self._of else self._usual

    def _name(self, key: str) -> str:
        named = self._of[key].find(_w("name")) if key in self._of else None
        return "" if named is None else named.get(_VALUE, "")

    def heading_level(self, paragraph: _Element, text: str) -> int:
        """The level of a heading, 0 for other text; a short line that is all bold counts as one."""
        style = self.name(paragraph)
        if named := _HEADING.match(style):
            return int(named[1])
        if style in {"Title", "Titel"}:
            return 1
        outline = paragraph.find(_w("pPr/outlineLvl"))
        level = _number(outline, _BODY_LEVEL)
        if level < _BODY_LEVEL:
            return level + 1
        return _BOLD_LEVEL if _stands_out(paragraph, style, text) else 0

    def depth(self, paragraph: _Element) -> int | None:
        """Return how deep the item is nested, or None for text outside lists."""
        style = self.name(paragraph)
        numbering = paragraph.find(_NUMBERING)
        if numbering is not None:
            if _number(numbering.find(_w("numId")), 1) == 0:  # taken out of its style's list
                return None
            return min(_number(numbering.find(_w("ilvl")), 0), 8)
        if (named := _LIST.match(style)) and not style.lower().startswith("list paragraph"):
            return int(named[1] or 1) - 1
        own = self._of.get(self._key(paragraph))
        return 0 if own is not None and own.find(_NUMBERING) is not None else None

    def is_hidden(self, run: _Element) -> bool:
        """Say whether the text of a run is hidden, by itself or by its style."""
        own = run.find(_w("rPr/vanish"))
        if own is not None:
            return _is_on(own)
        stated = run.find(_w("rPr/rStyle"))
        style = None if stated is None else self._of.get(stated.get(_VALUE, ""))
        by_style = None if style is None else style.find(_w("rPr/vanish"))
        return by_style is not None and _is_on(by_style)


def _stands_out(paragraph: _Element, style: str, text: str) -> bool:
    text = text.strip()
    if len(text) > _MAX_HEADING_LENGTH or text.endswith((".", ",", ";")) or _LIST.match(style):
        return False
    if paragraph.find(_NUMBERING) is not None:
        return False
    runs = [run for run in paragraph.iterfind(_w("r")) if _has_text(run)]
    bold = [run.find(_w("rPr/b")) for run in runs]
    return bool(runs) and all(each is not None and _is_on(each) for each in bold)


def _has_text(run: _Element) -> bool:
    return any((text.text or "").strip() for text in run.iterfind(_w("t")))
