"""The rate limit and the run's clock, on an event loop whose time jumps ahead instead of passing."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.errors import BudgetSpent, CallNotPermitted, ModelServiceBusy, StoreUnavailable
from masis.models.permits import MemoryCallPermits
from masis.models.pipeline import GuardedChat
from masis.models.rate_limit import RateLimit
from masis.models.run_clock import run_clock
from masis.ports import ROLES, CallPermits, ChatModel, PermitDecisions
from tests.examples import examples
from tests.masis.models.test_gateway import ASK, Service, ask, now, play


def limited(
    chat: ChatModel,
    per_minute: int = 10,
    *,
    permits: CallPermits | None = None,
    queue: int = 200,
    longest_wait: float = 600.0,
) -> GuardedChat:
    granted = dict.fromkeys(ROLES, permits or MemoryCallPermits(per_minute))
    limit = RateLimit(granted, queue=queue, longest_wait=longest_wait)
    return GuardedChat(chat, [limit.call])


async def gone(seconds: float) -> float:
    await asyncio.sleep(seconds)
    return now()


# --- rate limit ----------------------------------------------------------------------------


@settings(max_examples=examples(60), deadline=None)
@given(
    st.integers(1, 5),
    st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 200)), min_size=1, max_size=25),
)
def test_calls_stay_within_minute_limit(per_minute: int, arrivals: list[tuple[str, float]]) -> None:
    """No minute sees more calls than allowed."""
    service = Service()

    async def scene() -> list[str]:
        chat = limited(service, per_minute, longest_wait=1e6)

        async def visitor(workspace: str, at: float) -> str:
            await asyncio.sleep(at)
            return await ask(chat, workspace)

        return await asyncio.gather(*(visitor(*arrival) for arrival in arrivals))

    assert play(scene()) == ["yes"] * len(arrivals)
    later = service.asked[per_minute:]
    assert all(b - a >= 60 - 1e-6 for a, b in zip(service.asked, later, strict=False))
    assert service.asked == sorted(service.asked)


def test_calls_within_limit_start_immediately() -> None:
    """Calls within the limit do not wait."""
    service = Service()

    async def scene() -> None:
        chat = limited(service, 10)
        for _ in range(10):
            await ask(chat)

    play(scene())
    assert service.asked == [0.0] * 10


def test_waiting_calls_keep_their_order() -> None:
    """Who waits is served in order of arrival, a window after another."""
    service = Service()

    async def scene() -> None:
        chat = limited(service, 2)
        await asyncio.gather(*(ask(chat, text=each) for each in "abcdef"))

    play(scene())
    assert "".join(service.questions) == "abcdef"
    assert service.asked == [0.0, 0.0, 60.0, 60.0, 120.0, 120.0]


def test_abandoned_slot_serves_next_waiter() -> None:
    """Who gives up waiting leaves the place to the next."""
    service = Service()

    async def scene() -> None:
        chat = limited(service, 1)
        await ask(chat, text="first")
        impatient = asyncio.create_task(ask(chat, text="impatient"))
        patient = asyncio.create_task(ask(chat, text="patient"))
        await asyncio.sleep(30)
        impatient.cancel()
        await patient

    play(scene())
    assert service.questions == ["first", "patient"]
    assert service.asked == [0.0, 60.0]


def test_cancelling_at_admission_returns_slot() -> None:
    """Who is cancelled at the very moment of being let in gives the place back."""
    service = Service()

    async def scene() -> None:
        chat = limited(service, 1)
        await ask(chat, text="first")
        unlucky = asyncio.create_task(ask(chat, text="unlucky"))
        patient = asyncio.create_task(ask(chat, text="patient"))
        # Both timers fire in the same turn of the loop: the place is given, then the task cancelled.
        asyncio.get_running_loop().call_at(1060.0, unlucky.cancel)
        await patient

    play(scene())
    assert service.questions == ["first", "patient"]
    assert service.asked == [0.0, 60.0]


def test_capped_cool_down_delays_everybody() -> None:
    """A push back holds everybody and is capped."""
    service = Service()

    async def scene() -> None:
        permits = MemoryCallPermits(10)
        chat = limited(service, permits=permits)
        await permits.cool_down(3600)
        await asyncio.gather(ask(chat, "a"), ask(chat, "b"))

    play(scene())
    assert service.asked == [60.0, 60.0]


def test_service_retry_after_delays_everybody() -> None:
    """What the service says about waiting holds everybody."""
    service = Service([ModelServiceBusy("busy", 7.5), None])

    async def scene() -> None:
        chat = limited(service, 10)
        with pytest.raises(ModelServiceBusy):
            await ask(chat)
        await ask(chat)

    play(scene())
    assert service.asked == [0.0, 7.5]


def test_full_queue_refuses_immediately() -> None:
    """A full queue says so at once."""

    async def scene() -> float:
        chat = limited(Service(), 1, queue=2)
        crowd = [asyncio.create_task(ask(chat)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(CallNotPermitted, match="Too many questions wait"):
            await ask(chat)
        at = now()
        await asyncio.gather(*crowd)
        return at

    assert play(scene()) == 0.0


def test_overlong_wait_is_refused() -> None:
    """Who would wait longer than ten minutes is refused at once."""

    async def scene() -> tuple[int, float]:
        chat = limited(Service(), 1)
        refusals = 0

        async def visitor() -> None:
            nonlocal refusals
            try:
                await ask(chat)
            except CallNotPermitted:
                refusals += 1

        crowd = [asyncio.create_task(visitor()) for _ in range(15)]
        await asyncio.sleep(1)
        early = refusals
        await asyncio.gather(*crowd)
        return early, now()

    assert play(scene()) == (4, 600.0)


def test_lengthened_wait_still_ends() -> None:
    """A wait that others lengthen still ends."""
    service = Service()

    async def scene() -> None:
        permits = MemoryCallPermits(1)
        chat = limited(service, permits=permits, longest_wait=100)
        await ask(chat)
        waiting = asyncio.create_task(ask(chat))
        for _ in range(3):
            await asyncio.sleep(40)
            await permits.cool_down(60)
        with pytest.raises(CallNotPermitted, match="left no place"):
            await waiting

    play(scene())
    assert len(service.asked) == 1


def test_limit_below_one_is_rejected() -> None:
    """A limit below one call a minute is a mistake."""
    with pytest.raises(ValueError, match="at least one"):
        MemoryCallPermits(0)


def test_calls_outside_runs_are_limited() -> None:
    """Calls outside a run are limited too."""
    service = Service()

    async def scene() -> None:
        chat = limited(service, 1)
        await chat.complete("writer", ASK)
        await chat.complete("writer", ASK)

    play(scene())
    assert service.asked == [0.0, 60.0]


def test_limiter_serves_successive_event_loops() -> None:
    """One limiter serves one event loop after another."""
    service = Service()
    chat = limited(service, 1)
    play(ask(chat))

    async def scene() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                await ask(chat)
        await ask(chat)

    play(scene())
    assert service.asked == [0.0, 60.0]


def test_unused_call_returns_its_slot() -> None:
    """A call that is not made gives its place back."""
    service = Service([BudgetSpent("spent"), CallNotPermitted("open"), None])

    async def scene() -> None:
        chat = limited(service, 1)
        for refusal in (BudgetSpent, CallNotPermitted):
            with pytest.raises(refusal):
                await ask(chat)
        await ask(chat)

    play(scene())
    assert service.asked == [0.0] * 3


# --- slots that are away -------------------------------------------------------------------


class Away(MemoryCallPermits):
    """Slots in a database that is away until a moment of the loop's."""

    def __init__(self, until: float) -> None:
        super().__init__(10)
        self.until = until

    async def ask(self, waiting: Sequence[str]) -> PermitDecisions:
        if now() < self.until:
            raise StoreUnavailable("no connection")
        return await super().ask(waiting)


