import datetime as dt

import pytest

from bot.chat.words import phrases

TODAY = dt.date(2026, 11, 22)
NOW = dt.datetime(2026, 11, 22, 12, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (-3, "dated 25 Nov 2026"),
        (0, "today"),
        (1, "1 day old"),
        (13, "13 days old"),
        (14, "2 weeks old"),
        (60, "8 weeks old"),
        (61, "2 months old"),
        (95, "3 months old"),
        (730, "23 months old"),
        (731, "2 years old"),
        (4000, "10 years old"),
    ],
)
def test_age_is_worded_for_people(days: int, said: str) -> None:
    """An age is said as people say it."""
    assert phrases.age(TODAY - dt.timedelta(days=days), TODAY) == said


def test_file_date_is_labelled() -> None:
    """A files date is said to be that."""
    then = TODAY - dt.timedelta(days=95)
    assert phrases.age(then, TODAY, "file") == "file dated 19 Aug 2026"
    assert phrases.age(then, TODAY, "text") == phrases.age(then, TODAY, "title") == "3 months old"
    assert phrases.age(None, TODAY, "file") == "undated"


def test_no_date_is_said_too() -> None:
    assert phrases.age(None, TODAY) == "undated"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (5, "just now"),
        (300, "5 min ago"),
        (7300, "2 h ago"),
        (90_000, "1 day ago"),
        (-5, "just now"),
    ],
)
def test_event_time_is_told_as_age(seconds: int, said: str) -> None:
    """What happened is said by how long ago."""
    assert phrases.ago(NOW - dt.timedelta(seconds=seconds), NOW) == said
