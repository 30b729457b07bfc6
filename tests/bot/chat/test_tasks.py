import asyncio
import logging

import pytest

from bot.chat.tasks import Tasks


async def test_finished_task_is_forgotten() -> None:
    """What is begun is done and forgotten."""
    done = asyncio.Event()

    async def work() -> None:
        done.set()

    tasks = Tasks()
    assert tasks.start("a form", work())
    await done.wait()
    await tasks.drain(1)


async def test_task_count_is_bounded(caplog: pytest.LogCaptureFixture) -> None:
    """No more are begun than can be held."""
    go_on = asyncio.Event()

    async def work() -> None:
        await go_on.wait()

    tasks = Tasks(at_most=2)
    assert [tasks.start("a form", work()) for _ in range(3)] == [True, True, False]
    assert "a form was not begun" in caplog.text
    go_on.set()
    await tasks.drain(1)
    assert tasks.start("a form", work())
    await tasks.drain(1)


async def test_failure_log_has_only_name(caplog: pytest.LogCaptureFixture) -> None:
    """A failure is logged by its name alone."""

    async def work() -> None:
        raise ValueError("what somebody wrote")

    tasks = Tasks()
    tasks.start("status", work())
    with caplog.at_level(logging.WARNING):
        await tasks.drain(1)
        await asyncio.sleep(0)
    assert "status failed: ValueError" in caplog.text
    assert "what somebody wrote" not in caplog.text


async def test_slow_task_is_cancelled() -> None:
    """Work that takes too long is ended."""
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    tasks = Tasks(seconds=0.01)
    tasks.start("slow", work())
    await ended.wait()
    await tasks.drain(1)


async def test_task_may_set_its_own_timeout() -> None:
    """Work may have a longer time of its own."""
    done = asyncio.Event()

    async def work() -> None:
        await asyncio.sleep(0.05)
        done.set()

    tasks = Tasks(seconds=0.001)
    tasks.start("a deletion", work(), seconds=10)
    await tasks.drain(10)
    assert done.is_set()


async def test_unfinished_tasks_end_at_stop() -> None:
    """What is late when the bot stops is ended."""
    begun, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    tasks = Tasks()
    tasks.start("slow", work())
    await begun.wait()
    await tasks.drain(0.01)
    assert ended.is_set()
