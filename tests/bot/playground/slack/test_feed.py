import asyncio

import pytest

from bot.playground.slack.feed import WATCHED, Feed


async def test_waiting_ends_with_the_change() -> None:
    """Waiting ends with the change that it was for."""
    feed, found = Feed(), list[int]()
    waiting = asyncio.create_task(feed.until(lambda: found))
    await asyncio.sleep(0)
    feed.tell("something else")
    await asyncio.sleep(0)
    assert not waiting.done()
    found.append(1)
    feed.tell("this")

    assert await waiting == [1]


async def test_fulfilled_condition_needs_no_wait() -> None:
    """What is so already is not waited for."""
    assert await Feed().until(lambda: "here", timeout_s=0.01) == "here"


async def test_waiting_has_an_end() -> None:
    with pytest.raises(TimeoutError):
        await Feed().until(lambda: None, timeout_s=0.01)


async def test_slow_watcher_loses_oldest_changes() -> None:
    """A watcher sees each change and loses the oldest when too slow."""
    feed = Feed()
    with feed.subscribe() as watcher:
        for number in range(WATCHED + 2):
            feed.tell("counted", number=number)
        changes = aiter(watcher)
        first = await anext(changes)

        assert (first.kind, first.about, watcher.lost) == ("counted", {"number": 2}, 2)
    feed.tell("counted", number=0)
    assert watcher.lost == 2, "nobody watches any more"
