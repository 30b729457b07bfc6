"""Compares what comes out of office files and pages with their own XML or HTML.

The second reader walks the markup alone, and shares no code with the readers. What people do not
see, or is no part of the text, is left out on purpose; a token of it that is missing is counted
apart, under one of these names:

- `deleted`: deleted and moved-away text, comments
- `hidden`: hidden text, shapes, sheets and elements; a control's hint what to write
- `contents`: tables of contents and figures, which repeat headings
- `furniture`: dates, footers and numbers of slides
- `site`: navigation, headers, footers and sidebars of a page, and all outside its main element
- `controls`: scripts, forms, media and their fallbacks

Numbers of lists are in no text of the files, and headers and footers of pages are in other parts;
neither is looked at. Of workbooks the texts, and the numbers without a format, are compared.

A cell is out of place when its row came out with another column's name in front of it, or without
the cell. Which names a column may have is told by all cells above it.
"""

import io
import posixpath
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import lxml.html
from lxml import etree
from lxml.etree import _Element

from masis.domain import ParsedDocument
from tests.bench.fidelity.differences import Comparison, Difference, tokens, words

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_S: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_CHOICES: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_OPEN: Final = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT, _TABLE = f"{{{_OPEN}text:1.0}}", f"{{{_OPEN}table:1.0}}"
_EDGE: Final = re.compile(r"^[(\[\"“‘]+|[:;,.)\]\"”’]+$")
_FIGURE: Final = re.compile(r"[\s.,%£$€()+-]*\d[\d\s.,%£$€()+-]*")
_WIDEST: Final = 50


class Cell(NamedTuple):
    """A place in the grid of a table; `own` says that the cell begins there."""

    text: str
    own: bool = True


Grid = list[list[Cell]]


@dataclass(slots=True)
class Source:
    """What a file says: lines that people see, those left out by the reason, and tables."""

    seen: list[str] = field(default_factory=list)
    left_out: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    grids: list[Grid] = field(default_factory=list)

    def say(self, text: str, reason: str = "") -> None:
        """Add a line under its reason for being left out, if it has one."""
        (self.left_out[reason] if reason else self.seen).append(text)


def compare(path: Path, content: bytes, document: ParsedDocument) -> Comparison:
    """Compare the text of a file, and its cells, with its own markup."""
    return compared(_SOURCES[path.suffix.lower()](content), document)


# --- comparing -----------------------------------------------------------------------------


def compared(source: Source, document: ParsedDocument) -> Comparison:
    """What differs between a file's own text and what came out of it."""
    ours = Counter(_words(_shown(document)))
    seen = Counter(_words(source.seen))
    apart = {reason: Counter(_words(said)) for reason, said in source.left_out.items()}
    found = Comparison(tokens=seen.total())
    found.differences += _missing(seen, ours)
    found.differences += _more(seen, ours, apart, document)
    for grid in source.grids:
        _compare_cells(grid, document, found)
    return found


def _shown(document: ParsedDocument) -> list[str]:
    return [document.title, *(block.text.replace(" | ", " ") for block in document.blocks)]


def _words(said: Iterable[str]) -> Iterator[str]:
    """Tokens without punctuation at a word's edges, which names of columns and bullets get and lose.

    The edges are a word's, before a sign in it is taken apart: else the end of "(£):" stays.
    """
    for word in (word for text in said for word in words(text)):
        yield from tokens(_EDGE.sub("", word) or word)


def _missing(seen: Counter[str], ours: Counter[str]) -> Iterator[Difference]:
    """Tokens that are lost; one that is glued to another, or cut in two, is changed."""
    spare = " ".join((ours - seen).elements())
    for token, count in (seen - ours).items():
        kind = "changed" if len(token) > 1 and token in spare else "lost"
        for _ in range(count):
            yield Difference("changed" if kind == "changed" else "lost", token, "")