def test_brief_database_outage_spares_run_time() -> None:
    """A short absence of the database is waited for outside of the runs time."""
    service = Service()
    assert play(ask(limited(service, permits=Away(15)), seconds=5)) == "yes"
    assert service.asked == [15.0]


def test_uncounted_slots_prevent_calls() -> None:
    """Nobody is called while the places cannot be counted."""
    service = Service()

    async def scene() -> float:
        chat = limited(service, permits=Away(60))
        with pytest.raises(StoreUnavailable, match=r"counted in the database.*no connection") as it:
            await ask(chat)
        assert it.value.retryable
        return now()

    assert play(scene()) == 20.0
    assert service.asked == []


class Late(MemoryCallPermits):
    """Slots in a database whose first answer comes after nobody waits for it any more."""

    is_late = True

    async def ask(self, waiting: Sequence[str]) -> PermitDecisions:
        decisions = await super().ask(waiting)
        if self.is_late:
            self.is_late = False
            await asyncio.sleep(11)
        return decisions


def test_late_granted_slots_are_returned() -> None:
    """Places of an answer that came too late are given back."""
    service = Service()
    asked = play(ask(limited(service, 1, permits=Late(1))))
    assert asked == "yes"
    assert service.asked == [pytest.approx(10.5)]


# --- run clock -----------------------------------------------------------------------------


