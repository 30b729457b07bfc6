"""Questions that documents leave open, and those that they answer."""

import pytest

from masis.phrases.open_points import asks_for_points, is_about, posed


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


def test_asking_somebody_asks_for_no_points() -> None:
    """Who wants to know whom to ask asks for nothing that is open; what was asked is."""
    assert not asks_for_points("who do i ask for parking")
    assert not asks_for_points("should I ask Ada")
    assert asks_for_points("what was asked at the meeting")
    assert asks_for_points("what do they ask")


def test_task_has_its_matter_behind_it() -> None:
    """A trial of a rota is about the rota; a rota for the kiln is one."""
    assert is_about("Trial of a shorter parking rota", {"park", "rota"})
    assert is_about("Dutch version of this page", {"page"})
    assert not is_about("Rota for the kiln", {"rota"})
    assert not is_about("Renew hotel agreements in York", {"hotel"})
    assert not is_about("Trial of a shorter rota", {"trial", "rota"})
    assert not is_about("Mirror and floor marking", {"floor"})