def _more(
    seen: Counter[str],
    ours: Counter[str],
    apart: Mapping[str, Counter[str]],
    document: ParsedDocument,
) -> Iterator[Difference]:
    """Tokens that come out more often than they stand there, and those left out on purpose."""
    names = Counter(_words(_repeated(document)))
    for token, count in (ours - seen).items():
        for number in range(count):
            excuse = "names and leads repeated" if number < names[token] else ""
            yield Difference("doubled", token, "", excuse)
    spare = ours - seen
    for reason, said in apart.items():
        for token in (said - spare).elements():
            yield Difference("lost", token, "", reason)


def _repeated(document: ParsedDocument) -> Iterator[str]:
    """What is said again on purpose: the title, names of columns, leads of items, merged cells."""
    yield document.title
    for block in document.blocks:
        if block.kind == "table_row":
            yield block.text.replace(" | ", " ")
        elif block.kind == "list_item" and ": " in block.text:
            yield block.text.partition(": ")[0]
        yield from re.findall(r"\(Image: [^)]*\)", block.text)
        if block.place.slide is not None:
            yield f"Slide {block.place.slide}"
        if block.place.sheet is not None and block.kind == "heading":
            yield block.text


def _compare_cells(grid: Grid, document: ParsedDocument, found: Comparison) -> None:
    """Look for each row among ours, and whether its cells have their own columns' names."""
    rows = [block.text for block in document.blocks]
    if sum(1 for row in grid if sum(1 for cell in row if cell.own and cell.text.strip()) > 1) < 2:
        return
    for number, row in enumerate(grid):
        cells = [(at, " ".join(tokens(cell.text))) for at, cell in enumerate(row) if cell.own]
        filled = [(at, text) for at, text in cells if text]
        if len(filled) < 2:
            continue
        found.cells += len(filled)
        ours = [line for line in rows if all(text in " ".join(tokens(line)) for _, text in filled)]
        # A header stands in front of its columns' cells, and in a row of its own where these are empty.
        names_only = not ours and not any(_FIGURE.fullmatch(text) for _, text in filled)
        for at, text in filled:
            if names_only and any(text.rstrip(":") in line for line in rows):
                continue
            names = _names(grid, number, at)
            if not any(_in_place(line, text, names) for line in ours):
                found.differences.append(Difference("moved", text, f"row {number + 1}"))


def _names(grid: Grid, number: int, at: int) -> set[str]:
    """The words that may stand in front of a cell: those above it, and of the cells before it."""
    above = [row[at].text for row in grid[:number] if at < len(row)]
    before = [cell.text for cell in grid[number][:at]]
    said = [[cell.text for cell in row if cell.text.strip()] for row in grid[:number]]
    widest = max(map(len, said), default=0)
    for filled in said:
        # A period or unit above several columns, centred there without being merged, or of all.
        if len(filled) < widest or not any(text.strip() for text in before):
            above += filled
    return set(_words([*above, *before]))


def _in_place(line: str, text: str, names: set[str]) -> bool:
    """Whether one part of a row is this cell, alone or behind a name of its column."""
    plain = " ".join(tokens(line))
    for match in re.finditer(re.escape(text), plain):
        before = plain[: match.start()].rpartition(" | ")[2].strip()
        if set(_words([before.removesuffix(":")])) <= names:
            return True
    return False


# --- Word ----------------------------------------------------------------------------------


def _parts(content: bytes) -> Mapping[str, _Element]:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return {
            name: etree.fromstring(package.read(name))
            for name in package.namelist()
            if name.endswith((".xml", ".rels")) and package.getinfo(name).file_size
        }


_GONE: Final = {f"{_W}{name}" for name in ("del", "moveFrom")}
_TAB: Final = {f"{_W}{name}" for name in ("tab", "br", "cr", "ptab")}


def _word(content: bytes) -> Source:
    source = Source()
    parts = _parts(content)
    roots = [parts[name] for name in parts if re.fullmatch(r"word/document\d*\.xml", name)]
    roots += [parts[name] for name in ("word/footnotes.xml", "word/endnotes.xml") if name in parts]
    for root in roots:
        for paragraph in root.iter(f"{_W}p"):
            for reason, text in _word_paragraph(paragraph).items():
                source.say(text, reason)
        source.grids += [_word_grid(table) for table in root.iter(f"{_W}tbl")]
    return source


