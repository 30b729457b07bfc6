"""What a follow-up puts in the place of something that was asked before."""

import datetime as dt

import pytest

from masis.domain import Question
from masis.questions.newly_asked import (
    of_another_form,
    of_the_past,
    other_year,
    swapped_in,
    unspoken,
)
from tests.scripted_agents import chunk, chunk_id

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


def test_an_older_year_is_not_this_year() -> None:
    """Unless a statement tells the year that its document is of."""
    found = [chunk(1, date=dt.date(2026, 3, 1))]
    assert other_year("how many this yr?", f"In 2024 it was 6 [{chunk_id(1)}].", found) == [
        "this year"
    ]
    assert other_year("how many this year?", f"In 2026 it was 6 [{chunk_id(1)}].", found) == []
    assert other_year("how many?", f"In 2024 it was 6 [{chunk_id(1)}].", found) == []


def test_leaving_tells_nothing_of_leave() -> None:
    """A gerund under which a thing stands is another word than the noun that was asked of."""
    asked = follow_up("and for managers?", "How many days of leave do I get for managers?")
    assert of_another_form(asked, ["For managers it is 3 months.\n10 Leaving"]) == [
        "leave for managers"
    ]
    assert of_another_form(asked, ["Managers have 30 days of leave."]) == []
    assert of_another_form(Question.plain(BEFORE), ["For managers it is 3 months."]) == []


@pytest.mark.parametrize(
    ("question", "text", "left"),
    [
        ("who is on call this weekend?", "Bo is on call on 26 September 2026.", ["this weekend"]),
        ("who is on call this wknd?", "Bo is on call on 26 September 2026.", ["this weekend"]),
        ("who is on call this weekend?", "Bo is on call on 28 November 2026.", []),
        ("who is on call this weekend?", "Call the standby phone.", []),
        ("who was on call in September?", "Bo is on call on 26 September 2026.", []),
    ],
)
def test_past_day_answers_no_coming_one(question: str, text: str, left: list[str]) -> None:
    found = [chunk(1, text=text)]
    draft = f"{text[:-1]} [{chunk_id(1)}]."
    assert of_the_past(question, draft, found, dt.date(2026, 11, 23)) == left


def test_another_year_is_told() -> None:
    asked = follow_up("for 26?", "Dividend for 26?")
    assert unspoken(asked, ["The dividend for 2025 is £4."]) == ["26"]
    assert unspoken(asked, ["The dividend for 2026 is £5."]) == []
