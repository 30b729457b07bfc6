"""Write charts in the form that Chart.js draws (version 4: type, data, options), for clients over HTTP."""

from decimal import Decimal
from typing import Any

from masis.calculating.charts import figure_forms
from masis.values.shown import Chart, Series


def chart_js(chart: Chart) -> dict[str, Any]:
    """Return a chart's configuration: numbers and words alone, no function and no colour."""
    return {
        "type": "line" if chart.kind == "area" else chart.kind,
        "data": {
            "labels": list(chart.categories),
            "datasets": [_dataset(chart, series) for series in chart.series],
        },
        "options": _options(chart),
    }


def _dataset(chart: Chart, series: Series) -> dict[str, Any]:
    made: dict[str, Any] = {"label": series.name, "data": [_number(each) for each in series.values]}
    return {**made, "fill": "origin"} if chart.kind == "area" else made


def _options(chart: Chart) -> dict[str, Any]:
    title = {"display": True, "text": figure_forms.titled(chart)}
    plugins: dict[str, Any] = {"title": title}
    if len(chart.series) == 1 and chart.kind != "pie":
        plugins["legend"] = {"display": False}
    if chart.kind == "pie":
        return {"plugins": plugins}
    axis: dict[str, Any] = {"beginAtZero": True}
    if chart.unit:
        axis["title"] = {"display": True, "text": chart.unit}
    return {"plugins": plugins, "scales": {"y": axis}}


def _number(value: Decimal | None) -> int | float | None:
    """Return a number of JSON; the chart's own values are exact."""
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() else float(value)
