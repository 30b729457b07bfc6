"""Draw charts and tables of an answer, each with its figures as a table where a client draws none."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from bot.chat.shown.sourced_figures import Sourced
from bot.teams.cards.card_elements import Elements, Json, length, rich, small, strong, table
from bot.teams.text import sentences
from bot.teams.text.inert_text import label
from masis.calculating.charts import figure_forms
from masis.values.shown import Chart, Series, ShownTable

TITLE_CHARS: Final = 100
LABEL_CHARS: Final = 40
CELL_CHARS: Final = 200
MOST_COLUMNS: Final = 10
TABLE_CHARS: Final = 7_000
"""Of the JSON of one table, at most."""
SOURCE_CHARS: Final = 600


def figures(
    charts: Sequence[Sourced[Chart]], tables: Sequence[Sourced[ShownTable]], room: int
) -> Elements:
    """Return the charts and tables of an answer in so much room, each with its source line."""
    share = room // max(1, len(charts) + len(tables)) - SOURCE_CHARS
    parts: Elements = []
    for chart in charts:
        parts += [*_fitting(chart.figure, share), *_source(chart.source)]
    for table_shown in tables:
        rows = tabled(table_shown.figure, min(share, TABLE_CHARS))
        parts += [*rows, *_source(table_shown.source)]
    return parts


def _fitting(chart: Chart, room: int) -> Elements:
    """A chart with its figures behind it; where both have no room, its figures alone."""
    made = charted(chart)
    left = min(room - length(made), TABLE_CHARS)
    if left < LEAST_TABLE:
        return tabled(figure_forms.as_table(chart), min(room, TABLE_CHARS))
    shown = tabled(figure_forms.as_table(chart), left)
    return [made | {"fallback": {"type": "Container", "items": shown}}]


LEAST_TABLE: Final = 1_500
"""Characters without which a table behind a chart would show nothing."""


def _source(line: str) -> Elements:
    return [small(label(line, SOURCE_CHARS // 2))] if line else []


# --- charts --------------------------------------------------------------------------------


def charted(chart: Chart) -> Json:
    """Return a chart as Teams draws it."""
    names = _apart([label(each, LABEL_CHARS) for each in chart.categories])
    made: Json = {
        "type": _KINDS[chart.kind],
        "title": label(figure_forms.titled(chart), TITLE_CHARS) or sentences.CHART,
        "data": _data(chart, names),
    }
    if chart.kind == "bar" and len(chart.series) == 1:
        made["type"] = "Chart.VerticalBar"
    if chart.unit and chart.kind != "pie":
        made["yAxisTitle"] = label(chart.unit, LABEL_CHARS)
    return made


_KINDS: Final = {
    "bar": "Chart.VerticalBar.Grouped",
    "line": "Chart.Line",
    "area": "Chart.Line",  # Teams has no area
    "pie": "Chart.Pie",
}


def _data(chart: Chart, names: Sequence[str]) -> list[Json]:
    if chart.kind == "pie":
        # A part of nothing has no slice.
        slices = zip(names, chart.series[0].values, strict=False)
        return [{"legend": name, "value": _number(value)} for name, value in slices if value]
    if chart.kind == "bar" and len(chart.series) == 1:
        return _points(chart.series[0], names)
    legends = _apart([label(each.name, LABEL_CHARS) for each in chart.series])
    return [
        {"legend": legend, "values": _points(each, names)}
        for legend, each in zip(legends, chart.series, strict=True)
    ]


def _points(series: Series, names: Sequence[str]) -> list[Json]:
    return [
        {"x": name, "y": _number(value)}
        for name, value in zip(names, series.values, strict=False)
        if value is not None
    ]


def _number(value: Decimal | None) -> int | float:
    value = value or Decimal(0)
    return int(value) if value == value.to_integral_value() else float(value)


def _apart(names: Sequence[str]) -> list[str]:
    """Return the names with a number behind one that was there before."""
    made: list[str] = []
    for name in names:
        number, found = 2, name or sentences.NOTHING
        while found in made:
            found, number = f"{name} ({number})", number + 1
        made.append(found)
    return made


# --- tables --------------------------------------------------------------------------------


def tabled(shown: ShownTable, room: int) -> Elements:
    """Return a table's title, the rows that have room, and what was left out."""
    columns = min(len(shown.columns), MOST_COLUMNS)
    head = [_cell(figure_forms.heading(each)) for each in shown.columns[:columns]]
    numeric = [at for at in range(columns) if shown.columns[at].numeric]
    rows = [head]
    for at in range(len(shown.rows)):
        made = [_cell(figure_forms.cell(shown, at, column)) for column in range(columns)]
        if length(table([*rows, made], numeric)) > room:
            break
        rows.append(made)
    parts = [rich(strong(label(shown.title, TITLE_CHARS) or sentences.TABLE)), table(rows, numeric)]
    if len(rows) - 1 < max(shown.total_rows, len(shown.rows)):
        total = max(shown.total_rows, len(shown.rows))
        parts.append(small(figure_forms.counted_rows(len(rows) - 1, total)))
    if columns < len(shown.columns):
        parts.append(small(sentences.columns_left_out(len(shown.columns) - columns)))
    return parts


def _cell(text: str) -> str:
    return label(text, CELL_CHARS)
