"""Find the tables of PDF pages: ruled grids here, those without upright rules in `aligned_tables`."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from masis.documents.parsing.pdf.aligned_tables import with_aligned
from masis.documents.parsing.pdf.page_objects import bounds, page_objects
from masis.documents.parsing.pdf.table_columns import (
    Columns,
    Run,
    Span,
    Table,
    columns_of,
    pieces,
    span,
    split_at_borders,
)
from masis.documents.parsing.pdf.table_headers import with_names
from masis.documents.parsing.placed_words import Line, Word

_MOST_PATHS = 3_000
"""Pages with more are drawings."""
_THIN = 2.5
_SHORTEST_RULE = 6.0
_SAME_RULE = 3.0
_RULE_SHARE = 0.25
"""A border runs along this share of its table at least; shorter ones are decoration."""
_MOST_BORDERS = 200
_FILLED_SHARE = 0.3


@dataclass(slots=True)
class _Rule:
    """A line of a grid: where it stands, and from where to where it runs."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class Grid:
    """The borders of a ruled table: columns from left to right, rows from the bottom up."""

    columns: list[float]
    rows: list[float]

    def row(self, word: Word) -> int | None:
        """The row of a word from the top; None outside."""
        row = bisect_right(self.rows, (word.bottom + word.top) / 2) - 1
        return len(self.rows) - 2 - row if 0 <= row < len(self.rows) - 1 else None

    def runs(self, line: Line) -> Iterator[tuple[Run, int | None]]:
        """The runs of a line with their rows; what begins outside is looked at word by word."""
        left, right = self.columns[0] - _SAME_RULE, self.columns[-1]
        for run in line.cells():
            row = self.row(run[0])
            if row is not None and left <= span(run).left < right:
                yield run, row
            else:
                yield from (([word], self._row_of_middle(word)) for word in run)

    def _row_of_middle(self, word: Word) -> int | None:
        inside = self.columns[0] <= (word.left + word.right) / 2 < self.columns[-1]
        return self.row(word) if inside else None


def page_items(lines: Sequence[Line], grids: Sequence[Grid]) -> list[Line | Table]:
    """The lines of a page with its tables in their places.

    A page that is read from right to left is looked at in a mirror, so that a table's first column
    comes first.
    """
    if not _is_right_to_left(lines):
        return _items(lines, grids)
    mirrored = [Grid([-x for x in reversed(grid.columns)], grid.rows) for grid in grids]
    items = _items([_mirrored(line) for line in lines], mirrored)
    return [_mirrored(item) if isinstance(item, Line) else item for item in items]


def _is_right_to_left(lines: Sequence[Line]) -> bool:
    words = [word for line in lines for word in line.words]
    return 2 * sum(word.right_to_left for word in words) > len(words)


def _mirrored(line: Line) -> Line:
    words = [replace(word, left=-word.right, right=-word.left, seams=()) for word in line.words]
    return replace(line, words=words)


def _items(lines: Sequence[Line], grids: Sequence[Grid]) -> list[Line | Table]:
    items: list[Line | Table] = list(lines)
    for grid in grids:
        items = _with_grid(items, grid)
    found: list[Line | Table] = []
    for is_table, run in groupby(items, key=lambda item: isinstance(item, Table)):
        if is_table:
            found.extend(run)
        else:
            found.extend(with_aligned([item for item in run if isinstance(item, Line)]))
    return found


# --- ruled tables --------------------------------------------------------------------------


def page_grids(page: pdfium.PdfPage) -> list[Grid]:
    """The grids that are drawn on a page, from the top down."""
    across: list[_Rule] = []
    upright: list[_Rule] = []
    width, height = page.get_size()
    paths = (one for one, kind in page_objects(page) if kind == pdfium_c.FPDF_PAGEOBJ_PATH)
    for number, path in enumerate(paths):
        if number >= _MOST_PATHS:
            return []
        left, bottom, right, top = bounds(path)
        if right - left > 0.97 * width and top - bottom > 0.9 * height:
            continue  # the page's background
        wide, tall = right - left > _THIN, top - bottom > _THIN
        if tall and top - bottom >= _SHORTEST_RULE:
            upright += [
                _Rule(x, bottom, top) for x in ((left, right) if wide else ((left + right) / 2,))
            ]
        if wide and right - left >= _SHORTEST_RULE:
            across += [
                _Rule(y, left, right) for y in ((bottom, top) if tall else ((bottom + top) / 2,))
            ]
    grids = [_grid(band, across) for band in _bands(upright)]
    return [grid for grid in grids if grid is not None]


