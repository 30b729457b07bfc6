"""Test that amounts in questions are compared with columns in thousands in these."""

import datetime as dt

import pytest

from masis.tables.everyday.typed_questions import read
from masis.tables.grammar.family import Read
from tests.masis.tables.samples import info, packed

ORDERS = (
    ["Order", "Customer", "Value (£k)"],
    *([f"PO-{at}", "Abel" if at % 2 else "Corin", str(10 + at)] for at in range(30)),
)


@pytest.mark.parametrize(
    "asked",
    ["how many orders are worth more than £30,000?", "number of orders with value over 30000"],
)
def test_amount_is_compared_in_thousands(asked: str) -> None:
    found = read(asked, [info(packed(ORDERS), name="orders.csv")], dt.date(2026, 11, 28))
    assert isinstance(found, Read)
    assert [each.values for each in found.query.filters] == [["30"]]


def test_plain_number_is_in_the_column_scale() -> None:
    table = info(packed(ORDERS), name="orders.csv")
    found = read("how many orders have a value over 30?", [table], dt.date(2026, 11, 28))
    assert isinstance(found, Read)
    assert [each.values for each in found.query.filters] == [["30"]]


@pytest.mark.parametrize(
    ("asked", "bounds"),
    [
        ("how many orders have a value between 50 and 100?", ["50", "100"]),
        ("how many orders have a value between 15,000 and 30,000?", ["15", "30"]),
        ("how many orders have a value between 15k and 30k?", ["15", "30"]),
        ("how many orders have a value below 100?", ["100"]),
        ("how many orders have a value over 30k?", ["30"]),
        ("how many orders have a value over 2m?", ["2000"]),
        ("how many orders have a value over 100000?", ["100000"]),
    ],
)
def test_bounds_of_a_condition_share_scale(asked: str, bounds: list[str]) -> None:
    """Bounds are in full where that is said, or where nothing else can be meant."""
    found = read(asked, [info(packed(ORDERS), name="orders.csv")], dt.date(2026, 11, 28))
    assert isinstance(found, Read)
    assert [value for each in found.query.filters for value in each.values] == bounds


def test_spoken_scale_holds_within_the_column() -> None:
    """ "over 30k" of a column in £k is never 30,000 of its thousands."""
    rows = (["Order", "Customer", "Value (£k)"], *([f"PO-{at}", "Abel" if at % 2 else "Corin", str(10 + 2_000 * at)] for at in range(30)))  # fmt: skip
    found = read("how many orders have a value over 30k?", [info(packed(rows), name="orders.csv")], dt.date(2026, 11, 28))  # fmt: skip
    assert isinstance(found, Read)
    assert [each.values for each in found.query.filters] == [["30"]]
