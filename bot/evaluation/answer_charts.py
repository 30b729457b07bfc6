"""Computes where the bars of an answer's chart stand; `templates/figures.html.jinja` draws them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from bot.results import DrawnChart, Source
from masis.calculating.charts import figure_forms
from masis.values.shown import ShownTable

MOST_ROWS: Final = 50
"""Rows of a table that a report shows."""
SHADES: Final = 6
_LABEL, _BAR, _ROW, _GAP = 170, 400, 16, 8
_LONGEST_LABEL = 24


class Bar(NamedTuple):
    """One figure: its bar from zero, and what stands beside it."""

    label: str
    whole: str
    figure: str
    shade: int
    x: float
    y: int
    width: float
    middle: int


class Bars(NamedTuple):
    """A chart of any kind as bars that lie, a row each figure; `names` are those of its series."""

    title: str
    description: str
    names: list[str]
    bars: list[Bar]
    source: str
    zero: float
    height: int
    width: int = _LABEL + _BAR + 90
    left: int = _LABEL
    figures_at: int = _LABEL + _BAR + 8


class Rows(NamedTuple):
    """A table as it is shown, and how much of it that is."""

    title: str
    heading: list[str]
    rows: list[list[str]]
    note: str


def bars(chart: DrawnChart, citations: Sequence[Source]) -> Bars:
    """Place the figures of a chart: a category below the other, in it a bar each series."""
    values = [value for each in chart.series for value in each.values if value is not None]
    low, high = min([*values, Decimal(0)]), max([*values, Decimal(0)])
    places = figure_forms.places(values)
    span = (high - low) or Decimal(1)
    zero = _LABEL + float(-low / span) * _BAR
    placed: list[Bar] = []
    y = 2
    for at, category in enumerate(chart.categories):
        for number, series in enumerate(chart.series):
            value = series.values[at]
            width = round(float(abs(value or Decimal(0)) / span) * _BAR, 1)
            left = zero - width if value is not None and value < 0 else zero
            short = (
                category
                if len(category) <= _LONGEST_LABEL
                else f"{category[: _LONGEST_LABEL - 1]}…"
            )
            figure = figure_forms.written(value, places) or "–"
            said = f"{category}, {series.name}: {figure}"
            placed.append(
                Bar(
                    "" if number else short,
                    said,
                    figure,
                    number % SHADES,
                    round(left, 1),
                    y,
                    width,
                    y + 12,
                )
            )
            y += _ROW
        y += _GAP
    names = [each.name for each in chart.series] if len(chart.series) > 1 else []
    source = figure_forms.source_line(chart.sources, "", citations)
    described = f"{len(chart.categories)} categories, {len(chart.series)} series, as bars."
    return Bars(figure_forms.titled(chart), described, names, placed, source, round(zero, 1), y)


def rows(table: ShownTable, citations: Sequence[Source]) -> Rows:
    """Return a table's first rows in words, with its source."""
    shown = min(len(table.rows), MOST_ROWS)
    return Rows(
        title=table.title,
        heading=[figure_forms.heading(column) for column in table.columns],
        rows=[
            [figure_forms.cell(table, row, column) for column in range(len(table.columns))]
            for row in range(shown)
        ],
        note=" ".join(
            filter(
                None,
                (
                    figure_forms.source_line(table.sources, table.source, citations),
                    f"· {figure_forms.counted_rows(shown, table.total_rows)}",
                ),
            )
        ),
    )
