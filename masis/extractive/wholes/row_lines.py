"""Word the rows of a list as lines: what each is about, then as many of its cells as there is room for."""

from collections.abc import Sequence
from typing import Final

from masis.extractive.wholes.collections import Row
from masis.extractive.wholes.listed import Match
from masis.extractive.wholes.values import WholeLine

MOST_CELLS: Final = 6
MOST_CELL_CHARS: Final = 80
MOST_LINE_CHARS: Final = 400
MOST_IDS: Final = 3

Entry = list[Row]
"""The rows of one thing; most often one."""


def entries(match: Match) -> list[Entry]:
    """Return the rows of each thing that is listed, in the order of the list."""
    if not match.column:
        return [[row] for row in match.rows]
    found: dict[str, Entry] = {}
    for row in match.rows:
        found.setdefault(match.key(row), []).append(row)
    return list(found.values())


def worded(match: Match, shown: Sequence[Entry], under: str, room: int) -> list[WholeLine]:
    """Return a line for each entry, all with as many cells as keep them together within `room`."""
    for cells in range(MOST_CELLS, -1, -1):
        lines = [_line(match, entry, cells) for entry in shown]
        if sum(map(len, lines)) <= room:
            break
    ids = [list(dict.fromkeys(row.chunk.chunk_id for row in each))[:MOST_IDS] for each in shown]
    return [
        WholeLine(text=text, ids=own, under=under) for text, own in zip(lines, ids, strict=True)
    ]


def _line(match: Match, entry: Entry, most: int) -> str:
    row = entry[0]
    if not row.cells:
        return row.text if most else _cut(row.text)
    name = dict(row.cells).get(match.column, "") or row.name
    same = [cell for cell in row.cells if all(cell in each.cells for each in entry)]
    told = [f"{column}: {value}" if column else value for column, value in same if value != name]
    kept = [cell for cell in told if len(cell) <= MOST_CELL_CHARS][:most] or told[: min(most, 1)]
    return f"{name} – {'; '.join(kept)}" if kept else name


def _cut(text: str) -> str:
    if len(text) <= MOST_LINE_CHARS:
        return text
    return f"{text[:MOST_LINE_CHARS].rsplit(' ', 1)[0]}…"
