"""Reads PowerPoint decks slide by slide: title, text, tables, charts, diagrams, speaker notes."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lxml.etree import _Element

from masis.documents.parsing import document_limits
from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.office.charts import add_chart
from masis.documents.parsing.office.drawings import description, diagram_lines, formula
from masis.documents.parsing.office.parts import OfficePackage, Relation, chosen, related_id
from masis.documents.parsing.recognition.read_document import Reading
from masis.documents.parsing.sparing import spared
from masis.documents.parsing.tables.cells import LONGEST_NAME
from masis.domain import Place

_MAIN: Final = "ppt/presentation.xml"
_P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MATH: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}oMath"
_CHARTS: Final = {
    "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart",
    "{http://schemas.microsoft.com/office/drawing/2014/chartex}chart",
}
_DIAGRAM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_ALTERNATIVES: Final = (
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
)
_SHAPE, _GROUP, _PICTURE = f"{_P}sp", f"{_P}grpSp", f"{_P}pic"
_FRAME, _EMBEDDED, _TABLE = f"{_P}graphicFrame", f"{_P}oleObj", f"{_A}tbl"
_WORD = re.compile(r"[^\W\d_]{2}")
_TITLES: Final = {"title", "ctrTitle"}
# Date, footer, header and slide number.
_FURNITURE: Final = {"dt", "ftr", "hdr", "sldNum"}
_OFF: Final = {"0", "false", "off"}
_MAX_GROUPS: Final = 10
_ROW_HEIGHT: Final = 200_000
"""Shapes whose tops are so near (0.6 cm) are read from left to right."""
_LONG_ITEM: Final = 240
_DEEPEST_LEVEL: Final = 8


def read(name: str, content: bytes) -> Reading:
    """Read a deck; hidden slides count too, since people present from them."""
    del name
    reading = Reading()
    with OfficePackage(content) as package:
        package.properties_into(reading)
        slides = list(_slides(package))
        furniture = _furniture(slides)
        for slide in slides:
            _Walk(reading.body, package, slide, furniture).over()
    return reading


@dataclass(slots=True)
class _Slide:
    """A slide's part, and what it names; `root` is None where it cannot be read."""

    place: Place
    root: _Element | None
    relations: dict[str, Relation] = field(default_factory=dict)

    def shapes(self) -> Iterator[_Element]:
        """Its shapes as they are listed, without those that are hidden."""
        tree = None if self.root is None else self.root.find(f"{_P}cSld/{_P}spTree")
        yield from () if tree is None else _shapes(tree)


def _slides(package: OfficePackage) -> Iterator[_Slide]:
    path, root = package.main(_MAIN)
    relations = package.relations(path)
    for number, listed in enumerate(root.iterfind(f"{_P}sldIdLst/{_P}sldId"), start=1):
        place = Place(slide=number)
        relation = relations.get(related_id(listed))
        if relation is None:
            yield _Slide(place, None)
        else:
            yield _Slide(place, package.part(relation.path), package.relations(relation.path))


def _shapes(parent: _Element) -> Iterator[_Element]:
    for child in parent.iterchildren(tag="*"):
        if child.tag == _ALTERNATIVES:
            choice = chosen(child)
            yield from () if choice is None else _shapes(choice)
        elif child.tag in {_SHAPE, _GROUP, _PICTURE, _FRAME} and not _is_hidden(child):
            yield child


def _properties(shape: _Element) -> _Element | None:
    """Find the element in which a shape says its name and description."""
    return shape.find(f"./*/{_P}cNvPr")


def _is_hidden(shape: _Element) -> bool:
    properties = _properties(shape)
    return properties is not None and properties.get("hidden", "0").lower() not in _OFF


def _placeholder(shape: _Element) -> str | None:
    """Return what a shape is a placeholder for, such as the title; None where it is none."""
    found = shape.find(f"./*/{_P}nvPr/{_P}ph")
    return None if found is None else found.get("type", "obj")


def _furniture(slides: list[_Slide]) -> set[str]:
    """Dates, footers and numbers of slides that say the same on several, or nothing but a number."""
    seen = Counter(
        one_line(_shape_text(shape))
        for slide in slides
        for shape in slide.shapes()
        if _placeholder(shape) in _FURNITURE
    )
    return {text for text, count in seen.items() if count > 1 or not _WORD.search(text)}