def test_rate_limit_wait_spares_run_time() -> None:
    """Waiting for the rate limit does not use up the run."""
    told: list[float] = []

    async def scene() -> float:
        chat = limited(Service(takes=1.0), 1)
        async with run_clock(seconds=5, on_wait=told.append) as clock:
            for _ in range(4):
                await chat.complete("writer", ASK)
            return clock.waited

    assert play(scene()) == pytest.approx(3 * 59)
    assert told == pytest.approx([59.0, 59.0, 59.0])


def test_working_uses_up_the_run() -> None:
    async def scene() -> float:
        chat = limited(Service(takes=2.0), 1)

        async def run() -> None:
            async with run_clock(seconds=5):
                for _ in range(9):
                    await chat.complete("writer", ASK)

        with pytest.raises(TimeoutError):
            await run()
        return now()

    assert play(scene()) == pytest.approx(121.0)


def test_simultaneous_waits_are_excluded_once() -> None:
    """Waits at the same time are left out once."""

    async def scene() -> tuple[float, float]:
        chat = limited(Service(), 1)
        async with run_clock(seconds=5) as clock:
            await asyncio.gather(*(chat.complete("writer", ASK) for _ in range(3)))
            waited = clock.waited
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(4.9):
                    await gone(60)
        return waited, now()

    assert play(scene()) == pytest.approx((120.0, 124.9))


def test_cancelled_waiting_run_ends_immediately() -> None:
    """A run that is cancelled while it waits ends at once."""

    async def scene() -> float:
        chat = limited(Service(), 1)
        await ask(chat)
        run = asyncio.create_task(ask(chat, seconds=5))
        await asyncio.sleep(10)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        return now()

    assert play(scene()) == 10.0


def test_leftover_task_spares_finished_run() -> None:
    """A task left behind does not touch a finished run."""

    async def scene() -> str:
        chat = limited(Service(), 1)
        async with run_clock(seconds=5):
            await chat.complete("writer", ASK)
            left_behind = asyncio.create_task(chat.complete("writer", ASK))
            await asyncio.sleep(1)
        return (await left_behind).text

    assert play(scene()) == "yes"


def test_expired_run_may_clean_up() -> None:
    """A run whose time is over may still clean up with a call."""

    async def scene() -> float:
        chat = limited(Service(), 1)
        await ask(chat)

        async def stubborn() -> None:
            try:
                await asyncio.sleep(100)
            finally:
                await chat.complete("writer", ASK)

        with pytest.raises(TimeoutError):
            async with run_clock(seconds=5):
                await stubborn()
        return now()

    assert play(scene()) == 60.0
