"""The set that the reading model learns from, and the labels of what it is shown."""

from collections import defaultdict
from random import Random

import pytest

from tests.bench.reader.reading_examples import (
    Example,
    Examples,
    Mix,
    drawn,
    misses_shown,
    run,
    sentences,
    without,
)
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


def asking(answered: int, misses: int) -> Passage:
    """A passage with so many questions of either kind."""
    told = (Ask(f"Fee {number}?", "£9 a day") for number in range(answered))
    missed = (Ask(f"Van {number}?", None) for number in range(misses))
    return Passage("sites", "Site guide", TEXT, (*told, *missed))


def piece(text: str, answer: Span | None) -> str:
    assert answer is not None
    return text[slice(*answer)]


# --- the set -------------------------------------------------------------------------------


def test_every_passage_keeps_the_rules() -> None:
    assert {passage.text: found for passage in SET if (found := faults(passage))} == {}


def test_no_passage_occurs_twice() -> None:
    """The set is whole and no passage stands in it twice."""
    assert len(SET) == len({passage.text for passage in SET}) == 1680
    assert len({passage.subject for passage in SET}) == 16


@pytest.mark.parametrize(("least", "most", "share"), [(1, 5, 0.2), (6, 16, 0.4), (17, 99, 0.03)])
def test_question_lengths_are_balanced(least: int, most: int, share: float) -> None:
    """Short and long questions are answered and not alike."""
    for answered in (True, False):
        asks = [ask for one in SET for ask in one.asks if (ask.answer is not None) is answered]
        such = [ask for ask in asks if least <= len(ask.question.split()) <= most]
        assert len(such) / len(asks) > share


def test_question_length_hardly_predicts_answerability() -> None:
    """The length of a question hardly tells whether it is answered, as an epoch shows them."""
    shown_of: dict[tuple[int, bool], float] = defaultdict(float)
    for one in SET:
        misses = sum(ask.answer is None for ask in one.asks)
        for ask in one.asks:
            told = ask.answer is not None
            weight = 1.0 if told else misses_shown(one) / misses
            shown_of[len(ask.question.split()), told] += weight
    for words in range(3, 20):
        answers, near = shown_of[words, True], shown_of[words, False]
        assert 0.4 < answers / (answers + near) < 0.75


def test_invalid_passage_names_broken_rules() -> None:
    """A passage that breaks rules is told which."""
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


@pytest.mark.parametrize(("answered", "misses"), [(4, 3), (6, 9), (4, 9), (6, 3), (5, 5), (7, 0)])
def test_passages_hold_one_of_two_counts(answered: int, misses: int) -> None:
    found = faults(asking(answered, misses))
    assert ([fault for fault in found if "answered" in fault] == []) is (
        (answered, misses) in {(4, 3), (6, 9)}
    )


def test_no_document_spans_both_splits() -> None:
    """No document is learned from and held out."""
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
def test_sentence_run_keeps_the_answer_offset(seed: int) -> None:
    """A run of sentences keeps the answer and knows where it is."""
    text, answer = run(TEXT, PARKING.span("£9 a day"), Random(seed))
    assert text in TEXT
    assert "A car costs £9 a day." in text
    assert piece(text, answer) == "£9 a day"


def test_two_sentence_answer_stays_whole() -> None:
    """A run keeps an answer of two sentences whole."""
    for seed in range(20):
        text, answer = run(TEXT, PARKING.span("£9 a day. Pay at the desk."), Random(seed))
        assert piece(text, answer) == "£9 a day. Pay at the desk."


def test_run_without_answer_samples_sentences() -> None:
    """A run without an answer is some of the sentences."""
    runs = {run(TEXT, None, Random(seed)) for seed in range(50)}
    assert {answer for _, answer in runs} == {None}
    assert len(runs) > 4
    assert all(text in TEXT for text, _ in runs)


def test_rest_omits_the_answer_sentence() -> None:
    """The rest of a passage has every sentence but that of the answer."""
    rest = without(TEXT, PARKING.span("£9 a day"))
    assert rest == "Bikes are free. Pay at the desk.\nThe gate shuts at ten."


def test_repeated_answer_leaves_no_rest() -> None:
    """There is no rest where the answer stands twice or fills the passage."""
    assert without("It is £9. Vans pay £9 as well.", (6, 8)) == ""
    assert without("It is £9.", (6, 8)) == ""


def test_every_question_comes_with_its_passage() -> None:
    assert shown([PARKING, LUNCH, ELSEWHERE], NEVER) == [
        Example("What does a car cost?", "Site guide › Parking", TEXT, PARKING.span("£9 a day")),
        Example("What does a van cost?", "Site guide › Parking", TEXT, None),
    ]


def test_epochs_draw_near_misses_anew() -> None:
    """An extended passage shows as many near misses for each answer as the others do."""
    assert misses_shown(asking(4, 3)) == 3
    assert drawn(asking(4, 3), Random(1)) == list(asking(4, 3).asks)
    epochs = [drawn(asking(6, 9), Random(seed)) for seed in range(200)]
    missed = [[ask for ask in epoch if ask.answer is None] for epoch in epochs]
    assert {len(epoch) - len(misses) for epoch, misses in zip(epochs, missed, strict=True)} == {6}
    assert {len(misses) for misses in missed} == {4, 5}
    assert 4.3 < sum(map(len, missed)) / len(missed) < 4.7
    assert len({ask.question for misses in missed for ask in misses}) == 9


def test_answered_question_recurs_as_unanswerable() -> None:
    """An answered question comes once more where nothing answers it."""
    mix = Mix(whole=1, titled=0, without=1, sibling=1, elsewhere=0, unmarked=1, typo=0)
    rest = without(TEXT, PARKING.span("£9 a day"))
    assert shown([PARKING, LUNCH, ELSEWHERE], mix) == [
        Example("What does a car cost", "", TEXT, PARKING.span("£9 a day")),
        Example("What does a car cost", "", rest, None),
        Example("What does a car cost", "", LUNCH.text, None),
        Example("What does a van cost", "", TEXT, None),
    ]


def test_foreign_passage_has_another_document() -> None:
    """A passage from elsewhere is of another document."""
    mix = Mix(whole=1, titled=1, without=0, sibling=0, elsewhere=1, unmarked=0, typo=0)
    drawn = [one for seed in range(30) for one in shown([PARKING, LUNCH, ELSEWHERE], mix, seed)]
    others = [one for one in drawn if one.text != TEXT]
    assert others
    assert {(one.context, one.text, one.answer) for one in others} == {
        (ELSEWHERE.context, ELSEWHERE.text, None)
    }


def test_typo_affects_only_long_questions() -> None:
    """A typo swaps two letters of a long question alone."""
    mix = Mix(whole=1, titled=1, without=0, sibling=0, elsewhere=0, unmarked=0, typo=1)
    short = Passage("sites", "Guide", TEXT, (Ask("car cost", "£9 a day"), *PARKING.asks))
    told, long, _ = (one.question for one in shown([short], mix))
    assert told == "car cost"
    assert long != "What does a car cost?"
    assert sorted(long) == sorted("What does a car cost?")
