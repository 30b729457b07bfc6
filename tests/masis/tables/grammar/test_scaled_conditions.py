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
