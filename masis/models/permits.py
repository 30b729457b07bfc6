"""Decide when model calls may begin, and hold the permits of one process without a database."""

import asyncio
import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

from masis.policy import MAX_RETRY_AFTER, RATE_WINDOW
from masis.ports import Permit, PermitDecisions, Wait


class Service(NamedTuple):
    """A service as it stands at the moment `now`; all times are seconds of one clock.

    `free_at` says when slots are free, the soonest first: as many as wait, or all there are.
    """

    now: float
    window: float
    closed_until: float
    free_at: Sequence[float]

    def starts_in(self, rank: int) -> float:
        """Seconds until the one with `rank` others before it may begin; 0 is now."""
        rounds, index = divmod(rank, len(self.free_at))
        first = max(self.free_at[index], self.closed_until, self.now)
        return first + rounds * self.window - self.now


def decide(service: Service, waiting: Sequence[str]) -> dict[str, Wait]:
    """Return how long each of those who wait for the service has to, in order of arrival."""
    seconds = {name: service.starts_in(rank) for rank, name in enumerate(waiting)}
    staying = (name for name in waiting if seconds[name] > 0)
    before = {name: position for position, name in enumerate(staying)}
    return {name: Wait(seconds[name], before.get(name, 0)) for name in waiting}


class MemoryCallPermits:
    """The `CallPermits` of `masis.ports` for one gateway in one process, gone with it.

    Times are the event loop's own, so a test may bend them.
    """

    def __init__(self, per_minute: int, *, window: float = RATE_WINDOW) -> None:
        if per_minute < 1:
            raise ValueError("a rate limit lets at least one call a minute pass")
        self._per_minute = per_minute
        self._window = window
        self._closed_until = 0.0
        # By holder, and so the soonest first: who begins later stands further back.
        self._free_at: dict[str, float] = {}

    async def ask(self, waiting: Sequence[str]) -> PermitDecisions:
        """Let in whom the window allows."""
        now = _now()
        self._expire(now)
        service = Service(now, self._window, self._closed_until, self._soonest(now, len(waiting)))
        decided = decide(service, waiting)
        granted = [name for name, wait in decided.items() if wait.seconds <= 0]
        self._free_at |= dict.fromkeys(granted, now + self._window)
        return PermitDecisions(
            granted={name: Permit(name, begin_by=now) for name in granted},
            waits={name: wait for name, wait in decided.items() if wait.seconds > 0},
        )

    async def begin(self, permit: Permit) -> Permit | None:
        """Count the window from now; None when the place is another's by now."""
        if self._free_at.pop(permit.id, None) is None:
            return None
        self._free_at[permit.id] = _now() + self._window
        # The call begins before the loop does anything else.
        return Permit(permit.id, begin_by=math.inf)

    async def give_back(self, permit: Permit) -> None:
        """The call is not made."""
        self._free_at.pop(permit.id, None)

    async def cool_down(self, seconds: float) -> None:
        """Let no call begin for so long, 60 seconds at most."""
        until = _now() + max(0.0, min(seconds, MAX_RETRY_AFTER))
        self._closed_until = max(self._closed_until, until)

    def _soonest(self, now: float, count: int) -> list[float]:
        unused = min(max(count, 1), self._per_minute - len(self._free_at))
        taken = itertools.islice(self._free_at.values(), max(count, 1) - unused)
        return [*itertools.repeat(now, unused), *taken]

    def _expire(self, now: float) -> None:
        while self._free_at:
            holder, free_at = next(iter(self._free_at.items()))
            if free_at > now:
                return
            del self._free_at[holder]


def _now() -> float:
    return asyncio.get_running_loop().time()
