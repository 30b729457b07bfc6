"""What is written around a question in a chat."""

import time

import pytest

from masis.words.chat_words import plain


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hi all, quick one - whats the kiln rota thanks!!", "what is the kiln rota"),
        ("Good morning team! Who runs the kiln? Many thanks in advance", "Who runs the kiln?"),
        (
            "hello, sorry if this was asked before - how do i glaze a bowl? ta",
            "how do i glaze a bowl?",
        ),
        ("does anyone know if the kiln is on today? cheers", "the kiln is on today?"),
        ("sorry to bother you, wheres the clay pls", "where is the clay"),
        ("wat is teh rate", "what is the rate"),
        ("Hello, what does clay cost? Kind regards, Mo", "what does clay cost?"),
        ("i was wondering what clay costs x", "what clay costs"),
    ],
)
def test_courtesies_are_left_out(typed: str, meant: str) -> None:
    assert plain(typed) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "hi-vis jackets on site?",
        "hi vis jackets on site?",
        "morning shift start",
        "who signs thanks letters",
        "Hi, what can you do?",
        "thanks",
        "im Urlaub wen anrufen",
        "what is the UR form, and R&D?",
        "see u.docx",
    ],
)
def test_what_is_asked_stays(typed: str) -> None:
    """Also where nothing would be left to search for."""
    assert plain(typed) == typed


def test_a_hostile_text_takes_no_time() -> None:
    started = time.process_time()
    for text in ("hi " * 1300, "thanks " * 570, "sorry if this is " + "a" * 4000, " " * 4000 + "x"):
        plain(text)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("am i allowed to park here?", "can i park here?"),
        ("Is it ok if we leave early?", "Can we leave early?"),
        ("are we permitted to smoke", "can we smoke"),
        ("am i allowed on site", "am i allowed on site"),
    ],
)
def test_whether_one_may_is_asked_one_way(typed: str, meant: str) -> None:
    assert plain(typed) == meant
