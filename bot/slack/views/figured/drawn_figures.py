"""Charts and tables of an answer as Slack's blocks, within its limits, and in words where it takes none."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

from bot.chat.shown.sourced_figures import Sourced
from bot.chat.words.visible_text import one_line
from bot.slack import limits
from bot.slack.text import figure_sentences as sentences
from bot.slack.text.defuse import defuse, fitted
from bot.slack.views import blocks
from bot.slack.views.blocks import Blocks
from bot.slack.views.message import Attachment
from masis.calculating.charts import figure_forms
from masis.calculating.charts.charting import MOST_SERIES
from masis.conversation import Payload
from masis.values.shown import Chart, Series, ShownTable

CELL_CHARS: Final = 200
"""Of a cell in a block; the file has it whole."""
PAGE_ROWS: Final = 10
BLOCK_ROWS: Final = 100
"""Rows of a table that a block has, without its header: fewer than Slack's own limit, see there."""
ROWS_WITHOUT_FILE: Final = 50
"""Rows up to which a table needs no file beside it."""
PLAIN_ROWS: Final = 30
"""Rows of a table that is Markdown because Slack did not take it."""
_LEFT_OUT: Final = "…"


def drawn(
    charts: Sequence[Sourced[Chart]], tables: Sequence[Sourced[ShownTable]], run_id: str
) -> Blocks:
    """Return the charts and tables of an answer as blocks, each with its source line."""
    parts: Blocks = []
    for chart in charts[: limits.MESSAGE_CHARTS]:
        parts += [visualization(chart.figure), *_source(chart.source)]
    for number, table in enumerate(tables[: limits.MESSAGE_TABLES], start=1):
        block, shown, columns = data_table(table.figure)
        said = _of_table(table.figure, shown, columns, run_id, number)
        parts += [block, *_source(table.source, said)]
    return parts


def plain(
    charts: Sequence[Sourced[Chart]], tables: Sequence[Sourced[ShownTable]], room: int
) -> Blocks:
    """Return the same as Markdown tables of at most `room` characters, and that they are that."""
    listed = [(figure_forms.as_table(each.figure), each.source) for each in charts]
    listed += [(each.figure, each.source) for each in tables]
    parts: Blocks = [blocks.context(sentences.AS_WORDS)] if listed else []
    for table, source in listed:
        text = _markdown(table, room)
        room -= len(text)
        parts.append(blocks.markdown(text) if text else blocks.context(sentences.NO_ROOM))
        parts += _source(source)
    return parts


def files(tables: Sequence[Sourced[ShownTable]], run_id: str) -> list[Attachment]:
    """Return the tables of which the blocks show a part, as files for spreadsheets."""
    return [
        Attachment(name=_file_name(run_id, number), text=figure_forms.csv_text(table.figure))
        for number, table in enumerate(tables[: limits.MESSAGE_TABLES], start=1)
        if _needs_file(table.figure)
    ]


def _needs_file(table: ShownTable) -> bool:
    _, shown, columns = data_table(table)
    is_cut = shown < len(table.rows) or columns < len(table.columns)
    return table.as_file or is_cut or len(table.rows) > ROWS_WITHOUT_FILE


def _file_name(run_id: str, number: int) -> str:
    return f"masis-table-{run_id}-{number}.csv"


def _source(line: str, more: Iterable[str] = ()) -> Blocks:
    told = " · ".join(filter(None, (one_line(line), *more)))
    return [blocks.context(told)] if told else []


def _of_table(
    table: ShownTable, shown: int, columns: int, run_id: str, number: int
) -> Iterator[str]:
    """Say what of a table is not in its block, and where it is."""
    if shown < table.total_rows:
        yield figure_forms.counted_rows(shown, table.total_rows)
    if columns < len(table.columns):
        yield sentences.columns_left_out(len(table.columns) - columns)
    if _needs_file(table):
        name = _file_name(run_id, number)
        is_whole = len(table.rows) >= table.total_rows
        yield (
            sentences.in_file(name) if is_whole else sentences.first_in_file(name, len(table.rows))
        )


# --- charts ------------------------------------------------------------------------------------


def visualization(chart: Chart) -> Payload:
    """Return a chart as a `data_visualization` block."""
    title = _title(chart) or sentences.CHART
    names = labels(chart.categories)
    made = _pie(chart, names) if chart.kind == "pie" else _plotted(chart, names)
    return {"type": "data_visualization", "title": title, "chart": {"type": chart.kind, **made}}


def _title(chart: Chart) -> str:
    """Return a chart's title; where the unit has no room in it, the axis alone says it."""
    whole = defuse("plain", figure_forms.titled(chart))
    is_short = len(whole) <= limits.CHART_TITLE or chart.kind == "pie"
    return fitted("plain", limits.CHART_TITLE, whole if is_short else chart.title)


