"""What the program works with fails for a while: its database, its disk, the services it calls."""

import asyncio
import resource
import sqlite3
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass, field
from typing import Final, Literal

from bot.playground import transcript
from tests.chaos.accounts import Account, Ledger, account, settled
from tests.chaos.lives import run_of
from tests.chaos.nursery import Program
from tests.chaos.postgres_that_stops import StoppablePostgres
from tests.chaos.proxy import Mode, Proxy
from tests.chaos.town import ENDS, Town, question

Service = Literal["slack", "model", "qdrant"]

ASK_EVERY: Final = 1.0
RECOVERED_SECONDS: Final = 180.0
"""Within this time of a fault's end a question is answered again."""
ACK_SECONDS: Final = 1.0
"""An acknowledgement takes less, whatever fails;"""
REFUSAL_SECONDS: Final = 2.5
"""or the asker is told privately by then that there is none. Slack waits for 3 s."""
CALL_SECONDS: Final = 2.0
"""A model call may take so long; 30 by default, and an outage of a test is shorter."""
FILE_LIMIT: Final = 4096
"""No file of the program grows beyond so many bytes: the disk is as good as full."""
ROOM: Final = 30
"""Pages that a database may still take before it is full; to start takes some."""
ENOUGH: Final = 3
MANY: Final = 150
NOTHING_FOUND: Final = ("nothing close enough", "holds no documents", "could be used as evidence")
"""What only a search that found nothing may say."""
_VARIABLES: Final[dict[Service, str]] = {
    "slack": "MASIS_SLACK_API_URL",
    "model": "MASIS_MODEL_BASE_URL",
    "qdrant": "MASIS_QDRANT_URL",
}

Fault = Callable[[], AbstractAsyncContextManager[None]]
"""Something fails as long as its block goes on."""


@dataclass
class Damage:
    """What came of an outage. The account is of all that was asked, before, in and after it."""

    account: Account
    seconds: float
    asked: int
    """During the fault, and of these were"""
    acked: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """Private words in the place of an acknowledgement, and how often."""
    recovered_s: float = 0.0
    """From the end of the fault to the answer of a question that was asked after it."""
    ends: Counter[str] = field(default_factory=Counter)
    """Of what was asked during the fault."""
    said: set[str] = field(default_factory=set)
    """What they were told whose questions were not answered."""
    wrong: list[str] = field(default_factory=list)


async def suffer(town: Town, fault: Fault, seconds: float) -> Damage:
    """Ask before, during and after a fault of a program that serves the town."""
    await _answered(town)
    asked = [next(town.numbers) for _ in range(max(2, int(seconds / ASK_EVERY)))]
    asking = [town.begins(town.asks(number)) for number in asked[:2]]
    async with fault():
        for number in asked[2:]:
            asking.append(town.begins(town.asks(number)))
            await asyncio.sleep(ASK_EVERY)
    ended = time.monotonic()
    await asyncio.wait(asking)
    await _answered(town)
    recovered_s = time.monotonic() - ended
    await settled(town)
    return await asyncio.to_thread(_damage, town, asked, seconds, recovered_s)


async def fill(town: Town) -> Damage:
    """Let the database reach its largest size while people ask; then give it room again."""
    pages = int(Ledger(town).rows("PRAGMA page_count")[0][0])
    town.pragma = f"PRAGMA max_page_count = {pages + ROOM}"
    program, began = await town.serves(), time.monotonic()
    asked: list[int] = []
    while len(town.unacked) < ENOUGH and len(asked) < MANY:
        asked.append(next(town.numbers))
        await town.asks(asked[-1])
    await program.killed()
    town.pragma = ""
    ended = time.monotonic()
    await town.serves()
    await _answered(town)
    recovered_s = time.monotonic() - ended
    await settled(town)
    damage = await asyncio.to_thread(_damage, town, asked, ended - began, recovered_s)
    if not damage.refused:
        damage.wrong.append("it was never full")
    return damage


