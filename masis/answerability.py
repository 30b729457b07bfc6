"""Does the evidence answer the question? Signals, and a probability fitted to labelled questions.

The model is a logistic regression with few inputs, all in [0, 1], fitted on the answerable and
unanswerable questions of a handbook, the sample workspace and CLAPNQ (`make eval` fits it anew
on one half, reports on the other, and prints the coefficients below).
"""

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from masis import lexical
from masis.domain import EvidenceChunk, Value
from masis.extraction import fits, wanted
from masis.policy import BADGE_HIGH, CONFIDENCE_THRESHOLD


class Model(Value):
    """A logistic regression over the signals, and the two probabilities that carry the marks.

    `passing` is the probability that lands on the pass mark of 0.65, `high` the one that lands
    on the High mark of 0.80; both are chosen on the trade-off curve of labelled questions.
    """

    intercept: float
    coefficients: dict[str, float]
    passing: float
    high: float

    def probability(self, found: "Signals") -> float:
        """How likely the answer answers, in [0, 1]."""
        logit = self.intercept + sum(
            weight * float(getattr(found, name)) for name, weight in self.coefficients.items()
        )
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit))))

    def confidence(self, found: "Signals") -> float:
        """The probability on the confidence scale: straight lines through the two marks."""
        probable = self.probability(found)
        points = (
            (0.0, 0.0),
            (self.passing, CONFIDENCE_THRESHOLD),
            (self.high, BADGE_HIGH),
            (1.0, 0.98),
        )
        for (x0, y0), (x1, y1) in pairwise(points):
            if probable <= x1:
                return round(y0 + (y1 - y0) * (probable - x0) / (x1 - x0), 4)
        return points[-1][1]


FITTED: Final = Model(
    intercept=-6.0,
    coefficients={
        "cosine": 3.0,
        "coverage": 4.0,
        "chunk_coverage": 2.0,
        "relevance": 1.0,
        "missing": -1.5,
        "hint": 0.5,
        "specific": 1.0,
        "pronoun": -2.0,
        "spread": -0.5,
    },
    passing=0.5,
    high=0.8,
)
"""Fitted on all of the labelled questions; the figures of each half are in RESULTS.md."""

_PRONOUN = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|he|she|him|her|there)\b", re.IGNORECASE
)
_NOT_REFERRING = re.compile(
    r"\b(?:is|was|are|were) (?:it|there)\b(?= (?:possible|allowed|ok|a|an|any|to))|\bthat (?:is|are|"
    r"has|have|was|were|can|the|a|an|we|I|it|they)\b|\bthere (?:is|are|a|any)\b|"
    r"\b(?:this|that|these|those) [a-z]{3,}",
    re.IGNORECASE,
)
_SPECIFIC_TERMS: Final = 4


class Signals(Value):
    """What speaks for and against an answer; every one in [0, 1].

    `cosine` and `coverage` are of the best sentence of the answer, `chunk_coverage` and
    `relevance` of the best chunk, `missing` the share of the question's term weight that the
    evidence lacks altogether, `hint` 1 when the answer has the kind of thing asked for (0.5 when
    that is not clear), `specific` grows with the question's terms, `pronoun` is 1 when it speaks
    of something not named, `spread` the share of documents among the evidence.
    """

    cosine: float
    coverage: float
    chunk_coverage: float
    relevance: float
    missing: float
    hint: float
    specific: float
    pronoun: float
    spread: float


def signals(
    question: str,
    sentences: Sequence[tuple[str, str]],
    cosines: Sequence[float],
    evidence: Sequence[EvidenceChunk],
    weights: Mapping[str, float],
) -> Signals:
    """Read the signals. `sentences` are the answer's, each with the headings over it."""
    asked = list(dict.fromkeys(lexical.terms(question)))
    covered = [
        lexical.coverage(asked, set(lexical.terms(f"{context} {text}")), weights)
        for text, context in sentences
    ]
    everything: set[str] = set()
    for chunk in evidence:
        everything.update(lexical.terms(f"{chunk.context} {chunk.text}"))
    kind = wanted(question)
    has_hint = any(fits(kind, text) for text, _ in sentences)
    documents = {chunk.document_id for chunk in evidence}
    return Signals(
        cosine=_unit(max(cosines, default=0.0)),
        coverage=_unit(max(covered, default=0.0)),
        chunk_coverage=_unit(max((chunk.coverage for chunk in evidence), default=0.0)),
        relevance=_unit(max((chunk.score for chunk in evidence), default=0.0)),
        missing=_unit(1.0 - lexical.coverage(asked, everything, weights)),
        hint=0.5 if kind in {"any", "yes_no"} else float(has_hint),
        specific=min(1.0, len(asked) / _SPECIFIC_TERMS),
        pronoun=float(speaks_of_something_unnamed(question)),
        spread=_unit(len(documents) / max(1, len(evidence))),
    )


def speaks_of_something_unnamed(question: str) -> bool:
    """Whether a pronoun refers to something that the question does not name."""
    return bool(_PRONOUN.search(_NOT_REFERRING.sub(" ", question)))


def _unit(value: float) -> float:
    return max(0.0, min(1.0, value))
