"""Exact results with a formula, and refusals in words."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from masis.calculating.calculation import Incomparable, calculate, holds, stated
from masis.domain import Calculation, CalculationKind, EvidenceChunk, Figure, Period
from storage.documents.blanking import blanked

Y2024, Y2025 = Period(kind="year", year=2024), Period(kind="year", year=2025)
Q3 = Period(kind="quarter", year=2025, part=3)


def figure(value: str, period: Period | None = Y2025, **more: Any) -> Figure:
    said = {"currency": "£", "scale": 1000, "chunk_id": "c_1", "written": value, "said": value}
    return Figure(metric="Revenue", period=period, value=Decimal(value), **(said | more))


def done(kind: CalculationKind, *figures: Figure, forecasts: bool = False) -> Calculation:
    found = calculate(kind, figures, forecasts=forecasts)
    assert isinstance(found, Calculation), found
    return found


def refused(kind: CalculationKind, *figures: Figure) -> str:
    found = calculate(kind, figures)
    assert isinstance(found, Incomparable), found
    return found.reason


@pytest.mark.parametrize(
    ("kind", "values", "shown"),
    [
        ("growth", ["57.3", "44.1"], "+29.9 %"),
        ("difference", ["57.3", "44.1"], "+£13.2k"),
        ("difference", ["44.1", "57.3"], "−£13.2k"),
        ("share", ["2249", "23744"], "9.5 %"),
        ("ratio", ["3960", "1450"], "2.73 times"),
        ("sum", ["1", "2", "4"], "£7k"),
        ("mean", ["1", "2", "4"], "£2.3k"),
        ("median", ["4", "1", "2"], "£2k"),
        ("median", ["4", "1", "2", "3"], "£2.5k"),
        ("minimum", ["4", "1", "2"], "£1k"),
        ("maximum", ["4", "1", "2"], "£4k"),
        ("rank", ["4", "1", "2"], "£4k"),
    ],
)
def test_results_are_rounded_for_people(
    kind: CalculationKind, values: list[str], shown: str
) -> None:
    assert done(kind, *map(figure, values)).shown == shown


def test_points_are_no_percent() -> None:
    one, other = (figure(v, currency="", scale=1, unit="%") for v in ("83.4", "79.1"))
    assert done("points", one, other).shown == "+4.3 percentage points"
    assert done("growth", one, other).shown == "+5.4 %"
    assert done("difference", one, other).shown == "+4.3 percentage points"
    assert "percentage points" in refused("points", figure("83.4"), figure("79.1"))


def test_formula_names_every_figure() -> None:
    growth = done("growth", figure("57.3"), figure("44.1", Y2024))
    assert stated(growth) == "+29.9 % = (£57.3k − £44.1k) / £44.1k"


def test_thousands_and_millions_meet() -> None:
    forecast = figure("25.7", scale=1_000_000)
    assert done("difference", forecast, figure("23744")).shown == "+£1.956M"


def test_per_unit_divides_money_by_count() -> None:
    count = figure("176", currency="", scale=1)
    assert done("per_unit", figure("23744"), count).shown == "£134,909"


def test_blanked_calculation_can_be_read() -> None:
    """What was deleted with its document leaves a calculation without words or figures."""
    made = done("sum", figure("57.3", period=Period(kind="nine_months", year=2025, part=1)))
    kept = Calculation.model_validate(blanked(made.model_dump(mode="json")))
    assert (kept.formula, kept.shown, kept.inputs[0].said) == ("", "", "")
    assert (kept.result, kept.inputs[0].value) == (Decimal(0), Decimal(0))


# --- what cannot be compared ---------------------------------------------------------------


def test_quarter_against_year_is_refused() -> None:
    assert refused("growth", figure("1", Q3), figure("2")) == (
        "a quarter and a full year are not comparable"
    )


def test_forecast_against_actual_is_refused() -> None:
    forecast = figure("2", expected=True)
    assert "forecast" in refused("growth", forecast, figure("1"))
    assert done("growth", forecast, figure("1"), forecasts=True).shown == "+100.0 %"


@pytest.mark.parametrize("kind", ["difference", "growth", "sum", "ratio", "maximum"])
def test_currencies_never_mix(kind: CalculationKind) -> None:
    assert "different currencies, £ and €" in refused(kind, figure("1"), figure("2", currency="€"))


def test_percent_against_money_is_refused() -> None:
    percent = figure("2", currency="", unit="%")
    assert "amount of money" in refused("difference", figure("1"), percent)
    plain = figure("2", currency="")
    assert "different units" in refused("difference", plain, percent)


def test_percentages_of_different_wholes_are_not_added() -> None:
    """Shares of one whole come to it at most; discounts of many orders come to nothing."""
    rate = figure("60", currency="", unit="%", scale=1)
    share = figure("40", currency="", unit="%", scale=1)
    assert "cannot be added" in refused("sum", rate, rate)
    assert done("sum", rate, share).result == Decimal(100)


def test_division_by_zero_is_refused() -> None:
    assert "zero" in refused("growth", figure("1"), figure("0"))
    assert "negative" in refused("growth", figure("1"), figure("-2"))


# --- properties ----------------------------------------------------------------------------

VALUES = st.decimals(min_value=-(10**9), max_value=10**9, places=2, allow_nan=False)


@given(one=VALUES, other=VALUES)
def test_difference_and_sum_are_exact(one: Decimal, other: Decimal) -> None:
    first, second = figure(str(one)), figure(str(other))
    assert done("difference", first, second).result == (one - other) * 1000
    assert done("sum", first, second).result == (one + other) * 1000


@given(values=st.lists(VALUES, min_size=1, max_size=30))
def test_order_of_figures_changes_nothing(values: list[Decimal]) -> None:
    figures = [figure(str(value)) for value in values]
    for kind in ("sum", "mean", "median", "minimum", "maximum"):
        assert done(kind, *figures).result == done(kind, *reversed(figures)).result
    mean, low, high = (done(k, *figures).result for k in ("mean", "minimum", "maximum"))
    assert low <= mean <= high


@given(values=st.lists(VALUES, min_size=1, max_size=5))
def test_result_holds_only_where_inputs_stand(values: list[Decimal]) -> None:
    """A figure that is not in its passage, or a result that was changed, does not hold."""
    total = done("sum", *(figure(str(value)) for value in values))
    text = " ".join(str(value) for value in values)
    source = EvidenceChunk(chunk_id="c_1", document_id="d", version_id="v", document="a", title="A", text=text, score=1)  # fmt: skip
    assert holds(total, [source])
    assert not holds(total, [])
    assert not holds(total.model_copy(update={"result": total.result + 1}), [source])
