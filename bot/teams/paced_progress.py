"""Show the newest state of something that changes faster than it may be shown."""

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Generic, Self, TypeVar

from bot.teams.connector.conversation_limits import PROGRESS_SECONDS

T = TypeVar("T")


class Paced(Generic[T]):
    """Calls `show` with the newest state, at most once in `every` seconds, one call at a time.

    States in between are dropped; so is what is pending when the block ends. A call that is under
    way then is waited for: broken off it might still arrive, behind the outcome.
    """

    def __init__(
        self, show: Callable[[T], Awaitable[None]], *, every: float = PROGRESS_SECONDS
    ) -> None:
        self._show = show
        self._every = every
        self._newest: T | None = None
        self._changed = asyncio.Event()
        self._over = asyncio.Event()
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
        self._over.set()
        self._changed.set()
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        shown: T | None = None
        while not await self._is_over(self._every):
            await self._changed.wait()
            self._changed.clear()
            if self._newest != shown and not self._over.is_set() and self._newest is not None:
                shown = self._newest
                await self._show(shown)

    async def _is_over(self, within: float) -> bool:
        try:
            async with asyncio.timeout(within):
                return await self._over.wait()
        except TimeoutError:
            return False
