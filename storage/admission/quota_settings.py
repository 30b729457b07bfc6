"""Hold what an operator allows everybody.

It is one value for all who let requests in and through.
"""

from masis.domain import Value
from masis.policy import RUNS_AT_ONCE
from masis.spending import Budget


class Limits(Value):
    """`runs_at_once` is of each process that works; `budget` of each workspace."""

    runs_at_once: int = RUNS_AT_ONCE
    budget: Budget = Budget()

    def width(self, workers: int) -> int:
        """Return how many runs work at a time, with so many processes that are known to work."""
        return self.runs_at_once * max(1, workers)


USUAL = Limits()
"""The product's own."""
