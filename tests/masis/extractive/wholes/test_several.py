"""Telling three things or more in the same respects."""

import pytest

from masis.extractive.wholes.collections import collections
from masis.extractive.wholes.several import compared, several
from tests.whole_papers import part

PLANS = part(
    0,
    "Plan: Gold | Price: £90 | Visits: 4\nPlan: Silver | Price: £50 | Visits: 2\n"
    "Plan: Bronze | Price: £20 | Visits: 1",
    "Plans",
)
ALL = ["Price – Gold: £90; Silver: £50; Bronze: £20", "Visits – Gold: 4; Silver: 2; Bronze: 1"]


def told(question: str) -> tuple[list[str], tuple[str, ...]]:
    of = several(question)
    tables = compared(of, collections([PLANS])) if of else []
    return ([line.text for line in tables[0].lines], tables[0].missing) if tables else ([], ())


@pytest.mark.parametrize(
    "question",
    [
        "compare gold silver and bronze",
        "compare gold, silver and bronze plans",
        "gold vs silver vs bronze",
        "difference between gold, silver, and bronze?",
    ],
)
def test_each_side_is_told(question: str) -> None:
    """All sides are told in each respect, however they are parted."""
    assert told(question) == (ALL, ())


def test_missing_side_is_named() -> None:
    """A side that no row has is named as missing."""
    lines, missing = told("compare platinum, gold and silver plans")

    assert lines[0] == "Price – Gold: £90; Silver: £50"
    assert missing == ("platinum",)


@pytest.mark.parametrize(
    "question",
    [
        "compare gold and silver",
        "how does gold compare",
        "compare a, b, c, d, e and f",
        "compare gold vs silver vs this",
        "compare plans B, C and A",
    ],
)
def test_fewer_or_more_are_left(question: str) -> None:
    """Two are a pair, and of more than five nobody reads a comparison."""
    assert told(question) == ([], ())


def test_row_named_twice_is_told_once() -> None:
    lines, _ = told("compare the gold plan, silver plan and gold support")

    assert lines == ["Price – Gold: £90; Silver: £50", "Visits – Gold: 4; Silver: 2"]
