import asyncio
import email.utils
from collections.abc import Awaitable, Callable

import pytest

from bot.slack.client import pacing
from bot.slack.client.pacing import (
    LONGEST_TOLD,
    MINUTE,
    ON_THE_WAY,
    QUEUE,
    REPEATS,
    UNTOLD,
    Pacing,
    Window,
    retry_after,
)
from bot.slack.slack_errors import RateLimited, Refused, Unavailable
from tests.bot.slack.loopback import OURS, THEIRS, Time


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def paced(time: Time) -> Pacing:
    return Pacing(time.clock)


def fails(*errors: Exception) -> tuple[Callable[[], Awaitable[str]], list[int]]:
    """A call that raises these, one a time, and then goes well; and the count of its tries."""
    left, tries = list(errors), [0]

    async def call() -> str:
        tries[0] += 1
        if left:
            raise left.pop(0)
        return "done"

    return call, tries


# --- Retry-After -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("30", 30.0),
        (" 2 ", 2.0),
        ("1.5", 1.5),
        ("0", 0.0),
        ("120", 120.0),
        ("99999999", LONGEST_TOLD),
        (email.utils.formatdate(1_010, usegmt=True), 10.0),
        (email.utils.formatdate(990, usegmt=True), 0.0),
        (None, UNTOLD),
        ("", UNTOLD),
        ("soon", UNTOLD),
        ("nan", UNTOLD),
        ("inf", UNTOLD),
        ("-5", UNTOLD),
        ("Wed, 99 Foo 2026 00:00:00 GMT", UNTOLD),
        ("9" * 5_000, UNTOLD),
    ],
)
def test_retry_after_is_parsed(header: str | None, seconds: float) -> None:
    """Every form of retry after is read."""
    assert retry_after(header, 1_000.0) == seconds


# --- windows and lines -----------------------------------------------------------------------


def test_window_limits_calls_per_period() -> None:
    """A window lets so many through in so long."""
    window = Window(3, 10)
    for moment in (0.0, 1.0, 2.0):
        assert window.wait(moment) == 0
        window.take(moment)
    assert window.wait(2.0) == 8
    assert window.spare(2.0) == 0
    assert window.wait(10.0) == 0


def test_closed_window_admits_nothing() -> None:
    """A closed window lets nothing through whatever its limit."""
    for limit in (0, 3):
        window = Window(limit, 10)
        window.close(5)
        window.close(3)
        assert (window.wait(1.0), window.spare(1.0)) == (4, 0)
        assert (window.wait(5.0), window.spare(5.0)) == (0, 1)


async def test_channel_posts_keep_order_and_pace(paced: Pacing, time: Time) -> None:
    """Twenty posts in a channel keep their order and a second each."""
    done: list[tuple[int, float]] = []

    async def post(number: int) -> None:
        async def call() -> None:
            await asyncio.sleep(0)
            done.append((number, time.at))

        await paced.post(OURS, "C1", call)

    await asyncio.gather(*(post(number) for number in range(20)))
    assert [number for number, _ in done] == list(range(20))
    for start in range(20):
        within = [at for _, at in done if done[start][1] <= at < done[start][1] + 10]
        assert len(within) <= 10
    assert done[-1][1] - done[0][1] == 15


async def test_channels_and_teams_wait_separately(paced: Pacing, time: Time) -> None:
    """Channels and teams do not wait for each other."""

    async def call() -> None: ...

    for tenant in (OURS, THEIRS):
        for channel in ("C1", "C2"):
            for _ in range(5):
                await paced.post(tenant, channel, call)
    assert time.slept == []


async def test_method_budget_is_per_minute(paced: Pacing, time: Time) -> None:
    """A methods budget is kept by the minute."""

    async def call() -> None: ...

    for _ in range(51):
        await paced.call(OURS, "chat.update", call, repeat=True)
    assert time.slept == [60.0 + ON_THE_WAY]


async def test_a_full_line_takes_nobody_more(paced: Pacing) -> None:
    gate = asyncio.Event()

    async def call() -> None:
        await gate.wait()

    async with asyncio.timeout(5):
        waiting = [asyncio.create_task(paced.post(OURS, "C1", call)) for _ in range(QUEUE)]
        await asyncio.sleep(0)
        with pytest.raises(RateLimited, match="wait for Slack"):
            await paced.post(OURS, "C1", call)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def test_a_cancelled_post_frees_its_place(paced: Pacing) -> None:
    gate = asyncio.Event()

    async def stuck() -> None:
        await gate.wait()

    async def call() -> str:
        return "done"

    task = asyncio.create_task(paced.post(OURS, "C1", stuck))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await paced.post(OURS, "C1", call) == "done"


