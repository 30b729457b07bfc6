"""Tell in which cell a figure stands: of a sheet by its range, else by its row's and its column's names."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.domain import Place

_RANGE: Final = re.compile(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})")
_LETTERS: Final = 26
_MOST_CHARS: Final = 60
"""Of a name that is shown."""


def row_numbers(place: Place, rows: int) -> Sequence[int]:
    """Return the numbers of a passage's rows; none where its range has more or fewer of them.

    What is carried over from the passage before, and empty rows, would shift them.
    """
    match = _RANGE.fullmatch(place.cells or "")
    numbers = range(int(match[2]), int(match[4]) + 1) if match else range(0)
    return numbers if len(numbers) == rows else ()


class Names(NamedTuple):
    """Name the table, the row and the column of a cell; empty where one has no name."""

    table: str
    row: str
    column: str

    @property
    def said(self) -> str:
        """Return them for people: `table “Years”, row “Revenue”, column “2023”`."""
        parts = (("table", self.table), ("row", self.row), ("column", self.column))
        return ", ".join(f"{what} “{_short(name)}”" for what, name in parts if name)


def of_cell(place: Place, number: int, column: int | None, columns: int, names: Names) -> Place:
    """Return the place of a cell: its row alone where the range has other columns than the table.

    Where the range does not tell the row, or the format has no cells, the names do.
    """
    match = _RANGE.fullmatch(place.cells or "")
    if match is None or not number:
        said = " · ".join(filter(None, [place.cells or "", names.said]))
        return place.model_copy(update={"cells": said or None})
    first, last = _index(match[1]), _index(match[3])
    if column is None or last - first + 1 != columns:
        row = f"{match[1]}{number}:{match[3]}{number}"
        return place.model_copy(update={"cells": f"{row}, column “{_short(names.column)}”"})
    return place.model_copy(update={"cells": f"{_name(first + column)}{number}"})


def _short(name: str) -> str:
    return name if len(name) <= _MOST_CHARS else f"{name[: _MOST_CHARS - 1].rstrip()}…"


def _index(letters: str) -> int:
    at = 0
    for letter in letters:
        at = at * _LETTERS + ord(letter) - ord("A") + 1
    return at


def _name(index: int) -> str:
    letters = ""
    while index:
        index, rest = divmod(index - 1, _LETTERS)
        letters = chr(ord("A") + rest) + letters
    return letters
