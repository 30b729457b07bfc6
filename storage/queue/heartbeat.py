"""This process's heartbeat, and how long the others hold it for alive by it."""

import logging
import math
import time
from collections.abc import Callable
from typing import Final

from masis.errors import StoreUnavailable
from storage.queue.executors import Executors

log = logging.getLogger(__name__)

TRUST: Final = 0.8
"""Of the time to live; the rest is for what was begun in time to arrive in time."""
STEADY: Final = 0.5
"""Of the time to live: after an outage the others are given so long to beat before any is dead."""


def elapsed() -> float:
    """Seconds on a clock that also goes on while the process is stopped or the machine asleep."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class Pulse:
    """Beats in the table of executors. Without one it is the only process, and needs no beat."""

    def __init__(
        self,
        name: str,
        executors: Executors | None = None,
        *,
        clock: Callable[[], float] = elapsed,
    ) -> None:
        self.name: Final = name
        self._executors = executors
        self._clock = clock
        self._heard_at = -math.inf
        self._steady_since = math.inf

    @property
    def is_fresh(self) -> bool:
        """Return whether no other process can hold this one for dead."""
        if self._executors is None:
            return True
        return self._clock() - self._heard_at < TRUST * self._executors.ttl_seconds

    @property
    def is_steady(self) -> bool:
        """Return whether the database was there long enough.

        Every live process has sent a heartbeat meanwhile.
        """
        if self._executors is None:
            return False
        return self._clock() - self._steady_since >= STEADY * self._executors.ttl_seconds

    async def has_company(self) -> bool:
        """Say whether other processes work on this database.

        Raises:
            StoreUnavailable: nobody can say.
        """
        return self._executors is not None and await self._executors.has_others(self.name)

    async def beat(self) -> bool:
        """Say that the process lives; False when the others held it for dead: its runs are theirs.

        Raises:
            StoreUnavailable: nobody heard it.
        """
        if self._executors is None:
            return True
        began, was_known = self._clock(), self._heard_at > -math.inf
        try:
            life = await self._executors.beat(self.name)
        except StoreUnavailable:
            self._steady_since = math.inf
            raise
        if self._steady_since == math.inf or not self.is_fresh:
            self._steady_since = began
        # What counts is the row's time, which is later than this.
        self._heard_at = began
        if life == "unbroken" or not was_known:
            return True
        log.warning("the other processes held %s for dead; its runs are theirs now", self.name)
        return False
