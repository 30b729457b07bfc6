"""Compares what comes out of a PDF with what pdfplumber sees in it.

Dot leaders are left out. Counted apart, since they are on purpose: lines that repeat at the edges of pages and page numbers,
bullets, hyphens at a line's end, text of less than four points, text outside the page,
and raised marks or signs that the two readers part from their words differently. A page in
a script that is written from right to left is left out: pdfplumber gives its letters as they stand.
"""

import difflib
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import pdfplumber

from masis.domain import Block, ParsedDocument
from tests.bench.fidelity.differences import Comparison, Difference, block_tokens, tokens

_SMALLEST: Final = 4.0
_EDGE_LINES: Final = 4
_RUNNING_PAGES: Final = 3
_LEADER: Final = re.compile(r"[._…]{4,}|(?<!\S)[.…]{1,3}(?!\S)")
_BULLET: Final = re.compile(r"\(cid:\d{1,5}\)|[•●○◦▪■□‣➢➤✓–—·o\-\uf0b7\uf0a7\uf0d8]")
_NUMBER: Final = re.compile(r"[-–]?\d{1,4}[-–]?|page|of|/", re.IGNORECASE)
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_NEIGHBOURS: Final = 3
_ALIKE: Final = 0.6


class _Word(NamedTuple):
    """A token of the second reader, and where it stands."""

    text: str
    page: int
    left: float
    right: float
    top: float
    excuse: str


@dataclass(slots=True)
class _Sides:
    """What either reader has more often than the other, and our text by page without spaces."""

    lost: Counter[str]
    gained: Counter[str]
    pages: dict[int, str]
    names: set[tuple[int | None, str]]
    by_length: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))


def compare(path: Path, content: bytes, document: ParsedDocument) -> Comparison:
    """Compare the text of a PDF, and its cells, with those of a second reader."""
    del path
    words = _words(content)
    # Recognised text of pictures has no second reader here, and neither has reversed text.
    read = {word.page for word in words}
    blocks = [block for block in document.blocks if block.place.page in read]
    found = Comparison(tokens=len(words))
    found.differences += _token_differences(words, blocks)
    _compare_cells(words, blocks, found)
    return found


# --- what the second reader sees -----------------------------------------------------------------


def _words(content: bytes) -> list[_Word]:
    found: list[_Word] = []
    with pdfplumber.open(io.BytesIO(content)) as document:
        for page in document.pages:
            found += _page_words(page)
            page.close()
    running = _running(found)
    return [
        word._replace(excuse="running line") if (_row(word), *_key(word)) in running else word
        for word in found
    ]


def _page_words(page: pdfplumber.page.Page) -> Iterator[_Word]:
    raw = page.extract_words(x_tolerance_ratio=0.15, y_tolerance=2, extra_attrs=["size", "upright"])
    if any(_RIGHT_TO_LEFT.search(word["text"]) for word in raw):
        return
    for number, word in enumerate(raw):
        for text in tokens(_LEADER.sub(" ", word["text"])):
            excuse = ""
            if word["size"] < _SMALLEST:
                excuse = "too small"
            elif not word["upright"]:
                excuse = "not upright"
            elif word["x1"] < 0 or word["x0"] > page.width or not 0 < word["top"] < page.height:
                excuse = "outside the page"
            elif (text.endswith(("-", "\u00ad")) and _ends_line(raw, number)) or (
                number
                and raw[number - 1]["text"].endswith(("-", "\u00ad"))
                and _ends_line(raw, number - 1)
            ):
                excuse = "hyphen"
            elif _BULLET.fullmatch(text) and (not number or _ends_line(raw, number - 1)):
                excuse = "bullet"
            yield _Word(text, page.page_number, word["x0"], word["x1"], word["top"], excuse)


def _ends_line(raw: Sequence[dict[str, float]], number: int) -> bool:
    """Whether a word is the last of its line, or of its line in a column."""
    if number + 1 == len(raw):
        return True
    this, following = raw[number], raw[number + 1]
    return following["top"] > this["top"] + 2 or following["x0"] > this["x1"] + 12


def _row(word: _Word) -> int:
    return round(word.top / 3)


def _key(word: _Word) -> tuple[str]:
    return (re.sub(r"\d+", "#", word.text),)


