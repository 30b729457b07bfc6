from decimal import Decimal

import pytest

from masis.tables.cell_values import (
    HeaderUnit,
    Marks,
    Number,
    decimal_mark,
    header_unit,
    moment,
    number,
)

EUROPEAN = Marks(decimal=",")


@pytest.mark.parametrize(
    ("cell", "value", "currency", "unit"),
    [
        ("1,234.50", "1234.50", "", ""),
        ("(1,234)", "-1234", "", ""),
        ("£1,234.50", "1234.50", "GBP", ""),
        ("5-", "-5", "", ""),
        ("−12", "-12", "", ""),
        ("12.5%", "12.5", "", "%"),
        ("£1.2m", "1200000", "GBP", ""),
        ("12 kg", "12", "", "kg"),
        ("EUR 5", "5", "EUR", ""),
        ("1'234.5", "1234.5", "", ""),
    ],
)
def test_numbers_as_people_write_them(cell: str, value: str, currency: str, unit: str) -> None:
    found = number(cell)
    assert found is not None
    assert (found.value, found.currency, found.unit) == (Decimal(value), currency, unit)


def test_european_decimals_by_mark() -> None:
    assert number("12.345,60 €", EUROPEAN) == Number(Decimal("12345.60"), "EUR", "")
    assert number("1.234", EUROPEAN) == Number(Decimal(1234), "", "")
    assert number("1.234") == Number(Decimal("1.234"), "", "")
    assert number("1.234,5") is None
    assert [decimal_mark(cell) for cell in ("1.234,5", "1,5", "1,234", "1.234.567")] == [",", ",", "", ","]  # fmt: skip


@pytest.mark.parametrize("cell", ["T-10432", "", "3.5.2", "(5", "abc", "01/02/2026", "5 5 5 x y"])
def test_other_texts_are_no_numbers(cell: str) -> None:
    assert number(cell) is None


@pytest.mark.parametrize(
    ("cell", "at"),
    [
        ("2026-03-01", "2026-03-01T00:00:00"),
        ("03/04/2026", "2026-04-03T00:00:00"),
        ("31.12.25", "2025-12-31T00:00:00"),
        ("3 March 2026", "2026-03-03T00:00:00"),
        ("Mar 3, 2026", "2026-03-03T00:00:00"),
        ("2026-03-01 14:22", "2026-03-01T14:22:00"),
        ("3/4/26 2:05 PM", "2026-04-03T14:05:00"),
        ("March 2026", "2026-03-01T00:00:00"),
    ],
)
def test_dates_as_people_write_them(cell: str, at: str) -> None:
    found = moment(cell)
    assert found is not None
    assert found.at.isoformat() == at


def test_month_may_stand_first() -> None:
    found = moment("03/04/2026", Marks(day_first=False))
    assert found is not None
    assert found.at.month == 3
    assert moment("31/02/2026") is None


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("Net (£)", HeaderUnit("", "GBP", 1)),
        ("Price EUR k", HeaderUnit("", "EUR", 1_000)),
        ("Revenue ($M)", HeaderUnit("", "USD", 1_000_000)),
        ("Weight (kg)", HeaderUnit("kg", "", 1)),
        ("Sales £000", HeaderUnit("", "GBP", 1_000)),
        ("Share %", HeaderUnit("%", "", 1)),
        ("discount_pct", HeaderUnit("%", "", 1)),
        ("Price (£ per skid per year)", HeaderUnit("", "GBP", 1)),
        ("Team A", HeaderUnit()),
        ("Grade C", HeaderUnit()),
        ("Total (incl. VAT)", HeaderUnit()),
        ("Diameter (mm)", HeaderUnit("mm", "", 1)),
        ("Height in m", HeaderUnit("m", "", 1)),
        ("Temperature (K)", HeaderUnit()),
        ("Revenue (m)", HeaderUnit("", "", 1_000_000)),
        ("Worth (k EUR)", HeaderUnit("", "EUR", 1_000)),
        ("Distance km", HeaderUnit("km")),
        ("Price per kg", HeaderUnit()),
        ("Cost per 100 km", HeaderUnit()),
        ("Fuel l/100 km", HeaderUnit()),
        ("Emissions per passenger km", HeaderUnit()),
        ("Price per unit EUR", HeaderUnit("", "EUR")),
        ("Growth per year %", HeaderUnit("%")),
        ("Sales GB", HeaderUnit()),
        ("Revenue MI", HeaderUnit()),
        ("Cases TB", HeaderUnit()),
        ("Disk (GB)", HeaderUnit("gb")),
    ],
)
def test_units_in_headers(name: str, unit: HeaderUnit) -> None:
    assert header_unit(name) == unit
