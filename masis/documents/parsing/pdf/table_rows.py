"""Puts the lines of table rows together that are drawn cell by cell.

PDFium gives lines as they are drawn. Where a cell of several lines is followed by the next cell of
its row, it goes back up; the lines of one height belong to one row.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from masis.documents.parsing.placed_words import Line

_MOST_LINES: Final = 10
"""A row is looked for so many lines back."""
_MOST_BETWEEN: Final = 4
"""So many lines may stand between two rows of one table that go back up."""
_FEWEST_ROWS: Final = 2
"""One alone is text in two columns, or two addresses side by side."""
_MOST_TRIES: Final = 3
"""Each without the regions that were no tables."""
_SAME_HEIGHT: Final = 0.3
_UP: Final = 0.5

Item = TypeVar("Item")


@dataclass(slots=True)
class _Region:
    """Lines from `start` up to `end` among which cells of rows go back up to those at `heads`."""

    start: int
    end: int
    heads: set[int]


def by_rows(
    lines: Sequence[Line], tables: Callable[[Sequence[Line]], list[Line | Item]]
) -> list[Line | Item]:
    """Return what `tables` finds among the lines.

    Those of one height are put into one line where that makes tables.

    Where a line put together so is left over, its region was no table, and stays as it was.
    """
    regions = _regions(lines)
    for _ in range(_MOST_TRIES if regions else 0):
        merged = [_merged(lines[region.start : region.end]) for region in regions]
        found = tables(_with(lines, regions, merged))
        left = {id(item) for item in found}
        alone = set(map(id, lines))
        good = [not any(id(line) in left - alone for line in part) for part in merged]
        if all(good):
            return found
        regions = [region for region, fits in zip(regions, good, strict=True) if fits]
    return tables(lines)


def _regions(lines: Sequence[Line]) -> list[_Region]:
    regions: list[_Region] = []
    for at in range(1, len(lines)):
        head = _head(lines, at)
        if head is None:
            continue
        end = _end(lines, head, at)
        last = regions[-1] if regions else None
        if last is not None and head <= last.end + _MOST_BETWEEN:
            last.start, last.end = min(last.start, head), max(last.end, end)
            last.heads.add(head)
        else:
            regions.append(_Region(head, end, {head}))
    return [region for region in regions if len(region.heads) >= _FEWEST_ROWS]


def _head(lines: Sequence[Line], at: int) -> int | None:
    """The line that begins the row to which a line goes back up; None where it does not."""
    line = lines[at]
    if line.bottom <= lines[at - 1].bottom + _UP * line.size:
        return None
    for head in range(at - 1, max(at - 1 - _MOST_LINES, -1), -1):
        if _is_level(lines[head], line) and line.left > lines[head].left + line.size:
            return _first_of_row(lines, head)
    return None


def _first_of_row(lines: Sequence[Line], at: int) -> int:
    """The first of the lines at one height, where earlier cells went back up to it."""
    first = at
    for before in range(at - 1, max(at - 1 - 2 * _MOST_LINES, -1), -1):
        if _is_level(lines[before], lines[at]) and lines[before].left < lines[first].left:
            first = before
    return first


def _is_level(one: Line, other: Line) -> bool:
    return abs(one.bottom - other.bottom) <= _SAME_HEIGHT * other.size


def _end(lines: Sequence[Line], head: int, at: int) -> int:
    """Behind the last line beside those of the row's cells before."""
    lowest = min(line.bottom for line in lines[head:at])
    end = at + 1
    while end < len(lines) and lowest - 1 <= lines[end].bottom < lines[end - 1].bottom:
        end += 1
    return end


def _merged(lines: Sequence[Line]) -> list[Line]:
    """The lines from the top down, those of one height as one."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -line.bottom):
        if rows and _is_level(rows[-1][0], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [_one_line(row) for row in rows]


def _one_line(row: Sequence[Line]) -> Line:
    if len(row) == 1:
        return row[0]
    ordered = sorted(row, key=lambda line: line.left)
    return replace(ordered[0], words=[word for line in ordered for word in line.words])


def _with(
    lines: Sequence[Line], regions: Sequence[_Region], merged: Sequence[Sequence[Line]]
) -> list[Line]:
    found: list[Line] = []
    at = 0
    for region, part in zip(regions, merged, strict=True):
        found += [*lines[at : region.start], *part]
        at = region.end
    return [*found, *lines[at:]]