def _running(words: Sequence[_Word]) -> set[tuple[int, str]]:
    """Words that stand at one height of many pages, in the first or last lines of these."""
    pages: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    count = len({word.page for word in words})
    for _, group in groupby(words, key=lambda word: word.page):
        page = list(group)
        rows = sorted({_row(word) for word in page})
        edge = {*rows[:_EDGE_LINES], *rows[-_EDGE_LINES:]}
        alone = Counter(_row(word) for word in page if not _NUMBER.fullmatch(word.text))
        for word in page:
            if _row(word) in edge:
                pages[_row(word), *_key(word)].add(word.page)
                if not alone[_row(word)]:  # a page's number, wherever it stands
                    pages[_row(word), *_key(word)] |= set(range(_RUNNING_PAGES, -1, -1))
    enough = max(_RUNNING_PAGES, 0.3 * count)
    return {key for key, where in pages.items() if len(where) >= enough or 0 in where}


# --- tokens --------------------------------------------------------------------------------------


def _token_differences(words: Sequence[_Word], blocks: Sequence[Block]) -> Iterator[Difference]:
    ours = Counter(block_tokens(_without_repeated_names(blocks)))
    theirs = Counter(word.text for word in words)
    sides = _Sides(theirs - ours, ours - theirs, _squeezed_pages(blocks), _names(blocks))
    for token in sides.gained:
        sides.by_length[len(token)].append(token)
    # Of a word that is lost once, the one that is lost on purpose is the likelier one.
    for excused in (True, False):
        for at, word in enumerate(words):
            lost = sides.lost[word.text] > 0 and bool(word.excuse) == excused
            if lost and (excused or not _stands(words, at, sides)):
                sides.lost[word.text] -= 1
                yield _difference(word, words, at, sides)
    named = {token for _, token in sides.names}
    for token, count in sides.gained.items():
        if count > 0 and theirs[token]:
            excuse = "column's name" if token in named else ""
            yield from [Difference("doubled", token, "", excuse)] * count


