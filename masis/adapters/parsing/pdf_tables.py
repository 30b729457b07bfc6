"""Finds simple tables on PDF pages: ruled grids, and rows whose cells stand in columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from masis.adapters.parsing.pdf_pages import Line, Word

_FEWEST_ROWS = 3
_LONGEST_CELL = 80


@dataclass(slots=True)
class Table:
    """The cells of a table on one page; `header_rows` is None where it is not known."""

    page: int
    rows: list[list[str]]
    header_rows: int | None = None


def with_aligned_tables(lines: Sequence[Line]) -> list[Line | Table]:
    """The lines of a page, runs of rows whose cells stand under each other replaced by tables."""
    found: list[Line | Table] = []
    run: list[Line] = []
    for line in lines:
        if len(line.cells()) > 1 and (not run or line.top <= run[-1].bottom + line.size):
            run.append(line)
            continue
        found.extend(_table_or_lines(run))
        run = []
        found.append(line)
    found.extend(_table_or_lines(run))
    return found


def _table_or_lines(run: list[Line]) -> list[Line | Table]:
    if len(run) < _FEWEST_ROWS:
        return list(run)
    columns = _columns(run)
    rows = [list(_in_columns(line, columns)) for line in run]
    filled = sum(1 for row in rows for cell in row if cell)
    longest = max(len(cell) for row in rows for cell in row)
    if len(columns) < 2 or filled < 0.6 * len(columns) * len(rows) or longest > _LONGEST_CELL:  # noqa: PLR2004 - two columns make a table
        return list(run)
    return [Table(run[0].page, rows)]


def _columns(run: Sequence[Line]) -> list[tuple[float, float]]:
    """The spans that the cells cover together, from left to right; overlapping ones are one column."""
    spans = sorted((cell[0].left, cell[-1].right) for line in run for cell in line.cells())
    columns = [spans[0]]
    for left, right in spans[1:]:
        if left < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns


def _in_columns(line: Line, columns: Sequence[tuple[float, float]]) -> Iterator[str]:
    for left, right in columns:
        inside = [word for word in line.words if left <= _middle(word) <= right]
        yield " ".join(word.text for word in inside)


def _middle(word: Word) -> float:
    return (word.left + word.right) / 2
