"""Questions that documents leave open, and those that they answer."""

import pytest

from masis.phrases.open_points import asks_for_points, posed


@pytest.mark.parametrize(
    ("text", "above"),
    [
        ("Who will sign for the kiln? The founder retires in the winter.", "9 Open points"),
        ("Should glaze count? Ada says yes, Bo says not yet.", "Still open"),
        ("Do they accept a photograph as proof? Owner: Ada Lund.", "Notes"),
        ("1. Who fires the large kiln on Sundays?", "Actions"),
        ("No.: 3 | Point: Who keeps the spare key? | Owner: Ada Lund | Due: 4 May", ""),
    ],
)
def test_open_questions_are_told(text: str, above: str) -> None:
    assert posed(text, above).endswith("?")


@pytest.mark.parametrize(
    ("text", "above"),
    [
        ("Can I bring my own clay? Yes, up to 10 kg.", "Frequently asked questions"),
        ("Question: Is there parking? | Answer: Behind the kiln house", "FAQ"),
        ("The kiln is fired on Sundays.", "Open points"),
        ("Ada asked whether the kiln is safe.", "Open points"),
        ("", ""),
    ],
)
def test_answers_are_no_open_questions(text: str, above: str) -> None:
    assert posed(text, above) == ""


def test_open_points_may_be_asked_for() -> None:
    assert asks_for_points("what are the open points of the studio?")
    assert not asks_for_points("who signs for the kiln?")
