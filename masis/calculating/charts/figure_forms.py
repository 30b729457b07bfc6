"""Write charts and tables as every surface may show them: numbers, source lines, rows, files."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final, Protocol

from masis.values.shown import Chart, ShownColumn, ShownTable

MOST_PLACES: Final = 2
"""Decimals that a figure is given for those of the others: as money has."""
LOOKED_AT: Final = 100
"""Rows whose decimals are looked at."""
MOST_NUMBERS: Final = 6
"""Numbers of citations that a source line names of one document."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
"""What a spreadsheet may take for the beginning of a formula."""
_MARK: Final = "\ufeff"
"""Tells spreadsheets that a file is UTF-8."""


class Cited(Protocol):
    """A numbered source: a citation, or what is told of one elsewhere."""

    @property
    def n(self) -> int:
        """Its number."""
        ...

    @property
    def chunk_id(self) -> str:
        """The chunk that it cites."""
        ...

    @property
    def document(self) -> str:
        """The document's name."""
        ...


def written(value: Decimal | None, places: int = 0) -> str:
    """Return a number for people: "1,234.5", "−0.3"; nothing where there is none.

    It has as many decimals as it needs, and at least so many `places`.
    """
    if value is None:
        return ""
    text = f"{abs(value):,f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    lacking = places - len(text.partition(".")[2])
    if lacking > 0:
        text = f"{text}{'' if '.' in text else '.'}{'0' * lacking}"
    return f"−{text}" if value < 0 else text


def places(values: Iterable[Decimal | None]) -> int:
    """Return the decimals that figures below each other have alike: "298,110.20" below "78,411.95"."""
    found = (len(written(each).partition(".")[2]) for each in values if each is not None)
    return min(max(found, default=0), MOST_PLACES)


def cell(table: ShownTable, row: int, column: int) -> str:
    """Return a cell for people."""
    number = table.number(row, column)
    text = table.rows[row][column]
    if number is None or _is_year(table, column):
        return text
    others = range(min(len(table.rows), LOOKED_AT))
    return written(number, places(table.number(at, column) for at in others))


def _is_year(table: ShownTable, column: int) -> bool:
    """Tell whether a column holds years, which nobody writes with a comma."""
    return table.columns[column].name.casefold().rstrip("s").endswith("year")


def heading(column: ShownColumn) -> str:
    """Return a column's name with its unit, where the name does not say it."""
    is_said = not column.unit or column.unit in column.name
    return column.name if is_said else f"{column.name} ({column.unit})"


def titled(chart: Chart) -> str:
    """Return a chart's title with its unit, where the title does not say it."""
    return (
        chart.title
        if not chart.unit or chart.unit in chart.title
        else f"{chart.title} ({chart.unit})"
    )


def as_table(chart: Chart) -> ShownTable:
    """Return a chart's figures as rows."""
    columns = [ShownColumn(name="Category")]
    columns += [ShownColumn(name=each.name, numeric=True, unit=chart.unit) for each in chart.series]
    rows = [
        [category, *(_plain(each.values[at]) for each in chart.series)]
        for at, category in enumerate(chart.categories)
    ]
    return ShownTable(
        title=chart.title, columns=columns, rows=rows, total_rows=len(rows), sources=chart.sources
    )


def _plain(value: Decimal | None) -> str:
    return "" if value is None else f"{value:f}"


def source_line(sources: Sequence[str], said: str, citations: Sequence[Cited]) -> str:
    """Return where figures are from: "Source: orders.csv [1][2]"; empty where that is not known."""
    named = {each.chunk_id: each for each in citations}
    by_document: dict[str, list[int]] = {}
    for name in dict.fromkeys(sources):
        if name in named:
            by_document.setdefault(named[name].document, []).append(named[name].n)
    parts = list(_numbered(by_document))
    if said and not all(document in said for document in by_document):
        parts.append(said)
    elif said and by_document:
        parts = [f"{said} {marks}" for marks in ["".join(map(_marks, by_document.values()))]]
    elif said:
        parts = [said]
    return f"Source: {'; '.join(parts)}" if parts else ""


def _numbered(by_document: dict[str, list[int]]) -> Iterator[str]:
    for document, numbers in by_document.items():
        yield f"{document} {_marks(numbers)}"


def _marks(numbers: Sequence[int]) -> str:
    shown = "".join(f"[{number}]" for number in sorted(numbers)[:MOST_NUMBERS])
    return f"{shown}…" if len(numbers) > MOST_NUMBERS else shown


def counted_rows(shown: int, total: int) -> str:
    """Say how many rows are shown, of how many."""
    return f"The first {shown:,} of {total:,} rows." if shown < total else f"{total:,} rows."


def csv_text(table: ShownTable) -> str:
    """Return a table as a file for spreadsheets, in which no cell is a formula."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\r\n")
    writer.writerow([_inert(heading(column)) for column in table.columns])
    for at, row in enumerate(table.rows):
        writer.writerow(
            text if table.number(at, column) is not None else _inert(text)
            for column, text in enumerate(row)
        )
    return f"{_MARK}{made.getvalue()}"


def _inert(text: str) -> str:
    """Return a cell that a spreadsheet shows: an apostrophe before what it would calculate."""
    return (
        f"'{text}" if text.lstrip(" ").startswith(_FORMULA) or text.startswith(_FORMULA) else text
    )
