"""Word the rows of a list as lines: what each is about, then as many of its cells as there is room for."""

from collections.abc import Sequence
from typing import Final

from masis.extractive.wholes.collections import Row
from masis.extractive.wholes.values import MOST_CHARS

MOST_CELLS: Final = 6
MOST_CELL_CHARS: Final = 80
MOST_LINE_CHARS: Final = 400


def worded(rows: Sequence[Row], room: int = MOST_CHARS) -> list[str]:
    """Return a line for each row, all with as many cells as keep them together within `room`."""
    for cells in range(MOST_CELLS, -1, -1):
        lines = [_line(row, cells) for row in rows]
        if sum(map(len, lines)) <= room:
            return lines
    return [_line(row, 0) for row in rows]


def _line(row: Row, most: int) -> str:
    if not row.cells:
        return row.text if most else _cut(row.text, MOST_LINE_CHARS)
    (_, name), *others = row.cells
    told = [f"{column}: {value}" if column else value for column, value in others]
    kept = [cell for cell in told if len(cell) <= MOST_CELL_CHARS][:most] or told[: min(most, 1)]
    return f"{name} – {'; '.join(kept)}" if kept else name


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit].rsplit(' ', 1)[0]}…"
