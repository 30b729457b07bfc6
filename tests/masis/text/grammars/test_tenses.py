"""What has been, and what is to come."""

import pytest

from masis.text.grammars.tenses import asks_of_the_past, is_to_come


def test_past_is_asked_of() -> None:
    assert asks_of_the_past("when did the board last meet")
    assert asks_of_the_past("When was it opened?")
    assert not asks_of_the_past("when is the next meeting")
    assert not asks_of_the_past("when do I have to be there")


@pytest.mark.parametrize(
    "asked",
    [
        "when was the next board meeting again",
        "when was it due again",
        "when has the form to be handed in",
        "when have i got to be there",
        "when were we supposed to move",
        "when has the bed to be moved",
        "when did you say the report is due",
    ],
)
def test_what_was_meant_to_be_is_to_come(asked: str) -> None:
    """What is due or has to be done is no past, though a past tense asks for it."""
    assert not asks_of_the_past(asked)


@pytest.mark.parametrize(
    "asked",
    [
        "when has the board moved to York",
        "when did we go to Leeds",
        "when was the last drill again",
        "when was the due date set",
    ],
)
def test_past_with_words_of_future_is_past(asked: str) -> None:
    """What somebody went to, and the last one, have been."""
    assert asks_of_the_past(asked)


def test_what_is_to_come_is_told() -> None:
    assert is_to_come("The next meeting will be held on 26 November 2026.")
    assert is_to_come("The drill is planned for May.")
    assert not is_to_come("The drill was on 3 March; the next drill will be in May.")
    assert not is_to_come("The board met on 17 September.")
    assert not is_to_come("The board approved the budget on 17 September and will publish it.")
    assert not is_to_come("Version 3 replaced v2 on 1 July 2025 and will hold.")
    assert not is_to_come("The rule applies since 1 May and will stay.")
    assert is_to_come("The amended budget will be published, if needed, in May.")
    assert is_to_come("The next release will exceed two hundred items.")
