"""Tell in which cell of a sheet a figure stands, where its passage's range says it beyond doubt."""

import re
from collections.abc import Sequence
from typing import Final

from masis.domain import Place

_RANGE: Final = re.compile(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})")
_LETTERS: Final = 26


def row_numbers(place: Place, rows: int) -> Sequence[int]:
    """Return the numbers of a passage's rows; none where its range has more or fewer of them.

    What is carried over from the passage before, and empty rows, would shift them.
    """
    match = _RANGE.fullmatch(place.cells or "")
    numbers = range(int(match[2]), int(match[4]) + 1) if match else range(0)
    return numbers if len(numbers) == rows else ()


def of_cell(place: Place, number: int, column: int | None, columns: int) -> Place:
    """Return the place of a cell: its row alone where the range has other columns than the table."""
    match = _RANGE.fullmatch(place.cells or "")
    if match is None or not number:
        return place
    first, last = _index(match[1]), _index(match[3])
    if column is None or last - first + 1 != columns:
        return place.model_copy(update={"cells": f"{match[1]}{number}:{match[3]}{number}"})
    return place.model_copy(update={"cells": f"{_name(first + column)}{number}"})


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
