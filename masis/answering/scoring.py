"""Confidence, clamps and badge: what code makes of the numbers that agents give."""

import math
from typing import Final

from masis.domain import Badge, Evaluation, Scores
from masis.policy import (
    BADGE_HIGH,
    BADGE_MEDIUM,
    CLAMP_HALLUCINATION,
    CLAMP_UNCITED,
    CLAMP_UNCITED_SEVERE,
    COMPLETENESS_WEIGHT,
    FAITHFULNESS_WEIGHT,
    INVALID_CITATION_FACTOR,
    REASONING_WEIGHT,
    RELEVANCE_WEIGHT,
    UNCITED_PENALTY,
    UNCITED_PENALTY_CAP,
    UNCITED_RETRY,
    UNCITED_SEVERE,
)

HALLUCINATION_CLAMP: Final = f"hallucination_or_invalid_citation<={CLAMP_HALLUCINATION:.2f}"
UNCITED_CLAMP: Final = f"uncited_claims_{UNCITED_RETRY}_or_more<={CLAMP_UNCITED:.2f}"
UNCITED_SEVERE_CLAMP: Final = f"uncited_claims_{UNCITED_SEVERE}_or_more<={CLAMP_UNCITED_SEVERE:.2f}"

_LIMITS: Final = {
    HALLUCINATION_CLAMP: CLAMP_HALLUCINATION,
    UNCITED_CLAMP: CLAMP_UNCITED,
    UNCITED_SEVERE_CLAMP: CLAMP_UNCITED_SEVERE,
}

_NOTES: Final = {
    HALLUCINATION_CLAMP: "a statement or a citation does not stand in the sources",
    UNCITED_CLAMP: "several claims have no citation",
    UNCITED_SEVERE_CLAMP: "many claims have no citation",
}
"""Why a badge is capped, for people."""

_PER_CENT: Final = 100


def clean_unit(value: object) -> float | None:
    """A model's number as a finite one in [0, 1], or None where it cannot be read as one.

    Above 1 and up to 100 it is read as a percentage: models write 85 for 0.85.
    """
    # A bool is an int to Python. NaN fails every comparison, so it ends at None as well.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if 0 <= value <= 1:
        return float(value)
    return value / _PER_CENT if 1 < value <= _PER_CENT else None


def penalty_factor(invalid: int, uncited: int) -> float:
    """Return the factor by which the confidence is multiplied.

    Invalid citations count once, uncited claims each.
    """
    factor = INVALID_CITATION_FACTOR if invalid else 1.0
    return round(factor * (1 - min(UNCITED_PENALTY_CAP, UNCITED_PENALTY * uncited)), 4)


def penalised(raw: float, invalid: int, uncited: int) -> float:
    """The confidence in [0, 1] after the audit's penalties, 4 decimals; NaN counts as 0."""
    clamped = 0.0 if math.isnan(raw) else min(1.0, max(0.0, raw))
    return round(clamped * penalty_factor(invalid, uncited), 4)


def evaluate(scores: Scores, *, hallucination: bool, invalid: int, uncited: int) -> Evaluation:
    """Clamp the faithfulness by what the audit found, and weigh the four scores.

    Every clamp whose condition holds is named, also where the score was below it already: what
    it says about the answer is true either way.
    """
    clamps = _clamps(hallucination=hallucination, invalid=invalid, uncited=uncited)
    faithfulness = min([scores.faithfulness, *(_LIMITS[name] for name in clamps)])
    overall = (
        FAITHFULNESS_WEIGHT * faithfulness
        + RELEVANCE_WEIGHT * scores.relevance
        + COMPLETENESS_WEIGHT * scores.completeness
        + REASONING_WEIGHT * scores.reasoning_quality
    )
    return Evaluation(
        faithfulness=faithfulness,
        relevance=scores.relevance,
        completeness=scores.completeness,
        reasoning_quality=scores.reasoning_quality,
        overall_score=min(1.0, round(overall, 3)),
        clamps=clamps,
        raw=scores,
    )


def _clamps(*, hallucination: bool, invalid: int, uncited: int) -> list[str]:
    found = [HALLUCINATION_CLAMP] if hallucination or invalid else []
    if uncited >= UNCITED_SEVERE:
        return [*found, UNCITED_SEVERE_CLAMP]
    return [*found, UNCITED_CLAMP] if uncited >= UNCITED_RETRY else found


def badge(confidence: float, evaluation: Evaluation | None, *, audited: bool) -> Badge:
    """The word for a confidence, capped by the clamps that fired; without scores never High."""
    if not audited:
        return Badge(level="Not audited", confidence=0.0, note="the audit failed")
    clamps = evaluation.clamps if evaluation else []
    note = "; ".join(_NOTES[name] for name in clamps)
    if confidence < BADGE_MEDIUM or any(_LIMITS[name] <= CLAMP_HALLUCINATION for name in clamps):
        return Badge(level="Low", confidence=confidence, note=note)
    if confidence < BADGE_HIGH or clamps or evaluation is None:
        return Badge(level="Medium", confidence=confidence, note=note)
    return Badge(level="High", confidence=confidence)
