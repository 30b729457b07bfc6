"""Decide when model calls may begin, and hold the permits of one process without a database."""

import asyncio
import itertools
import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from masis.models.fair_order import by_turns
from masis.policy import MAX_RETRY_AFTER, RATE_WINDOW
from masis.ports import Place, Ticket, Turns, Wait

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
        rounds, slot = divmod(rank, len(self.free_at))
        first = max(self.free_at[slot], self.closed_until, self.now)
        return first + rounds * self.window - self.now


def decide(
    service: Service, waiting: Sequence[Ticket], last_turn: Mapping[str, float]
) -> list[tuple[Ticket, Wait]]:
    """Return how long each has to wait, in the order in which they are served.

    `waiting` are all who wait for the service, in order of arrival.
    """
    served = by_turns(waiting, lambda ticket: ticket.workspace_id, last_turn)
    seconds = {ticket.id: service.starts_in(rank) for rank, ticket in enumerate(served)}
    staying = [ticket.id for ticket in waiting if seconds[ticket.id] > 0]
    before = {ticket_id: position for position, ticket_id in enumerate(staying)}
    return [
        (ticket, Wait(seconds=seconds[ticket.id], before=before.get(ticket.id, 0)))
        for ticket in served
    ]


class MemoryCallSlots:
    """The `CallSlots` of `masis.ports` for one gateway in one process, gone with it.

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
        self._last_turn: OrderedDict[str, float] = OrderedDict()
        self._turns = itertools.count(1)

    async def ask(self, tickets: Sequence[Ticket]) -> Turns:
        """Let in whom the window allows."""
        now = _now()
        self._expire(now)
        service = Service(now, self._window, self._closed_until, self._soonest(now, len(tickets)))
        places: dict[str, Place] = {}
        waits: dict[str, Wait] = {}
        for ticket, wait in decide(service, tickets, self._last_turn):
            if wait.seconds > 0:
                waits[ticket.id] = wait
                continue
            self._free_at[ticket.id] = now + self._window
            self._had_turn(ticket.workspace_id)
            places[ticket.id] = Place(ticket.id, begin_by=now)
        return Turns(places=places, waits=waits)

    async def begin(self, place: Place) -> Place | None:
        """Count the window from now; None when the place is another's by now."""
        if self._free_at.pop(place.id, None) is None:
            return None
        self._free_at[place.id] = _now() + self._window
        # The call begins before the loop does anything else.
        return Place(place.id, begin_by=math.inf)

    async def give_back(self, place: Place) -> None:
        """The call is not made."""
        self._free_at.pop(place.id, None)

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

    def _had_turn(self, workspace: str) -> None:
        self._last_turn[workspace] = next(self._turns)
        self._last_turn.move_to_end(workspace)
        if len(self._last_turn) > _REMEMBERED_WORKSPACES:
            self._last_turn.popitem(last=False)


def _now() -> float:
    return asyncio.get_running_loop().time()
