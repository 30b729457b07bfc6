"""Turns table cells into rows that can be read alone: `Column: cell | Column: cell`."""

from collections.abc import Iterator, Sequence

from masis.documents.parsing.tables import headers
from masis.documents.parsing.tables.cells import LONGEST_NAME, is_figure, is_label, is_sentence


def looks_like_header(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Say whether `row` names the columns of the rows `below`."""
    names = [cell for cell in row if cell]
    if not below or len(names) < min(2, len(row)):
        return False
    if len({name.casefold() for name in names}) < len(names):
        return False
    filled = [sum(1 for cell in cells if cell) for cells in below]
    if len(row) > 1 and sum(1 for count in filled if count > 1) * 2 < len(filled):
        return False  # text laid out in columns
    plain = not any(is_figure(name) or is_sentence(name) for name in names)
    return plain and not _is_key_and_value(row, below)


def _is_key_and_value(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Say whether this is a form of two columns: `Owner | Jane`, `Start: | 3 May`."""
    rows = [row, *below]
    if len(row) != 2:
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
    stated = None if header_rows is None else sum(1 for index, _ in kept if index < header_rows)
    header = _header([row for _, row in kept], stated)
    data = kept[header.rows :]
    yield from ((kept[at][0], title) for at, title in header.asides)
    empty = [
        name for column, name in enumerate(header.names) if not any(row[column] for _, row in data)
    ]
    if any(empty):
        yield kept[header.rows - 1][0], " | ".join(filter(None, empty))
    for index, row in data:
        yield index, readable_row(header.names, row)


def _header(rows: Sequence[Sequence[str]], stated: int | None) -> headers.Header:
    """The header of rows that hold something; `stated` rows at least belong to it."""
    if stated == len(rows):
        return headers.NONE
    found = headers.stacked(rows)
    if found and found.rows >= (stated or 0):
        return found
    if stated is None:
        stated = 1 if looks_like_header(rows[0], rows[1:]) else 0
    found = headers.stated(rows, stated) if stated > 1 else None
    return found or headers.Header(_column_names(rows[:stated]), stated, ())


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
    if len(cells) == 2 and not is_figure(cells[0]) and len(cells[0]) <= LONGEST_NAME:
        return f"{cells[0].rstrip(':')}: {cells[1]}"
    return " | ".join(cells)


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
