"""The attempts after which a run is given up: each beside no other such one."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from storage.durable.timeouts import Pauses

_ALONE_SECONDS: Final = 3.0
"""What kills its process does so at the step that it died in: within a call, or a search."""
_WAIT_SECONDS: Final = 30.0
"""How long one waits for the others: for ten of them. Then it goes on beside them."""


class LastAttempts:
    """Makes them one after the other.

    A run that kills its process takes what is at work beside it along, each time. Before any of
    them is given up it is tried without the others, and only one of them dies again. Without this
    chaos's poison question took the five beside it along in two of three plays.
    """

    def __init__(self, pauses: Pauses) -> None:
        self._pauses = pauses
        self._lock = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def alone(self, run_id: str) -> AsyncIterator[None]:
        """Begin when no other one is at work here, and hold the others up for a while.

        It is beside them where that takes too long, the run is cancelled or the process stops.
        """
        if not await self._is_alone(run_id):
            yield
            return
        held = contextlib.ExitStack()
        held.callback(self._lock.release)
        # One that has lived for so long beside nobody is not the one.
        later = asyncio.get_running_loop().call_later(_ALONE_SECONDS, held.close)
        try:
            yield
        finally:
            later.cancel()
            held.close()

    async def _is_alone(self, run_id: str) -> bool:
        lock = asyncio.ensure_future(self._lock.acquire())
        try:
            await self._pauses.wait(_WAIT_SECONDS, run_id, until=lock)
        except asyncio.CancelledError:
            if not lock.cancel():
                self._lock.release()
            raise
        return not lock.cancel()  # which comes too late for who has it
