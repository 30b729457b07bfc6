"""Charts and tables of calculations: what is drawn, what is not and why, and the check of each point."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from masis.calculating.calculation import calculate
from masis.calculating.charts.asked_display import Display, asked_display
from masis.calculating.charts.charting import (
    MISSING,
    MOST_CATEGORIES,
    MOST_SLICES,
    Labelled,
    Shown,
    drawn,
    faults,
)
from masis.domain import Calculation, EvidenceChunk, Figure, Period
from masis.values.shown import Chart

CHART = asked_display("x as a chart")
PIE = asked_display("x as a pie chart")
TABLE = asked_display("x as a table")
NOTHING = asked_display("x")
HELD = "1 2 3 4 5 6 7 8 9 10 -3 0 90 1,000"


def figure(value: str = "5", **changes: Any) -> Figure:
    values: dict[str, Any] = {
        "metric": "Revenue",
        "value": Decimal(value.replace(",", "")),
        "currency": "£",
        "scale": 1000,
        "chunk_id": "c_a",
        "written": value,
        "said": f"Row {value} – Revenue: {value}",
    }
    return Figure(**{**values, **changes})


def chunk(text: str = HELD) -> EvidenceChunk:
    more = {"document_id": "d", "version_id": "v", "document": "a.csv", "title": "A"}
    return EvidenceChunk(chunk_id="c_a", text=text, score=0.9, **more)


def done(kind: Any, *figures: Figure) -> Calculation:
    made = calculate(kind, figures, forecasts=True)
    assert isinstance(made, Calculation)
    return made


def listed(*figures: Figure, labels: Sequence[str] = ()) -> list[Labelled]:
    names = labels or [f"Row {each.written}" for each in figures]
    return [Labelled(name, done("sum", each)) for name, each in zip(names, figures, strict=True)]


def made(display: Display, kind: Any, computed: Sequence[Labelled]) -> Shown:
    return drawn(display, kind, computed, [chunk()], "Revenue")


def years(*values: str) -> list[Figure]:
    of = [Period(kind="year", year=2020 + at) for at in range(len(values))]
    return [figure(each, period=year) for each, year in zip(values, of, strict=True)]


# --- when, and which ---------------------------------------------------------------------------


def test_three_categories_are_drawn_unasked() -> None:
    (chart,) = made(NOTHING, "maximum", [Labelled("", done("maximum", *map(figure, "123")))]).charts
    assert (chart.kind, chart.unit, chart.categories) == ("bar", "£k", ["Row 1", "Row 2", "Row 3"])
    assert chart.series[0].values == [1, 2, 3]
    assert chart.sources == ["c_a"]


def test_two_figures_are_drawn_when_asked() -> None:
    growth = [Labelled("", done("growth", *reversed(years("4", "5"))))]
    assert made(NOTHING, "growth", growth) == Shown()
    (chart,) = made(CHART, "growth", growth).charts
    assert chart.categories == ["Row 4, 2020", "Row 5, 2021"]
    assert chart.series[0].values == [4, 5]


def test_total_of_rows_is_not_drawn_unasked() -> None:
    total = [Labelled("", done("sum", *map(figure, "1234")))]
    assert made(NOTHING, "sum", total) == Shown()
    assert made(CHART, "sum", total).charts


def test_course_over_time_is_a_line() -> None:
    (chart,) = made(NOTHING, "rank", listed(*years("4", "1", "3", "2"))).charts
    assert chart.kind == "line"
    assert chart.series[0].values == [4, 1, 3, 2]


def test_points_over_time_stand_in_order() -> None:
    computed = listed(*reversed(years("4", "1", "3")), labels=["2022", "2021", "2020"])
    (chart,) = made(CHART, "rank", computed).charts
    assert chart.categories == ["2020", "2021", "2022"]


def test_forecast_is_told_from_what_came() -> None:
    expected = figure("9", period=Period(kind="year", year=2023), expected=True)
    computed = listed(*years("4", "5", "6"), expected, labels=["2020", "2021", "2022", "2023"])
    (chart,) = made(CHART, "rank", computed).charts
    assert chart.categories[-1] == "2023 (forecast)"


def test_several_series_share_categories() -> None:
    computed = [
        Labelled(quarter, done("sum", figure(value)), line)
        for value, (quarter, line) in zip(
            "1234",
            [("Q1", "Pumps"), ("Q1", "Skids"), ("Q2", "Pumps"), ("Q2", "Skids")],
            strict=True,
        )
    ]
    (chart,) = made(CHART, "rank", computed).charts
    assert chart.categories == ["Q1", "Q2"]
    assert {each.name: [str(value) for value in each.values] for each in chart.series} == {
        "Pumps": ["1", "3"],
        "Skids": ["2", "4"],
    }
    assert MISSING in made(CHART, "rank", computed[:3]).notes[0]


def test_mixed_scales_become_one() -> None:
    computed = listed(figure("1,000"), figure("2", scale=1_000_000), figure("3"))
    (chart,) = made(CHART, "rank", computed).charts
    assert chart.unit == "£k"
    assert chart.series[0].values == [1000, 2000, 3]


def test_quotients_are_rounded() -> None:
    computed = [
        Labelled(name, done("growth", figure(value), figure("3")))
        for name, value in (("a", "4"), ("b", "5"), ("c", "7"))
    ]
    (chart,) = made(CHART, "growth", computed).charts
    assert chart.unit == "%"
    assert chart.series[0].values == [Decimal("33.33"), Decimal("66.67"), Decimal("133.33")]


# --- what is not drawn ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"currency": "€"}, "different currencies"),
        ({"currency": "", "scale": 1}, "amount of money"),
        ({"currency": "", "unit": "%"}, "amount of money"),
        ({"period": Period(kind="quarter", year=2021, part=1)}, "not comparable"),
    ],
)
def test_unlike_figures_make_no_chart(other: dict[str, Any], said: str) -> None:
    first, second = years("1", "2")
    shown = made(CHART, "rank", listed(first, second, figure("3", **other)))
    assert shown.charts == []
    assert shown.tables == []
    assert said in shown.notes[0]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (("1", "-3"), "negative"),
        (("0", "0"), "all figures are zero"),
        (tuple(map(str, range(1, MOST_SLICES + 2))), "cannot be told apart"),
    ],
)
def test_pie_of_no_whole_is_bars(values: tuple[str, ...], said: str) -> None:
    computed = listed(*map(figure, values), labels=[f"L{at}" for at in range(len(values))])
    shown = made(PIE, "rank", computed)
    assert [chart.kind for chart in shown.charts] == ["bar"]
    assert said in shown.notes[0]


def test_percentages_of_no_whole_are_bars() -> None:
    percent = {"currency": "", "scale": 1, "unit": "%"}
    computed = listed(figure("90", **percent), figure("10", **percent))
    assert made(PIE, "rank", computed).charts[0].kind == "pie"
    assert (
        made(PIE, "rank", listed(figure("9", **percent), figure("10", **percent))).charts[0].kind
        == "bar"
    )


def test_too_many_categories_are_a_table() -> None:
    labels = [f"L{at}" for at in range(MOST_CATEGORIES + 1)]
    computed = listed(*[figure("5")] * len(labels), labels=labels)
    shown = made(CHART, "rank", computed)
    assert shown.charts == []
    assert shown.tables[0].total_rows == len(labels)
    assert "21 categories" in shown.notes[0]
    assert made(NOTHING, "rank", computed) == Shown()


def test_one_figure_is_no_chart() -> None:
    shown = made(CHART, "rank", listed(figure("5")))
    assert "not two figures" in shown.notes[0]


def test_table_has_rows_with_their_unit() -> None:
    shown = made(TABLE, "rank", listed(*years("4", "5"), labels=["2020", "2021"]))
    (table,) = shown.tables
    assert shown.charts == []
    assert [(each.name, each.unit) for each in table.columns] == [("Year", ""), ("Revenue", "£k")]
    assert table.rows == [["2020", "4"], ["2021", "5"]]
    assert (table.source, table.total_rows) == ("a.csv", 2)


# --- check ---------------------------------------------------------------------------------------


def bent(chart: Chart, **changes: Any) -> Chart:
    return chart.model_copy(update=changes)


def test_every_point_is_held_against_its_figure() -> None:
    """A value, a place, a unit or a kind that is not that of the figures is found."""
    computed = listed(figure("1"), figure("2"), figure("3"))
    (chart,) = made(CHART, "rank", computed).charts
    (series,) = chart.series
    wrong = [
        bent(
            chart,
            series=[series.model_copy(update={"values": [Decimal(1), Decimal(2), Decimal("3.1")]})],
        ),
        bent(
            chart,
            series=[series.model_copy(update={"values": [Decimal(2), Decimal(1), Decimal(3)]})],
        ),
        bent(chart, series=[series.model_copy(update={"values": [Decimal(1), Decimal(2), None]})]),
        bent(chart, series=[series.model_copy(update={"values": [Decimal("NaN")] * 3})]),
        bent(chart, unit="£m"),
        bent(chart, unit="€k"),
        bent(chart, categories=["Row 1", "Row 1", "Row 3"]),
        bent(chart, categories=chart.categories[:2]),
        bent(chart, kind="pie", series=[series, series]),
        bent(chart, series=[]),
    ]

    assert faults(chart, computed, [chunk()]) == []
    assert all(faults(each, computed, [chunk()]) for each in wrong)


def test_figure_that_stands_nowhere_is_not_drawn() -> None:
    shown = drawn(CHART, "rank", listed(figure("1"), figure("7777")), [chunk()], "Revenue")
    assert shown.charts == []
    assert "did not agree" in shown.notes[0]
