"""What is written around a question in a chat."""

import time

import pytest

from masis.words.chat_words import plain, small_talk


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
        small_talk(text[:120])
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ("hi", "hello"),
        ("Hello there!", "hello"),
        ("good morning all :)", "hello"),
        ("hi, what can you do?", "hello"),
        ("wat can u do", "hello"),
        ("help", "hello"),
        ("hey masis who are you", "hello"),
        ("thanks!", "thanks"),
        ("ok great, thank you so much", "thanks"),
        ("perfect", "thanks"),
        ("cheers mate, that helped", "thanks"),
    ],
)
def test_small_talk_is_told_from_questions(typed: str, kind: str) -> None:
    assert small_talk(typed) == kind


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "?",
        "holiday",
        "hi, whats the kiln rota",
        "thanks, and who fires it?",
        "what can you do if the kiln is cold",
        "who are you insured with",
        "help desk hours",
        "great western kiln",
        "thanks giving rota",
        "hello world program licence",
        "testing of kilns",
        "cheers pub voucher",
        "hi " * 60,
    ],
)
def test_questions_are_no_small_talk(typed: str) -> None:
    assert small_talk(typed) is None
