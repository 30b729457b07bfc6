import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa
from pydantic import BaseModel

from masis.errors import StoreUnavailable
from masis.models.pipeline import GuardedChat
from masis.models.rate_limit import RateLimit
from masis.models.run_clock import run_clock
from masis.ports import ROLES, ChatReply, Message, Role
from storage.models.permit_rows import SqlCallPermits
from storage.sql import exclusive
from storage.sql.database import Database
from storage.sql.tables import call_permits, call_scopes, permit_requests

PROCESSES = 2
LIMIT = 8
WINDOW = 0.6
CALLS = 8
"""Of each process: together two windows' worth."""
CALLER = Path(__file__).parents[1] / "caller.py"


class Service:
    """A chat model that notes who called it."""

    def __init__(self) -> None:
        self.called: list[str] = []

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        del role, schema
        self.called.append(messages[0].content)
        return ChatReply(text="yes")


@pytest.fixture
async def beside(location: str) -> AsyncIterator[Database]:
    """The same database as another process opens it."""
    opened = await Database.open(location)
    yield opened
    await opened.close()


def permits(
    database: Database, limit: int = 1, *, window: float = 60.0, request_seconds: float = 6.0
) -> SqlCallPermits:
    return SqlCallPermits(
        database, "service", limit, window=window, delay=0.05, request_seconds=request_seconds
    )


def gateway(service: Service, shared: SqlCallPermits) -> GuardedChat:
    return GuardedChat(service, [RateLimit(dict.fromkeys(ROLES, shared)).call])


async def ask(chat: GuardedChat, text: str) -> None:
    async with run_clock(seconds=60):
        await chat.complete("writer", [Message(role="user", content=text)])


async def count(database: Database, table: sa.Table) -> int:
    query = sa.select(sa.func.count()).select_from(table)
    return await database.inspect(lambda look: look.scalar(query) or 0)


async def eventually_listed(database: Database) -> None:
    async with asyncio.timeout(5):
        while not await count(database, permit_requests):
            pass


async def change(database: Database, statement: sa.Update | sa.Insert) -> None:
    await database.transact(lambda within: within.execute(statement).close())


# --- the limit -----------------------------------------------------------------------------


def test_processes_share_one_call_limit(location: str) -> None:
    """No window sees more calls than allowed by all processes together."""
    arguments = [location, str(LIMIT), str(WINDOW), str(CALLS)]
    with_warnings = [sys.executable, "-W", "error", "-m", "tests.storage.caller", *arguments]
    callers = [
        subprocess.Popen(  # noqa: S603 - our own program
            with_warnings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=CALLER.parents[2],
        )
        for _ in range(PROCESSES)
    ]
    try:
        for each in callers:
            assert each.stdout is not None
            assert each.stdout.readline() == "ready\n"
        said = _together(callers)
    finally:
        for each in callers:
            each.kill()
            each.communicate()
    assert [each.returncode for each in callers] == [0] * PROCESSES
    begun = sorted(float(moment) for lines in said for moment in lines.split())
    assert len(begun) == PROCESSES * CALLS
    pairs = zip(begun, begun[LIMIT:], strict=False)
    assert min(later - earlier for earlier, later in pairs) >= WINDOW


def _together(callers: "list[subprocess.Popen[str]]") -> list[str]:
    for each in callers:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    return [each.communicate(timeout=60)[0] for each in callers]


async def test_slot_lasts_window_from_call_start(database: Database, beside: Database) -> None:
    """A place lasts a window from the moment its call begins."""
    shared, other = permits(database), permits(beside)
    place = (await shared.ask(["a"])).granted["a"]
    waited = (await other.ask(["b"])).waits["b"].seconds
    assert 59 < waited <= 60.4
    late = await shared.begin(place)
    assert late is not None
    assert late.begin_by > place.begin_by
    assert (await other.ask(["b"])).waits["b"].seconds > waited - 1


async def test_returned_slot_goes_to_next(database: Database, beside: Database) -> None:
    """A place that is given back is the next ones."""
    shared, other = permits(database), permits(beside)
    place = (await shared.ask(["a"])).granted["a"]
    await shared.give_back(place)
    assert set((await other.ask(["b"])).granted) == {"b"}
    assert await shared.begin(place) is None
    await shared.give_back(place)
    assert set((await shared.ask(["c"])).waits) == {"c"}


async def test_services_have_places_of_their_own(database: Database) -> None:
    assert (await permits(database).ask(["a"])).granted
    assert (await SqlCallPermits(database, "another", 1).ask(["b"])).granted


async def test_last_started_process_sets_the_limit(database: Database, beside: Database) -> None:
    """There are as many places as the last process to start allows, and what began counts on."""
    asked = [f"a{number}" for number in range(9)]
    shared = permits(database, 5)
    assert len((await shared.ask(asked)).granted) == 5
    await shared.ask([])
    fewer = permits(beside, 3)
    assert not (await fewer.ask(["b"])).granted
    await fewer.ask([])
    assert len((await permits(beside, 7).ask([f"c{n}" for n in range(9)])).granted) == 2


