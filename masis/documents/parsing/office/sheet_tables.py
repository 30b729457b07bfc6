"""Makes whole tables of a sheet's grid, beside the passages that are made of it.

Where a sheet holds several tables each is one; merged cells, and labels that are given once for the
rows below, are filled in.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from masis.documents.parsing.office import sheets
from masis.tables.building import TITLES, TableBuilder, TooLarge
from masis.tables.cell_values import number
from masis.values.tabular import PackedTable

LOOKED_AT: Final = 200
"""Rows at the top of a long sheet in which its header stands."""
MOST_TABLES: Final = 50
"""Of a document: a sheet of many small forms is none of tables."""

MOST_ABOVE: Final = 12
"""Lines over the first table, the nearest ones, that may say its unit."""

_LEAF: Final = 0.6
"""In so many rows the label stands that each data row has; rows of totals have none."""

Grid = Sequence[Sequence[str]]
Merged = Sequence[tuple[int, int, int, int]]
"""First row, first column, last row and last column of merged cells, from 0."""


class SheetTables:
    """Reads the tables of a sheet from its top, and goes on with the last one as more rows come."""

    def __init__(self, top: Grid, *, sheet: str = "", merged: Merged = (), is_grid: bool) -> None:
        self._sheet = sheet
        self._is_grid = is_grid
        self._builders: list[TableBuilder] = []
        self._current: TableBuilder | None = None
        self._is_too_large = False
        self._above: list[str] = []
        """Lines over the first table, which an empty row parts from it: what unit the figures are in."""
        self._next = len(top)
        self._read(_filled(top, merged))

    def _read(self, grid: Grid) -> None:
        for region in sheets.tables(grid):
            found = sheets.header(region)
            rows = region
            if found is not None:
                start, header = found
                above = [" | ".join(filter(None, cells)) for _, cells in region[:start]]
                self._begin(header.names, TITLES.join(above))
                rows = region[start + header.rows :]
            elif self._current is not None and not sheets.fits(region, self._names):
                self._current = None
            elif not self._builders:
                said = [": ".join(filter(None, cells)) for _, cells in region]
                self._above = [*self._above, *said][-MOST_ABOVE:]
            if self._is_grid and rows:
                rows = list(_outlined(rows))
            for at, cells in rows:
                self._add(at, grid[at] if not self._is_grid else cells)

    def _begin(self, names: Sequence[str], title: str) -> None:
        self._names = list(names)
        self._current = TableBuilder(
            names,
            sheet=self._sheet,
            title=title[:300],
            is_grid=self._is_grid,
            above="\n".join(self._above),
        )
        self._builders.append(self._current)

    def more(self, rows: Iterable[Sequence[str]]) -> None:
        """Go on with rows below those that were given."""
        for cells in rows:
            self._add(self._next, cells)
            self._next += 1

    def _add(self, at: int, cells: Sequence[str]) -> None:
        if self._current is None or self._is_too_large:
            return
        try:
            self._current.add(at + 1, cells)
        except TooLarge:
            self._is_too_large = True

    def tables(self) -> list[PackedTable]:
        """Return the tables; none where they take more than they may."""
        if self._is_too_large:
            return []
        try:
            made = [builder.table() for builder in self._builders[:MOST_TABLES]]
        except TooLarge:
            return []
        return [table for table in made if table is not None]


def _filled(grid: Grid, merged: Merged) -> Grid:
    """Return the grid with what merged cells say in each row that they span."""
    if not merged:
        return grid
    filled = [list(row) for row in grid]
    for first, left, last, _ in merged:
        if last == first or first >= len(filled) or left >= len(filled[first]):
            continue
        said = filled[first][left]
        for row in filled[first + 1 : last + 1]:
            row.extend([""] * (left + 1 - len(row)))
            row[left] = row[left] or said
    return filled


def _outlined(rows: Sequence[sheets.Row]) -> Sequence[sheets.Row]:
    """Fill in labels that are given once for the rows below, left of a label that each row has."""
    wide = [(at, list(cells)) for at, cells in rows]
    width = max((len(cells) for _, cells in wide), default=0)
    for _, cells in wide:
        cells.extend([""] * (width - len(cells)))
    texts = [column for column in range(width) if _labels(wide, column)]
    labels = [column for at, column in enumerate(texts) if at == column]
    leaf = next((column for column in reversed(labels) if _labels(wide, column) >= _LEAF), 0)
    for column in range(leaf):
        if wide[0][1][column] and _is_given_once(
            [cells for _, cells in wide if cells[leaf]], column
        ):
            _fill_down([cells for _, cells in wide], column, leaf)
    return wide


def _is_given_once(rows: Grid, column: int) -> bool:
    """Say whether most rows lack a label, and none has that of the row above."""
    blank = sum(1 for cells in rows if not cells[column])
    same = any(upper[column] and upper[column] == cells[column] for upper, cells in pairwise(rows))
    return blank * 5 >= len(rows) * 2 and not same


def _fill_down(rows: Sequence[list[str]], column: int, leaf: int) -> None:
    said = ""
    for cells in rows:
        if cells[column] and (cells[leaf] or sum(map(bool, cells)) == 1):
            said = cells[column]
        elif cells[leaf] and not cells[column]:
            cells[column] = said


def _labels(rows: Sequence[sheets.Row], column: int) -> float:
    """Return in which share of the rows a column has a text."""
    texts = sum(1 for _, cells in rows if cells[column] and number(cells[column]) is None)
    return texts / max(1, len(rows))
