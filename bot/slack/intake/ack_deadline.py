"""Waiting for somebody who has no time: Slack wants its acknowledgement within 3 s."""

import asyncio
from collections.abc import Awaitable
from typing import Any, Final, TypeVar

T = TypeVar("T")

_BROKEN_OFF: Final[set[asyncio.Future[Any]]] = set()
"""The loop itself holds tasks by weak references only."""


async def within(seconds: float, work: Awaitable[T]) -> T:
    """Return the result of the work, within so many seconds.

    Longer work is cancelled, and its end is not waited for.

    Who is in the middle of a statement to a server that fell silent needs 5 s to end it: so long
    the driver tries to tell the server.

    Raises:
        TimeoutError: it took longer.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if task.cancel():
            _BROKEN_OFF.add(task)
            task.add_done_callback(_ended)
    if not task.done():
        raise TimeoutError
    return task.result()


def _ended(task: asyncio.Future[Any]) -> None:
    _BROKEN_OFF.discard(task)
    if not task.cancelled():
        task.exception()  # nobody asks for it any more
