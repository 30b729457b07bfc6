"""What a follow-up puts in the place of something that was asked before."""

import pytest

from masis.domain import Question
from masis.questions.newly_asked import swapped_in, unspoken

BEFORE = "How many days of leave do employees have?"


@pytest.mark.parametrize(
    ("typed", "thing"),
    [
        ("and for contractors?", "contractors"),
        ("What about the Leeds site?", "Leeds site"),
        ("ok, and in Germany", "Germany"),
        ("but for managers?", "managers"),
        ("same for temps?", "temps"),
        ("temps the same?", "temps"),
        ("who signs that off", ""),
        ("and how long is it?", ""),
        ("and if I am ill?", ""),
        ("thanks!", ""),
    ],
)
def test_thing_of_a_follow_up(typed: str, thing: str) -> None:
    assert swapped_in(typed) == thing


def follow_up(typed: str, standalone: str, reply: str = "") -> Question:
    return Question(text=typed, standalone=standalone, reply=reply)


def test_answer_to_the_question_before_is_told() -> None:
    asked = follow_up("and for contractors?", "How many days of leave do contractors have?")
    assert unspoken(asked, ["Employees have 26 days of leave."]) == ["contractors"]
    assert unspoken(asked, ["Contractors have no paid leave."]) == []


def test_plain_question_lends_nothing() -> None:
    assert unspoken(Question.plain(BEFORE), ["Staff have 26 days."]) == []


def test_relative_times_and_synonyms_count_as_said() -> None:
    assert unspoken(follow_up("what about last year", BEFORE), ["28 days."]) == []
    asked = follow_up("and for temps?", "How many days of leave do temps have?")
    assert unspoken(asked, ["Agency workers have 20 days."], "leave of agency workers") == []


def test_reply_is_no_follow_up() -> None:
    asked = follow_up("and for contractors?", BEFORE, reply="the newer one")
    assert unspoken(asked, ["Employees have 26 days."]) == []
