"""Choose which rows of a sheet are text: all of them, or the first where no row says much of its own."""

import re
from collections.abc import Sequence
from typing import Final

from masis.documents.parsing import document_limits
from masis.documents.parsing.document_blocks import BlockCollector
from masis.tables.long_tables import WHOLE_ROWS
from masis.values.tabular import PackedTable

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_OWN_WORDS: Final = 2.0
"""Words that a cell has on average in a column of titles, names or remarks."""
_DIFFERENT: Final = 0.5
"""Share of the rows that say something else than the others in such a column."""
_NAMED: Final = 0.9
"""Share of the rows that a word of their own alone names in a column of names."""
_DIGIT: Final = re.compile(r"\d")
_COVERED: Final = 0.9

Grid = Sequence[Sequence[str]]


def sampled(
    body: BlockCollector, grid: list[list[str]], tables: Sequence[PackedTable]
) -> list[list[str]]:
    """Return the rows that are text, and note that queries answer for all."""
    body.note(beyond_note(sum(table.shape.rows for table in tables)))
    return grid[: document_limits.SAMPLED_ROWS]


def passages(
    body: BlockCollector, grid: list[list[str]], tables: Sequence[PackedTable]
) -> int | None:
    """Return how many rows are passages, and note that queries answer for all; None: all of them."""
    if not is_sampled(grid, tables):
        return None
    body.note(beyond_note(sum(table.shape.rows for table in tables)))
    return document_limits.SAMPLED_ROWS


def beyond_note(rows: int) -> str:
    """Say that only a table's first rows are passages."""
    return (
        f"It is large: its first {document_limits.SAMPLED_ROWS:,} rows can be quoted, and questions over all"
        f" {rows:,} are answered by a query."
    )


def is_sampled(grid: Grid, tables: Sequence[PackedTable]) -> bool:
    """Tell whether the first rows are text enough, for queries over the table answer for all.

    A row of a long table of figures and categories is found by a query; one with a title, a name or a
    remark of its own is searched by its words.
    """
    if len(tables) != 1 or tables[0].shape.rows <= WHOLE_ROWS:
        return False
    rows = grid[-document_limits.SAMPLED_ROWS :]
    is_whole = tables[0].shape.rows >= _COVERED * len(grid)
    width = max(map(len, rows))
    return is_whole and not any(_says_much(rows, column) for column in range(width))


def _says_much(rows: Grid, column: int) -> bool:
    """Tell whether a column has words of its own in most rows, or names nearly each by another word."""
    said = [row[column] for row in rows if column < len(row) and row[column]]
    words = sum(len(_WORD.findall(cell)) for cell in said)
    names = {cell for cell in said if _WORD.search(cell) and not _DIGIT.search(cell)}
    if len(names) >= _NAMED * len(rows):
        return True
    is_worded = bool(said) and words >= _OWN_WORDS * len(said)
    return is_worded and len(set(said)) >= _DIFFERENT * len(said)
