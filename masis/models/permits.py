"""Decide when model calls may begin, and hold the permits of one process without a database."""

import asyncio
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cachetools import LRUCache

from masis.models.fair_order import in_fair_order
from masis.policy import MAX_RETRY_AFTER, RATE_WINDOW
from masis.ports import Permit, PermitDecisions, PermitRequest, Wait

_REMEMBERED_WORKSPACES: Final = 4096
"""Whose last turn is remembered; who is forgotten merely counts as new again."""


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


def decide(
    service: Service, waiting: Sequence[PermitRequest], last_served: Mapping[str, float]
) -> list[tuple[PermitRequest, Wait]]:
    """Return how long each has to wait, in the order in which they are served.

    `waiting` are all who wait for the service, in order of arrival.
    """
    served = in_fair_order(waiting, lambda request: request.workspace_id, last_served)
    seconds = {request.id: service.starts_in(rank) for rank, request in enumerate(served)}
    staying = [request.id for request in waiting if seconds[request.id] > 0]
    before = {request_id: position for position, request_id in enumerate(staying)}
    return [
        (request, Wait(seconds=seconds[request.id], before=before.get(request.id, 0)))
        for request in served
    ]


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
        self._last_served: LRUCache[str, float] = LRUCache(_REMEMBERED_WORKSPACES)
        self._served = itertools.count(1)

    async def ask(self, requests: Sequence[PermitRequest]) -> PermitDecisions:
        """Let in whom the window allows."""
        now = _now()
        self._expire(now)
        service = Service(now, self._window, self._closed_until, self._soonest(now, len(requests)))
        granted: dict[str, Permit] = {}
        waits: dict[str, Wait] = {}
        for request, wait in decide(service, requests, self._last_served):
            if wait.seconds > 0:
                waits[request.id] = wait
                continue
            self._free_at[request.id] = now + self._window
            self._last_served[request.workspace_id] = next(self._served)
            granted[request.id] = Permit(request.id, begin_by=now)
        return PermitDecisions(granted=granted, waits=waits)

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
