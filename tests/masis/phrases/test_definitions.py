"""What is to be explained, and what explains it."""

import pytest

from masis.phrases.definitions import says_what, thing


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("what is kilnwatch", "kilnwatch"),
        ("what is the blue line everyone talks about?", "blue line"),
        ("what does a slip mean?", "slip"),
        ("what are the opening hours of the kiln room", ""),
        ("who is Ada Lund?", ""),
        ("what is it", ""),
    ],
)
def test_thing_to_be_explained(question: str, name: str) -> None:
    assert thing(question) == name


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Kilnwatch, our monitoring service, was launched in May.", True),
        ("Kilnwatch is a service for kilns.", True),
        ("We sell two things, and Kilnwatch is the cheaper.", True),
        ("Kilnwatch runs on 31 sites.", False),
        ("The Kilnwatch fee is the same for all.", False),
    ],
)
def test_text_says_what_a_thing_is(text: str, says: bool) -> None:
    assert says_what("kilnwatch", text) is says
