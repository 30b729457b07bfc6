"""Keep to what Teams takes: the one table of its limits, and windows that calls wait for."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.teams.connector.connector_errors import RateLimited


class Limit(NamedTuple):
    """So many calls in so many seconds."""

    calls: int
    seconds: float


SENDING: Final = (Limit(7, 1.0), Limit(8, 2.0), Limit(60, 30.0), Limit(1800, 3600.0))
"""Posts and updates of one bot in one conversation: all threads of a channel together."""
LOOKING: Final = (Limit(14, 1.0), Limit(120, 30.0), Limit(3600, 3600.0))
"""Questions after members, teams and channels."""
WHOLE: Final = (Limit(30, 1.0),)
"""All calls of one bot for one organisation; Teams' own pages say 30 to 50."""
CARD_CHARS: Final = 40_000
"""Of a message's JSON: Teams takes about 100 KB as UTF-16, with what it adds to it."""
PROGRESS_SECONDS: Final = 4.0
"""Progress is shown at most this often."""
PROGRESS_SHARE: Final = 0.6
"""Of a limit's calls, up to which progress is shown: the rest is for answers."""
RATE_LIMIT_TRIES: Final = 5
REPEATS: Final = 3
"""Of a call that failed and may be repeated."""
PAUSE_SECONDS: Final = 1.0
"""Before the first repeat, doubled with each."""
LONGEST_WAIT: Final = 60.0
CONVERSATIONS: Final = 1000
"""Conversations whose calls are counted; one that is forgotten begins anew."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time, and a way to let it pass."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Window:
    """The calls of one conversation, counted against several limits at once."""

    def __init__(self, limits: tuple[Limit, ...]) -> None:
        self._limits = limits
        self._taken: deque[float] = deque(maxlen=max(limit.calls for limit in limits))
        self._closed_until = float("-inf")

    def wait(self, now: float, processes: int = 1) -> float:
        """Return the seconds until the next call may go, where so many processes make them."""
        waits = [
            self._taken[-calls] + limit.seconds - now
            for limit in self._limits
            if len(self._taken) >= (calls := max(1, limit.calls // processes))
        ]
        return max(0.0, self._closed_until - now, *waits)

    def used(self, now: float) -> float:
        """Return the largest share of a limit that is used now; 1 while closed."""
        if self._closed_until > now:
            return 1.0
        # Two calls in a second are no crowd: what counts is the longer windows, where there are any.
        longer = [limit for limit in self._limits if limit.seconds > PROGRESS_SECONDS]
        return max(
            sum(at > now - limit.seconds for at in self._taken) / limit.calls
            for limit in longer or self._limits
        )

    def take(self, now: float) -> None:
        """Count a call that goes now."""
        self._taken.append(now)

    def close(self, until: float) -> None:
        """Let nothing through before then."""
        self._closed_until = max(self._closed_until, until)


class Windows:
    """The windows of all conversations. A call waits for its turn behind those before it.

    Each process keeps to its share of a limit: so many of them cannot count together.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock: Final = clock or Clock()
        self._processes = 1
        self._windows: OrderedDict[Hashable, tuple[Window, asyncio.Lock]] = OrderedDict()

    def share(self, processes: int) -> None:
        """Share Teams' limits with so many processes, this one among them."""
        self._processes = processes

    async def turn(self, key: Hashable, limits: tuple[Limit, ...]) -> None:
        """Wait until a call may go, and count it.

        Raises:
            RateLimited: that would take longer than `LONGEST_WAIT`.
        """
        window, lock = self._find(key, limits)
        async with lock:
            # A sleep may end a little early, and the window may be closed meanwhile: ask again.
            while (wait := window.wait(self.clock.now(), self._processes)) > 0:
                if wait > LONGEST_WAIT:
                    raise RateLimited("Teams takes no more calls for now.", retry_after=wait)
                await self.clock.sleep(wait)
            window.take(self.clock.now())

    def close(self, key: Hashable, limits: tuple[Limit, ...], seconds: float) -> None:
        """Let nothing of a conversation through for so many seconds."""
        window, _ = self._find(key, limits)
        window.close(self.clock.now() + seconds)

    def has_room(self, key: Hashable, limits: tuple[Limit, ...]) -> bool:
        """Tell whether to make a call that may be dropped: nobody waits, and much is left.

        Such calls keep to this process's share, so that all of them together hold it.
        """
        window, lock = self._find(key, limits)
        used = window.used(self.clock.now()) * self._processes
        return not lock.locked() and used < PROGRESS_SHARE

    def _find(self, key: Hashable, limits: tuple[Limit, ...]) -> tuple[Window, asyncio.Lock]:
        found = self._windows.get(key)
        if found is None:
            self._make_room()
            found = self._windows[key] = (Window(limits), asyncio.Lock())
        self._windows.move_to_end(key)
        return found

    def _make_room(self) -> None:
        if len(self._windows) < CONVERSATIONS:
            return
        idle = next((key for key, (_, lock) in self._windows.items() if not lock.locked()), None)
        if idle is not None:
            del self._windows[idle]
