"""Decide which failures of a run's step may pass by themselves, and how long the run waits."""

import asyncio
from typing import Final

from masis.errors import MasisError, StoreLocked, StoreUnavailable, VectorsUnavailable
from masis.policy import SEARCH_PATIENCE_SECONDS

_REMEMBERED: Final = 1000
"""Runs that wait for vectors; one that is forgotten waits anew."""


class Outages:
    """Keep what holds up runs of this process before their next step, and since when."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def is_waited_for(self, run_id: str, error: MasisError) -> bool:
        """Say whether the step is to be done again later, instead of ending the run.

        For the database a run waits as long as the engine lets it: without one nobody can be told
        that it is away.
        """
        if not (isinstance(error, StoreUnavailable) and error.retryable):
            return False
        if not isinstance(error, VectorsUnavailable | StoreLocked):
            return True
        now = asyncio.get_running_loop().time()
        since = self._since.setdefault(run_id, now)
        if len(self._since) > _REMEMBERED:
            del self._since[next(iter(self._since))]
        return now - since < SEARCH_PATIENCE_SECONDS

    def are_over(self, run_id: str) -> None:
        """The run got further, or is not to wait any more."""
        self._since.pop(run_id, None)
