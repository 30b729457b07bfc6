"""Make a table, and a chart where it shows more, of rows that a query over whole tables gave."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from masis.calculating.charts.asked_display import Display
from masis.calculating.charts.charting import (
    LEAST_DRAWN,
    LONG,
    MISSING,
    MOST_CATEGORIES,
    MOST_SERIES,
    MOST_SLICES,
    NO_FIGURES,
    NO_PIE,
    TOO_MANY,
    UNLIKE,
    Shown,
    plain,
)
from masis.text.periods import periods
from masis.values.shown import Chart, ChartKind, Series, ShownColumn, ShownTable

MOST_ROWS: Final = 1_000
"""Rows of a shown table that are kept with its run."""
MOST_CHARS: Final = 100_000
CELL_CHARS: Final = 500
_LEAST: Final = 2
_PAIR: Final = 2
ONE_ALONE: Final = "The chart shows {name} alone: columns of other things have other scales."

Cell = str | int | float | Decimal | bool | dt.date | dt.datetime | None
"""What a cell of a result is."""


def of_rows(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    display: Display,
    source: str = "",
    total_rows: int | None = None,
    sources: Sequence[str] = (),
    units: Sequence[str] = (),
) -> Shown:
    """Return a result as a table where it has several rows, and as a chart of its figures.

    `total_rows` are those of the whole result, of which `rows` may be the first; `units` says what
    a column's figures are in ("£k"), `sources` are chunk ids.
    """
    table = shown_table(
        title, columns, rows, source=source, total_rows=total_rows, sources=sources, units=units
    )
    wants = display.chart or (not display.table and len(rows) >= LEAST_DRAWN)
    made = _chart(table, display) if wants else Shown()
    if not display.asked:
        made = Shown(charts=made.charts)
    is_tabled = display.table or len(rows) >= _LEAST
    return made.model_copy(update={"tables": [table] if is_tabled and columns else []})


def shown_table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    source: str = "",
    total_rows: int | None = None,
    sources: Sequence[str] = (),
    units: Sequence[str] = (),
) -> ShownTable:
    """Return rows as a table; what is beyond its bounds is counted in `total_rows`."""
    kept: list[list[str]] = []
    room = MOST_CHARS
    for row in rows[:MOST_ROWS]:
        cells = [_written(cell) for cell in row]
        room -= sum(map(len, cells))
        if room < 0:
            break
        kept.append(cells)
    heads = [
        ShownColumn(
            name=name,
            numeric=_is_numeric([row[at] for row in rows]),
            unit=units[at] if at < len(units) else "",
        )
        for at, name in enumerate(columns)
    ]
    return ShownTable(
        title=title,
        columns=heads,
        rows=kept,
        source=source,
        total_rows=len(rows) if total_rows is None else total_rows,
        sources=list(sources),
    )


def _written(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case bool():
            return "yes" if cell else "no"
        case int() | Decimal() | float():
            number = Decimal(str(cell))
            return plain(number) if number.is_finite() else ""
        case dt.datetime():
            return cell.isoformat(sep=" ", timespec="minutes")
        case dt.date():
            return cell.isoformat()
    return " ".join(cell.split())[:CELL_CHARS]


def _is_numeric(cells: Sequence[Cell]) -> bool:
    said = [cell for cell in cells if cell is not None]
    return bool(said) and all(
        isinstance(cell, int | float | Decimal) and not isinstance(cell, bool) for cell in said
    )


def _chart(table: ShownTable, display: Display) -> Shown:
    """Return a chart of the columns of figures over the first column of words, or why there is none."""
    figures = [at for at, column in enumerate(table.columns) if column.numeric]
    words = [at for at, column in enumerate(table.columns) if not column.numeric]
    # A column of years is numeric, and what the others are set over.
    if not words and len(figures) > 1 and all(_year(row[figures[0]]) for row in table.rows):
        words, figures = figures[:1], figures[1:]
    if not words or not figures or len(table.rows) < _LEAST:
        return Shown(notes=[NO_FIGURES.format(what="chart")])
    is_crossed = len(words) == _PAIR and len(figures) == 1
    if is_crossed and (made := _crossed(table, words, figures[0], display)):
        return made
    if table.total_rows > MOST_CATEGORIES or len(table.rows) < table.total_rows:
        said = {"number": table.total_rows, "most": MOST_CATEGORIES, "what": "rows"}
        return Shown(notes=[TOO_MANY.format(**said)])
    return _over(table, words, figures[:MOST_SERIES], display)


def _crossed(
    table: ShownTable, words: Sequence[int], figure: int, display: Display
) -> Shown | None:
    """Return a chart of two names that are crossed: a series for each second one; None where some lack.

    Charts of one series tell such rows no better than words do.
    """
    one, other = words
    held = {(row[one], row[other]): table.number(at, figure) for at, row in enumerate(table.rows)}
    categories = list(dict.fromkeys(row[one] for row in table.rows))
    names = list(dict.fromkeys(row[other] for row in table.rows))
    is_whole = len(held) == len(table.rows) == table.total_rows == len(categories) * len(names)
    fits = _LEAST <= len(names) <= MOST_SERIES and _LEAST <= len(categories) <= MOST_CATEGORIES
    if not (is_whole and fits and all(categories) and all(names)) or None in held.values():
        return None
    series = [Series(name=name, values=[held[each, name] for each in categories]) for name in names]
    kind, why = _kind(display, categories, series)
    chart = Chart(kind=kind, title=table.title, unit=table.columns[figure].unit, categories=categories, series=series, sources=table.sources)  # fmt: skip
    return Shown(charts=[chart], notes=[NO_PIE.format(why=why)] if why else [])


def _over(
    table: ShownTable, words: Sequence[int], figures: Sequence[int], display: Display
) -> Shown:
    categories = [" · ".join(filter(None, (row[at] for at in words))) for row in table.rows]
    notes: list[str] = []
    if len(figures) > 1 and not any(table.columns[at].unit for at in figures):
        # What is in no unit that is known may be anything: orders beside money.
        figures = figures[:1]
        notes = [ONE_ALONE.format(name=table.columns[figures[0]].name)]
    units = {table.columns[at].unit for at in figures}
    if len(units) > 1 or len(set(categories)) < len(categories) or not all(categories):
        why = "its columns are of different units" if len(units) > 1 else "its rows have no names of their own"  # fmt: skip
        return Shown(notes=[UNLIKE.format(why=why)])
    series = [
        Series(
            name=table.columns[at].name,
            values=[table.number(row, at) for row in range(len(table.rows))],
        )
        for at in figures
    ]
    if any(value is None for each in series for value in each.values):
        return Shown(notes=[*notes, UNLIKE.format(why=MISSING)])
    kind, why = _kind(display, categories, series)
    chart = Chart(
        kind=kind,
        title=table.title,
        unit=units.pop(),
        categories=categories,
        series=series,
        sources=table.sources,
    )
    return Shown(charts=[chart], notes=[*notes, *([NO_PIE.format(why=why)] if why else [])])


def _kind(
    display: Display, categories: Sequence[str], series: Sequence[Series]
) -> tuple[ChartKind, str]:
    """Return the kind of chart, and why it is no pie where one was asked for."""
    is_time = len(categories) >= LONG and all(periods(each) for each in categories)
    kind = display.kind or ("line" if is_time else "bar")
    if kind != "pie":
        return kind, ""
    values = [value for each in series for value in each.values]
    checks = (
        (len(series) > 1, "there are several columns of figures"),
        (any(value is not None and value < 0 for value in values), "one of the figures is negative"),
        (not any(values), "all figures are zero"),
        (len(categories) > MOST_SLICES, f"{len(categories)} parts cannot be told apart"),
    )  # fmt: skip
    why = next((said for is_so, said in checks if is_so), "")
    return ("bar" if why else "pie"), why


def _year(text: str) -> bool:
    return len(text) == 4 and bool(periods(text))
