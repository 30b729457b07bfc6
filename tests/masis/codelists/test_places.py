"""Which words of place are taken out of a description."""

import pytest

from masis.codelists.places import without_places


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a nurse in Berlin", "a nurse"),
        ("drives buses in the city of Hyderabad, India", "drives buses,"),
        ("in Germany", ""),
        ("teaches at the university in Uppsala, Sweden", "teaches at the university,"),
        ("IT support in HR", "IT support in HR"),
        ("repairs lifts", "repairs lifts"),
    ],
)
def test_words_of_place_are_taken_out(text: str, left: str) -> None:
    assert without_places(text).text == left