async def _answered(town: Town) -> None:
    """Ask until somebody is answered.

    Raises:
        TimeoutError: nobody is.
    """
    async with asyncio.timeout(RECOVERED_SECONDS):
        while True:
            number = next(town.numbers)
            await town.asks(number)
            if question(number) in town.acked:
                run = await asyncio.to_thread(run_of, town, question(number))
                if await town.outcome(run) == "answer":
                    return
            await asyncio.sleep(ASK_EVERY)


def _damage(town: Town, asked: list[int], seconds: float, recovered_s: float) -> Damage:
    """What came of the questions during the fault, and of all of them."""
    found = account(town)
    damage = Damage(found, seconds, len(asked), recovered_s=recovered_s)
    damage.wrong += [*found.wrong, *_late(found)]
    posted = town.posted()
    for number in asked:
        if (refused := town.unacked.get(question(number))) is not None:
            damage.refused.update([_first_line(refused.said)])
            continue
        damage.acked += 1
        for kind, _, message in posted.get(run_of(town, question(number)), []):
            if kind in ENDS:
                damage.ends[kind] += 1
                _read(damage, kind, transcript.message_text(town.slack.world, message))
    return damage


def _read(damage: Damage, kind: str, text: str) -> None:
    """What an outcome says."""
    if kind != "answer":
        damage.said.add(_first_line(text))
    if any(words in text for words in NOTHING_FOUND):
        damage.wrong.append(f"it says that nothing was found: {text}")


def _late(found: Account) -> Iterator[str]:
    """What took longer than people wait for."""
    if found.slowest_ack >= ACK_SECONDS:
        yield f"acknowledged after {found.slowest_ack:.2f} s"
    if found.slowest_refusal > REFUSAL_SECONDS:
        yield f"refused after {found.slowest_refusal:.2f} s"


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0] if text.strip() else "nothing"


# --- faults --------------------------------------------------------------------------------


@asynccontextmanager
async def proxied(town: Town, *services: Service) -> AsyncIterator[dict[Service, Proxy]]:
    """Put a proxy before each of the services, for programs that start in the block."""
    made: dict[Service, Proxy] = {}
    before = dict(town.environment)
    try:
        for service in services:
            made[service] = await Proxy(before[_VARIABLES[service]]).__aenter__()
            town.environment[_VARIABLES[service]] = made[service].url
        yield made
    finally:
        town.environment.update(before)
        for proxy in made.values():
            await proxy.__aexit__(None, None, None)


def behaving(proxy: Proxy, mode: Mode) -> Fault:
    """Every connection to the service is treated like this."""

    @asynccontextmanager
    async def fault() -> AsyncIterator[None]:
        proxy.be(mode)
        try:
            yield
        finally:
            proxy.be("pass")

    return fault


def locked(town: Town) -> Fault:
    """Another process is writing to the SQLite file, and does not end."""

    @asynccontextmanager
    async def fault() -> AsyncIterator[None]:
        with closing(sqlite3.connect(town.folder / "data" / "masis.db", timeout=30)) as other:
            other.isolation_level = None
            other.execute("BEGIN IMMEDIATE")
            try:
                yield
            finally:
                other.execute("ROLLBACK")

    return fault


def no_room(program: Program) -> Fault:
    """No file of the program may grow any more."""

    @asynccontextmanager
    async def fault() -> AsyncIterator[None]:
        before = resource.prlimit(program.pid, resource.RLIMIT_FSIZE, (FILE_LIMIT, -1))
        try:
            yield
        finally:
            resource.prlimit(program.pid, resource.RLIMIT_FSIZE, before)

    return fault


def stopped(server: StoppablePostgres) -> Fault:
    """PostgreSQL is gone, as after a crash."""

    @asynccontextmanager
    async def fault() -> AsyncIterator[None]:
        await server.tell("stop")
        try:
            yield
        finally:
            await server.tell("start")

    return fault
