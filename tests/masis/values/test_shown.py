"""Charts and tables: what they hold, stored and read again."""

from decimal import Decimal

import pytest

from masis.values.shown import Chart, Series, ShownColumn, ShownTable
from storage.documents.blanking import blanked

CHART = Chart(
    kind="bar",
    title="Revenue",
    unit="£m",
    categories=["2022", "2023"],
    series=[Series(name="Revenue", values=[Decimal("44.10"), None])],
    sources=["c_abcdefghijkl"],
)
TABLE = ShownTable(
    title="Tickets",
    columns=[ShownColumn(name="Priority"), ShownColumn(name="Open", numeric=True)],
    rows=[["High", "-12.50"], ["Low", ""], ["None", "n/a"], ["Odd", "NaN"]],
    total_rows=4,
)


def test_values_stay_exact_when_stored() -> None:
    """What is written as JSON is read as the same decimals."""
    assert Chart.model_validate(CHART.model_dump(mode="json")) == CHART
    assert str(CHART.model_dump(mode="json")["series"][0]["values"][0]) == "44.10"
    assert ShownTable.model_validate_json(TABLE.model_dump_json()) == TABLE


@pytest.mark.parametrize(
    ("row", "number"), [(0, Decimal("-12.50")), (1, None), (2, None), (3, None)]
)
def test_cell_is_read_as_a_number(row: int, number: Decimal | None) -> None:
    """A numeric column's cell is a number, unless it is empty or words."""
    assert TABLE.number(row, 1) == number
    assert TABLE.number(row, 0) is None


def test_blanked_chart_is_still_a_chart() -> None:
    """With its document a chart loses its words and figures, not its form."""
    chart = Chart.model_validate(blanked(CHART.model_dump(mode="json")))
    table = ShownTable.model_validate(blanked(TABLE.model_dump(mode="json")))

    assert chart.kind == "bar"
    assert chart.sources == CHART.sources
    assert chart.series[0].values == [0, None]
    assert {cell for row in table.rows for cell in row} == {""}
