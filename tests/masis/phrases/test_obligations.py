"""Whether one may or must."""

import pytest

from masis.phrases.obligations import asks_for_one, asks_leave, decides, has_one, rules


@pytest.mark.parametrize(
    "question",
    [
        "can I park on the grass",
        "hi, may guests stay over night?",
        "is it fine to feed the swans",
        "do we need to lock the gate",
    ],
)
def test_questions_that_ask_for_a_rule(question: str) -> None:
    assert asks_for_one(question)


def test_other_questions_ask_for_none() -> None:
    assert not asks_for_one("where is the gate")
    assert not asks_for_one("how high is the hedge")


@pytest.mark.parametrize(
    "text",
    [
        "Guests may stay for two nights.",
        "Never feed the swans.",
        "No, the gate is locked at 20:00.",
        "Everyone with a boat is on site on Monday.",
        "All visitors sign the book.",
    ],
)
def test_text_that_decides(text: str) -> None:
    assert decides(text)


def test_text_that_only_tells_decides_nothing() -> None:
    """A word of rules alone, or none, allows and denies nothing."""
    assert has_one("The pond is up to two metres deep.")
    assert not decides("The pond is up to two metres deep.")
    assert not has_one("The hedge was cut in spring.")
    assert not has_one("Boxes were checked in May.")
    assert not has_one("The pond was filled on 3 May.")
    assert decides("In summer you may swim.")
    assert decides("May guests swim? They may until dark.")


def test_leave_is_asked_for_deeds_alone() -> None:
    """Who asks whether they can see a paper asks for that."""
    assert asks_leave("can I park on the grass")
    assert asks_leave("are we allowed to feed the swans")
    assert not asks_leave("can I see the price list")
    assert asks_leave("can contractors use the pond")
    assert asks_leave("is fishing allowed on site")
    assert not asks_leave("do we need to lock the gate")
    assert not asks_leave("can anyone tell me when the pond opens")
    assert not asks_leave("could I find out about sick pay")
    assert not asks_leave("can we expect snow")


def test_limits_are_rules() -> None:
    assert rules("Guests: highest discount 6%")
    assert rules("Dogs are welcome.")
    assert rules("We take cards and cash.")
    assert not rules("The swans came in spring.")
    assert not rules("Trees grow between the ponds on a fine day.")


@pytest.mark.parametrize(
    "text",
    [
        "Everybody is welcome.",
        "Everyone was glad of the boats.",
        "Ada thanked everybody who is on the pond.",
        "The pond is open to all visitors.",
        "All in all the pond is deep.",
        "Monday is the day of the boats.",
        "The notes are sent to everyone.",
        "All boats were counted.",
        "Everyone had lunch by the pond.",
        "The book is for all staff.",
    ],
)
def test_what_all_did_is_no_rule(text: str) -> None:
    assert not decides(text)
