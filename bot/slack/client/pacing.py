"""Limit how fast MASIS talks to Slack: one queue a channel, one budget a method, and retries."""

import asyncio
import contextlib
import email.utils
import math
import random
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.slack.limits import POST_BURST, POSTS_PER_CHANNEL_S, RATES, Tier
from bot.slack.slack_errors import RateLimited, Unavailable
from masis.conversation import Tenant

T = TypeVar("T")

MINUTE: Final = 60.0
ON_THE_WAY: Final = 1.0
"""Slack counts a call when it arrives: one may take so much longer than one a minute later."""
LONGEST_WAIT: Final = MINUTE + ON_THE_WAY
"""What Slack asks for beyond this is not sat out: the caller gets `RateLimited` at once."""
LONGEST_TOLD: Final = 3600.0
"""A Retry-After beyond an hour is read as an hour: a header must not close a team for ever."""
UNTOLD: Final = 5.0
"""The wait after a 429 that does not say for how long."""
RATE_LIMIT_TRIES: Final = 5
REPEATS: Final = 2
"""How often a call that may be repeated is repeated when Slack is in trouble."""
REPEAT_PAUSE: Final = 0.5
"""Before the first repeat, doubled before the second, each with up to as much again at random."""
QUEUE: Final = 200
_ROUNDING: Final = 1e-9
QUEUES: Final = 10_000
"""Queues and budgets that are remembered, of all teams; the longest unused goes first."""
RESERVE: Final = 0.2
"""The share of a method's budget that is kept for what must not be dropped."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Hold the sources of time. `now` and `sleep` belong together, and `wall` reads HTTP dates."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    wall: Callable[[], float] = time.time


def retry_after(header: str | None, now: float) -> float:
    """Seconds to stay away, as told by a Retry-After header; `now` is the wall clock's.

    Integers, decimals and HTTP dates are understood. Nothing, nonsense and what is not finite
    count as untold; everything is cut at an hour.
    """
    text = (header or "").strip()
    try:
        seconds = float(text)
    except ValueError:
        seconds = _until(text, now)
    if not math.isfinite(seconds) or seconds < 0:
        return UNTOLD
    return min(seconds, LONGEST_TOLD)


def _until(text: str, now: float) -> float:
    try:
        return max(email.utils.parsedate_to_datetime(text).timestamp() - now, 0.0)
    except (ValueError, OverflowError):
        return math.nan


class Window:
    """At most `limit` in any `seconds`; a limit of 0 sets none. Bare arithmetic, no waiting."""

    def __init__(self, limit: int, seconds: float) -> None:
        self._limit = limit
        self._seconds = seconds
        self._taken: deque[float] = deque(maxlen=limit)
        self._closed_until = -math.inf

    def wait(self, now: float) -> float:
        """Seconds until the next one may go."""
        full = self._limit and len(self._taken) == self._limit
        free_at = self._taken[0] + self._seconds if full else -math.inf
        return max(free_at - now, self._closed_until - now, 0.0)

    def spare(self, now: float) -> float:
        """The share of the limit that is free now: 1 where there is none, 0 while closed."""
        if self._closed_until > now:
            return 0.0
        if not self._limit:
            return 1.0
        used = sum(taken > now - self._seconds for taken in self._taken)
        return 1 - used / self._limit

    def take(self, now: float) -> None:
        """One goes now."""
        self._taken.append(now)

    def close(self, until: float) -> None:
        """Let nothing through before then."""
        self._closed_until = max(self._closed_until, until)


class CallQueue:
    """A queue in front of a window, first come first served, with room for `QUEUE`."""

    def __init__(self, window: Window, clock: Clock) -> None:
        self.window = window
        self._clock = clock
        self._lock = asyncio.Lock()
        self._inside = 0

    @property
    def busy(self) -> bool:
        """Say whether anybody is in the queue."""
        return self._inside > 0

    @contextlib.asynccontextmanager
    async def head(self) -> AsyncIterator[None]:
        """Be at the head of the queue while the block runs.

        Raises:
            RateLimited: the queue is full.
        """
        if self._inside >= QUEUE:
            raise RateLimited(
                f"more than {QUEUE} calls of one kind wait for Slack", retry_after=LONGEST_WAIT
            )
        self._inside += 1
        try:
            async with self._lock:
                yield
        finally:
            self._inside -= 1

    async def let_through(self) -> None:
        """Wait until the window is open, for the one at the head.

        Raises:
            RateLimited: that would take longer than `LONGEST_WAIT`.
        """
        # A sleep may end a little early, and the window may be closed meanwhile: ask again.
        while (wait := self.window.wait(self._clock.now())) > 0:
            if wait > LONGEST_WAIT:
                raise RateLimited(f"Slack asks to wait {wait:.0f} s", retry_after=wait)
            await self._clock.sleep(wait)
        self.window.take(self._clock.now())


class Pacing:
    """Sends calls as fast as Slack allows and no faster, each team by itself.

    A post goes through its channel's queue and holds it until Slack has answered, so that the
    order is kept; every other call goes through the budget of its method.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self.processes = 1
        """How many processes call Slack for the same teams; each knows its own calls alone."""
        self._clock = clock or Clock()
        self._queues: OrderedDict[Hashable, CallQueue] = OrderedDict()

    def share(self, processes: int) -> None:
        """Share Slack's limits with so many processes, this one among them."""
        self.processes = processes

    async def post(self, tenant: Tenant, channel: str, call: Callable[[], Awaitable[T]]) -> T:
        """Post in a channel; repeated only where the call cannot have been taken.

        Raises:
            RateLimited: longer than is sat out here.
            SlackError: whatever else the call raises.
        """
        queue = self._queue(
            (tenant, "channel", channel), POST_BURST, POST_BURST / POSTS_PER_CHANNEL_S
        )
        async with queue.head():
            return await self._tries(queue, queue.let_through, call, repeat=False)

    async def call(
        self,
        tenant: Tenant,
        method: str,
        call: Callable[[], Awaitable[T]],
        *,
        repeat: bool,
        patient: bool = True,
    ) -> T:
        """Call a method; `repeat` says that doing it twice is doing it once.

        One that is not `patient` is tried once.

        Raises:
            RateLimited: longer than is sat out here.
            SlackError: whatever else the call raises.
        """
        queue = self._budget(tenant, method)

        async def let_through() -> None:
            async with queue.head():
                await queue.let_through()

        return await self._tries(queue, let_through, call, repeat=repeat, patient=patient)

    def has_room(self, tenant: Tenant, method: str) -> bool:
        """Tell whether to make a call that may be dropped: nobody waits, and much is left.

        Such calls keep to this process's share of the budget, so that all of them together hold it.
        """
        queue = self._budget(tenant, method)
        used = 1 - queue.window.spare(self._clock.now())
        return not queue.busy and used * self.processes < 1 - RESERVE - _ROUNDING

    def in_order(self, tenant: Tenant, *what: str) -> CallQueue:
        """A queue without a limit, for calls about one thing that must not overtake each other."""
        return self._queue((tenant, "order", *what), 0, 0)

    async def _tries(
        self,
        queue: CallQueue,
        let_through: Callable[[], Awaitable[None]],
        call: Callable[[], Awaitable[T]],
        *,
        repeat: bool,
        patient: bool = True,
    ) -> T:
        limited = failed = 0
        while True:
            await let_through()
            try:
                return await call()
            except RateLimited as error:
                queue.window.close(self._clock.now() + error.retry_after)
                limited += 1
                if not patient or limited >= RATE_LIMIT_TRIES or error.retry_after > LONGEST_WAIT:
                    raise
            except Unavailable as error:
                failed += 1
                if not patient or failed > REPEATS or not (repeat or error.unsent):
                    raise
                pause = REPEAT_PAUSE * 2 ** (failed - 1)
                await self._clock.sleep(pause * (1 + random.random()))  # noqa: S311 - spreads load

    def _budget(self, tenant: Tenant, method: str) -> CallQueue:
        return self._queue(
            (tenant, "method", method), RATES.get(method, Tier.SPECIAL), MINUTE + ON_THE_WAY
        )

    def _queue(self, key: Hashable, limit: int, seconds: float) -> CallQueue:
        queue = self._queues.get(key)
        if queue is None:
            self._make_room()
            queue = self._queues[key] = CallQueue(Window(limit, seconds), self._clock)
        self._queues.move_to_end(key)
        return queue

    def _make_room(self) -> None:
        if len(self._queues) < QUEUES:
            return
        # One that somebody stands in stays: its order would be lost.
        idle = next((key for key, queue in self._queues.items() if not queue.busy), None)
        if idle is not None:
            del self._queues[idle]
