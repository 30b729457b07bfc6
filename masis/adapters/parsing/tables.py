"""Turns table cells into rows that can be read alone: `Column: cell | Column: cell`."""

import re
from collections.abc import Iterator, Sequence

_NUMBER = re.compile(r"[-+(~<>≥≤]?\s*[$€£¥]?\s*[-+]?\d[\d,.' ]*\s*(%|[A-Za-z]{0,3}\)?)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}.*|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_YEAR = re.compile(r"(?:FY|Q[1-4]|H[12])?\s?'?(?:19|20)\d{2}(?:[/–-]\d{2,4})?[A-Z]?", re.IGNORECASE)
_LONGEST_COLUMN_NAME = 80
_LONGEST_FIGURE = 40
_LABELS = frozenset(
    """
    adopted|applies|applies to|approved|approved by|attendees|author|authors|class|classification
    |company|copies|customer|date|department|document|document number|document owner|effective
    |effective date|effective from|expires|figures from|from|held|issue|issued|issued by|next review
    |owner|owners|period|place|prepared by|present|questions|reference|replaces|review date|revision
    |scope|spend updated|status|subject|supplier|title|to|unit|updated|valid from|valid to|version
    |written by
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
"""Two of these in the first column make a form and no table with a header."""


def is_figure(cell: str) -> bool:
    """Whether a cell is a value rather than a name: a number, an amount or a date, but no year."""
    if len(cell) > _LONGEST_FIGURE or _YEAR.fullmatch(cell):
        return False
    return bool(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell))


def looks_like_header(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether `row` names the columns of the rows `below`."""
    names = [cell for cell in row if cell]
    if not below or len(names) < min(2, len(row)):
        return False
    if len({name.casefold() for name in names}) < len(names):
        return False
    filled = [sum(1 for cell in cells if cell) for cells in below]
    if len(row) > 1 and sum(1 for count in filled if count > 1) * 2 < len(filled):
        return False  # text laid out in columns
    plain = not any(is_figure(name) or _is_sentence(name) for name in names)
    return plain and not _is_key_and_value(row, below)


def _is_sentence(name: str) -> bool:
    return len(name) > _LONGEST_COLUMN_NAME or (name.endswith(".") and " " in name)


def _is_key_and_value(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether this is a form of two columns: `Owner | Jane`, `Start: | 3 May`."""
    rows = [row, *below]
    if len(row) != 2:  # noqa: PLR2004 - two columns
        return False
    keys = [cells[0] for cells in rows if cells and cells[0]]
    labels = sum(map(is_label, keys))
    return all(key.endswith(":") for key in keys) or (labels > 1 and labels * 3 >= len(keys))


def readable_rows(
    rows: Sequence[Sequence[str]], header_rows: int | None = None
) -> Iterator[tuple[int, str]]:
    """The data rows with their index in `rows`; a header alone is given as it is.

    Empty rows and columns are dropped, ragged rows filled. The names of columns without any value,
    as in a form to be filled in, are given as a row of their own.
    """
    filled = _rectangular(rows)
    kept = [(index, row) for index, row in enumerate(filled) if any(row)]
    if not kept:
        return
    if header_rows is None:
        below = [row for _, row in kept[1:]]
        header_rows = 1 if looks_like_header(kept[0][1], below) else 0
        kept_header, data = kept[:header_rows], kept[header_rows:]
    else:
        kept_header = [pair for pair in kept if pair[0] < header_rows]
        data = [pair for pair in kept if pair[0] >= header_rows]
    if not data:
        kept_header, data = [], kept_header
    names = _column_names([row for _, row in kept_header])
    empty = [name for column, name in enumerate(names) if not any(row[column] for _, row in data)]
    if empty:
        yield kept_header[0][0], " | ".join(empty)
    for index, row in data:
        yield index, readable_row(names, row)


def readable_row(names: Sequence[str], row: Sequence[str]) -> str:
    """One row with the names of its columns; cells without a value are left out."""
    if not names:
        return _nameless_row([cell for cell in row if cell])
    parts = []
    for number, cell in enumerate(row):
        name = names[number].rstrip(":") if number < len(names) else ""
        if cell:
            parts.append(f"{name}: {cell}" if name and name != cell else cell)
    return " | ".join(parts)


def _nameless_row(cells: Sequence[str]) -> str:
    """Two cells without column names are mostly a name and its value: `Owner: Jane`."""
    if len(cells) == 2 and not is_figure(cells[0]) and len(cells[0]) <= _LONGEST_COLUMN_NAME:  # noqa: PLR2004 - a pair
        return f"{cells[0].rstrip(':')}: {cells[1]}"
    return " | ".join(cells)


def is_label(cell: str) -> bool:
    """Whether a cell names a field that documents state about themselves, such as `Owner`."""
    return cell.rstrip(":").casefold() in _LABELS


def _rectangular(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    width = max((len(row) for row in rows), default=0)
    filled = [[*row, *[""] * (width - len(row))] for row in rows]
    used = [column for column in range(width) if any(row[column] for row in filled)]
    return [[row[column] for column in used] for row in filled]


def _column_names(header: Sequence[Sequence[str]]) -> list[str]:
    """Stacked header rows read from top to bottom: `2024` over `Revenue` is `2024 Revenue`."""
    if not header:
        return []
    stacked = zip(*header, strict=True)
    return [" ".join(dict.fromkeys(cell for cell in column if cell)) for column in stacked]
