"""Tell two things in the same respects, from one table that has both as rows or as columns. Pure."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.extractive.comparison import Side
from masis.extractive.wholes.collections import Collection, Row
from masis.extractive.wholes.values import WholeLine
from masis.text.lexical import terms

MOST_RESPECTS: Final = 14
MOST_CELL: Final = 200


class Compared(NamedTuple):
    """The lines of a comparison, the table that they are of, and how many respects they tell."""

    lines: list[WholeLine]
    collection: Collection


def compared(
    pair: tuple[Side, Side], found: Sequence[Collection], narrowing: Sequence[str]
) -> list[Compared]:
    """Return the tables that hold both things, the one that tells most of them first."""
    told = [made for one in found if one.kind == "table" and (made := _of(pair, one, narrowing))]
    return sorted(told, key=lambda each: -_fits(each, narrowing))


def _of(
    pair: tuple[Side, Side], one: Collection, narrowing: Sequence[str]
) -> Compared | None:
    lines = _by_column(pair, one, narrowing) or _by_row(pair, one)
    return Compared(lines[:MOST_RESPECTS], one) if lines else None


def _fits(made: Compared, narrowing: Sequence[str]) -> float:
    one = made.collection
    said = set(terms(f"{one.label} {one.lead} {' '.join(one.chunk.place.headings)} {one.chunk.title} {' '.join(one.columns)}"))
    own = sum(term in said for term in narrowing)
    return 10 * own + len(made.lines)


def _by_column(
    pair: tuple[Side, Side], one: Collection, narrowing: Sequence[str]
) -> list[WholeLine]:
    """Both are columns: each row is a respect."""
    names = [next((c for c in one.columns if side.is_named_in(c)), "") for side in pair]
    if not all(names) or names[0] == names[1]:
        return []
    lines = []
    for row in one.rows:
        cells = dict(row.cells)
        values = [cells.get(name, "–") for name in names]
        if values != ["–", "–"]:
            text = f"{row.name} – {pair[0].name}: {values[0][:MOST_CELL]}; {pair[1].name}: {values[1][:MOST_CELL]}"
            lines.append((row, WholeLine(text=text, ids=[row.chunk.chunk_id])))
    meant = [line for row, line in lines if set(narrowing) & set(terms(row.name))]
    return meant or [line for _, line in lines]


def _by_row(pair: tuple[Side, Side], one: Collection) -> list[WholeLine]:
    """Both are rows: each column is a respect."""
    rows = [_row_of(side, other, one) for side, other in (pair, pair[::-1])]
    first, second = rows
    if first is None or second is None or first is second:
        return []
    ours, theirs = dict(first.cells), dict(second.cells)
    lines = []
    for column in one.columns:
        values = [cells.get(column, "–") for cells in (ours, theirs)]
        if values == ["–", "–"] or column == first.cells[0][0]:
            continue
        text = f"{column} – {first.name}: {values[0][:MOST_CELL]}; {second.name}: {values[1][:MOST_CELL]}"
        ids = list(dict.fromkeys([first.chunk.chunk_id, second.chunk.chunk_id]))
        lines.append(WholeLine(text=text, ids=ids))
    return lines


def _row_of(side: Side, other: Side, one: Collection) -> Row | None:
    """The row whose name, or one of its short cells, is the side and not the other."""
    for texts in (lambda row: [row.name], lambda row: [v for _, v in row.cells[:3]]):
        for row in one.rows:
            if any(side.is_named_in(t) and not other.is_named_in(t) for t in texts(row)):
                return row
    return None
