"""What is said in a chat without asking anything, and what only begins like it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from masis.words.chat_words import plain, small_talk, without_courtesies


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ("hi", "hello"),
        ("Hello there!", "hello"),
        ("HELLOOO everyone", "hello"),
        ("good morning all :)", "hello"),
        ("Guten Morgen", "hello"),
        ("hi Sarah, hope you had a lovely weekend", "hello"),
        ("how r u today?", "hello"),
        ("\N{WAVING HAND SIGN}", "hello"),
        ("hi, what can you do?", "about"),
        ("wat can u do", "about"),
        ("help", "about"),
        ("hey masis who are you", "about"),
        ("am i talking to a robot or a human?", "about"),
        ("how does this work?", "about"),
        ("thanks!", "thanks"),
        ("thaaanks", "thanks"),
        ("thnaks a lot", "thanks"),
        ("ok great, thank you so much", "thanks"),
        ("perfect", "thanks"),
        ("cheers mate, that helped", "thanks"),
        ("ur the best :wave:", "thanks"),
        ("bye", "bye"),
        ("that's all for now, see you next week", "bye"),
        ("oops, wrong channel", "sorry"),
        ("never mind, found it", "sorry"),
        ("okay", "noted"),
        ("hahahaha", "noted"),
        ("\N{THUMBS UP SIGN}\N{THUMBS UP SIGN}", "noted"),
    ],
)
def test_small_talk_is_told_from_questions(typed: str, kind: str) -> None:
    assert small_talk(typed) == kind


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "?",
        "...",
        "holiday",
        "hi, whats the kiln rota",
        "thanks, and who fires it?",
        "what can you do if the kiln is cold",
        "who are you insured with",
        "how are you graded",
        "do you sleep at the kiln",
        "help desk hours",
        "great western kiln",
        "thanks giving rota",
        "hello world program licence",
        "testing of kilns",
        "cheers pub voucher",
        "hi-fi for the studio",
        "good-bye letter template",
        "morning?",
        "Adam and Eve",
        "fire",
        "no. 5",
        "Washington D.C.",
        "hi " * 70,
    ],
)
def test_questions_are_no_small_talk(typed: str) -> None:
    assert small_talk(typed) is None


def test_this_is_the_threads_subject() -> None:
    """After an answer "this" is what was answered, not the bot."""
    assert small_talk("how does this work?", in_thread=True) is None
    assert small_talk("how do you work?", in_thread=True) == "about"


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("thanks, and who fires the kiln?", "who fires the kiln?"),
        ("thanks who fires the kiln", "who fires the kiln"),
        ("great, thx! and what about glazes?", "what about glazes?"),
        ("thanks! and for contractors?", "and for contractors?"),
        ("lol ok, but can i fire it twice", "can i fire it twice"),
        ("good morning \N{SLIGHTLY SMILING FACE} when is the kiln on", "when is the kiln on"),
        ("hey bot, you're doing great - list the glazes", "list the glazes"),
        ("who fires the kiln? cheers, bye", "who fires the kiln?"),
        ("are you a bot? who fires the kiln", "who fires the kiln"),
        ("Is the studio in Washington D.C.?", "Is the studio in Washington D.C.?"),
        ("thanks to whom is the kiln on?", "thanks to whom is the kiln on?"),
        ("how does this work: firing twice", "how does this work: firing twice"),
        ("no, i mean the kiln", "no, i mean the kiln"),
        ("good morning tea on fridays?", "good morning tea on fridays?"),
        ("which shift: morning, night", "which shift: morning, night"),
        ("hello", "hello"),
    ],
)
def test_the_question_beside_courtesies_stays(typed: str, asked: str) -> None:
    assert without_courtesies(typed) == asked


COURTESIES = st.lists(
    st.sampled_from(["hi", "thanks", "ok", "good morning", "sorry to bother you", "lovely", "bye"]),
    max_size=4,
).map(", ".join)


@given(before=COURTESIES, word=st.from_regex(r"[bd][fg][kp][aeiou][rst]{2}", fullmatch=True))
def test_one_more_word_asks_something(before: str, word: str) -> None:
    """Whatever stands around it, a word of no phrase makes a message a question."""
    assert small_talk(f"{before} {word}") is None
    assert word in plain(f"{before}, {word}, thanks")


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    small_talk(text)
    without_courtesies(text)


def test_a_hostile_text_takes_no_time() -> None:
    small_talk("hi")
    started = time.process_time()
    for text in ("hi " * 60, "so " * 60, "what can you " * 15, "a" * 200, "?!" * 100, ": " * 100):
        small_talk(text)
        without_courtesies(text * 20)
    assert time.process_time() - started < 5


def test_newcomer_tells_a_case_behind_an_answer() -> None:
    """Who says that they are new greets at first, and later tells for whom the answer has to hold."""
    assert small_talk("i am new here") == "hello"
    assert small_talk("im new here tho", in_thread=True) is None


@pytest.mark.parametrize("said", ["whats new", "happy new year everyone", "what's new?"])
def test_news_and_new_years_introduce_nobody(said: str) -> None:
    """What is new is no newcomer: behind an answer it greets as at first."""
    assert small_talk(said, in_thread=True) == small_talk(said) == "hello"
