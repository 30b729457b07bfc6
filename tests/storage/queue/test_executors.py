import asyncio
from collections.abc import Awaitable, Callable

import pytest

from storage.queue.executors import Duties, Executors
from storage.queue.heartbeat import Heartbeat
from storage.sql.database import Database


@pytest.fixture
def executors(database: Database) -> Executors:
    """Who has not beaten for a tenth of a second is dead; a claim holds as long."""
    return Executors(database, ttl_seconds=0.1, claim_seconds=0.1)


async def until(happened: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(10):
        while not await happened():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)


async def dead(executors: Executors, name: str) -> None:
    async def is_dead() -> bool:
        return name in await executors.dead()

    await until(is_dead)


async def test_executor_without_beats_is_dead(executors: Executors, database: Database) -> None:
    """Who beats lives and who stopped is dead."""
    patient = Executors(database)
    assert await executors.beat("a") == "begun"
    assert await executors.beat("a") == "unbroken"
    assert await patient.dead() == []
    assert not await patient.claim("a", "x"), "who lives is claimed by nobody"
    await dead(executors, "a")


async def test_one_of_many_claims_dead_executor(executors: Executors, database: Database) -> None:
    """Of many that claim a dead one at the same time one wins."""
    long = Executors(database, ttl_seconds=0.1, claim_seconds=60)
    await executors.beat("a")
    await dead(executors, "a")
    claimed = await asyncio.gather(*(long.claim("a", f"claimer {n}") for n in range(8)))
    assert sum(claimed) == 1
    assert await executors.dead() == [], "nobody else looks at it meanwhile"


async def test_claim_of_dead_claimer_expires(executors: Executors) -> None:
    """The claim of a claimer that died ends by itself."""
    await executors.beat("a")
    await dead(executors, "a")
    assert await executors.claim("a", "the one that dies")
    await dead(executors, "a")
    assert await executors.claim("a", "the next")
    await executors.end_claim("a", "the one that dies")
    assert await executors.unknown({"a"}) == set(), "whose claim is over buries nobody"
    await executors.end_claim("a", "the next")
    assert await executors.unknown({"a"}) == {"a"}


async def test_waking_executor_learns_of_claim(executors: Executors, database: Database) -> None:
    """Who wakes while it is claimed hears of it and is not buried."""
    long = Executors(database, ttl_seconds=0.1, claim_seconds=60)
    await executors.beat("a")
    await dead(executors, "a")
    assert await long.claim("a", "x")
    assert await executors.beat("a") == "claimed"
    await Executors(database).end_claim("a", "x")
    assert await executors.beat("a") == "unbroken"


async def test_unlisted_executor_is_claimed_once(executors: Executors) -> None:
    """One that is in no table is claimed by one too."""
    await executors.beat("known")
    assert await executors.unknown({"known", "ghost"}) == {"ghost"}
    claimed = await asyncio.gather(*(executors.claim_unknown("ghost", f"{n}") for n in range(4)))
    assert sum(claimed) == 1
    await dead(executors, "ghost")


async def test_duty_has_one_holder_until_expiry(
    database: Database,
) -> None:
    """A duty is one holders until its time is over or it leaves."""
    one, two = Duties(database, "one"), Duties(database, "two")
    both = await asyncio.gather(one.hold("sweeping", 60), two.hold("sweeping", 60))
    assert sorted(both) == [False, True]
    holder, other = (one, two) if both[0] else (two, one)
    assert await holder.hold("sweeping", 0.1), "who has it keeps it by asking again"
    await until(lambda: other.hold("sweeping", 60))
    assert not await holder.hold("sweeping", 60)
    assert await holder.hold("another", 60)
    await other.leave()
    assert await holder.hold("sweeping", 60)


# --- how a process sees itself -------------------------------------------------------------


class Watch:
    """A clock that is set by hand; the process may have been stopped meanwhile."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_pulse_expires_earlier_for_its_owner(
    database: Database,
) -> None:
    """A process trusts its last beat for less than the others do."""
    clock = Watch()
    heartbeat = Heartbeat("a", Executors(database, ttl_seconds=10), clock=clock)
    assert not heartbeat.is_fresh
    assert await heartbeat.beat()
    clock.now += 7.9
    assert heartbeat.is_fresh
    clock.now += 0.2
    assert not heartbeat.is_fresh
    assert await heartbeat.beat(), "nobody had claimed it"
    assert heartbeat.is_fresh


async def test_outage_suspends_death_declarations(database: Database) -> None:
    """A process declares nobody dead right after an outage."""
    clock = Watch()
    heartbeat = Heartbeat("a", Executors(database, ttl_seconds=10), clock=clock)
    await heartbeat.beat()
    assert not heartbeat.is_steady
    clock.now += 5
    await heartbeat.beat()
    assert heartbeat.is_steady
    clock.now += 30
    await heartbeat.beat()
    assert not heartbeat.is_steady, "the others could not beat either"


async def test_process_notices_its_missing_row(database: Database) -> None:
    """A process whose row is gone knows that its runs are."""
    executors = Executors(database, ttl_seconds=10)
    heartbeat = Heartbeat("a", executors)
    assert await heartbeat.beat()
    await executors.remove("a")
    assert not await heartbeat.beat()
    assert await heartbeat.beat(), "it lives on under the same name"


async def test_lone_process_needs_no_beat() -> None:
    """Where one process works alone it needs no beat."""
    heartbeat = Heartbeat("a")
    assert heartbeat.is_fresh
    assert await heartbeat.beat()
    assert not heartbeat.is_steady
