"""Set how long the engine waits for what: for a run, for its database, for an outage to end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from masis.errors import RunTakenOver, StoreUnavailable
from masis.policy import RUN_LIMIT_SECONDS
from storage.sql.database import Database

log = logging.getLogger(__name__)

T = TypeVar("T")

LAST_WORD_SECONDS: Final = 60.0
LIMIT_SECONDS: Final = RUN_LIMIT_SECONDS + LAST_WORD_SECONDS
INTERRUPT_SECONDS: Final = 5.0
RETRY_SECONDS: Final = 2.0

_OUTAGE_TRIES: Final = 15
_OUTAGE_PAUSE_SECONDS: Final = 1.0
"""Between two of them, while the database is locked or its disk is full."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Set how long what may take, in seconds."""

    attempt: float = LIMIT_SECONDS
    """One attempt."""
    interrupt: float = INTERRUPT_SECONDS
    """A post takes less; what is outside of a step for longer is broken off where it stands."""
    retry: float = RETRY_SECONDS
    """Before a run is tried again; each further try waits as much longer."""


async def retry_on_outage(database: Database, action: Callable[[], Awaitable[T]]) -> T:
    """Do it again while the database is locked, full or away.

    What its transaction comes to may have been written by a try before, whose end was not heard.

    Raises:
        RunTakenOver: it stays so; the run is left where it is.
    """
    for _ in range(_OUTAGE_TRIES):
        try:
            with database.reported():
                return await action()
        except StoreUnavailable as error:
            log.warning("The engine waits for its database: %s", error)
            await asyncio.sleep(_OUTAGE_PAUSE_SECONDS)
    raise RunTakenOver


class Pauses:
    """Waits of runs that are not at work: over in time, or when something happens to the run."""

    def __init__(self) -> None:
        self._waits: dict[asyncio.Future[None], str] = {}
        self.is_over = False
        """Whether the process stops."""

    @property
    def runs(self) -> set[str]:
        """Those whose waits can be cut short."""
        return {run_id for run_id in self._waits.values() if run_id}

    async def wait(
        self, seconds: float, run_id: str = "", until: asyncio.Future[Any] | None = None
    ) -> None:
        """Wait for so long, until that is done, or until the run's wait is cut short."""
        if self.is_over:
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waits[woken] = run_id
        both = {woken} if until is None else {woken, until}
        try:
            await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self._waits[woken]

    def cut(self, run_id: str) -> None:
        """Something happened to the run: it waits no longer."""
        self._wake(woken for woken, name in self._waits.items() if name == run_id)

    def end(self) -> None:
        """Nobody waits any longer, now and from now on."""
        self.is_over = True
        self._wake(self._waits)

    @staticmethod
    def _wake(waits: Iterable[asyncio.Future[None]]) -> None:
        for woken in waits:
            if not woken.done():
                woken.set_result(None)
