"""Puts the lines of a PDF together again: headings, paragraphs, items and tables."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.pdf.bullets import bulleted
from masis.documents.parsing.pdf.clauses import clause_lines
from masis.documents.parsing.pdf.pages import SPLIT
from masis.documents.parsing.pdf.table_columns import Table
from masis.documents.parsing.placed_words import Line
from masis.domain import Place

_NUMBERED = re.compile(r"\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+(?=\S)")
_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-–]?\s*\d{1,4}\s*[-–]?(?:\s*(?:of|/)\s*\d{1,4})?", re.IGNORECASE
)
_HEADING_START = re.compile(r"[\w\"“(§¿¡](?=.*[^\W\d_])")
_SECTION_NUMBER = re.compile(r"(?:\d{1,2}\.)+\d{1,2}\.?\s+[A-Z][^.:;!?]{1,45}")
"""A short numbered line, `4.1 Rail`: a heading whatever its size."""
_DOT_LEADER = re.compile(r"(?:\s?[.…_]){5,}")
_ENDED = re.compile(r"[.!?:;][\"'”’)]*$")
_DIGITS = re.compile(r"\d+")
_EDGE_LINES = 3
_RUNNING_SHARE = 0.4
_RUNNING_PAGES = 3
_HEADING_RATIO = 1.12
_LONGEST_HEADING = 160
_LONGEST_BOLD_HEADING = 90
_PARAGRAPH_GAP = 0.2
_LINES_LOOKED_AT = 40
"""Of a paragraph, for how wide it is."""


def without_running_lines(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """The pages without the headers, footers and page numbers that repeat on them."""
    edges = [_edges(lines) for lines in pages]
    seen = Counter(key for lines in edges for key in {_running_key(line) for line in lines})
    enough = max(_RUNNING_PAGES, _RUNNING_SHARE * len(pages))
    kept = []
    for lines, edge in zip(pages, edges, strict=True):
        running = {id(line) for line in edge if seen[_running_key(line)] >= enough}
        dropped = running | _page_numbers(lines, running)
        kept.append([line for line in lines if id(line) not in dropped])
    return kept


def _page_numbers(lines: Sequence[Line], running: set[int]) -> set[int]:
    """The page's number: a line of its own height above or below all text; else it is a cell's."""
    found: set[int] = set()
    for upwards in (True, False):
        ordered = sorted(lines, key=lambda line: -line.top if upwards else line.bottom)
        left = [line for line in ordered[: 2 * _EDGE_LINES] if id(line) not in running][:2]
        if left and _PAGE_NUMBER.fullmatch(left[0].text) and not _beside(*left):
            found.add(id(left[0]))
    return found


def _beside(line: Line, *others: Line) -> bool:
    middle = (line.bottom + line.top) / 2
    return any(other.bottom < middle < other.top for other in others)


def _edges(lines: Sequence[Line]) -> list[Line]:
    """The lines at the top and at the bottom of a page."""
    by_height = sorted(lines, key=lambda line: line.top)
    return by_height[:_EDGE_LINES] + by_height[_EDGE_LINES:][-_EDGE_LINES:]


def _running_key(line: Line) -> tuple[str, int]:
    """Return what repeats of a line.

    That is its words without the page's number, and where they stand.
    """
    return _DIGITS.sub("#", line.text), round(line.bottom / 10)


@dataclass(slots=True)
class _Style:
    """Hold what is usual in this document.

    That is body size, gap between lines, and heading sizes, largest first.

    `bullets` are the lines that begin with one, `clauses` those that begin with a clause's number of
    several parts, and `clause_titles` those that name what such clauses are about, by `id`.
    """

    body: float
    gap: float
    headings: list[float]
    all_bold: bool
    bullets: dict[int, str]
    clauses: frozenset[int]
    clause_titles: frozenset[int]


def _style(pages: Sequence[Sequence[Line]]) -> _Style:
    sizes: Counter[float] = Counter()
    gaps: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    for lines in pages:
        for line in lines:
            sizes[line.size] += len(line.text)
            bold[line.bold] += len(line.text)
        for above, below in pairwise(lines):
            if above.size == below.size and above.bottom > below.bottom:
                gaps[round((above.bottom - below.top) * 2) / 2] += 1
    body = sizes.most_common(1)[0][0] if sizes else 10.0
    gap = gaps.most_common(1)[0][0] if gaps else 0.0
    headings = sorted((size for size in sizes if size >= body * _HEADING_RATIO), reverse=True)
    all_bold = bold[True] > bold[False]
    return _Style(body, gap, headings, all_bold, bulleted(pages), *clause_lines(pages))


@dataclass(slots=True)
class _Piece:
    """A block while its lines are collected. `level` is 0 for text."""

    kind: str
    level: int
    lines: list[Line] = field(default_factory=list)


def add_pages(body: BlockCollector, pages: Sequence[Sequence[Line | Table]]) -> None:
    """Add the blocks of all pages; a paragraph may go on over the end of a page."""
    style = _style([[item for item in page if isinstance(item, Line)] for page in pages])
    vocabulary = _vocabulary(pages)
    open_piece: _Piece | None = None
    for page in pages:
        for item in page:
            if isinstance(item, Table):
                _close(body, open_piece, style, vocabulary)
                open_piece = None
                rows = [[_mended(cell, vocabulary) for cell in row] for row in item.rows]
                body.table(rows, None, Place(page=item.page))
            elif open_piece is not None and _continues(open_piece, item, style):
                open_piece.lines.append(item)
            else:
                _close(body, open_piece, style, vocabulary)
                open_piece = _begun(item, style)
    _close(body, open_piece, style, vocabulary)


def _begun(line: Line, style: _Style) -> _Piece:
    text = line.text
    level = _heading_level(line, style)
    if level:
        return _Piece("heading", level, [line])
    item = id(line) in style.bullets or id(line) in style.clauses or _NUMBERED.match(text)
    return _Piece("item" if item else "paragraph", 0, [line])


def _heading_level(line: Line, style: _Style) -> int:
    text = line.text
    if not _HEADING_START.match(text) or len(text) > _LONGEST_HEADING or id(line) in style.bullets:
        return 0
    if line.size in style.headings:
        return min(style.headings.index(line.size) + 1, 6)
    if _SECTION_NUMBER.fullmatch(text) or id(line) in style.clause_titles:
        return min(len(style.headings) + 1, 7)
    stands_out = line.bold and not style.all_bold and line.size >= style.body
    if stands_out and len(text) <= _LONGEST_BOLD_HEADING and not text.endswith((".", ",", ";")):
        return min(len(style.headings) + 1, 7)
    return 0


def _continues(piece: _Piece, line: Line, style: _Style) -> bool:
    """Say whether a line belongs to the open block."""
    last = piece.lines[-1]
    if piece.kind == "heading":
        alike = abs(line.size - last.size) <= 0.15 * last.size and line.bold == last.bold
        near = line.page == last.page and 0 <= last.bottom - line.bottom < 2.2 * line.size
        whole = len(piece.lines) > 2 or _NUMBERED.match(line.text)
        return near and alike and not whole and _heading_level(line, style) > 0
    text = line.text
    # A bullet may be drawn larger than the text behind it.
    alike = abs(line.size - last.size) <= 1 or (piece.kind == "item" and len(piece.lines) == 1)
    marked = id(line) in style.bullets or id(line) in style.clauses
    if _heading_level(line, style) or marked or not alike:
        return False
    ended = bool(_ENDED.search(last.text))
    if line.page != last.page or line.bottom > last.top:  # a new page or column
        return not ended and text[:1].islower()
    if last.bottom - line.top > style.gap + _PARAGRAPH_GAP * line.size:
        return False
    if _NUMBERED.match(text) and (piece.kind == "item" or ended):
        return False
    indented = piece.kind == "paragraph" and ended and line.left > last.left + 0.8 * line.size
    short = (
        ended
        and last.right < max(one.right for one in piece.lines[-_LINES_LOOKED_AT:]) - 8 * line.size
    )
    return not (indented or short)


def _close(body: BlockCollector, piece: _Piece | None, style: _Style, vocabulary: set[str]) -> None:
    if piece is None:
        return
    text = _DOT_LEADER.sub(" … ", _mended(_joined(piece.lines), vocabulary))
    place = Place(page=piece.lines[0].page)
    if piece.kind == "heading":
        body.heading(text, piece.level, place)
    elif piece.kind == "item":
        bullet = style.bullets.get(id(piece.lines[0]), "")
        body.item(text.removeprefix(bullet), 0, place)
    else:
        body.paragraph(text, place)


def _joined(lines: Sequence[Line]) -> str:
    """The lines as one text; a hyphen at a line's end is marked, since it may or may not stay."""
    text = ""
    for line in lines:
        broken = re.search(r"[a-z]-$", text) and re.match(r"[^\W\d_]", line.text)
        text = f"{text[:-1]}{SPLIT}{line.text}" if broken else f"{text} {line.text}"
    return text.strip()


