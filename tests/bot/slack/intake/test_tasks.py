import asyncio
import logging

import pytest

from bot.slack.intake.tasks import Tasks


async def test_what_is_begun_is_done_and_forgotten() -> None:
    done = asyncio.Event()

    async def work() -> None:
        done.set()

    tasks = Tasks()
    assert tasks.start("a form", work())
    await done.wait()
    await tasks.drain(1)


async def test_no_more_are_begun_than_can_be_held(caplog: pytest.LogCaptureFixture) -> None:
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


async def test_a_failure_is_logged_by_its_name_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        raise ValueError("what somebody wrote")

    tasks = Tasks()
    tasks.start("status", work())
    with caplog.at_level(logging.WARNING):
        await tasks.drain(1)
        await asyncio.sleep(0)
    assert "status failed: ValueError" in caplog.text
    assert "what somebody wrote" not in caplog.text


async def test_work_that_takes_too_long_is_ended() -> None:
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


async def test_work_may_have_a_longer_time_of_its_own() -> None:
    done = asyncio.Event()

    async def work() -> None:
        await asyncio.sleep(0.05)
        done.set()

    tasks = Tasks(seconds=0.001)
    tasks.start("a deletion", work(), seconds=10)
    await tasks.drain(10)
    assert done.is_set()


async def test_what_is_late_when_the_bot_stops_is_ended() -> None:
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
