import math
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.evaluation.calibration import MIN_LABELS, Calibration, calibrate
from masis.domain import EmbeddingProfile
from masis.policy import RELEVANCE_THRESHOLD
from tests.examples import examples

cosines = st.lists(st.floats(-1, 1), min_size=MIN_LABELS, max_size=60)


def profile(calibration: Calibration) -> EmbeddingProfile:
    identity = EmbeddingProfile(
        name="e", model="m", dimension=3, version="1", calibration=[(0.0, 0.0), (1.0, 1.0)]
    )
    return calibration.applied(identity)


def labelled(seed: int = 7) -> tuple[list[float], list[float]]:
    chance = random.Random(seed)
    good = [chance.gauss(0.65, 0.12) for _ in range(200)]
    bad = [chance.gauss(0.25, 0.08) for _ in range(200)]
    return good, bad


def test_gate_lies_on_the_threshold() -> None:
    """The gate lies on the threshold and keeps what was asked."""
    good, bad = labelled()
    made = calibrate(good, bad)
    embedder = profile(made)
    assert embedder.relevance(made.gate.cosine) == RELEVANCE_THRESHOLD
    kept = [cosine for cosine in good if embedder.relevance(cosine) >= RELEVANCE_THRESHOLD]
    assert len(kept) / len(good) == 0.95
    assert made.gate.lost == 0.05


def test_report_counts_gated_questions() -> None:
    """The report counts what the gate stops."""
    good, bad = labelled()
    made = calibrate(good, bad)
    stopped = sum(cosine < made.gate.cosine for cosine in bad) / len(bad)
    assert made.gate.stopped == pytest.approx(stopped)
    assert made.separation > 0.98


def test_keeping_more_stops_less() -> None:
    good, bad = labelled()
    strict, generous = calibrate(good, bad, keep=0.80), calibrate(good, bad, keep=0.99)
    assert strict.gate.cosine > generous.gate.cosine
    assert strict.gate.stopped >= generous.gate.stopped
    assert calibrate(good, bad, keep=1.0).gate.lost == 0


def test_curve_spans_none_to_all() -> None:
    """The curve runs from losing nothing to stopping everything."""
    made = calibrate(*labelled())
    assert (made.curve[0].lost, made.curve[0].stopped) == (0.0, 0.0)
    assert made.curve[-1].stopped == 1.0
    assert all(one.lost <= other.lost for one, other in pairwise(made.curve))
    assert all(one.stopped <= other.stopped for one, other in pairwise(made.curve))


def test_off_topic_question_is_gated() -> None:
    """The typical off topic question lands well below the gate."""
    good, bad = labelled()
    embedder = profile(calibrate(good, bad))
    assert embedder.relevance(sorted(bad)[100]) == pytest.approx(0.30, abs=0.01)
    assert embedder.relevance(sorted(good)[100]) == pytest.approx(0.85, abs=0.01)


def test_report_reveals_undiscerning_embedder() -> None:
    """An embedder that cannot tell is seen in the report."""
    same = [at / 100 for at in range(100)]
    made = calibrate(same, same)
    assert made.separation == 0.5
    assert made.gate.stopped == 0.05


@given(good=cosines, bad=cosines, keep=st.floats(0.5, 1.0))
@settings(deadline=None, max_examples=examples(60))
def test_the_map_always_rises(good: list[float], bad: list[float], keep: float) -> None:
    made = calibrate(good, bad, keep)
    xs, ys = zip(*made.points, strict=True)
    assert all(one < other for one, other in pairwise(xs))
    assert ys == (0.0, RELEVANCE_THRESHOLD, 0.85, 1.0)
    embedder = profile(made)
    kept = sum(embedder.relevance(cosine) >= RELEVANCE_THRESHOLD for cosine in good)
    assert kept >= math.floor(keep * len(good) + 1e-9)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, 85.0, -1.5])
def test_invalid_cosine_is_refused(wrong: float) -> None:
    """A number that is no cosine is refused."""
    good, bad = labelled()
    with pytest.raises(ValueError, match="no cosine"):
        calibrate([*good, wrong], bad)


def test_too_few_labels_are_refused() -> None:
    """Too few labels are refused with the number that is needed."""
    with pytest.raises(ValueError, match=r"3 off-topic .* too few .* at least 20"):
        calibrate(labelled()[0], [0.1, 0.2, 0.3])


@pytest.mark.parametrize("keep", [0.0, -0.1, 1.01, math.nan])
def test_an_impossible_share_is_refused(keep: float) -> None:
    with pytest.raises(ValueError, match="share to keep"):
        calibrate(*labelled(), keep=keep)
