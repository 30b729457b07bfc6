"""The set that the reading model learns from, and the labels of what it is shown."""

from random import Random

import pytest

from tests.bench.reader.reading_examples import Example, Examples, Mix, run, sentences, without
from tests.bench.reader.reading_set import Ask, Passage, Span, faults, load, split

NEVER = Mix(whole=1, titled=1, without=0, sibling=0, elsewhere=0, unmarked=0, typo=0)

TEXT = "Bikes are free. A car costs £9 a day. Pay at the desk.\nThe gate shuts at ten."
PARKING = Passage(
    "sites",
    "Site guide › Parking",
    TEXT,
    (Ask("What does a car cost?", "£9 a day"), Ask("What does a van cost?", None)),
)
LUNCH = Passage("sites", "Site guide › Lunch", "Soup is served at noon.", ())
ELSEWHERE = Passage("people", "Handbook › Leave", "Ask your manager first.", ())

SET = load()
"""Read once: all of it, 1,680 passages."""


def shown(passages: list[Passage], mix: Mix, seed: int = 1) -> list[Example]:
    return list(Examples(passages, Random(seed), mix).epoch())


def piece(text: str, answer: Span | None) -> str:
    assert answer is not None
    return text[slice(*answer)]


# --- the set -------------------------------------------------------------------------------


def test_every_passage_keeps_the_rules() -> None:
    assert {passage.text: found for passage in SET if (found := faults(passage))} == {}


def test_the_set_is_whole_and_no_passage_stands_in_it_twice() -> None:
    assert len(SET) == len({passage.text for passage in SET}) == 1680
    assert len({passage.subject for passage in SET}) == 16


@pytest.mark.parametrize(("least", "most", "share"), [(1, 5, 0.2), (6, 16, 0.4), (17, 99, 0.03)])
def test_short_and_long_questions_are_answered_and_not_alike(
    least: int, most: int, share: float
) -> None:
    for answered in (True, False):
        asks = [ask for one in SET for ask in one.asks if (ask.answer is not None) is answered]
        such = [ask for ask in asks if least <= len(ask.question.split()) <= most]
        assert len(such) / len(asks) > share


def test_the_length_of_a_question_hardly_tells_whether_it_is_answered() -> None:
    for words in range(3, 20):
        such = [ask for one in SET for ask in one.asks if len(ask.question.split()) == words]
        assert 0.4 < sum(ask.answer is not None for ask in such) / len(such) < 0.75


def test_a_passage_that_breaks_rules_is_told_which() -> None:
    asks = (Ask("Who?", "nobody"), Ask("Who?", "Pay " * 70))
    found = faults(Passage("sites", "Site guide", TEXT, asks))
    assert [fault[:16] for fault in found] == [
        "18 words",
        "2 of 2 questions",
        "a question is em",
        "too long: Pay Pa",
        "not in the text:",
        "not in the text:",
    ]


def test_no_document_is_learned_from_and_held_out() -> None:
    learned, held_out = split(SET)
    assert len(learned) + len(held_out) == len(SET)
    assert {one.document for one in learned}.isdisjoint(one.document for one in held_out)
    assert 0.05 < len(held_out) / len(SET) < 0.2


# --- what the model is shown ---------------------------------------------------------------


def test_sentences_and_lines_are_told_apart() -> None:
    assert [TEXT[slice(*unit)] for unit in sentences(TEXT)] == [
        "Bikes are free.",
        "A car costs £9 a day.",
        "Pay at the desk.",
        "The gate shuts at ten.",
    ]


@pytest.mark.parametrize("seed", range(20))
def test_a_run_of_sentences_keeps_the_answer_and_knows_where_it_is(seed: int) -> None:
    text, answer = run(TEXT, PARKING.span("£9 a day"), Random(seed))
    assert text in TEXT
    assert "A car costs £9 a day." in text
    assert piece(text, answer) == "£9 a day"


def test_a_run_keeps_an_answer_of_two_sentences_whole() -> None:
    for seed in range(20):
        text, answer = run(TEXT, PARKING.span("£9 a day. Pay at the desk."), Random(seed))
        assert piece(text, answer) == "£9 a day. Pay at the desk."


def test_a_run_without_an_answer_is_some_of_the_sentences() -> None:
    runs = {run(TEXT, None, Random(seed)) for seed in range(50)}
    assert {answer for _, answer in runs} == {None}
    assert len(runs) > 4
    assert all(text in TEXT for text, _ in runs)


def test_the_rest_of_a_passage_has_every_sentence_but_that_of_the_answer() -> None:
    rest = without(TEXT, PARKING.span("£9 a day"))
    assert rest == "Bikes are free. Pay at the desk.\nThe gate shuts at ten."


def test_there_is_no_rest_where_the_answer_stands_twice_or_fills_the_passage() -> None:
    assert without("It is £9. Vans pay £9 as well.", (6, 8)) == ""
    assert without("It is £9.", (6, 8)) == ""


def test_every_question_comes_with_its_passage() -> None:
    assert shown([PARKING, LUNCH, ELSEWHERE], NEVER) == [
        Example("What does a car cost?", "Site guide › Parking", TEXT, PARKING.span("£9 a day")),
        Example("What does a van cost?", "Site guide › Parking", TEXT, None),
    ]


def test_an_answered_question_comes_once_more_where_nothing_answers_it() -> None:
    mix = Mix(whole=1, titled=0, without=1, sibling=1, elsewhere=0, unmarked=1, typo=0)
    rest = without(TEXT, PARKING.span("£9 a day"))
    assert shown([PARKING, LUNCH, ELSEWHERE], mix) == [
        Example("What does a car cost", "", TEXT, PARKING.span("£9 a day")),
        Example("What does a car cost", "", rest, None),
        Example("What does a car cost", "", LUNCH.text, None),
        Example("What does a van cost", "", TEXT, None),
    ]


def test_a_passage_from_elsewhere_is_of_another_document() -> None:
    mix = Mix(whole=1, titled=1, without=0, sibling=0, elsewhere=1, unmarked=0, typo=0)
    drawn = [one for seed in range(30) for one in shown([PARKING, LUNCH, ELSEWHERE], mix, seed)]
    others = [one for one in drawn if one.text != TEXT]
    assert others
    assert {(one.context, one.text, one.answer) for one in others} == {
        (ELSEWHERE.context, ELSEWHERE.text, None)
    }


def test_a_typo_swaps_two_letters_of_a_long_question_alone() -> None:
    mix = Mix(whole=1, titled=1, without=0, sibling=0, elsewhere=0, unmarked=0, typo=1)
    short = Passage("sites", "Guide", TEXT, (Ask("car cost", "£9 a day"), *PARKING.asks))
    told, long, _ = (one.question for one in shown([short], mix))
    assert told == "car cost"
    assert long != "What does a car cost?"
    assert sorted(long) == sorted("What does a car cost?")
