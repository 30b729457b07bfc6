"""Bounds that a question names."""

from decimal import Decimal

import pytest

from masis.calculating.asked_shape import limits


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("which fee applies above $5 billion", "5000000000"),
        ("customers with more than 2bn in sales", "2000000000"),
        ("customers with more than £3mn in sales", "3000000"),
        ("sites that cost under 40 thousand", "40000"),
        ("sites that cost under 40", "40"),
    ],
)
def test_bounds_have_any_scale(question: str, value: str) -> None:
    assert [limit.value for limit in limits(question)] == [Decimal(value)]
