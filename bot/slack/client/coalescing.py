"""Shows the newest state of something that changes faster than it may be shown."""

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

T = TypeVar("T")

EVERY_SECONDS: Final = 2.0
"""Progress is shown at most this often: an update is an API call and a flicker for who reads."""


class Coalesced(Generic[T]):
    """Calls `show` with the newest state, at most once in `every` seconds, one call at a time.

    A state that `show` says it could not show (False) is tried again.

    States in between are dropped, and one that was shown already is not shown again; `shown` was,
    just before the block begins. What is pending when the block ends is dropped too: the end of a
    run has its own state.
    """

    def __init__(
        self,
        show: Callable[[T], Awaitable[bool]],
        *,
        every: float = EVERY_SECONDS,
        shown: T | None = None,
    ) -> None:
        self._show = show
        self._every = every
        self._newest: T | None = None
        self._shown = shown
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def set(self, state: T) -> None:
        """Note a new state; returns at once."""
        self._newest = state
        self._changed.set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        if self._shown is not None:
            await asyncio.sleep(self._every)
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._newest is not None and self._newest != self._shown:
                newest = self._newest
                if await self._show(newest):
                    self._shown = newest
                else:
                    self._changed.set()
                await asyncio.sleep(self._every)
