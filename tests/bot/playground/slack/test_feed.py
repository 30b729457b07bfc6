import asyncio

import pytest

from bot.playground.slack.feed import WATCHED, Feed


async def test_waiting_ends_with_the_change_that_it_was_for() -> None:
    feed, found = Feed(), list[int]()
    waiting = asyncio.create_task(feed.until(lambda: found))
    await asyncio.sleep(0)
    feed.tell("something else")
    await asyncio.sleep(0)
    assert not waiting.done()
    found.append(1)
    feed.tell("this")

    assert await waiting == [1]


async def test_what_is_so_already_is_not_waited_for() -> None:
    assert await Feed().until(lambda: "here", timeout_s=0.01) == "here"


async def test_waiting_has_an_end() -> None:
    with pytest.raises(TimeoutError):
        await Feed().until(lambda: None, timeout_s=0.01)


async def test_a_watcher_sees_each_change_and_loses_the_oldest_when_too_slow() -> None:
    feed = Feed()
    with feed.subscribe() as watcher:
        for number in range(WATCHED + 2):
            feed.tell("counted", number=number)
        changes = aiter(watcher)
        first = await anext(changes)

        assert (first.kind, first.about, watcher.lost) == ("counted", {"number": 2}, 2)
    feed.tell("counted", number=0)
    assert watcher.lost == 2, "nobody watches any more"
