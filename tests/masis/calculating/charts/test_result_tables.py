"""Rows of a query as table and chart."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from masis.calculating.charts.asked_display import asked_display
from masis.calculating.charts.charting import Shown
from masis.calculating.charts.result_tables import MOST_CHARS, MOST_ROWS, of_rows

ROWS: list[list[Any]] = [["High", 12], ["Low", 40], ["Mid", 3]]
NAMES = ["priority", "open"]


def made(asked: str = "x", columns: list[str] = NAMES, rows: Any = ROWS, **more: Any) -> Shown:
    return of_rows("Open by priority", columns, rows, display=asked_display(asked), **more)


def test_rows_are_a_table_and_a_chart() -> None:
    shown = made(source="tickets.csv, 12,431 rows", sources=["c_a"])
    (table,), (chart,) = shown.tables, shown.charts
    assert [each.numeric for each in table.columns] == [False, True]
    assert (table.rows[0], table.total_rows) == (["High", "12"], 3)
    assert (chart.kind, chart.categories, chart.sources) == ("bar", ["High", "Low", "Mid"], ["c_a"])
    assert shown.notes == []


@pytest.mark.parametrize(
    ("asked", "charts", "tables"),
    [("x as a table", 0, 1), ("x as a pie chart", 1, 1), ("x as a table and a chart", 1, 1)],
)
def test_what_is_asked_is_shown(asked: str, charts: int, tables: int) -> None:
    shown = made(asked)
    assert (len(shown.charts), len(shown.tables)) == (charts, tables)


def test_crossed_names_are_series() -> None:
    """Of two names the second is a series; where a pair lacks its figure the rows stay as they are."""
    pairs = [(site, state) for site in ("Leeds", "Truro", "Hull") for state in ("open", "closed")]
    rows = [[site, state, at] for at, (site, state) in enumerate(pairs)]
    columns = ["site", "state", "rows"]
    (chart,) = made(columns=columns, rows=rows).charts
    assert chart.categories == ["Leeds", "Truro", "Hull"]
    values = {each.name: [str(value) for value in each.values] for each in chart.series}
    assert values == {"open": ["0", "2", "4"], "closed": ["1", "3", "5"]}
    (flat,) = made(columns=columns, rows=rows[:5]).charts
    assert flat.categories[0] == "Leeds · open"


def test_one_number_is_neither() -> None:
    assert made(columns=["count"], rows=[[5]]) == Shown()
    assert "no chart" in made("x as a chart", columns=["count"], rows=[[5]]).notes[0]


def test_cells_keep_what_they_are() -> None:
    row = [dt.date(2026, 1, 2), Decimal("1.50"), None, "a\n b", float("nan")]
    (table,) = made("x as a table", columns=list("abcde"), rows=[row, row]).tables
    assert table.rows[0] == ["2026-01-02", "1.5", "", "a b", ""]


def test_years_are_what_others_stand_over() -> None:
    rows = [[2021 + at, 10 * at] for at in range(4)]
    (chart,) = made(columns=["year", "orders"], rows=rows).charts
    assert (chart.kind, chart.categories[0]) == ("line", "2021")


def test_columns_of_unknown_units_are_not_mixed() -> None:
    rows = [["a", 1, 500], ["b", 2, 700], ["c", 3, 900]]
    shown = made("x as a chart", columns=["line", "orders", "revenue"], rows=rows)
    assert [each.name for each in shown.charts[0].series] == ["orders"]
    assert "orders alone" in shown.notes[0]

    same = made(columns=["line", "2024", "2025"], rows=rows, units=["", "£k", "£k"])
    assert len(same.charts[0].series) == 2
    mixed = made("x as a chart", columns=["line", "a", "b"], rows=rows, units=["", "£", "%"])
    assert "different units" in mixed.notes[0]


def test_pie_of_negative_rows_is_bars() -> None:
    shown = made("x as a pie", rows=[["a", -1], ["b", 2]])
    assert shown.charts[0].kind == "bar"
    assert "negative" in shown.notes[0]


def test_long_result_is_bounded() -> None:
    rows = [[f"{at}", at] for at in range(MOST_ROWS + 50)]
    shown = made("x as a chart", rows=rows, total_rows=12_431)
    (table,) = shown.tables
    assert (len(table.rows), table.total_rows) == (MOST_ROWS, 12_431)
    assert shown.charts == []
    assert "12,431 rows" in shown.notes[0]

    (wide,) = made("x as a table", rows=[["y" * 500, 1]] * 900).tables
    assert sum(len(cell) for row in wide.rows for cell in row) <= MOST_CHARS
    assert wide.total_rows == 900


def test_missing_figure_makes_no_chart() -> None:
    shown = made("x as a chart", rows=[["a", 1], ["b", None], ["c", 2]])
    assert shown.charts == []
    assert shown.tables