async def test_rows_do_not_grow_with_the_limit(database: Database) -> None:
    """A hundred thousand calls a minute are no more rows than steps of a window."""
    shared = permits(database, 100_000)
    for start in range(0, 3_000, 1_000):
        asked = [f"{start + number}" for number in range(1_000)]
        assert len((await shared.ask(asked)).granted) == 1_000
    assert await count(database, call_permits) <= 3


# --- in order ------------------------------------------------------------------------------


async def test_processes_wait_in_one_order(database: Database, beside: Database) -> None:
    """Who came first is served first, in whichever process it waits."""
    shared, other = permits(database, window=0.1), permits(beside, window=0.1)
    assert set((await shared.ask(["a0"])).granted) == {"a0"}
    assert [wait.before for wait in (await shared.ask(["a1"])).waits.values()] == [0]
    assert [wait.before for wait in (await other.ask(["b"])).waits.values()] == [1]
    await asyncio.sleep(0.2)
    assert not (await other.ask(["b"])).granted
    assert set((await shared.ask(["a1"])).granted) == {"a1"}


async def test_waiter_learns_delay_and_queue_length(database: Database, beside: Database) -> None:
    """Who waits is told how long and how many came before."""
    shared, other = permits(database), permits(beside)
    crowd = await shared.ask([f"a{number}" for number in range(4)])
    assert set(crowd.granted) == {"a0"}
    waits = (await other.ask(["b", "a9"])).waits
    assert [waits[name].before for name in ("b", "a9")] == [3, 4]
    assert [round(waits[name].seconds, -1) for name in ("b", "a9")] == [240, 300]
    assert await count(database, permit_requests) == 5
    assert set((await shared.ask([])).granted) == set()
    assert await count(database, permit_requests) == 2


async def test_dead_waiting_process_blocks_nobody(database: Database, beside: Database) -> None:
    """A process that died waiting holds nobody up."""
    died = permits(beside, window=0.1, request_seconds=0.3)
    await died.ask(["d0", "d1", "d2"])
    service = Service()
    await ask(gateway(service, permits(database, window=0.1, request_seconds=0.3)), "alive")
    assert service.called == ["alive"]
    assert await count(database, permit_requests) == 0


async def test_cancelled_waiter_leaves_no_rows(database: Database) -> None:
    """Who gives up waiting leaves no ticket and no place."""
    service, shared = Service(), permits(database, window=0.2)
    chat = gateway(service, shared)
    await ask(chat, "first")
    impatient = asyncio.create_task(ask(chat, "impatient"))
    await eventually_listed(database)
    impatient.cancel()
    with suppress(asyncio.CancelledError):
        await impatient
    await ask(chat, "patient")
    assert service.called == ["first", "patient"]
    assert await count(database, permit_requests) == 0


# --- what the service asks for, and clocks -------------------------------------------------


async def test_retry_after_holds_every_process(database: Database, beside: Database) -> None:
    """Every process stays away as long as the service asks one of them to."""
    shared, other = permits(database, 10), permits(beside, 10)
    await shared.cool_down(30)
    await shared.cool_down(5)
    assert 29 < (await other.ask(["a"])).waits["a"].seconds <= 30
    await shared.cool_down(3600)
    assert 59 < (await other.ask(["a"])).waits["a"].seconds <= 60


async def test_slots_ignore_local_process_clock(
    database: Database, beside: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process goes by a clock of its own."""
    await permits(database).ask(["a"])
    ahead = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: ahead)
    assert (await permits(beside).ask(["b"])).waits["b"].seconds > 59


async def test_clock_set_back_blocks_nobody(database: Database, beside: Database) -> None:
    """A clock that was set back stops nobody for longer than a window."""
    await permits(beside).ask(["a0", "a1"])
    hour = 3600.0
    await change(database, sa.update(call_permits).values(free_at=call_permits.c.free_at + hour))
    await change(database, sa.update(permit_requests).values(expires_at=time.time() + hour))
    await change(database, sa.update(call_scopes).values(closed_until=time.time() + hour))
    waited = (await permits(database).ask(["b"])).waits["b"]
    assert waited.before == 0
    assert 59 < waited.seconds <= 60.4


async def test_frozen_deciding_process_blocks_nobody(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that stands still while it decides keeps nobody waiting."""
    monkeypatch.setattr(exclusive, "_BRIEF", exclusive._BRIEF.replace("3000", "50"))
    frozen, other = await Database.open(postgres_url), await Database.open(postgres_url)
    try:
        await permits(other).ask([])
        with pytest.raises(StoreUnavailable, match=r"took too long|went away"):  # noqa: PT012 - its end is what fails
            async with frozen.write() as connection:
                await connection.run_sync(permits(frozen)._hold)
                assert (await permits(other).ask(["a"])).granted
                await connection.execute(sa.text("SELECT 1"))
    finally:
        await frozen.close()
        await other.close()
