import asyncio

import pytest

from bot.slack.intake.ack_deadline import within
from masis.errors import StoreUnavailable


async def test_quick_handler_returns_its_result() -> None:
    """What is quick gives what it gives."""
    assert await within(5, asyncio.sleep(0, "done")) == "done"


async def test_what_fails_fails() -> None:
    async def fails() -> None:
        raise StoreUnavailable("away")

    with pytest.raises(StoreUnavailable, match="away"):
        await within(5, fails())


async def test_slow_handler_cleanup_is_not_awaited() -> None:
    """The end of what takes too long is not waited for."""
    told, released, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow_to_end() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            told.set()
            await released.wait()
            ended.set()

    async with asyncio.timeout(5):
        with pytest.raises(TimeoutError):
            await within(0.01, slow_to_end())
        assert not ended.is_set()
        await told.wait()
        released.set()
        await ended.wait()


async def test_whose_caller_goes_is_broken_off() -> None:
    begun, told = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            told.set()

    async with asyncio.timeout(5):
        caller = asyncio.create_task(within(60, work()))
        await begun.wait()
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        await told.wait()
