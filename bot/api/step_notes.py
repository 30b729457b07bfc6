"""Write down how far a run is, so that any process can tell of it."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from masis.conversation import ChatRun
from masis.documents.indexing import OnShare
from masis.errors import StoreUnavailable
from masis.runs import OnStep, Step
from storage.chat.received_files import ReceivedFiles
from storage.chat.run_steps import MOST_STEPS, RunSteps

log = logging.getLogger(__name__)

EVERY_SECONDS: Final = 0.25
"""Steps of so long go into one transaction: others write, too."""
SHARE_SECONDS: Final = 0.5
"""A share is looked at by who waits for minutes."""
LAST_SECONDS: Final = 1.0
"""For what is left at the end. Progress is a courtesy: the run's outcome does not wait longer."""


@asynccontextmanager
async def noted(
    steps: RunSteps, run_id: str, *, every: float = EVERY_SECONDS
) -> AsyncIterator[OnStep]:
    """Note the steps that it is told of, until the block ends, and all of them by then."""
    told: list[Step] = []
    fresh = asyncio.Event()

    def on_step(step: Step) -> None:
        if len(told) < MOST_STEPS:
            told.append(step)
            fresh.set()

    writing = asyncio.create_task(_write(steps, run_id, told, fresh, every))
    try:
        yield on_step
    finally:
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_SECONDS):
                await _write_all(steps, run_id, told)


@asynccontextmanager
async def share_noted(
    files: ReceivedFiles, run: ChatRun, *, every: float = SHARE_SECONDS
) -> AsyncIterator[OnShare]:
    """Note the newest share that it is told of, until the block ends: the end has its own state."""
    newest: list[float] = []

    async def write() -> None:
        while True:
            if newest:
                share = newest[-1]
                newest.clear()
                with contextlib.suppress(StoreUnavailable):
                    await files.note_share(run, share)
            await asyncio.sleep(every)

    writing = asyncio.create_task(write())
    try:
        yield newest.append
    finally:
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)


async def _write(
    steps: RunSteps, run_id: str, told: list[Step], fresh: asyncio.Event, every: float
) -> None:
    while True:
        await fresh.wait()
        fresh.clear()
        await _write_all(steps, run_id, told)
        await asyncio.sleep(every)


async def _write_all(steps: RunSteps, run_id: str, told: list[Step]) -> None:
    """Write what is not written yet; what cannot be now stays for the next time."""
    batch = told.copy()
    if not batch:
        return
    try:
        await steps.add(run_id, batch)
    except StoreUnavailable as error:
        log.info("steps of run %s are not noted yet: %s", run_id, type(error).__name__)
    else:
        del told[: len(batch)]
