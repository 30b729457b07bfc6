import pytest

from masis.text.day_times import TimeOfDay, TimeSpan, compatible, on_other_days, times, weekdays


def only(text: str) -> TimeOfDay | TimeSpan:
    [placed] = times(text)
    return placed.value


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("13:00 – 17:00", "2pm – 5pm", False),
        ("14:00–17:00", "2pm – 5pm", True),
        ("14:00 to 17:00", "2-5pm", True),
        ("9-5pm", "from 9.00am to 5 p.m.", True),
        ("08:00 to 16:30", "08:00 to 17:00", False),
        ("14:00", "2 p.m.", True),
        ("14:00", "2 a.m.", False),
        ("opens at 5:00", "17:00", True),
        ("noon", "12:00", True),
        ("closes at 13:00", "09:00 to 13:00", True),
        ("closes at 14:00", "09:00 to 13:00", False),
        ("20:00 to midnight", "8pm to 12am", True),
        ("between 8 and 10 am", "08:00-10:00", True),
    ],
)
def test_both_time_notations_compare_equally(one: str, other: str, *, same: bool) -> None:
    """Times of both notations compare as pairs."""
    assert compatible(only(one), only(other)) is same
    assert compatible(only(other), only(one)) is same


@pytest.mark.parametrize(
    "text",
    ["a ratio of 3:1", "1 to 5", "2026-03-04", "£2.50 – £3.00", "version 1.2 to 1.4", "25 to 30"],
)
def test_figures_are_no_times(text: str) -> None:
    assert list(times(text)) == []


def test_two_listed_times_are_no_span() -> None:
    assert [placed.value for placed in times("The bus leaves at 9am and 5pm.")] == [
        TimeOfDay(540, is_exact=True),
        TimeOfDay(1020, is_exact=True),
    ]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Monday to Friday", {0, 1, 2, 3, 4}),
        ("Sat–Sun", {5, 6}),
        ("on weekdays", {0, 1, 2, 3, 4}),
        ("every wednesday", {2}),
        ("The board sat in the sun, and thus wed.", set()),
    ],
)
def test_days_of_the_week_are_read(text: str, days: set[int]) -> None:
    assert weekdays(text) == days


def test_only_named_days_can_be_others() -> None:
    assert on_other_days("Monday to Friday", "Saturdays")
    assert not on_other_days("Monday to Friday", "on Friday")
    assert not on_other_days("Monday to Friday", "every day")
