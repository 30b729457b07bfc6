import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.answerability import (
    FITTED,
    Model,
    Signals,
    signals,
    speaks_of_something_unnamed,
)
from masis.policy import BADGE_HIGH, CONFIDENCE_THRESHOLD
from tests.scripted_agents import chunk

QUESTION = "How many days of annual leave does an employee have?"
ANSWER = ("Every employee has 26 days of annual leave a year.", "Handbook › Leave")
UNIT = st.floats(0, 1)
NAMES = sorted(Signals.model_fields)


def found(value: float = 0.5, **others: float) -> Signals:
    return Signals.model_validate(dict.fromkeys(NAMES, value) | others)


def sure(probability: float, **marks: Any) -> Model:
    """A model that gives this probability whatever it sees."""
    logit = math.log(probability / (1 - probability))
    values = {"passing": 0.4, "high": 0.7} | marks
    return Model(intercept=logit, coefficients={}, **values)


# --- the model -----------------------------------------------------------------------------


def test_the_two_marks_land_on_the_pass_mark_and_the_high_mark() -> None:
    assert sure(0.4).confidence(found()) == pytest.approx(CONFIDENCE_THRESHOLD, abs=1e-3)
    assert sure(0.7).confidence(found()) == pytest.approx(BADGE_HIGH, abs=1e-3)


@settings(max_examples=60, deadline=None)
@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_a_likelier_answer_is_never_less_confident(one: float, other: float) -> None:
    low, high = sorted((one, other))

    assert sure(low).confidence(found()) <= sure(high).confidence(found())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-1e9, 1e9), min_size=len(NAMES), max_size=len(NAMES)), UNIT)
def test_whatever_the_coefficients_are_probability_and_confidence_stay_in_range(
    coefficients: list[float], value: float
) -> None:
    weighed = dict(zip(NAMES, coefficients, strict=True))
    model = Model(intercept=0.0, coefficients=weighed, passing=0.5, high=0.8)

    assert 0.0 <= model.probability(found(value)) <= 1.0
    assert 0.0 <= model.confidence(found(value)) < 1.0


def test_the_fitted_model_knows_only_signals_that_exist() -> None:
    assert set(FITTED.coefficients) <= set(NAMES)
    assert 0.0 < FITTED.passing < FITTED.high < 1.0


GOOD = {"missing": 0.0, "pronoun": 0.0, "spread": 0.3}


def test_an_answer_for_which_everything_speaks_passes_and_one_for_which_nothing_does_fails() -> (
    None
):
    for_it, against_it = found(1.0, **GOOD), found(0.0, missing=1.0, pronoun=1.0)

    assert FITTED.confidence(for_it) >= CONFIDENCE_THRESHOLD
    assert FITTED.confidence(against_it) < CONFIDENCE_THRESHOLD


# --- the signals ---------------------------------------------------------------------------


def test_a_good_answer_has_its_signals() -> None:
    evidence = [
        chunk(0, score=0.9, text=ANSWER[0], coverage=0.8),
        chunk(1, score=0.7, text="Parcels go to the porter.", coverage=0.1),
    ]
    seen = signals(QUESTION, [ANSWER], [0.82], evidence, {})

    assert seen.cosine == 0.82
    assert seen.relevance == 0.9
    assert seen.chunk_coverage == 0.8
    assert seen.coverage > 0.5
    assert seen.missing < 0.5
    assert seen.hint == 1.0
    assert seen.pronoun == 0.0
    assert seen.spread == 1.0


def test_a_term_that_no_evidence_has_is_missing_and_weighs_by_its_rarity() -> None:
    evidence = [chunk(0, text=ANSWER[0])]
    asked = "How many days of annual leave in Timbuktu?"
    common = signals(asked, [ANSWER], [0.8], evidence, {})
    rare = signals(asked, [ANSWER], [0.8], evidence, {"timbuktu": 9.0, "day": 1.0, "annual": 1.0})

    assert 0.0 < common.missing < 1.0
    assert signals(QUESTION, [], [], [], {}).missing == 1.0
    assert rare.missing > common.missing


def test_the_headings_over_a_sentence_count_as_its_context() -> None:
    bare = signals("annual leave days", [("It is 26.", "")], [0.5], [], {})
    under = signals("annual leave days", [("It is 26.", "Annual leave › Days")], [0.5], [], {})

    assert bare.coverage == 0.0
    assert under.coverage == 1.0


def test_an_answer_without_what_was_asked_for_has_no_hint() -> None:
    without = signals("Who approves leave?", [("It is approved in writing.", "")], [0.5], [], {})
    unclear = signals("Is leave approved?", [("It is approved in writing.", "")], [0.5], [], {})

    assert without.hint == 0.0
    assert unclear.hint == 0.5


def test_evidence_of_many_documents_is_spread() -> None:
    one = [chunk(n, document_id="d_same") for n in range(4)]
    four = [chunk(n) for n in range(4)]

    assert signals(QUESTION, [], [], one, {}).spread == 0.25
    assert signals(QUESTION, [], [], four, {}).spread == 1.0


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=120),
    st.lists(st.tuples(st.text(max_size=60), st.text(max_size=20)), max_size=4),
    st.lists(st.floats(-1.01, 1.01), max_size=4),
    st.lists(st.text(min_size=1, max_size=60), max_size=4),
    st.dictionaries(st.text(max_size=6), st.floats(0, 20), max_size=4),
)
def test_signals_are_in_range_whatever_was_asked_and_found(
    question: str,
    said: list[tuple[str, str]],
    cosines: list[float],
    texts: list[str],
    weights: dict[str, float],
) -> None:
    evidence = [chunk(n, score=1.2, text=text, coverage=1.1) for n, text in enumerate(texts)]
    seen = signals(question, said, cosines, evidence, weights)

    assert all(0.0 <= getattr(seen, name) <= 1.0 for name in NAMES)
    assert 0.0 <= FITTED.confidence(seen) <= 1.0


# --- pronouns ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "How much does it cost?",
        "Who approved that?",
        "What did they decide?",
        "When was this?",
        "Where can I find them?",
    ],
)
def test_a_pronoun_without_a_noun_speaks_of_something_unnamed(question: str) -> None:
    assert speaks_of_something_unnamed(question)


@pytest.mark.parametrize(
    "question",
    [
        "How much does the pump cost?",
        "Is it possible to carry over annual leave?",
        "Is there a canteen in Deventer?",
        "Are there any parking spaces?",
        "Which documents show that the pump is sealed?",
        "Who may use this building?",
        "",
    ],
)
def test_a_question_that_names_its_subject_does_not(question: str) -> None:
    assert not speaks_of_something_unnamed(question)
