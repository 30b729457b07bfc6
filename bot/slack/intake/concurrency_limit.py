"""Limit how many requests are taken in at a time: what all of them begin at once none ends in time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final

from masis.errors import TooBusy

_REMEMBERED: Final = 16
"""Of the latest ones each counts so much less for how long one takes."""


class ConcurrencyLimit:
    """At most `width` are inside at a time; others wait, first come first served.

    Who waits costs nothing yet, and who would not be through in time is turned away at once: those
    before it would be late too if it went first. `on_refused` counts those.
    """

    def __init__(self, width: int, *, on_refused: Callable[[], None] | None = None) -> None:
        self._width = width
        self._on_refused = on_refused
        self._room = asyncio.Semaphore(width)
        self._waiting = 0
        self._usual = 0.0
        """Seconds that one is inside, by the latest ones."""

    @asynccontextmanager
    async def inside(self, seconds: float) -> AsyncIterator[None]:
        """Be inside while the block runs, which is to be over within so many seconds from now.

        Raises:
            TooBusy: too many are before it.
        """
        if self._expected() > seconds:
            raise self._too_busy()
        await self._enter(seconds)
        began = monotonic()
        try:
            yield
        finally:
            self._room.release()
            self._usual += (monotonic() - began - self._usual) / _REMEMBERED

    async def _enter(self, seconds: float) -> None:
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds):
                await self._room.acquire()
        except TimeoutError:
            raise self._too_busy() from None
        finally:
            self._waiting -= 1

    def _expected(self) -> float:
        """Return how long it takes until one that comes now is through; who finds room is let in."""
        if not self._room.locked():
            return 0.0
        return (1 + (self._waiting + 1) / self._width) * self._usual

    def _too_busy(self) -> TooBusy:
        if self._on_refused is not None:
            self._on_refused()
        return TooBusy("Too many requests came at once, and this one was not begun. Ask again.")
