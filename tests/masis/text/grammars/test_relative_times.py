"""Periods that are told by the day of asking."""

import datetime as dt

import pytest

from masis.text.grammars.relative_times import period, worded

TODAY = dt.date(2026, 2, 3)


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("last years profit", "profit in 2025"),
        ("how did the kiln do last quarter?", "how did the kiln do in fourth quarter of 2025?"),
        ("what is planned for this year", "what is planned in 2026"),
        ("what was last years dividend", "what was 2025 dividend"),
        ("the previous year's dividend", "dividend in 2025"),
    ],
)
def test_relative_period_is_named(question: str, whole: str) -> None:
    said = period(question, TODAY)
    assert said is not None
    assert worded(question, said, said.names[0]) == whole


@pytest.mark.parametrize(
    "question",
    [
        "when was the kiln last fired",
        "who joined in the last quarter of 2025",
        "the last year of the lease",
        "how many pots in the last two years",
        "a year or two ago",
        "what does the kiln cost a year",
        "last year end stock count",
        "is the kiln fired every quarter",
        "who was here last",
        "the last page",
    ],
)
def test_other_times_stay(question: str) -> None:
    assert period(question, TODAY) is None


def test_shorter_name_is_there() -> None:
    """Papers write "Q3 2026" as often as the long name."""
    said = period("sales last quarter", dt.date(2026, 11, 28))
    assert said is not None
    assert said.names == ("third quarter of 2026", "Q3 2026")
