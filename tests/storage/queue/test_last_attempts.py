import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from storage.durable.timeouts import Pauses
from storage.queue import last_attempts
from storage.queue.last_attempts import LastAttempts


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
def attempts(pauses: Pauses) -> LastAttempts:
    return LastAttempts(pauses)


@contextlib.asynccontextmanager
async def begun(attempts: LastAttempts, run_id: str) -> AsyncIterator[asyncio.Event]:
    """An attempt by somebody else; the event is set when it has begun."""
    has_begun = asyncio.Event()

    async def attempt() -> None:
        async with attempts.alone(run_id):
            has_begun.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(attempt())
    await asyncio.sleep(0)
    try:
        yield has_begun
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_one_begins_when_the_other_ends(attempts: LastAttempts) -> None:
    async with asyncio.timeout(5), contextlib.AsyncExitStack() as second:
        async with begun(attempts, "one"):
            two = await second.enter_async_context(begun(attempts, "two"))
            await asyncio.sleep(0.01)
            assert not two.is_set()
        await two.wait()


async def test_long_running_attempt_blocks_nobody(
    attempts: LastAttempts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that has lived for a while holds up nobody."""
    monkeypatch.setattr(last_attempts, "_ALONE_SECONDS", 0.01)
    async with asyncio.timeout(5), begun(attempts, "one"), begun(attempts, "two") as two:
        await two.wait()


async def test_nobody_waits_without_end(
    attempts: LastAttempts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(last_attempts, "_WAIT_SECONDS", 0.01)
    async with asyncio.timeout(5), begun(attempts, "one"), begun(attempts, "two") as two:
        await two.wait()


@pytest.mark.parametrize("is_end", [True, False])
async def test_cancel_and_stop_end_waiting(
    attempts: LastAttempts, pauses: Pauses, is_end: bool
) -> None:
    """A cancel and a stop are heard at once."""
    async with (
        asyncio.timeout(5),
        begun(attempts, "one"),
        begun(attempts, "two") as two,
        begun(attempts, "three") as three,
    ):
        if is_end:
            pauses.end()
            await three.wait()
        else:
            pauses.cut("two")
        await two.wait()
        assert three.is_set() is is_end


async def test_interrupted_waiter_passes_its_turn(
    attempts: LastAttempts,
) -> None:
    """One that is broken off while it waits leaves the turn to the next."""
    async with asyncio.timeout(5):
        async with begun(attempts, "one"), begun(attempts, "two"):
            pass
        async with begun(attempts, "three") as three:
            await three.wait()
