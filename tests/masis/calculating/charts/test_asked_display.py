"""What a question wants drawn, and what is left of it."""

import pytest

from masis.calculating.charts.asked_display import asked_display


@pytest.mark.parametrize(
    ("question", "kind", "rest"),
    [
        ("open tickets by priority as a chart", None, "open tickets by priority"),
        ("Show me a bar chart of revenue by quarter.", "bar", "revenue by quarter."),
        ("plot revenue from 2024 to 2026", None, "revenue from 2024 to 2026"),
        ("graph of headcount by site", None, "headcount by site"),
        ("pie chart: budget by team", "pie", "budget by team"),
        ("What share of the budget is training, as a pie?", "pie", "What share of the budget is training?"),
        ("revenue by line, column chart please", "bar", "revenue by line"),
        ("visualise sales by region as area chart", "area", "sales by region"),
        ("can you plot the orders by month?", None, "the orders by month?"),
        ("returns per month as a donut", "pie", "returns per month"),
        ("pie of returns per site for 2026", "pie", "returns per site for 2026"),
        ("as a line chart please", "line", ""),
    ],
)  # fmt: skip
def test_chart_is_asked_for(question: str, kind: str | None, rest: str) -> None:
    asked = asked_display(question)
    assert (asked.chart, asked.table, asked.kind, asked.rest) == (True, False, kind, rest)


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("List the prices of pumps in a table", "List the prices of pumps"),
        ("table of prices by pump", "prices by pump"),
        ("tabulate the orders by month", "the orders by month"),
        ("prices, table please", "prices"),
    ],
)
def test_table_is_asked_for(question: str, rest: str) -> None:
    asked = asked_display(question)
    assert (asked.chart, asked.table, asked.rest) == (False, True, rest)


def test_both_are_asked_for() -> None:
    asked = asked_display("revenue by quarter as a table and a line chart")
    assert (asked.chart, asked.table, asked.kind) == (True, True, "line")
    assert asked.rest == "revenue by quarter"


@pytest.mark.parametrize(
    "question",
    [
        "What does the accessories fit chart say?",
        "Who appears in the org chart?",
        "What is in the table of contents?",
        "table of contents",
        "What is the plot of land in Falkirk?",
        "draw the line between private and business use",
        "chart of accounts: which number is travel?",
        "How do I graph in Excel?",
        "Which form is on the table?",
        "Where is the wiring diagram for the pump?",
    ],
)
def test_other_charts_are_left_alone(question: str) -> None:
    asked = asked_display(question)
    assert not asked.asked
    assert asked.rest == question