def _without_repeated_names(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks, a column's name only in the first row of its table that has it."""
    seen: set[str] = set()
    page = None
    for block in blocks:
        if block.kind != "table_row":
            seen.clear()
            yield block.model_copy(update={"text": _LEADER.sub(" ", block.text)})
            continue
        parts = [part.partition(": ") for part in block.text.split(" | ")]
        names = {name for name, colon, _ in parts if colon}
        if page != block.place.page or not names & seen:
            seen.clear()
        page = block.place.page
        texts = [
            name if not colon else cell if name in seen else f"{name} {cell}"
            for name, colon, cell in parts
        ]
        seen |= names
        yield block.model_copy(update={"text": _LEADER.sub(" ", " ".join(texts))})


def _names(blocks: Sequence[Block]) -> set[tuple[int | None, str]]:
    """The tokens of columns' names by page."""
    return {
        (block.place.page, token)
        for block in blocks
        if block.kind == "table_row"
        for part in block.text.split(" | ")
        if ": " in part
        for token in tokens(part.partition(": ")[0])
    }


def _squeezed_pages(blocks: Sequence[Block]) -> dict[int, str]:
    found: defaultdict[int, list[str]] = defaultdict(list)
    for block in blocks:
        text = _LEADER.sub(" ", block.text)
        found[block.place.page or 0] += block_tokens([block.model_copy(update={"text": text})])
    return {page: "".join(parts) for page, parts in found.items()}


def _stands(words: Sequence[_Word], at: int, sides: _Sides) -> bool:
    """Whether a token stands in our text among its neighbours, with other spaces around it."""
    page = words[at].page
    text = "\n".join(sides.pages.get(number, "") for number in (page - 1, page))
    return any(
        "".join(word.text for word in words[max(at - before, 0) : at + behind + 1]) in text
        for before, behind in ((1, 1), (0, 2), (2, 0))
    )


def _difference(word: _Word, words: Sequence[_Word], at: int, sides: _Sides) -> Difference:
    near = " ".join(one.text for one in words[max(at - _NEIGHBOURS, 0) : at + _NEIGHBOURS + 1])
    place = f"page {word.page}: {near}"
    if word.excuse:
        return Difference("lost", word.text, place, word.excuse)
    if (word.page, word.text) in sides.names:  # two tables with one name
        return Difference("lost", word.text, place, "column's name")
    for other in (words[max(at - 1, 0) : at + 1], words[at : at + 2]):
        joined = "".join(one.text for one in other)
        if len(other) > 1 and any(joined in gained for gained in _longer(joined, sides)):
            return Difference("changed", word.text, place, "spaces")
    like = _like(word.text, sides)
    if like:
        sides.gained[like] -= 1
        return Difference("changed", f"{word.text} -> {like}", place)
    return Difference("lost", word.text, place)


def _longer(text: str, sides: _Sides) -> Iterator[str]:
    for length in range(len(text), len(text) + 4):
        yield from sides.by_length[length]


def _like(text: str, sides: _Sides) -> str:
    """The token that we have instead: the one most like it."""
    lengths = range(len(text) - 2, len(text) + 3)
    left = [token for size in lengths for token in sides.by_length[size] if sides.gained[token] > 0]
    near = difflib.get_close_matches(text, left, n=1, cutoff=_ALIKE)
    return near[0] if near else ""


# --- cells ---------------------------------------------------------------------------------------


class _Cell(NamedTuple):
    """A cell of ours where the second reader sees it."""

    column: int
    text: str
    left: float
    right: float


def _compare_cells(words: Sequence[_Word], blocks: Sequence[Block], found: Comparison) -> None:
    by_page: defaultdict[int | None, list[_Word]] = defaultdict(list)
    for word in words:
        by_page[word.page].append(word)
    for (kind, page, _), group in groupby(blocks, key=_table):
        if kind == "table_row" and page in by_page:
            _compare_table(by_page[page], list(group), found)


def _table(block: Block) -> tuple[str, int | None, tuple[str, ...]]:
    """What rows of one table have in common; rows may leave cells out, so the first name counts."""
    names = tuple(part.partition(": ")[0] for part in block.text.split(" | ") if ": " in part)
    return block.kind, block.place.page, names[-1:]


def _compare_table(words: Sequence[_Word], rows: Sequence[Block], found: Comparison) -> None:
    """Compare the columns of cells with the places of their words.

    A column stands where most of its cells do; a cell that lies over another column's place and
    not over its own was moved. Cells of dashes alone, which nobody could tell apart, are not counted.
    """
    names = list(
        dict.fromkeys(
            part.partition(": ")[0]
            for row in rows
            for part in row.text.split(" | ")
            if ": " in part
        )
    )
    placed = [cell for row in rows for cell in _located(words, row.text, names)]
    columns = {
        column: _Cell(column, "", median(c.left for c in cells), median(c.right for c in cells))
        for column in range(len(names))
        if len(cells := [cell for cell in placed if cell.column == column]) > 1
    }
    for cell in placed:
        found.cells += 1
        own = columns.get(cell.column)
        if own is None or _overlap(cell, own) > 0:
            continue
        others = [c for c in columns.values() if c.column != cell.column and _overlap(cell, c) > 0]
        if others:
            place = f"page {rows[0].place.page}: {names[cell.column]}"
            found.differences.append(Difference("moved", cell.text, place))


def _overlap(cell: _Cell, other: _Cell) -> float:
    return min(cell.right, other.right) - max(cell.left, other.left)


def _telling(cell: str) -> list[str]:
    """The tokens of a cell by which it is found: signs and dashes stand in many places."""
    return [token for token in tokens(cell) if any(map(str.isalnum, token))]


def _located(words: Sequence[_Word], row: str, names: Sequence[str]) -> Iterator[_Cell]:
    """The cells of a row at the height where most of them stand."""
    parts = [part.partition(": ") for part in row.split(" | ")]
    cells = [(names.index(name), _telling(cell)) for name, colon, cell in parts if colon and cell]
    heights = Counter(
        _row(word) for _, cell in cells for word in words if cell and word.text == cell[0]
    )
    if not heights:
        return
    height = max(heights, key=lambda key: heights[key])
    line = sorted(
        (
            word
            for word in words
            if abs(_row(word) - height) <= 1 and any(map(str.isalnum, word.text))
        ),
        key=lambda word: word.left,
    )
    start = 0
    for column, cell in cells:
        at = next((i for i in range(start, len(line)) if cell and line[i].text == cell[0]), -1)
        if at < 0:
            continue
        start = at + 1
        while start < len(line) and start - at < len(cell) and line[start].text == cell[start - at]:
            start += 1
        yield _Cell(column, " ".join(cell), line[at].left, line[start - 1].right)