_SPLIT_WORD = re.compile(rf"([\w’'-]{{1,60}}){SPLIT}([\w’'-]{{1,60}})")


def _mended(text: str, vocabulary: set[str]) -> str:
    """The text with its split words whole: as the document writes them elsewhere, if it does."""

    def whole(match: re.Match[str]) -> str:
        first, second = match.groups()
        joined, hyphened = first + second, f"{first}-{second}"
        if joined.lower() in vocabulary:
            return joined
        apart = {first.lower(), second.lower()} <= vocabulary and min(map(len, match.groups())) > 2
        keeps = hyphened.lower() in vocabulary or second[:1].isupper() or apart
        return hyphened if keeps else joined

    if SPLIT not in text:
        return text
    for _ in range(2):  # a word split twice
        text = _SPLIT_WORD.sub(whole, text)
    return text.replace(SPLIT, "")


def _vocabulary(pages: Sequence[Sequence[Line | Table]]) -> set[str]:
    return {word for text in _texts(pages) for word in _words(text)}


def _texts(pages: Sequence[Sequence[Line | Table]]) -> Iterator[str]:
    for page in pages:
        for item in page:
            if isinstance(item, Line):
                yield item.text
            else:
                yield from (cell for row in item.rows for cell in row)


def _words(text: str) -> list[str]:
    return [word.lower() for word in re.findall(rf"[\w’'{SPLIT}-]+", text) if SPLIT not in word]