def _word_paragraph(paragraph: _Element) -> dict[str, str]:
    """The text of a paragraph, without paragraphs in its boxes, by the reason to leave it out."""
    said: defaultdict[str, str] = defaultdict(str)
    for node in paragraph.iter(f"{_W}t", f"{_W}delText", f"{_W}noBreakHyphen", f"{_M}t", *_TAB):
        if next(node.iterancestors(f"{_W}p")) is not paragraph:
            continue
        if node.tag in _TAB and next(node.iterancestors(), node).tag != f"{_W}r":
            continue  # a tab stop of the paragraph's format
        text = " " if node.tag in _TAB else "-" if node.tag.endswith("Hyphen") else node.text or ""
        said[_word_reason(node, paragraph)] += text
    return said


def _word_reason(node: _Element, paragraph: _Element) -> str:
    row = next(node.iterancestors(f"{_W}tr"), None)
    run = next(node.iterancestors(f"{_W}r"), None)
    style = paragraph.find(f"{_W}pPr/{_W}pStyle")
    controls = list(node.iterancestors(f"{_W}sdt"))
    named = [each.find(f"{_W}sdtPr//{_W}docPartGallery") for each in controls]
    galleries = [each.get(f"{_W}val", "") for each in named if each is not None]
    hints = any(each.find(f"{_W}sdtPr/{_W}showingPlcHdr") is not None for each in controls)
    reasons = {
        "deleted": any(each.tag in _GONE for each in node.iterancestors())
        or node.tag == f"{_W}delText"
        or (row is not None and row.find(f"{_W}trPr/{_W}del") is not None),
        "hidden": hints or (run is not None and run.find(f"{_W}rPr/{_W}vanish") is not None),
        "contents": any("Contents" in gallery for gallery in galleries)
        or (style is not None and style.get(f"{_W}val", "").upper().startswith("TOC")),
        "controls": any(node.iterancestors(f"{_CHOICES}Fallback")),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _word_grid(table: _Element) -> Grid:
    grid: Grid = []
    for row in table.iter(f"{_W}tr"):
        if next(row.iterancestors(f"{_W}tbl")) is not table:
            continue
        line = [Cell("", own=False)] * _value(row.find(f"{_W}trPr/{_W}gridBefore"), 0)
        for cell in row.iter(f"{_W}tc"):
            if next(cell.iterancestors(f"{_W}tr")) is not row:
                continue
            said = (
                _word_paragraph(each).get("", "")
                for each in cell.iter(f"{_W}p")
                if next(each.iterancestors(f"{_W}tc")) is cell
                and not any(each.iterancestors(f"{_W}txbxContent"))
            )
            text = " ".join(said)
            merged = cell.find(f"{_W}tcPr/{_W}vMerge")
            goes_on = merged is not None and merged.get(f"{_W}val", "continue") == "continue"
            if goes_on and grid and len(line) < len(grid[-1]):
                text = grid[-1][len(line)].text
            width = _value(cell.find(f"{_W}tcPr/{_W}gridSpan"), 1)
            line += [Cell(text, own=not goes_on), *[Cell(text, own=False)] * (width - 1)]
        grid.append(line)
    return grid


def _value(element: _Element | None, usual: int) -> int:
    stated = str(usual) if element is None else element.get(f"{_W}val", str(usual))
    return min(int(stated), _WIDEST) if stated.isdecimal() else usual


# --- PowerPoint ----------------------------------------------------------------------------

_FURNITURE: Final = {"dt", "ftr", "sldNum", "hdr"}


def _deck(content: bytes) -> Source:
    source = Source()
    parts = _parts(content)
    for name, root in parts.items():
        if not re.fullmatch(r"ppt/slides/slide\d+\.xml", name):
            continue
        _slide(source, root)
        for target in _targets(parts, name):
            if "/notesSlides/" in target and target in parts:
                for shape in parts[target].iter(f"{_P}sp"):
                    holder = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
                    if holder is not None and holder.get("type") == "body":
                        _shape(source, shape, "")
    return source


def _targets(parts: Mapping[str, _Element], name: str) -> Iterator[str]:
    folder, _, file = name.rpartition("/")
    root = parts.get(f"{folder}/_rels/{file}.rels")
    for each in () if root is None else root:
        yield posixpath.normpath(posixpath.join(folder, each.get("Target", "")))


def _slide(source: Source, root: _Element) -> None:
    for shape in root.iter(f"{_P}sp", f"{_P}graphicFrame"):
        holder = shape.find(f"./*/{_P}nvPr/{_P}ph")
        own = shape.find(f"./*/{_P}cNvPr")
        reason = "furniture" if holder is not None and holder.get("type") in _FURNITURE else ""
        if own is not None and own.get("hidden") == "1":
            reason = "hidden"
        if any(shape.iterancestors(f"{_CHOICES}Fallback")):
            reason = "controls"
        _shape(source, shape, reason)
        source.grids += [_slide_grid(table) for table in shape.iter(f"{_A}tbl")]


def _shape(source: Source, shape: _Element, reason: str) -> None:
    for paragraph in shape.iter(f"{_A}p"):
        source.say(_slide_text(paragraph), reason)


def _slide_text(paragraph: _Element) -> str:
    return "".join(
        " " if node.tag == f"{_A}br" else node.text or ""
        for node in paragraph.iter(f"{_A}t", f"{_A}br", f"{_M}t")
    )


def _slide_grid(table: _Element) -> Grid:
    grid: Grid = []
    for row in table.iterfind(f"{_A}tr"):
        line: list[Cell] = []
        for at, cell in enumerate(row.iterfind(f"{_A}tc")):
            text = " ".join(map(_slide_text, cell.iter(f"{_A}p")))
            if cell.get("vMerge") == "1" and grid:
                line.append(Cell(grid[-1][at].text, own=False))
            elif cell.get("hMerge") == "1" and line:
                line.append(Cell(line[-1].text, own=False))
            else:
                line.append(Cell(text))
        grid.append(line)
    return grid


# --- Excel ---------------------------------------------------------------------------------


def _workbook(content: bytes) -> Source:
    source = Source()
    parts = _parts(content)
    strings = [
        "".join(each.text or "" for each in item.iter(f"{_S}t") if not _is_phonetic(each))
        for item in parts.get("xl/sharedStrings.xml", ())
    ]
    plain = _plain_styles(parts.get("xl/styles.xml"))
    named = {
        each.get("Id"): posixpath.normpath(posixpath.join("/xl", each.get("Target", "")))[1:]
        for each in parts["xl/_rels/workbook.xml.rels"]
    }
    for sheet in parts["xl/workbook.xml"].iter(f"{_S}sheet"):
        root = parts.get(named.get(sheet.get(f"{_R}id"), ""))
        reason = "" if sheet.get("state", "visible") == "visible" else "hidden"
        if root is None or not root.tag.endswith("worksheet"):
            continue
        grid = _sheet_grid(root, strings, plain)
        for row in grid:
            for cell in filter(lambda each: each.own, row):
                source.say(cell.text, reason)
        if not reason:
            source.grids.append(grid)
    return source


def _is_phonetic(text: _Element) -> bool:
    return any(text.iterancestors(f"{_S}rPh"))


def _plain_styles(root: _Element | None) -> set[str]:
    """The numbers of the styles that show a number as it is."""
    found = () if root is None else root.iterfind(f"{_S}cellXfs/{_S}xf")
    return {str(at) for at, each in enumerate(found) if each.get("numFmtId", "0") in {"0", "49"}}


def _sheet_grid(root: _Element, strings: Sequence[str], plain: set[str]) -> Grid:
    grid: Grid = []
    for row in root.iter(f"{_S}row"):
        line: list[Cell] = []
        for cell in row.iterfind(f"{_S}c"):
            column = _column(cell.get("r", "")) if cell.get("r") else len(line)
            if column >= 256:
                break
            line += [Cell("")] * (column - len(line))
            line.append(Cell(_cell_text(cell, strings, plain)))
        grid.append(line)
    return _merged(grid, root)


def _merged(grid: Grid, root: _Element) -> Grid:
    """The grid with the text of each merged cell in all columns that it spans."""
    numbers = {row.get("r", ""): at for at, row in enumerate(root.iter(f"{_S}row"))}
    for each in root.iter(f"{_S}mergeCell"):
        first, _, last = each.get("ref", "").partition(":")
        at = numbers.get(re.sub(r"[A-Z]", "", first))
        if at is None or not last:
            continue
        begin, end = _column(first), min(_column(last), _column(first) + _WIDEST)
        grid[at] += [Cell("", own=False)] * (end + 1 - len(grid[at]))
        for column in range(begin + 1, end + 1):
            grid[at][column] = Cell(grid[at][begin].text, own=False)
    return grid


def _column(reference: str) -> int:
    number = 0
    for letter in re.sub(r"[^A-Z]", "", reference):
        number = number * 26 + ord(letter) - 64
    return number - 1


def _cell_text(cell: _Element, strings: Sequence[str], plain: set[str]) -> str:
    value, kind = cell.findtext(f"{_S}v", ""), cell.get("t", "n")
    if kind == "s":
        return strings[int(value)] if value.isdecimal() else ""
    if kind == "inlineStr":
        return "".join(each.text or "" for each in cell.iter(f"{_S}t"))
    if kind in {"str", "e"}:
        return value
    if kind == "n" and value and cell.get("s", "0") in plain:
        number = float(value)
        return str(int(number)) if number.is_integer() else f"{number:.12g}"
    return ""


# --- OpenDocument --------------------------------------------------------------------------

_NOT_TEXT: Final = {
    f"{_TEXT}tracked-changes": "deleted",
    f"{{{_OPEN}office:1.0}}annotation": "deleted",
    f"{_TEXT}table-of-content": "contents",
    f"{_TEXT}note-citation": "contents",
}


def _open_text(content: bytes) -> Source:
    source = Source()
    root = _parts(content)["content.xml"]
    for paragraph in root.iter(f"{_TEXT}p", f"{_TEXT}h"):
        reasons = (_NOT_TEXT.get(each.tag, "") for each in paragraph.iterancestors())
        source.say(_open_line(paragraph), next(filter(None, reasons), ""))
    for table in root.iter(f"{_TABLE}table"):
        source.grids.append(
            [
                [
                    Cell(" ".join(map(_open_line, cell.iter(f"{_TEXT}p"))))
                    for cell in row
                    for _ in range(int(cell.get(f"{_TABLE}number-columns-repeated", "1")))
                ]
                for row in table.iter(f"{_TABLE}table-row")
            ]
        )
    return source


def _open_line(paragraph: _Element) -> str:
    """A paragraph's own text: that of paragraphs in its boxes and notes is theirs."""
    said: list[str] = []

    def walk(element: _Element) -> None:
        said.append(element.text or "")
        for child in element:
            if child.tag in {f"{_TEXT}s", f"{_TEXT}tab", f"{_TEXT}line-break"}:
                said.append(" ")
            elif child.tag not in {f"{_TEXT}p", f"{_TEXT}h"} and child.tag not in _NOT_TEXT:
                walk(child)
            said.append(child.tail or "")

    walk(paragraph)
    return "".join(said)


# --- pages ---------------------------------------------------------------------------------

_INLINE: Final = {
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup",
    "time", "tt", "u", "var", "wbr", "data", "nobr", "ruby", "ix:nonnumeric", "ix:nonfraction",
}  # fmt: skip
_SITE: Final = {"nav", "header", "footer", "aside"}
_CONTROLS: Final = {
    "script", "style", "noscript", "template", "iframe", "object", "svg", "button", "select",
    "textarea", "audio", "video", "canvas", "dialog", "head", "title",
}  # fmt: skip


def _page(content: bytes) -> Source:
    source = Source()
    parser = lxml.html.HTMLParser(remove_comments=True, encoding="utf-8")
    root = lxml.html.document_fromstring(_page_markup(content).encode(), parser=parser)
    named = [each for each in root.iter() if each.tag == "main" or each.get("role") == "main"]
    mains = named or list(root.iter("article"))
    main = mains[0] if len(mains) == 1 else None
    said: defaultdict[str, list[str]] = defaultdict(list)
    _page_text(root, said, _page_reason(root, main), main)
    for reason, pieces in said.items():
        source.say("".join(pieces), reason)
    source.grids += [_page_grid(table) for table in root.iter("table") if not _is_site(table)]
    return source


def _page_markup(content: bytes) -> str:
    """A page's characters: what it declares is believed where its bytes can be that."""
    declared = re.search(rb"charset\s*=\s*[\"']?([\w-]{2,40})", content[:4096])
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    named = "utf-16" if wide else declared[1].decode() if declared else "utf-8"
    try:
        return content.decode(named)
    except UnicodeDecodeError:
        return content.decode("cp1252")


def _page_text(
    element: _Element, said: defaultdict[str, list[str]], reason: str, main: _Element | None
) -> None:
    border = "" if element.tag in _INLINE else " "
    said[reason].append(border + (element.text or ""))
    for child in element.iterchildren(tag="*"):
        own = _page_reason(child, main) or ("" if child is main else reason)
        _page_text(child, said, "" if child is main else own, main)
        said[reason].append(child.tail or "")
    said[reason].append(border)


def _page_reason(element: _Element, main: _Element | None) -> str:
    hidden = element.get("hidden") is not None or element.get("aria-hidden") == "true"
    styled = re.search(r"display\s*:\s*none|visibility\s*:\s*hidden", element.get("style", ""))
    if hidden or styled:
        return "hidden"
    if element.tag in _CONTROLS:
        return "controls"
    if element.tag == "html":
        return "" if main is None else "site"
    return "site" if element.tag in _SITE and element.find(".//h1") is None else ""


def _is_site(element: _Element) -> bool:
    return any(_page_reason(each, None) for each in [element, *element.iterancestors()])


def _page_grid(table: _Element) -> Grid:
    """The cells of a table in their columns; empty where it lays out the page."""
    grid: Grid = []
    below: dict[int, tuple[int, str]] = {}
    if table.find(".//table") is not None or table.get("role") == "presentation":
        return grid
    for row in table.iter("tr"):
        line: list[Cell] = []
        for cell in row.iterchildren("td", "th"):
            _fill(line, below)
            said: defaultdict[str, list[str]] = defaultdict(list)
            _page_text(cell, said, "", None)
            text = "".join(said[""])
            down, across = _spans(cell, "rowspan"), _spans(cell, "colspan")
            if down > 1:
                below |= {len(line) + at: (down - 1, text) for at in range(across)}
            line += [Cell(text), *[Cell(text, own=False)] * (across - 1)]
        _fill(line, below)
        grid.append(line)
    return grid


def _fill(line: list[Cell], below: dict[int, tuple[int, str]]) -> None:
    """Continue with the cells that reach down into this row."""
    while len(line) in below:
        at = len(line)
        left, text = below.pop(at)
        if left > 1:
            below[at] = (left - 1, text)
        line.append(Cell(text, own=False))


def _spans(cell: _Element, name: str) -> int:
    stated = cell.get(name, "1").strip()
    return max(1, min(int(stated), _WIDEST)) if stated.isdecimal() else 1


_SOURCES: Final[Mapping[str, Callable[[bytes], Source]]] = {
    ".docx": _word,
    ".pptx": _deck,
    ".xlsx": _workbook,
    ".odt": _open_text,
    ".html": _page,
    ".htm": _page,
}
SUFFIXES: Final = tuple(_SOURCES)
