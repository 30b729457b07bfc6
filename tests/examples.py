"""How many examples a property is tried with."""

import os
from typing import Final

from hypothesis import settings

THOROUGH: Final = "MASIS_TEST_THOROUGH"
"""Set, every property is tried with all of its examples: `make properties` sets it."""
SHARE: Final = 4
FEWEST: Final = 5


def examples(full: int) -> int:
    """Count the examples of a property that is worth `full` of them, most of them left to `make properties`."""
    return full if os.environ.get(THOROUGH) else min(full, max(FEWEST, full // SHARE))


def register() -> None:
    """Give a property that says no number its share of Hypothesis's own."""
    settings.register_profile("masis", max_examples=examples(settings().max_examples))
    settings.load_profile("masis")
