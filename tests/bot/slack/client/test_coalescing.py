import asyncio

from bot.slack.client.coalescing import Coalesced


async def test_only_newest_state_is_shown() -> None:
    """States in between are dropped and the newest is shown."""
    shown: list[int] = []
    both = asyncio.Event()

    async def show(state: int) -> bool:
        shown.append(state)
        if len(shown) > 1:
            both.set()
        return True

    async with Coalesced(show, every=0.01) as progress:
        progress.set(1)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for state in range(2, 50):
            progress.set(state)
        await both.wait()

    assert shown == [1, 49]


async def test_unchanged_state_is_shown_once() -> None:
    """A state that stands is not shown again."""
    shown: list[int] = []
    second = asyncio.Event()

    async def show(state: int) -> bool:
        shown.append(state)
        if state == 2:
            second.set()
        return True

    async with Coalesced(show, every=0) as progress:
        for _ in range(5):
            progress.set(1)
            await asyncio.sleep(0.001)
        progress.set(2)
        await second.wait()

    assert shown == [1, 2]


async def test_pending_state_is_dropped_at_end() -> None:
    """What is pending at the end is dropped and nothing is left running."""
    shown: list[int] = []

    async def show(state: int) -> bool:
        shown.append(state)
        return True

    async with Coalesced(show, every=60) as progress:
        progress.set(1)
        await asyncio.sleep(0.001)
        progress.set(2)

    assert shown == [1]
    assert len(asyncio.all_tasks()) == 1


async def test_states_are_shown_sequentially() -> None:
    """Only one state is being shown at a time."""
    under_way = 0
    most = 0
    done = asyncio.Event()

    async def show(state: int) -> bool:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001)
        under_way -= 1
        if state == 3:
            done.set()
        return True

    async with Coalesced(show, every=0) as progress:
        for state in (1, 2, 3):
            progress.set(state)
            await asyncio.sleep(0.0005)
        await done.wait()

    assert most == 1


async def test_failed_state_is_tried_again() -> None:
    """What could not be shown is tried again."""
    tried: list[int] = []
    shown = asyncio.Event()

    async def show(state: int) -> bool:
        tried.append(state)
        if len(tried) == 3:
            shown.set()
        return len(tried) == 3

    async with Coalesced(show, every=0.001) as progress:
        progress.set(7)
        await shown.wait()
        await asyncio.sleep(0.01)

    assert tried == [7, 7, 7]


async def test_initial_state_delays_the_next() -> None:
    """What stands already is left for a while."""
    shown: list[int] = []

    async def show(state: int) -> bool:
        shown.append(state)
        return True

    async with Coalesced(show, every=60, shown=1) as progress:
        progress.set(2)
        await asyncio.sleep(0.001)
    assert shown == []


async def test_initial_state_is_not_shown_again() -> None:
    """What stands already is not shown again."""
    shown: list[int] = []
    done = asyncio.Event()

    async def show(state: int) -> bool:
        shown.append(state)
        done.set()
        return True

    async with Coalesced(show, every=0, shown=1) as progress:
        progress.set(1)
        await asyncio.sleep(0.001)
        progress.set(2)
        await done.wait()
    assert shown == [2]
