"""Decisions on numbers, each with its reason. Nothing else in MASIS holds a threshold."""

from typing import Final

from masis.domain import Value

# The two thresholds are coupled: stricter evidence allows a stricter pass mark, weaker evidence
# wants a lower one. Move one, and look at the other.
RELEVANCE_THRESHOLD: Final = 0.60
"""A chunk is kept when its relevance reaches this (the scale of text-embedding-ada-002)."""
RETRY_THRESHOLD_DROP: Final = 0.05
"""On a retry the net is widened by this much."""
CONFIDENCE_THRESHOLD: Final = 0.65
"""A draft passes when its confidence reaches this."""

COVERAGE_GATE: Final = 0.80
"""A chunk that holds this share of the question's weighted terms is kept whatever its cosine."""

FIRST_PASS_LIMIT: Final = 10
RETRY_LIMIT: Final = 20
"""A retry looks at more candidates, since a lower threshold alone brings back the same ones."""

DEFAULT_MAX_RETRIES: Final = 2
MAX_RETRIES_ALLOWED: Final = 5

CRITIQUE_TEXT_LIMIT: Final = 200
"""Characters of each critique text that may enter a search: a document must not steer it far."""

MAX_CONTEXT_CHARS: Final = 6000
"""Evidence above this is compressed (coupled to the chunk size of about 800)."""
UNCOMPRESSED_CHUNKS: Final = 3
SUMMARY_CHARS: Final = 200
OVER_COMPRESSION_RATIO: Final = 0.35

INVALID_CITATION_FACTOR: Final = 0.5
UNCITED_PENALTY: Final = 0.03
UNCITED_PENALTY_CAP: Final = 0.40
UNCITED_RETRY: Final = 5
"""From this many uncited claims on, a retry is asked for; the first clamp starts here too."""
UNCITED_SEVERE: Final = 10

CLAMP_HALLUCINATION: Final = 0.40
CLAMP_UNCITED: Final = 0.50
CLAMP_UNCITED_SEVERE: Final = 0.30

FAITHFULNESS_WEIGHT: Final = 0.35
RELEVANCE_WEIGHT: Final = 0.25
COMPLETENESS_WEIGHT: Final = 0.25
REASONING_WEIGHT: Final = 0.15

BADGE_HIGH: Final = 0.80
BADGE_MEDIUM: Final = CONFIDENCE_THRESHOLD

MAX_QUESTION_CHARS: Final = 4000
"""Longer than any question; a document belongs into the workspace, not into the question."""


class Policy(Value):
    """The numbers that an operator may set; the defaults are the product's."""

    relevance_threshold: float = RELEVANCE_THRESHOLD
    confidence_threshold: float = CONFIDENCE_THRESHOLD
    clamp_is_an_issue: bool = True

    def threshold(self, retry_count: int) -> float:
        """The relevance that a chunk must reach on this pass."""
        drop = RETRY_THRESHOLD_DROP if retry_count else 0.0
        return round(self.relevance_threshold - drop, 4)

    @staticmethod
    def limit(retry_count: int) -> int:
        """How many reranked candidates are looked at on this pass."""
        return RETRY_LIMIT if retry_count else FIRST_PASS_LIMIT
