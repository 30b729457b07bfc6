"""Charts over HTTP: Chart.js JSON beside the exact values."""

import json
from decimal import Decimal

import pytest

from bot.results import Result
from masis.calculating.charts.chart_js import chart_js
from masis.values.shown import ChartKind, Series
from tests.bot.slack.view_samples import answered
from tests.drawn_samples import KINDS, QUARTERS, at_the_limits, chart, table


@pytest.mark.parametrize(("kind", "type_"), [("bar", "bar"), ("line", "line"), ("area", "line"), ("pie", "pie")])  # fmt: skip
def test_kind_is_one_of_chartjs(kind: ChartKind, type_: str) -> None:
    made = chart_js(chart(kind))
    (dataset,) = made["data"]["datasets"]

    assert made["type"] == type_
    assert made["data"]["labels"] == QUARTERS
    assert dataset["data"] == [5682, 5987.5, 6221, 5854]
    assert ("fill" in dataset) is (kind == "area")
    assert ("scales" in made["options"]) is (kind != "pie")


@pytest.mark.parametrize("kind", KINDS)
def test_chart_is_plain_json(kind: ChartKind) -> None:
    made = json.loads(json.dumps(chart_js(at_the_limits(kind)), allow_nan=False))
    lengths = {len(each["data"]) for each in made["data"]["datasets"]}
    assert lengths == {len(made["data"]["labels"])}


def test_missing_value_is_null() -> None:
    made = chart_js(chart(series=[Series(name="a", values=[None, Decimal("1.10"), None, None])]))
    assert made["data"]["datasets"][0]["data"] == [None, 1.1, None, None]


def test_result_has_exact_values_beside_chartjs() -> None:
    outcome = answered(charts=[chart()], tables=[table(2)])
    made = json.loads(Result.of(outcome, "success", [], {}).model_dump_json())
    (drawn,), (shown,) = made["charts"], made["tables"]

    assert drawn["series"][0]["values"] == ["5682", "5987.5", "6221", "5854"]
    assert drawn["chartjs"]["data"]["datasets"][0]["data"][1] == 5987.5
    assert shown["rows"] == [["Customer 0", "0.25"], ["Customer 1", "250.25"]]
