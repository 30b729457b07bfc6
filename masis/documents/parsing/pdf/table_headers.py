"""Takes up the rows that stand above a ruled table without rules: its header, and its first rows.

Reports rule or shade the rows of figures alone; the names of the columns are lines of text above,
each in the middle of the columns that it names.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from masis.documents.parsing.placed_words import Line, Word
from masis.documents.parsing.tables.cells import has_period, is_unit, is_value

_MOST_LINES: Final = 60
_MOST_ROWS: Final = 8
_MOST_WORDS: Final = 400
"""Of one row."""
_LONGEST_CELL: Final = 80
_TOLERANCE: Final = 6.0
"""Points that a cell may stand over a border, or beside the middle of its columns."""
_NEAR: Final = 1.2
"""A row stands at most so many times its height above the next."""
_WRAPPED: Final = 0.15
"""A name goes on in the next line where less than this share of its height lies between."""
_BEFORE: Final = {"$", "€", "£", "¥", "("}
_BEHIND: Final = {"%", ")", ")%", "pts", "bps"}


class _Span(NamedTuple):
    """From where to where a column or a cell stands, in points."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        """Halfway."""
        return (self.left + self.right) / 2


@dataclass(slots=True)
class _Band:
    """Lines of one height: one row, whose cells may go over several lines."""

    bottom: float
    top: float
    lines: list[Line] = field(default_factory=list)


def with_names(
    borders: Sequence[float], top: float, rows: Sequence[Sequence[str]], above: Sequence[Line]
) -> tuple[list[list[str]], list[Line]]:
    """The rows of a table whose upright borders and upper edge are given, and those above it.

    Also gives the lines that became rows. Signs in columns of their own go to their figures.
    """
    columns = _joined_columns(rows)
    if len(columns) < 2:
        return [list(row) for row in rows], []
    joined = [[_written(row[at] for at in column) for column in columns] for row in rows]
    spans = [_span(column, rows, borders) for column in columns]
    found: list[tuple[list[str], _Band]] = []
    for band in _bands(above, top):
        height = band.lines[0].top - band.lines[0].bottom
        cells = _row(band, spans) if len(found) < _MOST_ROWS else None
        if cells is None or band.bottom - top > _NEAR * height:
            break
        found.append((cells, band))
        top = band.top
    while found and not any(found[-1][0][1:]):  # a title
        found.pop()
    found.reverse()
    return [cells for cells, _ in found] + joined, [
        line for _, band in found for line in band.lines
    ]


# --- columns -----------------------------------------------------------------------------------


def _joined_columns(rows: Sequence[Sequence[str]]) -> list[list[int]]:
    """The columns, those of signs with those of the figures that they belong to."""
    columns: list[list[int]] = []
    opened = False
    for at, cells in enumerate(zip(*rows, strict=True)):
        filled = set(filter(None, cells))
        if columns and (opened or filled <= _BEHIND):  # also a gap between columns
            columns[-1].append(at)
        else:
            columns.append([at])
        opened = (opened and not filled) or (bool(filled) and filled <= _BEFORE)
    return columns


def _written(cells: Iterable[str]) -> str:
    """Figures with their signs; units that are words stand apart."""
    return "".join(f" {cell}" if cell.isalpha() else cell for cell in cells).strip()


def _span(column: Sequence[int], rows: Sequence[Sequence[str]], borders: Sequence[float]) -> _Span:
    """Return the span in which a column stands, without the gap behind it."""
    last = max((at for at in column if any(row[at] for row in rows)), default=column[0])
    return _Span(borders[column[0]], borders[last + 1])


# --- rows --------------------------------------------------------------------------------------


def _bands(lines: Sequence[Line], top: float) -> Iterator[_Band]:
    """The lines above `top` by height, from the lowest up; those that overlap are one row.

    A row that is too long is the last: no table goes on above it.
    """
    band: _Band | None = None
    for line in sorted(lines[-_MOST_LINES:], key=lambda line: line.bottom):
        if line.bottom < top - _TOLERANCE:
            continue
        if band is not None and _is_too_long(band):
            break
        near = _WRAPPED * (line.top - line.bottom)
        if band is not None and line.bottom < band.top + near and not _spans_several(line, band):
            band.lines.append(line)
            band.top = max(band.top, line.top)
        else:
            if band is not None:
                yield band
            band = _Band(line.bottom, line.top, [line])
    if band is not None:
        yield band


def _is_too_long(band: _Band) -> bool:
    return sum(len(line.words) for line in band.lines) > _MOST_WORDS


def _spans_several(line: Line, band: _Band) -> bool:
    """Say whether a cell stands over two that are beside each other.

    Such a line is a row of its own.
    """
    below = [_Span(words[0].left, words[-1].right) for one in band.lines for words in one.cells()]
    for words in line.cells():
        under = [
            cell for cell in below if cell.left < words[-1].right and words[0].left < cell.right
        ]
        if under and max(cell.left for cell in under) > min(cell.right for cell in under):
            return True
    return False


def _row(band: _Band, spans: Sequence[_Span]) -> list[str] | None:
    """Return what a row has in each column.

    None stands for no row of this table, or for a guess.
    """
    if _is_too_long(band):
        return None
    cells = list(_cells(band))
    wrong = any(len(text) > _LONGEST_CELL or not _is_within(cell, spans) for cell, text in cells)
    names = [one for one in cells if one[0].left > spans[1].left - _TOLERANCE]
    first = " ".join(text for cell, text in cells if (cell, text) not in names)
    if wrong:
        return None
    if any(is_value(text) for _, text in names):
        return _placed(first, names, spans) if _is_one_line(band) else None
    if len(names) == 1:
        return _alone(first, *names[0], spans)
    if len(names) in {0, len(spans) - 1}:
        return _placed(first, names, spans)
    return _spread(first, names, spans)


def _cells(band: _Band) -> Iterator[tuple[_Span, str]]:
    """The cells of a row from left to right, each with its lines from top to bottom."""
    parts = [
        part
        for line in sorted(band.lines, key=lambda line: -line.top)
        for words in line.cells()
        for part in _figures(words)
    ]
    cells: list[tuple[_Span, list[Word]]] = []
    for words in parts:
        span = _Span(words[0].left, words[-1].right)
        under = [one for one in cells if one[0].left < span.right and span.left < one[0].right]
        for one in under:
            cells.remove(one)
            span = _Span(min(span.left, one[0].left), max(span.right, one[0].right))
        cells.append((span, [*(word for _, above in under for word in above), *words]))
    for span, words in sorted(cells, key=lambda cell: cell[0].left):
        yield span, " ".join(word.text for word in words)


def _figures(words: list[Word]) -> list[list[Word]]:
    """A cell, or its words where these are figures that stand too near to be told apart by space."""
    signs = _BEFORE | _BEHIND
    apart = all(is_value(word.text) or word.text in signs for word in words)
    return [[word] for word in words] if apart else [words]


def _is_one_line(band: _Band) -> bool:
    lowest = min(line.top for line in band.lines)
    return all(line.bottom < lowest for line in band.lines)


def _is_within(cell: _Span, spans: Sequence[_Span]) -> bool:
    """Say whether a cell stands in the table, and not in the first column and in others."""
    inside = spans[0].left - _TOLERANCE < cell.left and cell.right < spans[-1].right + _TOLERANCE
    begins_first = cell.left < spans[1].left - _TOLERANCE
    return inside and not (begins_first and cell.right > spans[1].left + _TOLERANCE)


# --- what stands where -------------------------------------------------------------------------


def _placed(
    first: str, names: Sequence[tuple[_Span, str]], spans: Sequence[_Span]
) -> list[str] | None:
    """Each cell in the column that it stands in."""
    row = [first, *[""] * (len(spans) - 1)]
    edges = [span.left for span in spans]
    for cell, text in names:
        column = bisect_right(edges, cell.middle) - 1
        behind = text in _BEHIND or row[column] in _BEFORE
        if column == 0 or (row[column] and not behind):
            return None
        row[column] += text
    return row


def _alone(first: str, cell: _Span, text: str, spans: Sequence[_Span]) -> list[str] | None:
    """A cell beside the first column that is in the middle of all columns, or of one."""
    whole = _Span(spans[1].left, spans[-1].right)
    of_all = abs(cell.middle - whole.middle) < _TOLERANCE
    of_one = any(abs(cell.middle - span.middle) < _TOLERANCE for span in spans[1:])
    if is_unit(text) and (of_all or not of_one):
        return [f"{first} {text}".strip(), *[""] * (len(spans) - 1)]
    return _placed(first, [(cell, text)], spans) if of_all or not has_period(text) else None


def _spread(
    first: str, names: Sequence[tuple[_Span, str]], spans: Sequence[_Span]
) -> list[str] | None:
    """Each cell in all columns that it stands in the middle of; together they are all columns."""
    row = [first]
    for at, (cell, text) in enumerate(names):
        left = len(row)
        ends = range(left, len(spans) - (len(names) - at - 1))
        middles = [
            (abs(_Span(spans[left].left, spans[end].right).middle - cell.middle), end)
            for end in ends
        ]
        near, end = min(middles, default=(_TOLERANCE, 0))
        if near >= _TOLERANCE:
            return None
        row += [text] * (end + 1 - left)
    return row if len(row) == len(spans) else None
