"""Charts and tables on a terminal: rows of text, and bars of characters. Pure functions."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bot.chat.shown.sourced_figures import Sourced
from bot.rendering.terminal_text import line
from masis.calculating.charts import figure_forms
from masis.domain import Answered, AnyOutcome
from masis.values.shown import Chart, ShownTable

BAR: Final = 32
"""Characters of the longest bar."""
LABEL: Final = 28
MOST_ROWS: Final = 40
"""Rows of a table that are shown; `--json` has them all."""
_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
_STYLES: Final = ("cyan", "yellow", "green", "magenta", "blue", "red")


def drawn(charts: Sequence[Sourced[Chart]], tables: Sequence[Sourced[ShownTable]]) -> Group:
    """Show the charts and tables of an answer, each with its source."""
    parts: list[RenderableType] = []
    for chart in charts:
        parts += [Text(), *charted(chart)]
    for table in tables:
        parts += [Text(), *tabled(table)]
    return Group(*parts)


def calculations(value: AnyOutcome) -> list[Text]:
    """List the calculations of an answer, each with its formula and the cells of its figures."""
    done = value.calculations if isinstance(value, Answered) else []
    lines: list[Text] = []
    for each in done[:MOST_ROWS]:
        lines.append(Text(line(f"  calculated {each.kind}: {each.shown} = {each.formula}")))
        lines += [
            Text(f"    {line(figure.said)} · {line(figure.place.label())}", style="dim")
            for figure in [leaf for one in each.inputs for leaf in one.leaves][:MOST_ROWS]
        ]
    return lines


def tabled(sourced: Sourced[ShownTable]) -> Iterator[RenderableType]:
    """Show a table: its title, its first rows, how many there are, and its source."""
    table = sourced.figure
    yield Text(line(table.title), style="bold")
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in table.columns:
        made.add_column(
            Text(line(figure_forms.heading(column))),
            justify="right" if column.numeric else "left",
            overflow="fold",
        )
    shown = min(len(table.rows), MOST_ROWS)
    for at in range(shown):
        cells = (line(figure_forms.cell(table, at, column)) for column in range(len(table.columns)))
        made.add_row(*map(Text, cells))
    yield made
    if shown < table.total_rows:
        yield Text(figure_forms.counted_rows(shown, table.total_rows), style="dim")
    yield from _source(sourced.source)


def charted(sourced: Sourced[Chart]) -> Iterator[RenderableType]:
    """Show a chart as bars, a figure behind each; a line over time lies on its side."""
    chart = sourced.figure
    yield Text(line(figure_forms.titled(chart)), style="bold")
    values = [value for each in chart.series for value in each.values if value is not None]
    highest, lowest = max([*values, Decimal(0)]), min([*values, Decimal(0)])
    several = len(chart.series) > 1
    places = figure_forms.places(values)
    whole = sum(values) if chart.kind == "pie" else Decimal(0)
    made = Table(box=None, pad_edge=False, show_header=False)
    made.add_column(overflow="ellipsis", no_wrap=True, max_width=LABEL)
    for _ in range(2):
        made.add_column(no_wrap=True)
    made.columns[-1].justify = "right"
    for at, category in enumerate(chart.categories):
        for number, series in enumerate(chart.series):
            value = series.values[at]
            bar = Text(
                _bar(value, lowest, highest),
                style=_STYLES[number % len(_STYLES)] if several else "cyan",
            )
            share = f" · {value / whole * 100:.1f} %" if whole and value is not None else ""
            said = figure_forms.written(value, places) or "–"
            made.add_row(Text(line(category) if number == 0 else ""), bar, Text(f"{said}{share}"))
    yield made
    if several:
        yield Text("  ").join(
            Text(f"■ {line(each.name)}", style=_STYLES[number % len(_STYLES)])
            for number, each in enumerate(chart.series)
        )
    yield from _source(sourced.source)


def _bar(value: Decimal | None, lowest: Decimal, highest: Decimal) -> str:
    """Return a bar from zero to a value; what is below zero goes to the left."""
    span = highest - lowest
    if value is None or not span:
        return ""
    left = int(-lowest / span * BAR)
    length = abs(value) / span * BAR
    if value < 0:
        cells = min(left, max(1, round(length)))
        return f"{' ' * (left - cells)}{'█' * cells}"
    eighths = int(length * 8 + Decimal("0.5"))
    return f"{' ' * left}{'█' * (eighths // 8)}{_EIGHTHS[eighths % 8].strip()}"


def _source(said: str) -> Iterator[RenderableType]:
    if said:
        yield Text(line(said), style="dim")
