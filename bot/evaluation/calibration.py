"""From labelled questions to the map from an embedder's cosine to the relevance scale."""

import math
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from masis.domain import EmbeddingProfile, Value
from masis.policy import RELEVANCE_THRESHOLD

KEEP: Final = 0.95
"""The share of answerable questions whose best gold chunk passes the gate."""

MIN_LABELS: Final = 20
"""Questions of each kind below which a quantile of 5 % means nothing."""

OFF_TOPIC_RELEVANCE: Final = RELEVANCE_THRESHOLD / 2
"""Where the typical question about something else lands."""
GOOD_RELEVANCE: Final = 0.85
"""Where the typical gold chunk lands."""

_CURVE_POINTS: Final = 21
_MIN_STEP: Final = 0.01
"""Between two points of the map, so that it rises everywhere however the labels lie."""


class OperatingPoint(Value):
    """Hold what a gate at `cosine` does: the shares of good ones lost and of bad ones stopped."""

    cosine: float
    lost: float
    stopped: float


class Calibration(Value):
    """A map for `EmbeddingProfile.calibration`, and what its gate does.

    `separation` is the AUROC of the cosine: 1 parts the two kinds fully, 0.5 not at all.
    """

    points: list[tuple[float, float]]
    gate: OperatingPoint
    separation: float
    curve: list[OperatingPoint]

    def applied(self, profile: EmbeddingProfile) -> EmbeddingProfile:
        """The profile with this map; its identity, and so its collections, stay the same."""
        return profile.model_copy(update={"calibration": self.points})


def calibrate(
    answerable: Sequence[float], off_topic: Sequence[float], keep: float = KEEP
) -> Calibration:
    """Place the gate where `keep` of the good ones pass, and 0.60 upon it.

    Args:
        answerable: For each answerable question the cosine of its best gold chunk.
        off_topic: For each question that nothing covers the cosine of the best chunk.
        keep: The share of `answerable` that must pass, in (0, 1].

    Raises:
        ValueError: too few labels, a number that is no cosine, or an impossible `keep`.
    """
    good, bad = _checked(answerable, "answerable"), _checked(off_topic, "off-topic")
    if not 0 < keep <= 1:
        raise ValueError(f"the share to keep is above 0 and at most 1, not {keep}")
    gate = _gate(good, keep)
    return Calibration(
        points=_points(good, bad, gate),
        gate=_at(gate, good, bad),
        separation=_separation(good, bad),
        curve=[_at(cosine, good, bad) for cosine in _grid(good, bad)],
    )


def _checked(cosines: Sequence[float], kind: str) -> list[float]:
    if len(cosines) < MIN_LABELS:
        raise ValueError(
            f"{len(cosines)} {kind} questions are too few to calibrate with: "
            f"at least {MIN_LABELS} are needed"
        )
    if not all(math.isfinite(cosine) and -1.001 <= cosine <= 1.001 for cosine in cosines):  # noqa: PLR2004 - rounding of length-one vectors
        raise ValueError(f"a label of an {kind} question is no cosine")
    return sorted(cosines)


def _gate(good: Sequence[float], keep: float) -> float:
    """The highest cosine, to 4 decimals, that `keep` of the good ones reach."""
    # The small number keeps 0.05 * 100 from being 5.000000000000004 good ones to lose.
    may_lose = math.floor((1 - keep) * len(good) + 1e-9)
    return math.floor(good[min(may_lose, len(good) - 1)] * 10_000) / 10_000


def _points(good: Sequence[float], bad: Sequence[float], gate: float) -> list[tuple[float, float]]:
    """0, the gate, the median gold chunk and the best ones, joined by straight lines.

    Below the gate the line runs through the median of the bad ones at half the threshold.
    """
    off = statistics.median(bad)
    slope = (RELEVANCE_THRESHOLD - OFF_TOPIC_RELEVANCE) / max(gate - off, _MIN_STEP)
    zero = gate - RELEVANCE_THRESHOLD / slope
    typical = max(statistics.median(good), gate + _MIN_STEP)
    best = max(good[math.ceil(0.99 * len(good)) - 1], typical + _MIN_STEP)
    return [
        (round(zero, 4), 0.0),
        (gate, RELEVANCE_THRESHOLD),
        (round(typical, 4), GOOD_RELEVANCE),
        (round(best, 4), 1.0),
    ]


def _at(cosine: float, good: Sequence[float], bad: Sequence[float]) -> OperatingPoint:
    return OperatingPoint(
        cosine=cosine,
        lost=round(bisect_left(good, cosine) / len(good), 4),
        stopped=round(bisect_left(bad, cosine) / len(bad), 4),
    )


def _separation(good: Sequence[float], bad: Sequence[float]) -> float:
    """The chance that a good one lies above a bad one, ties counted half."""
    above = sum(bisect_left(bad, cosine) + bisect_right(bad, cosine) for cosine in good)
    return round(above / (2 * len(good) * len(bad)), 4)


def _grid(good: Sequence[float], bad: Sequence[float]) -> list[float]:
    """Evenly spaced cosines over all labels."""
    low, high = min(good[0], bad[0]), max(good[-1], bad[-1])
    step = (high - low) / (_CURVE_POINTS - 1)
    return [round(low + step * at, 4) for at in range(_CURVE_POINTS)]
