import pytest

from masis.domain import Period
from masis.text.periods import name, periods, within, without_periods


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("from 2024 to 2025", ["2024", "2025"]),
        ("Q3 2026 than in Q3 2025", ["Q3 2026", "Q3 2025"]),
        ("third quarter of 2026", ["Q3 2026"]),
        ("26Q3", ["Q3 2026"]),
        ("3Q25", ["Q3 2025"]),
        ("the first half of 2026", ["H1 2026"]),
        ("2026 h1", ["H1 2026"]),
        ("first nine months of 2026", ["the first nine months of 2026"]),
        ("31 December 2025", ["31 December 2025"]),
        ("2025-03-31", ["31 March 2025"]),
        ("June 2026", ["June 2026"]),
        ("FY24 and FY2025", ["2024", "2025"]),
        ("Q1, Q2 and Q3 2026", ["Q1 2026", "Q2 2026", "Q3 2026"]),
        ("in Q2", ["Q2"]),
        ("WH-2025 costs £2,026", []),
    ],
)
def test_periods_are_read(text: str, named: list[str]) -> None:
    assert [name(each.period) for each in periods(text)] == named


def test_their_words_can_be_left_out() -> None:
    assert without_periods("sales in Q3 2026").split() == ["sales", "in"]


def test_parts_lie_within_their_year() -> None:
    quarter = Period(kind="quarter", year=2025, part=3)
    assert within(quarter, Period(kind="year", year=2025))
    assert within(quarter, Period(kind="nine_months", year=2025, part=1))
    assert within(quarter, Period(kind="half", year=2025, part=2))
    assert not within(quarter, Period(kind="half", year=2025, part=1))
    assert not within(quarter, Period(kind="year", year=2024))
