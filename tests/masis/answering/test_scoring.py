import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from masis.answering import scoring
from masis.answering.scoring import HALLUCINATION_CLAMP, UNCITED_CLAMP, UNCITED_SEVERE_CLAMP
from masis.domain import Evaluation, Scores

PERFECT = Scores(faithfulness=1.0, relevance=1.0, completeness=1.0, reasoning_quality=1.0)


@pytest.mark.parametrize(
    ("raw", "invalid", "uncited", "confidence"),
    [
        (0.88, 0, 1, 0.8536),
        (0.58, 2, 3, 0.2639),
        (0.95, 0, 5, 0.8075),
        (0.95, 0, 10, 0.665),
        (1.0, 1, 0, 0.5),
        (1.0, 7, 0, 0.5),
        (1.0, 1, 14, 0.3),
        (1.0, 1, 1000, 0.3),
        (1.0, 0, 0, 1.0),
        (0.0, 0, 0, 0.0),
        (-0.5, 0, 0, 0.0),
        (85.0, 0, 0, 1.0),
        (math.inf, 0, 0, 1.0),
        (-math.inf, 0, 0, 0.0),
        (math.nan, 0, 0, 0.0),
    ],
)
def test_confidence_follows_from_the_audit(
    raw: float, invalid: int, uncited: int, confidence: float
) -> None:
    """The confidence is computed from the audit."""
    assert scoring.penalised(raw, invalid, uncited) == confidence


@pytest.mark.parametrize(
    ("raw", "last_passing"),
    [(1.0, 11), (0.95, 10), (0.90, 9), (0.88, 8), (0.85, 7), (0.80, 6), (0.70, 2)],
)
def test_uncited_claims_fail_the_threshold(raw: float, last_passing: int) -> None:
    """Uncited claims alone push a draft below the threshold."""
    assert scoring.penalised(raw, 0, last_passing) >= 0.65
    assert scoring.penalised(raw, 0, last_passing + 1) < 0.65


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, 0.0),
        (1, 1.0),
        (0.42, 0.42),
        (85, 0.85),
        (100, 1.0),
        (1.5, 0.015),
        (100.1, None),
        (10**400, None),
        (-1, None),
        (-0.001, None),
        (math.nan, None),
        (math.inf, None),
        (-math.inf, None),
        (True, None),
        (False, None),
        ("0.9", None),
        (None, None),
        ([0.9], None),
    ],
)
def test_model_numbers_are_parsed_or_refused(value: object, expected: float | None) -> None:
    """Numbers of a model are read or refused."""
    assert scoring.clean_unit(value) == expected


@given(st.floats(allow_nan=True) | st.integers() | st.text() | st.booleans() | st.none())
def test_model_value_becomes_unit_or_none(value: object) -> None:
    """Whatever a model says becomes a unit or nothing."""
    cleaned = scoring.clean_unit(value)
    assert cleaned is None or 0.0 <= cleaned <= 1.0


FAITHFULNESS = {
    (): 1.0,
    (UNCITED_CLAMP,): 0.50,
    (HALLUCINATION_CLAMP,): 0.40,
    (HALLUCINATION_CLAMP, UNCITED_CLAMP): 0.40,
    (UNCITED_SEVERE_CLAMP,): 0.30,
    (HALLUCINATION_CLAMP, UNCITED_SEVERE_CLAMP): 0.30,
}
OVERALL = {1.0: 1.0, 0.50: 0.825, 0.40: 0.79, 0.30: 0.755}


