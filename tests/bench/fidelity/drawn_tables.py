"""Draws tables whose cells are known, as programs draw them, and counts the cells that come out in place.

Widths, fonts, sizes, alignment, rules, wrapped cells and text that overflows its column are drawn by
lot from a seed. A cell is in place where a row that has its key has its whole text under its
column's name.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import ParsedDocument
from tests.bench.fidelity.differences import Comparison, Difference
from tests.pdfs import Face, Run, made, rule, text_width

Rules = Literal["ruled", "lines", "none"]
_FACES: Final[tuple[Face, ...]] = ("Helvetica", "Times-Roman", "Courier")
_NAMES: Final = ("Plan", "Sign-on", "Support", "Region", "Owner", "Amount", "Term", "Status")
_WORDS: Final = [
    "basic",
    "silver",
    "gold",
    "large",
    "small",
    "export",
    "backup",
    "phone",
    "mail",
    "north",
    "south",
    "weekly",
    "yearly",
    "daily",
    "never",
    "always",
    "shared",
    "private",
    "audit",
    "storage",
    "limit",
    "included",
    "extra",
    "on",
    "request",
    "partner",
    "team",
    "office",
    "remote",
    "manual",
]
_GUTTER: Final = 6
_LEFT: Final = 50.0
_TOP: Final = 760.0


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table on a page, its names and rows of cells, and how it was drawn."""

    content: bytes
    names: list[str]
    rows: list[list[str]]
    kind: str


@dataclass(frozen=True, slots=True)
class _Look:
    """How one table looks."""

    face: Face
    size: float
    rules: Rules
    widths: list[float]
    right_aligned: list[bool]
    wraps: bool
    each_word: bool

    def left(self, column: int) -> float:
        """Where a column begins."""
        return _LEFT + sum(self.widths[:column])


def drawn(seed: int) -> Drawn:
    """Draw the table of a seed."""
    lot = random.Random(seed)
    count = lot.randint(3, 6)
    look = _Look(
        face=lot.choice(_FACES),
        size=lot.choice((7, 8, 9, 10, 11, 12)),
        rules=lot.choice(("ruled", "lines", "none")),
        widths=[lot.uniform(62, 105) if count < 5 else lot.uniform(56, 82) for _ in range(count)],
        right_aligned=[column > 0 and lot.random() < 0.3 for column in range(count)],
        wraps=lot.random() < 0.3,
        each_word=lot.random() < 0.25,
    )
    names = [_NAMES[0], *lot.sample(_NAMES[1:], count - 1)]
    overflow = lot.choice((0.0, 0.15, 0.3))
    rows = [
        [_cell(lot, look, row, column, overflow) for column in range(count)]
        for row in range(lot.randint(4, 9))
    ]
    runs, drawing = _page(look, [names, *rows])
    kind = f"{look.rules}{', wrapped' if look.wraps else ''}{', overflow' if overflow else ''}"
    return Drawn(
        made([runs], drawing), names, rows, f"{kind}{', word by word' if look.each_word else ''}"
    )


def _cell(lot: random.Random, look: _Look, row: int, column: int, overflow: float) -> str:
    if look.right_aligned[column]:
        return f"{lot.randint(1, 9_999):,}"
    key = f"{lot.choice(_WORDS)}-{row + 1}" if column == 0 else ""
    if column and lot.random() < 0.12:
        return ""
    goes_over = lot.random() < overflow and not look.wraps
    room = look.widths[column] - _GUTTER
    limit = room * (
        lot.uniform(1.05, 1.7) if goes_over else lot.uniform(1.5, 2.6) if look.wraps else 1
    )
    words = [key] if key else [lot.choice(_WORDS)]
    while (goes_over or look.wraps or lot.random() < 0.6) and len(words) < 12:
        more = [*words, lot.choice(_WORDS)]
        if text_width(" ".join(more), look.size, look.face) > limit:
            break
        words = more
    return " ".join(words)


# --- drawing -----------------------------------------------------------------------------------


def _page(look: _Look, rows: Sequence[Sequence[str]]) -> tuple[list[Run], str]:
    runs: list[Run] = []
    edges = [_TOP]
    leading = look.size * 1.15
    for row in rows:
        lines = [_lines(look, column, cell) for column, cell in enumerate(row)]
        for column, cell in enumerate(lines):
            for number, line in enumerate(cell):
                y = edges[-1] - 0.5 * look.size - leading * (number + 1) + 0.3 * look.size
                runs += _cell_runs(look, column, line, y)
        edges.append(edges[-1] - leading * max(map(len, lines)) - 0.9 * look.size)
    ends = [_LEFT, look.left(len(look.widths))]
    drawing = ""
    if look.rules != "none":
        drawing += "".join(rule(ends[0], y, ends[1], y) for y in edges)
    if look.rules == "ruled":
        across = [look.left(column) for column in range(len(look.widths) + 1)]
        drawing += "".join(rule(x, edges[0], x, edges[-1]) for x in across)
    above = Run("What each plan has is said below.", _LEFT, _TOP + 30, look.size, look.face)
    return [above, *runs], drawing


def _lines(look: _Look, column: int, text: str) -> list[str]:
    """The lines of a cell: one, or as many as its column's width asks for."""
    if not look.wraps:
        return [text] if text else []
    lines: list[str] = []
    for word in text.split():
        more = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(more, look.size, look.face) <= look.widths[column] - _GUTTER:
            lines[-1] = more
        else:
            lines.append(word)
    return lines


def _cell_runs(look: _Look, column: int, line: str, y: float) -> Iterator[Run]:
    x = look.left(column) + _GUTTER / 2
    if look.right_aligned[column]:
        x = look.left(column + 1) - _GUTTER / 2 - text_width(line, look.size, look.face)
    for part in line.split() if look.each_word else [line]:
        yield Run(part, x, y, look.size, look.face)
        x += text_width(f"{part} ", look.size, look.face)


# --- counting ----------------------------------------------------------------------------------


def compare(table: Drawn, document: ParsedDocument) -> Comparison:
    """Count the cells of a table that are not in place."""
    found = Comparison()
    rows = [
        dict(part.partition(": ")[::2] for part in block.text.split(" | "))
        for block in document.blocks
        if block.kind == "table_row"
    ]
    for row in table.rows:
        ours = next((one for one in rows if one.get(table.names[0]) == row[0]), {})
        for name, cell in zip(table.names, row, strict=True):
            found.cells += bool(cell or ours.get(name))
            if ours.get(name, "") != cell:
                said = f"{cell!r} -> {ours.get(name, '')!r}"
                found.differences.append(Difference("moved", said, f"{table.kind}: {name}"))
    return found


def measured(count: int, first: int = 0) -> Counter[str]:
    """Draw and read so many tables from a seed on; cells, and those out of place, by kind of table."""
    cells: Counter[str] = Counter()
    for seed in range(first, first + count):
        table = drawn(seed)
        found = compare(table, read_document("table.pdf", table.content))
        cells[table.kind] += found.cells
        cells[f"moved: {table.kind}"] += len(found.differences)
    return cells