async def test_only_so_many_lines_are_remembered(
    paced: Pacing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "QUEUES", 3)
    gate = asyncio.Event()

    async def stuck() -> None:
        await gate.wait()

    async def call() -> None: ...

    held = asyncio.create_task(paced.post(OURS, "C0", stuck))
    await asyncio.sleep(0)
    for number in range(1, 10):
        await paced.post(OURS, f"C{number}", call)
    assert len(paced._queues) == 3
    assert (OURS, "channel", "C0") in paced._queues  # somebody stands in it
    gate.set()
    await held


async def test_droppable_calls_leave_reserved_room(paced: Pacing) -> None:
    """What may be dropped leaves room for what may not."""

    async def call() -> None: ...

    made = 0
    while paced.has_room(OURS, "chat.update"):
        await paced.call(OURS, "chat.update", call, repeat=True)
        made += 1
    assert made == 40
    assert paced.has_room(THEIRS, "chat.update")


async def test_progress_keeps_to_a_processes_share(paced: Pacing, time: Time) -> None:
    """Each of four processes shows a fourth of what one alone would, and more a minute later."""

    async def call() -> None: ...

    async def shown() -> int:
        made = 0
        while paced.has_room(OURS, "chat.update"):
            await paced.call(OURS, "chat.update", call, repeat=True)
            made += 1
        return made

    paced.processes = 4
    assert await shown() == 10
    await time.clock.sleep(MINUTE + ON_THE_WAY)
    assert await shown() == 10


# --- patience --------------------------------------------------------------------------------


async def test_a_rate_limit_is_sat_out(paced: Pacing, time: Time) -> None:
    call, tries = fails(RateLimited("", retry_after=7), RateLimited("", retry_after=2))
    assert await paced.post(OURS, "C1", call) == "done"
    assert (tries, time.slept) == ([3], [7.0, 2.0])


async def test_long_rate_limit_is_remembered(paced: Pacing, time: Time) -> None:
    """A long rate limit is handed back and remembered."""
    call, tries = fails(RateLimited("", retry_after=120))
    with pytest.raises(RateLimited) as told:
        await paced.call(OURS, "users.info", call, repeat=True)
    assert told.value.retry_after == 120
    time.at += 30
    with pytest.raises(RateLimited) as again:
        await paced.call(OURS, "users.info", call, repeat=True)
    assert (again.value.retry_after, tries) == (90, [1])
    time.at += 90
    assert await paced.call(OURS, "users.info", call, repeat=True) == "done"


async def test_endless_rate_limits_end(paced: Pacing) -> None:
    call, tries = fails(*(RateLimited("", retry_after=1) for _ in range(9)))
    with pytest.raises(RateLimited):
        await paced.call(OURS, "users.info", call, repeat=True)
    assert tries == [pacing.RATE_LIMIT_TRIES]


async def test_the_impatient_give_up_at_once(paced: Pacing, time: Time) -> None:
    call, tries = fails(RateLimited("", retry_after=1))
    with pytest.raises(RateLimited):
        await paced.call(OURS, "chat.update", call, repeat=True, patient=False)
    assert (tries, time.slept) == ([1], [])


async def test_unavailability_is_retried_with_backoff(paced: Pacing, time: Time) -> None:
    """Trouble is met with two repeats and growing pauses."""
    call, tries = fails(*(Unavailable("") for _ in range(9)))
    with pytest.raises(Unavailable):
        await paced.call(OURS, "chat.update", call, repeat=True)
    assert tries == [1 + REPEATS]
    first, second = time.slept
    assert 0.5 <= first <= 1.0 <= second <= 2.0


async def test_only_unsent_post_is_repeated(paced: Pacing) -> None:
    """A post is repeated only if it never left."""
    call, tries = fails(Unavailable(""))
    with pytest.raises(Unavailable):
        await paced.post(OURS, "C1", call)
    assert tries == [1]
    call, tries = fails(Unavailable("", unsent=True))
    assert await paced.post(OURS, "C1", call) == "done"
    assert tries == [2]


async def test_a_refusal_is_not_repeated(paced: Pacing, time: Time) -> None:
    call, tries = fails(Refused("", code="not_authorized"))
    with pytest.raises(Refused):
        await paced.call(OURS, "chat.update", call, repeat=True)
    assert (tries, time.slept) == ([1], [])
