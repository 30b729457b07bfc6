"""Keep clients waiting for what becomes of something, so many of them at a time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

T = TypeVar("T")

MOST_WAITING: Final = 100
"""Clients that are kept waiting at the same time; others are told at once where to look."""
_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 1.0


class Waits:
    """The clients of a process that wait."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._waiting = 0

    async def until(
        self, is_over: Callable[[T], bool], look: Callable[[], Awaitable[T]], seconds: float
    ) -> T:
        """Look until it is over, or the time is; gives what was seen last."""
        if self._waiting >= self._most:
            return await look()
        self._waiting += 1
        try:
            return await _until(is_over, look, seconds)
        finally:
            self._waiting -= 1


async def _until(
    is_over: Callable[[T], bool], look: Callable[[], Awaitable[T]], seconds: float
) -> T:
    # Who works on it may be another process: what is stored is what all see.
    clock, pause = asyncio.get_running_loop().time, _FIRST_PAUSE
    until = clock() + seconds
    while True:
        seen = await look()
        left = until - clock()
        if is_over(seen) or left <= 0:
            return seen
        await asyncio.sleep(min(pause, left))
        pause = min(pause * 1.5, _LONGEST_PAUSE)
