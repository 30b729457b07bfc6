"""What is to be done, where not, and what holds in a case only."""

import pytest

from masis.text.instructions import (
    asks_what_to_do,
    asks_where,
    forbids,
    gives_contact,
    instructs,
    special_case,
)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("my badge is gone what now", True),
        ("What should I do about a leak?", True),
        ("what happens if the pump stops", True),
        ("what is the pump called", False),
        ("what do we make here", False),
    ],
)
def test_what_to_do_is_asked(question: str, asks: bool) -> None:
    assert asks_what_to_do(question) is asks


def test_where_is_asked() -> None:
    assert asks_where("wheres the kiln")
    assert not asks_where("when is the kiln on")


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("If it leaks, call the night desk.", True),
        ("You must report a leak within the hour.", True),
        ("Leaks are rare.", False),
        ("The report is yearly.", False),
    ],
)
def test_instructions_are_told_from_facts(text: str, tells: bool) -> None:
    assert instructs(text) is tells


def test_what_is_forbidden() -> None:
    assert forbids("The yard is a fire route: do not park on it.")
    assert not forbids("Park behind the kiln.")


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("If the 5th falls on a Sunday, we fire on the 6th.", "the 5th falls on a Sunday"),
        ("We fire on the 5th.", ""),
    ],
)
def test_a_case_is_told_from_the_rule(text: str, case: str) -> None:
    assert special_case(text) == case


@pytest.mark.parametrize(
    ("text", "gives"),
    [
        ("Telephone ext. 4400, or raise a ticket.", True),
        ("Ring the night desk.", True),
        ("Write to kiln@pottery.example.com.", True),
        ("If you are ill, call your line manager.", True),
        ("Calls from customers go to Service.", False),
    ],
)
def test_contact_is_a_number_or_somebody(text: str, gives: bool) -> None:
    assert gives_contact(text) is gives
