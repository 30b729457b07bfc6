"""Who is let in, who waits, and who is turned away before anything was done for it."""

import asyncio
from collections.abc import Callable

import pytest

from bot.slack.intake.concurrency_limit import ConcurrencyLimit
from masis.errors import TooBusy

SECONDS = 20.0
"""Longer than in the program: the machine may have other things to do."""


class Work:
    """What is done inside, each until it may end, by a clock that nothing else moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
        self.limit = ConcurrencyLimit(width)
        self.begun: list[int] = []
        self.now = 1000.0
        self._may_end = asyncio.Semaphore(0)
        monkeypatch.setattr("bot.slack.intake.concurrency_limit.monotonic", lambda: self.now)

    async def do(self, number: int, seconds: float = SECONDS) -> None:
        async with self.limit.inside(seconds):
            self.begun.append(number)
            await self._may_end.acquire()

    async def goes_on(self, took: float, ends: int = 1) -> None:
        """So many end, after so many seconds more."""
        self.now += took
        for _ in range(ends):
            self._may_end.release()
        for _ in range(10):
            await asyncio.sleep(0)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Work]:
    return lambda width: Work(monkeypatch, width)


async def test_others_wait_in_their_order(work: Callable[[int], Work]) -> None:
    here = work(2)
    going = [asyncio.create_task(here.do(number)) for number in range(5)]
    await here.goes_on(0, ends=0)
    assert here.begun == [0, 1]
    await here.goes_on(0.1)
    assert here.begun == [0, 1, 2]
    await here.goes_on(0.1, ends=4)
    assert here.begun == [0, 1, 2, 3, 4]
    await asyncio.gather(*going)


async def test_late_ones_are_refused_at_once(work: Callable[[int], Work]) -> None:
    """By how long the latest took; whoever finds room is let in however long that was."""
    here = work(1)
    for number in range(40):
        going = asyncio.create_task(here.do(number))
        await here.goes_on(0, ends=0)
        await here.goes_on(9.0)
        await going
    inside = asyncio.create_task(here.do(40))
    waiting = asyncio.create_task(here.do(41))
    await here.goes_on(0, ends=0)
    with pytest.raises(TooBusy):
        await here.do(42)
    await here.goes_on(9.0, ends=2)
    await asyncio.gather(inside, waiting)
    assert here.begun[-2:] == [40, 41]


async def test_waiting_ends_with_its_time(work: Callable[[int], Work]) -> None:
    """Nobody knew how long it takes: it is told when its time is up, and leaves its place."""
    here = work(1)
    inside = asyncio.create_task(here.do(0))
    await here.goes_on(0, ends=0)
    with pytest.raises(TooBusy):
        await here.do(1, seconds=0.01)
    after = asyncio.create_task(here.do(2))
    await here.goes_on(0.1, ends=2)
    await asyncio.gather(inside, after)
    assert here.begun == [0, 2]


async def test_error_leaves_its_place(work: Callable[[int], Work]) -> None:
    here = work(1)
    with pytest.raises(ValueError, match="broken"):
        async with here.limit.inside(SECONDS):
            raise ValueError("broken")
    async with here.limit.inside(SECONDS):
        pass
