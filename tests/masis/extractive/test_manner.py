"""In which manner a question is asked."""

import pytest

from masis.extractive.manner import Manner, manner


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how much is parking", "chat"),
        ("how much is parking?", "chat"),
        ("Parking fee", "chat"),
        ("How much is parking?", "brief"),
        ("How much is parking for visitors who come by car?", "sentence"),
        ("I come by car tomorrow, and it is a long day. What does parking cost?", "told"),
        ("What does it cost to park " + "a car " * 8 + "here?", "told"),
        ("“How much is parking?”", "brief"),
        ("", "chat"),
        ("?", "chat"),
    ],
)
def test_manner_by_capitals_marks_and_words(question: str, expected: Manner) -> None:
    """A chat lacks the capital or the mark; of the rest the words tell."""
    assert manner(question) == expected