@pytest.mark.parametrize(
    ("hallucination", "invalid", "uncited"),
    list(itertools.product([False, True], [0, 1, 3], [0, 4, 5, 9, 10, 50])),
)
def test_smallest_of_the_clamps_wins(*, hallucination: bool, invalid: int, uncited: int) -> None:
    """Every combination of clamps fires and the smallest wins."""
    found = scoring.evaluate(PERFECT, hallucination=hallucination, invalid=invalid, uncited=uncited)
    expected = [HALLUCINATION_CLAMP] if hallucination or invalid else []
    if uncited >= 10:
        expected.append(UNCITED_SEVERE_CLAMP)
    elif uncited >= 5:
        expected.append(UNCITED_CLAMP)
    assert found.clamps == expected
    assert found.faithfulness == FAITHFULNESS[tuple(expected)]
    assert found.overall_score == OVERALL[found.faithfulness]
    assert found.raw == PERFECT


def test_the_clamps_have_stable_names() -> None:
    assert HALLUCINATION_CLAMP == "hallucination_or_invalid_citation<=0.40"
    assert UNCITED_CLAMP == "uncited_claims_5_or_more<=0.50"
    assert UNCITED_SEVERE_CLAMP == "uncited_claims_10_or_more<=0.30"


def test_clamp_never_raises_a_score() -> None:
    """A clamp never raises a score and is named all the same."""
    low = Scores(faithfulness=0.1, relevance=0.5, completeness=0.5, reasoning_quality=0.5)
    found = scoring.evaluate(low, hallucination=True, invalid=0, uncited=12)
    assert found.faithfulness == 0.1
    assert found.clamps == [HALLUCINATION_CLAMP, UNCITED_SEVERE_CLAMP]


def test_overall_score_is_rounded_weighted_mean() -> None:
    """The overall score is the weighted mean with three decimals."""
    scores = Scores(faithfulness=0.9, relevance=0.8, completeness=0.7, reasoning_quality=0.6)
    found = scoring.evaluate(scores, hallucination=False, invalid=0, uncited=0)
    assert found.overall_score == 0.78


@given(st.tuples(*[st.floats(0, 1)] * 4), st.booleans(), st.integers(0, 30), st.integers(0, 30))
def test_scores_stay_in_unit_range(
    raw: tuple[float, float, float, float],
    hallucination: bool,
    invalid: int,
    uncited: int,
) -> None:
    """All scores stay in the unit range."""
    scores = Scores(
        faithfulness=raw[0], relevance=raw[1], completeness=raw[2], reasoning_quality=raw[3]
    )
    found = scoring.evaluate(scores, hallucination=hallucination, invalid=invalid, uncited=uncited)
    assert 0.0 <= found.overall_score <= 1.0
    assert found.faithfulness <= scores.faithfulness


def evaluation(*, hallucination: bool = False, uncited: int = 0) -> Evaluation:
    return scoring.evaluate(PERFECT, hallucination=hallucination, invalid=0, uncited=uncited)


@pytest.mark.parametrize(
    ("confidence", "level"),
    [(1.0, "High"), (0.80, "High"), (0.7999, "Medium"), (0.65, "Medium"), (0.6499, "Low")],
)
def test_the_badge_follows_the_confidence(confidence: float, level: str) -> None:
    badge = scoring.badge(confidence, evaluation(), audited=True)
    assert (badge.level, badge.confidence, badge.note) == (level, confidence, "")


@pytest.mark.parametrize(
    ("scored", "level"),
    [
        (evaluation(uncited=5), "Medium"),
        (evaluation(hallucination=True), "Low"),
        (evaluation(uncited=10), "Low"),
        (evaluation(hallucination=True, uncited=10), "Low"),
    ],
)
def test_clamp_caps_badge_with_reason(scored: Evaluation, level: str) -> None:
    """A clamp caps the badge and says why."""
    badge = scoring.badge(1.0, scored, audited=True)
    assert badge.level == level
    assert badge.note


def test_unscored_badge_is_never_high() -> None:
    """Without scores the badge is never high."""
    assert scoring.badge(0.99, None, audited=True).level == "Medium"


def test_unaudited_answer_has_no_confidence() -> None:
    """What was not audited has no confidence."""
    badge = scoring.badge(0.99, evaluation(), audited=False)
    assert (badge.level, badge.confidence) == ("Not audited", 0.0)