def _pie(chart: Chart, names: Sequence[str]) -> dict[str, Any]:
    # A part of nothing has no slice.
    return {"segments": [each for each in _points(chart.series[0], names) if each["value"] > 0]}


def _plotted(chart: Chart, names: Sequence[str]) -> dict[str, Any]:
    series = chart.series[:MOST_SERIES]
    axes: dict[str, Any] = {"categories": list(names)}
    if unit := fitted("plain", limits.CHART_TITLE, chart.unit):
        axes["y_label"] = unit
    return {
        "series": [
            {"name": name, "data": _points(each, names)}
            for name, each in zip(labels([each.name for each in series]), series, strict=True)
        ],
        "axis_config": axes,
    }


def _points(series: Series, names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"label": name, "value": _number(value)}
        for name, value in zip(names, series.values, strict=False)
        if value is not None
    ]


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def labels(texts: Sequence[str]) -> list[str]:
    """Return names of as many characters as Slack takes of a label, no two of them the same."""
    made: list[str] = []
    for text in texts:
        whole = one_line(defuse("plain", text)) or blocks.NOTHING
        made.append(_told_apart(whole, made))
    return made


def _told_apart(whole: str, taken: Sequence[str]) -> str:
    """Return a short name that is not taken: numbered where its beginning is."""
    short = _cut(whole, limits.CHART_LABEL)
    number = 2
    while short in taken:
        behind = f" ({number})"
        short = f"{_cut(whole, limits.CHART_LABEL - len(behind))}{behind}"
        number += 1
    return short


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}{_LEFT_OUT}"


# --- tables ------------------------------------------------------------------------------------


def data_table(table: ShownTable) -> tuple[Payload, int, int]:
    """Return a table as a `data_table` block, and how many of its rows and columns are in it."""
    columns = min(len(table.columns), limits.TABLE_COLUMNS)
    rows = [[_text(figure_forms.heading(column)) for column in table.columns[:columns]]]
    room = limits.DATA_TABLE_TEXT - _length(rows[0])
    for at in range(min(len(table.rows), BLOCK_ROWS)):
        made = [_cell(table, at, column) for column in range(columns)]
        room -= _length(made)
        if room < 0:
            break
        rows.append(made)
    if len(rows) == 1:
        rows.append([_text("") for _ in range(columns)])
        shown = 0
    else:
        shown = len(rows) - 1
    block = {
        "type": "data_table",
        "caption": fitted("plain", limits.CHART_TITLE * 3, table.title) or sentences.TABLE,
        "rows": rows,
        "page_size": PAGE_ROWS,
        "row_header_column_index": 0,
    }
    return block, shown, columns


def _cell(table: ShownTable, row: int, column: int) -> dict[str, Any]:
    number = table.number(row, column)
    shown = figure_forms.cell(table, row, column)
    if number is None:
        return _text(shown)
    return {"type": "raw_number", "value": _number(number), "text": shown[:CELL_CHARS]}


def _text(text: str) -> dict[str, Any]:
    return {"type": "raw_text", "text": fitted("plain", CELL_CHARS, text)}


def _length(row: Sequence[dict[str, Any]]) -> int:
    return sum(len(cell["text"]) + len(str(cell.get("value", ""))) for cell in row)


# --- in words ----------------------------------------------------------------------------------


def _markdown(table: ShownTable, room: int) -> str:
    """Return a table in Markdown, of as many rows as have room; nothing where none has."""
    names = [
        _inline(figure_forms.heading(column)) for column in table.columns[: limits.TABLE_COLUMNS]
    ]
    title = _inline(table.title) or sentences.TABLE
    lines = [f"**{title}**", "", _row(names), _row(["---"] * len(names))]
    room -= sum(len(line) + 1 for line in lines) + limits.CHART_TITLE
    head = len(lines)
    for at in range(min(len(table.rows), PLAIN_ROWS)):
        made = _row([_inline(figure_forms.cell(table, at, column)) for column in range(len(names))])
        room -= len(made) + 1
        if room < 0:
            break
        lines.append(made)
    shown = len(lines) - head
    if not shown:
        return ""
    if shown < table.total_rows:
        lines += ["", figure_forms.counted_rows(shown, table.total_rows)]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _inline(text: str) -> str:
    return (
        fitted("markdown", CELL_CHARS, one_line(text))
        .replace("\\", "\\\\")
        .replace("|", "\\|")
        .replace("`", "'")
        .replace("*", "\\*")
        .replace("_", "\\_")
    )