def _bands(upright: Sequence[_Rule]) -> list[list[_Rule]]:
    """The upright rules by table: those that overlap or touch in height belong together."""
    bands: list[list[_Rule]] = []
    low = 0.0
    for rule in sorted(upright, key=lambda rule: -rule.end):
        if bands and rule.end >= low - _SAME_RULE:
            bands[-1].append(rule)
            low = min(low, rule.start)
        else:
            bands.append([rule])
            low = rule.start
    return bands


def _grid(upright: Sequence[_Rule], across: Sequence[_Rule]) -> Grid | None:
    bottom, top = min(rule.start for rule in upright), max(rule.end for rule in upright)
    columns = _borders(upright, top - bottom)
    if len(columns) < 3:
        return None
    inside = [
        rule
        for rule in across
        if bottom - _SAME_RULE <= rule.at <= top + _SAME_RULE
        and rule.start < columns[-1]
        and rule.end > columns[0]
    ]
    rows = _borders(inside, columns[-1] - columns[0])
    if len(rows) < 3 or max(len(rows), len(columns)) > _MOST_BORDERS:
        return None
    return Grid(columns, rows)


def _borders(rules: Sequence[_Rule], whole: float) -> list[float]:
    """List where rules stand together that run along enough of the table."""
    borders: list[float] = []
    cluster: list[_Rule] = []
    for rule in sorted(rules, key=lambda rule: rule.at):
        if cluster and rule.at - cluster[-1].at > _SAME_RULE:
            borders += _border(cluster, whole)
            cluster = []
        cluster.append(rule)
    return borders + (_border(cluster, whole) if cluster else [])


def _border(cluster: Sequence[_Rule], whole: float) -> list[float]:
    covered = sum(rule.end - rule.start for rule in cluster)
    return [cluster[0].at] if covered >= _RULE_SHARE * whole else []


def _with_grid(items: Sequence[Line | Table], grid: Grid) -> list[Line | Table]:
    """The items with the words inside the grid gathered in a table; as they were if it is none."""
    cells: dict[tuple[int, int], list[str]] = {}
    kept: list[Line | Table] = []
    at = page = 0
    columns = _grid_columns(items, grid)
    for item in items:
        if isinstance(item, Table):
            kept.append(item)
            continue
        outside = []
        runs = list(grid.runs(item))
        spans = [span(run) for run, _ in runs]
        for number, (run, row) in enumerate(runs):
            if row is None:
                outside += run
                continue
            if not cells:
                at, page = len(kept), item.page
            others = _others(spans, number)
            for part in split_at_borders(run, columns, item.size, others):
                place = row, columns.place(span(part))
                cells.setdefault(place, []).extend(word.text for word in part)
        if outside:
            kept.append(item if len(outside) == len(item.words) else replace(item, words=outside))
    rows = [
        [" ".join(cells.get((row, column), [])) for column in range(len(grid.columns) - 1)]
        for row in range(len(grid.rows) - 1)
    ]
    if not _is_table(rows):
        return list(items)
    titled = max((place for place in range(at) if isinstance(kept[place], Table)), default=-1) + 1
    above = [line for line in kept[titled:at] if isinstance(line, Line)]
    rows, named = with_names(grid.columns, grid.rows[-1], rows, above)
    gone = set(map(id, named))
    before = [item for item in kept[:at] if id(item) not in gone]
    return [*before, Table(page, rows), *kept[at:]]


def _others(spans: Sequence[Span], number: int) -> list[Span]:
    """The spans but one; none where there are too many to look at each against the others."""
    return [*spans[:number], *spans[number + 1 :]] if len(spans) <= _MOST_BORDERS else []


def _grid_columns(items: Sequence[Line | Table], grid: Grid) -> Columns:
    lines = [item for item in items if isinstance(item, Line)]
    columns = [Span(*pair) for pair in pairwise(grid.columns)]
    runs = [run for line in lines for run, row in grid.runs(line) if row is not None]
    return columns_of(columns, [piece for run in runs for piece in pieces(run, columns)])


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    filled = [row for row in rows if any(row)]
    used = [column for column in zip(*rows, strict=True) if any(column)]
    if len(filled) < 2 or len(used) < 2:
        return False
    count = sum(1 for row in filled for cell in row if cell)
    return count >= _FILLED_SHARE * len(filled) * len(used)
