"""Read the rows of a table back from the texts of its passages: `Column: cell | Column: cell`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from masis.domain import Chunk

BORDER: Final = " | "
_NAMED: Final = ": "
MOST_NAME_CHARS: Final = 60
FEWEST_SHARE: Final = 0.05
"""Of the rows that a column's name stands in: what seldom stands before a colon is a part of a cell."""


class Read(NamedTuple):
    """A row with the passage that it stands in; a long row is read of several."""

    cells: dict[str, str]
    chunks: list[Chunk]


def rows_of(chunks: Sequence[Chunk], *, least: int = 2) -> list[Read]:
    """Return the rows of a document's tables, in their order.

    A column's name stands in at least so many of them; `least` is one where each cell of a row counts.
    """
    return _read([(chunk, line) for chunk in chunks for line in chunk.text.split("\n")], least)


def rows_in(texts: Iterable[str]) -> list[Read]:
    """Return the rows that texts are, before they are passages."""
    return _read([(None, text) for text in texts])


def _read(given: Sequence[tuple[Chunk | None, str]], least: int = 2) -> list[Read]:
    lines = [(chunk, line) for chunk, line in given if BORDER in line]
    names = _names((line for _, line in lines), least)
    found: list[Read] = []
    for chunk, line in lines:
        cells, loose = _cells(line, names)
        if found and _goes_on(found[-1].cells, cells):
            _append(found[-1], cells, loose, chunk)
        elif cells:
            found.append(Read(_whole(cells, loose), [chunk] if chunk else []))
    return found


def _names(lines: Iterable[str], least: int) -> set[str]:
    counts: Counter[str] = Counter()
    total = 0
    for line in lines:
        total += 1
        parts = (part.partition(_NAMED) for part in line.split(BORDER))
        counts.update({name for name, colon, _ in parts if colon and len(name) <= MOST_NAME_CHARS})
    wanted = max(least, FEWEST_SHARE * total) if least > 1 else least
    return {name for name, count in counts.items() if count >= wanted}


def _cells(line: str, names: set[str]) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return the cells of a line, and the parts without a name with the column before each."""
    cells: dict[str, str] = {}
    loose: list[tuple[str, str]] = []
    before = ""
    for part in line.split(BORDER):
        name, colon, said = part.partition(_NAMED)
        if colon and name in names and name not in cells:
            cells[name] = said.strip()
            before = name
        else:
            loose.append((before, part.strip()))
    return cells, loose


def _goes_on(row: dict[str, str], cells: dict[str, str]) -> bool:
    """Tell whether a line goes on with a row: it begins with the same cell, and repeats no other."""
    first = next(iter(cells.items()), None)
    return (
        first is not None
        and next(iter(row.items())) == first
        and not set(cells) - {first[0]} & set(row)
    )


def _whole(cells: dict[str, str], loose: Sequence[tuple[str, str]]) -> dict[str, str]:
    for before, said in loose:
        if before:
            cells[before] = f"{cells[before]}{BORDER}{said}"
    return cells


def _append(
    row: Read, cells: dict[str, str], loose: Sequence[tuple[str, str]], chunk: Chunk | None
) -> None:
    last = list(row.cells)[-1]
    first = next(iter(cells))
    for before, said in loose:
        at = last if before in {"", first} else before
        kept = cells if at in cells and at != first else row.cells
        kept[at] = f"{kept[at]} {said}"
    row.cells.update({name: said for name, said in cells.items() if name != first})
    if chunk and row.chunks[-1].id != chunk.id:
        row.chunks.append(chunk)


def cells_of(rows: Sequence[Read]) -> Iterator[dict[str, str]]:
    """Yield the cells of rows."""
    return (row.cells for row in rows)
