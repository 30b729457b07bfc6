"""Does the evidence answer the question? Signals, and a probability fitted to labelled questions.

The model is a logistic regression with few inputs, all in [0, 1], fitted on the answerable and
unanswerable questions of a handbook, the sample workspace and CLAPNQ (`make eval` fits it anew
on one half, reports on the other, and prints the coefficients below).
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from masis import lexical
from masis.domain import Value
from masis.extraction import Scored
from masis.policy import BADGE_HIGH, CONFIDENCE_THRESHOLD

RIVAL: Final = 0.85
"""A passage with this share of the best score competes with it."""
MANY_RIVALS: Final = 5
CLEAR_QUESTION: Final = 5
"""Terms from which on a question is no longer bare ("How long is my leave?" has two)."""


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
    intercept=-8.199,
    coefficients={
        "nearness": 5.267,
        "lead": 0.706,
        "length": 3.62,
        "rivals": -2.04,
        "cited": 3.735,
    },
    passing=0.337,
    high=0.669,
)
"""Fitted on all of the labelled questions; the figures of each half are in RESULTS.md."""


class Signals(Value):
    """What speaks for and against an answer; every one in [0, 1].

    `nearness` is the cosine of the passage nearest to the question (its coverage where there is
    no embedder), `lead` how far the first candidate stands out from the next four, `length`
    grows with the number of terms asked for, up to five (a bare question is seldom clear), `rivals` with the
    sections that hold a passage nearly as good as the best, `cited` is the nearness of what the
    draft itself cites.
    """

    nearness: float
    lead: float
    length: float
    rivals: float
    cited: float


def signals(
    question: str, scored: Sequence[Scored], cited: Sequence[str], *, has_vectors: bool
) -> Signals:
    """Read the signals of the evidence's passages; `cited` are the ids that the draft cites."""
    near = [s.cosine if has_vectors else s.coverage for s in scored]
    own = [
        value for value, s in zip(near, scored, strict=True) if s.passage.chunk.chunk_id in cited
    ]
    best = max((s.score for s in scored), default=0.0)
    rivals = {
        (s.passage.chunk.document_id, s.passage.heading) for s in scored if s.score > RIVAL * best
    }
    asked = len(set(lexical.terms(question)))
    return Signals(
        nearness=_unit(max(near, default=0.0)),
        lead=_unit(_lead(scored)),
        length=_unit(asked / CLEAR_QUESTION),
        rivals=_unit((len(rivals) - 1) / MANY_RIVALS),
        cited=_unit(max(own, default=0.0)),
    )


def _lead(scored: Sequence[Scored]) -> float:
    """By how much the best chunk's rank score exceeds the mean of the next four."""
    ranks = sorted({s.passage.chunk.chunk_id: s.passage.chunk.rank_score for s in scored}.values())
    if len(ranks) < 2:  # noqa: PLR2004 - one chunk has nothing to stand out from
        return 0.0
    following = ranks[-5:-1]
    return ranks[-1] - sum(following) / len(following)


def _unit(value: float) -> float:
    return max(0.0, min(1.0, value))
