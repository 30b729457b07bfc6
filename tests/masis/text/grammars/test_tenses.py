"""What has been, and what is to come."""

from masis.text.grammars.tenses import asks_of_the_past, is_to_come


def test_past_is_asked_of() -> None:
    assert asks_of_the_past("when did the board last meet")
    assert asks_of_the_past("When was it opened?")
    assert not asks_of_the_past("when is the next meeting")
    assert not asks_of_the_past("when do I have to be there")


def test_what_is_to_come_is_told() -> None:
    assert is_to_come("The next meeting will be held on 26 November 2026.")
    assert is_to_come("The drill is planned for May.")
    assert not is_to_come("The drill was on 3 March; the next drill will be in May.")
    assert not is_to_come("The board met on 17 September.")
