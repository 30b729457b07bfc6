"""Finds titles, headers and tables in the grid of a sheet."""

from collections.abc import Iterator, Sequence

from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.tables import headers
from masis.documents.parsing.tables.cells import is_figure, is_label, is_unit
from masis.documents.parsing.tables.headers import Header
from masis.documents.parsing.tables.row_text import looks_like_header, readable_row
from masis.domain import Place

Row = tuple[int, list[str]]
"""A row's number (from 0) and its cells."""

_HEADER_SEARCH = 12
_TITLE_ROWS = 4
_NEAR_ROWS = 2
_LONGEST_TITLE = 120


def add_sheet(
    body: BlockCollector,
    grid: Sequence[Sequence[str]],
    place: Place,
    passages: int | None = None,
) -> None:
    """Add the rows of a sheet: a table's title as heading, its rows so that each can be read alone.

    Empty rows part tables; a part without a header of its own goes on under the last one. Behind so
    many rows, `passages`, they are left to queries over the whole table.
    """
    names: list[str] = []
    for region in tables(grid):
        found = header(region)
        if found is not None:
            start, head = found
            _add_titles(body, region[:start], place)
            names = head.names
        elif not fits(region, names):
            names = []
        for number, cells in region if found is None else region[start + head.rows :]:
            body.is_queried = passages is not None and number >= passages
            _add_row(body, names, number, cells, place)
    body.is_queried = False


def _add_titles(body: BlockCollector, rows: Sequence[Row], place: Place) -> None:
    """The rows above a header: the last names the table, those before it are text."""
    for number, cells in rows[:-1]:
        _add_row(body, [], number, cells, place)
    for number, cells in rows[-1:]:
        title = " | ".join(cell for cell in cells if cell)
        if len(title) <= _LONGEST_TITLE and not is_label(cells[0]):
            body.heading(title, 2, place)
        else:
            _add_row(body, [], number, cells, place)


def _add_row(
    body: BlockCollector, names: Sequence[str], number: int, cells: Sequence[str], place: Place
) -> None:
    used = [column for column, cell in enumerate(cells) if cell]
    span = f"{column_letters(used[0])}{number + 1}"
    if len(used) > 1:
        span += f":{column_letters(used[-1])}{number + 1}"
    here = place.model_copy(update={"cells": span}) if place.sheet else place
    if len(used) == 1 and not (names and is_figure(cells[used[0]])):
        body.paragraph(cells[used[0]], here)  # a title, a section or a note
    else:
        body.row(readable_row(names, cells), here)


def tables(grid: Sequence[Sequence[str]]) -> Iterator[list[Row]]:
    """Yield the tables of a grid, each with its title and header."""
    return _tables(list(_regions(grid)))


def _regions(grid: Sequence[Sequence[str]]) -> Iterator[list[Row]]:
    """Runs of rows that hold something."""
    region: list[Row] = []
    for number, row in enumerate(grid):
        cells = [one_line(cell) for cell in row]
        if any(cells):
            region.append((number, cells))
        elif region:
            yield region
            region = []
    if region:
        yield region


def _tables(regions: Sequence[list[Row]]) -> Iterator[list[Row]]:
    """The regions, titles and headers that an empty row parts from their table joined to it."""
    above: list[Row] = []
    for region, following in zip(regions, [*regions, None][1:], strict=True):
        above += region
        if following is None or not _belongs_to(region, following):
            yield above
            above = []


def _belongs_to(region: Sequence[Row], following: Sequence[Row]) -> bool:
    """Say whether a region of a few rows without figures stands right above a table."""
    near = following[0][0] - region[-1][0] <= _NEAR_ROWS
    cells = [cell for _, row in region for cell in row if cell]
    wide = any(sum(1 for cell in row if cell) > 1 for _, row in following[:2])
    return near and wide and len(region) <= _TITLE_ROWS and not any(map(is_figure, cells))


def header(region: Sequence[Row]) -> tuple[int, Header] | None:
    """The header, and where it begins: the first row or rows that name columns.

    The names are about as wide as the rows below.
    """
    width = max(sum(1 for cell in cells if cell) for _, cells in region)
    for index, (_, cells) in enumerate(region[:_HEADER_SEARCH]):
        if found := _stacked(region[index:]):
            return index, found
        filled = [cell for cell in cells if cell]
        if len(filled) < 2 or len(filled) * 2 < width:
            continue
        below = [row for _, row in region[index + 1 : index + 1 + _HEADER_SEARCH]]
        return (index, Header(cells, 1, ())) if looks_like_header(filled, below) else None
    return None


def _stacked(region: Sequence[Row]) -> Header | None:
    """The header of several rows that begins right here, under its title, by the sheet's columns."""
    rows = [cells for _, cells in region[: headers.MOST_ROWS]]
    widest = max(map(len, rows))
    found = headers.stacked([[*cells, *[""] * (widest - len(cells))] for cells in rows])
    left = min(next(at for at, cell in enumerate(cells) if cell) for cells in rows)
    titled = not any(rows[0][left + 1 :]) and not is_unit(rows[0][left])
    return None if titled or (found and found.asides) else found


def fits(region: Sequence[Row], names: Sequence[str]) -> bool:
    """Say whether rows without a header of their own may stand under the last one."""
    columns = sum(1 for name in names if name)
    widths = sorted(sum(1 for cell in cells if cell) for _, cells in region)
    usual = widths[len(widths) // 2]
    return usual > 1 and usual * 2 >= columns


def column_letters(index: int) -> str:
    """The name of a column: 0 is A, 26 is AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
