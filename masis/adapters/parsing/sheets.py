"""Finds titles, headers and tables in the grid of a sheet."""

from collections.abc import Iterator, Sequence

from masis.adapters.parsing.blocks import BlockCollector
from masis.adapters.parsing.cleaning import one_line
from masis.adapters.parsing.tables import is_figure, looks_like_header, readable_row
from masis.domain import Place

Row = tuple[int, list[str]]
"""A row's number (from 0) and its cells."""

_HEADER_SEARCH = 12


def add_sheet(body: BlockCollector, grid: Sequence[Sequence[str]], place: Place) -> None:
    """Add the rows of a sheet: text above a table as paragraphs, tables as readable rows.

    Empty rows part tables; a part without a header of its own goes on under the last one.
    """
    names: list[str] = []
    for region in _regions(grid):
        header = _header_index(region)
        if header is not None:
            for number, cells in region[:header]:
                _add_row(body, [], number, cells, place)
            names = region[header][1]
            if header == len(region) - 1:
                _add_row(body, [], *region[header], place)
            region = region[header + 1 :]  # noqa: PLW2901 - what is left of it
        elif _narrow(region):
            names = []
        for number, cells in region:
            _add_row(body, names, number, cells, place)


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


def _header_index(region: list[Row]) -> int | None:
    """Where the header row stands: the first that names columns and is about as wide as those below."""
    width = max(sum(1 for cell in cells if cell) for _, cells in region)
    for index, (_, cells) in enumerate(region[:_HEADER_SEARCH]):
        filled = [cell for cell in cells if cell]
        if len(filled) < 2 or len(filled) * 2 < width:  # noqa: PLR2004 - two columns make a table
            continue
        below = [row for _, row in region[index + 1 : index + 1 + _HEADER_SEARCH]]
        return index if looks_like_header(filled, below) else None
    return None


def _narrow(region: list[Row]) -> bool:
    return all(sum(1 for cell in cells if cell) <= 1 for _, cells in region)


def column_letters(index: int) -> str:
    """The name of a column: 0 is A, 26 is AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
