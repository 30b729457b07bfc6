"""A run while this process works on it, and how it is broken off."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar
from typing import Any, TypeVar

from masis.conversation import ChatRun
from masis.errors import RunInterrupted, RunTakenOver

T = TypeVar("T")

_current: ContextVar["Execution | None"] = ContextVar("masis_execution", default=None)


def current() -> "Execution | None":
    """The execution that the caller is part of; None outside of a durable run."""
    return _current.get()


async def check() -> None:
    """Make sure that the run that the caller is part of, if any, is still this process's.

    To be called right before what cannot be taken back. It costs nothing as long as the process
    knows that the others hold it for alive.

    Raises:
        RunTakenOver: another process may be at it.
    """
    execution = current()
    if execution is not None:
        await execution.check()


class Execution:
    """One call of a run's handler. `held` is the run as it stood when the attempt began.

    An interruption is raised within the step of the graph that is at work, or in the next one.
    Elsewhere the handler is given a while first: it may be in the middle of a post.
    """

    def __init__(
        self,
        held: ChatRun,
        *,
        objection: Callable[[], Awaitable[type[RunInterrupted] | None]],
        is_ours: Callable[[], Awaitable[bool]],
    ) -> None:
        self.held = held
        self.workspace_id = held.workspace_id
        self.interrupted: type[RunInterrupted] | None = None
        self.is_raised = False
        """Whether the interruption was raised within the handler."""
        self._objection = objection
        self._is_ours = is_ours
        self._handler: asyncio.Task[None] | None = None
        self._steps: set[asyncio.Task[Any]] = set()

    async def run(self, handler: Coroutine[Any, Any, None]) -> None:
        """Await the handler.

        Raises:
            RunInterrupted: it was broken off, and left the rest to the caller.
        """
        before = _current.set(self)
        try:
            self._handler = asyncio.create_task(handler)
        finally:
            _current.reset(before)
        try:
            await self._handler
        except asyncio.CancelledError:
            if self.interrupted is None:
                raise
            raise self.interrupted from None

    async def step(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do a step of the run.

        Raises:
            RunInterrupted: the run was broken off before or meanwhile.
        """
        if self.interrupted is None:
            objection = await self._objection()
            self.interrupted = self.interrupted or objection
        if self.interrupted is not None:
            raise self._raised(self.interrupted)
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a coroutine runs in a task
        self._steps.add(task)
        try:
            return await work()
        except asyncio.CancelledError:
            if self.interrupted is None:
                raise
            task.uncancel()
            raise self._raised(self.interrupted) from None
        finally:
            self._steps.discard(task)

    async def check(self) -> None:
        """See `check` above."""
        if not await self._is_ours():
            raise RunTakenOver

    async def interrupt(self, reason: type[RunInterrupted], grace: float) -> None:
        """Break the run off: in its step at once, elsewhere after `grace` seconds.

        A handler in which it was raised that the run is cancelled may take its time to say so.
        """
        self.interrupted = reason
        for step in self._steps:
            step.cancel()
        if self._handler is None:
            return
        await asyncio.wait({self._handler}, timeout=grace)
        if reason is RunTakenOver or not self.is_raised:
            self._handler.cancel()

    def _raised(self, reason: type[RunInterrupted]) -> RunInterrupted:
        self.is_raised = True
        return reason()