class _Walk:
    """Goes through one slide in reading order."""

    def __init__(
        self, body: BlockCollector, package: OfficePackage, slide: _Slide, furniture: set[str]
    ) -> None:
        self._body = body
        self._package = package
        self._slide = slide
        self._place = slide.place
        self._furniture = furniture

    def over(self) -> None:
        """Add the slide: its title as a heading, its shapes, its notes."""
        shapes = list(self._slide.shapes())
        title = next((shape for shape in shapes if _placeholder(shape) in _TITLES), None)
        heading = "" if title is None else one_line(_shape_text(title))
        self._body.heading(heading or f"Slide {self._place.slide}", 1, self._place)
        if self._slide.root is None:
            self._body.left_out("the slide", self._place)
        self._all([shape for shape in shapes if shape is not title])
        with spared(self._body, "the speaker notes", self._place):
            self._notes()

    def _all(self, shapes: list[_Element], nesting: int = 0) -> None:
        """Add placeholders as they are listed, then others from top to bottom; groups are opened."""
        placed = [shape for shape in shapes if _placeholder(shape) is None]
        placed.sort(key=_corner)
        for shape in [shape for shape in shapes if _placeholder(shape) is not None] + placed:
            with spared(self._body, "a shape", self._place):
                if shape.tag != _GROUP:
                    self._shape(shape)
                elif nesting < _MAX_GROUPS:
                    self._all(list(_shapes(shape)), nesting + 1)

    def _shape(self, shape: _Element) -> None:
        if shape.tag == _PICTURE:
            properties = _properties(shape)
            words = None if properties is None else properties.get("descr")
            self._body.paragraph(description(words), self._place)
        elif shape.tag == _FRAME:
            self._frame(shape)
        elif not (
            _placeholder(shape) in _FURNITURE and one_line(_shape_text(shape)) in self._furniture
        ):
            self._text(shape)

    def _frame(self, frame: _Element) -> None:
        """Add what stands in a frame: a table, a chart, a diagram; embedded files are not opened."""
        for held in frame.iterfind(f"{_A}graphic/{_A}graphicData//*"):
            if held.tag == _TABLE:
                self._table(held)
            elif held.tag in _CHARTS:
                self._chart(related_id(held))
            elif held.tag == _DIAGRAM:
                self._diagram(related_id(held, "dm"))
            elif held.tag == _EMBEDDED:
                self._body.left_out("an embedded object", self._place)

    def _part(self, reference: str) -> _Element | None:
        relation = self._slide.relations.get(reference)
        return None if relation is None else self._package.part(relation.path)

    def _chart(self, reference: str) -> None:
        with spared(self._body, "a chart", self._place):
            root = self._part(reference)
            if root is None or not add_chart(self._body, root, self._place):
                self._body.left_out("a chart", self._place)

    def _diagram(self, reference: str) -> None:
        root = self._part(reference)
        if root is None:
            self._body.left_out("a diagram", self._place)
        for line in () if root is None else diagram_lines(root):
            self._body.item(line, 0, self._place)

    def _table(self, table: _Element) -> None:
        rows: list[list[str]] = []
        for row in table.iterfind(f"{_A}tr"):
            cells = list(row.iterfind(f"{_A}tc"))[: document_limits.COLUMNS]
            above = rows[-1] if rows else []
            rows.append([_cell(cell, above[at : at + 1]) for at, cell in enumerate(cells)])
        self._body.table(rows, None, self._place)

    def _text(self, shape: _Element) -> None:
        """Several short paragraphs are bullets; one alone, or a long one, is running text."""
        said = [(each, _paragraph_text(each)) for each in _paragraphs(shape)]
        filled = [(each, text) for each, text in said if text.strip()]
        for paragraph, text in filled:
            if len(filled) > 1 and len(text) < _LONG_ITEM and not text.rstrip().endswith(":"):
                self._body.item(text, _level(paragraph), self._place)
            else:
                self._body.paragraph(text, self._place)

    def _notes(self) -> None:
        named = [each.path for each in self._slide.relations.values() if each.kind == "notesSlide"]
        root = self._package.part(named[0]) if named else None
        if named and root is None:
            self._body.left_out("the speaker notes", self._place)
        for shape in _Slide(self._place, root).shapes():
            if _placeholder(shape) == "body":
                for paragraph in _paragraphs(shape):
                    self._body.paragraph(_paragraph_text(paragraph), self._place)


def _corner(shape: _Element) -> tuple[int, int]:
    """Return where a shape begins: how far down, in rows, and how far to the right."""
    offset = shape.find(f"./*/{_A}xfrm/{_A}off")
    offset = shape.find(f"./{_P}xfrm/{_A}off") if offset is None else offset
    if offset is None:
        return 0, 0
    return _whole(offset.get("y", "0")) // _ROW_HEIGHT, _whole(offset.get("x", "0"))


def _whole(text: str) -> int:
    try:
        return int(text[:20])
    except ValueError:
        return 0


def _level(paragraph: _Element) -> int:
    properties = paragraph.find(f"{_A}pPr")
    stated = 0 if properties is None else _whole(properties.get("lvl", "0"))
    return max(0, min(stated, _DEEPEST_LEVEL))


def _paragraphs(shape: _Element) -> Iterator[_Element]:
    yield from shape.iterfind(f"{_P}txBody/{_A}p")


def _shape_text(shape: _Element) -> str:
    return "\n".join(map(_paragraph_text, _paragraphs(shape)))


def _paragraph_text(paragraph: _Element) -> str:
    """The text of runs and fields, with breaks as spaces and formulas in one line."""
    return "".join(_pieces(paragraph))


def _pieces(element: _Element) -> Iterator[str]:
    for child in element.iterchildren(tag="*"):
        if child.tag in {f"{_A}r", f"{_A}fld"}:
            yield child.findtext(f"{_A}t") or ""
        elif child.tag == f"{_A}br":
            yield " "
        elif child.tag == _ALTERNATIVES:
            choice = chosen(child)
            yield from () if choice is None else _pieces(choice)
        else:
            yield from map(formula, child.iter(_MATH))


def _cell(cell: _Element, above: list[str]) -> str:
    """A cell's text; one merged with that above it repeats what is short, as a row needs its names."""
    if cell.get("hMerge", "0").lower() not in _OFF:
        return ""
    if cell.get("vMerge", "0").lower() not in _OFF:
        return next((text for text in above if len(text) <= LONGEST_NAME), "")
    paragraphs = cell.iterfind(f"{_A}txBody/{_A}p")
    return one_line(" ".join(map(_paragraph_text, paragraphs)))
