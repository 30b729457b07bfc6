"""Texts that are written as questions."""

import pytest

from masis.rewriting.edits import as_question


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("2024 how many did we make", "How many did we make in 2024?"),
        ("Q1 2024, did we lose any", "Did we lose any in Q1 2024?"),
        ("2024 were there any returns?", "Were there any returns in 2024?"),
        ("2024 did the team grow", "Did the team grow in 2024?"),
    ],
)
def test_time_goes_behind_its_question(text: str, asked: str) -> None:
    assert as_question(text) == asked


@pytest.mark.parametrize("text", ["2024 was better.", "2024 was the best year.", "2024 is fine."])
def test_time_that_is_told_of_stays(text: str) -> None:
    """A time of which something is said is no time of a question."""
    assert as_question(text) == text
