"""What the program's processes weigh while nobody asks anything."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from tests.chaos.lives import run_of
from tests.chaos.nursery import Nursery, Program
from tests.chaos.town import Town, question, town
from tests.postgres import fresh_database

REST_SECONDS: Final = 5.0
EMBEDDER: Final = "bundled"
"""The one that is used where nothing else is said."""
_MEGABYTE: Final = 2**20

Starts = Callable[[Town], Awaitable[Program]]
ALONE: Final[dict[str, Starts]] = {"`masis serve`, SQLite": Town.serves}
TOGETHER: Final[dict[str, Starts]] = {
    "`masis serve --role ingress`, PostgreSQL": Town.takes_in,
    "`masis worker`, PostgreSQL": Town.works,
}


class Weight(NamedTuple):
    """Of a process with its children, in bytes. The last two are known on Linux alone, and to root."""

    resident: int
    proportional: int
    unique: int

    def __str__(self) -> str:
        return " | ".join(f"{part / _MEGABYTE:.0f}" if part else "" for part in self)


def show() -> None:
    """Print a table."""
    print(
        f"\nMemory {REST_SECONDS:.0f} s after the start and as long after a first question, MB"
        " (PSS: pages of several processes shared out among them; USS: what is its alone)\n\n"
        "| | RSS | PSS | USS | after a question: RSS | PSS | USS |\n|---|---|---|---|---|---|---|"
    )
    for postgres, starts in ((False, ALONE), (True, TOGETHER)):
        for line in asyncio.run(_weighed(starts, postgres=postgres)):
            print(line, flush=True)


async def _weighed(starts: dict[str, Starts], *, postgres: bool) -> Sequence[str]:
    """A line for each process of a town."""
    async with AsyncExitStack() as closing:
        folder = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="masis-memory-")))
        url = closing.enter_context(fresh_database()) if postgres else ""
        # A cold one: what a program has of it would be counted as shared.
        nursery = await closing.enter_async_context(Nursery(warm=False))
        made = town(
            folder,
            database_url=url,
            qdrant=postgres,
            nursery=nursery,
            environment={"MASIS_EMBEDDER": EMBEDDER},
        )
        here = await closing.enter_async_context(made)
        programs = {name: await start(here) for name, start in starts.items()}
        await asyncio.sleep(REST_SECONDS)
        idle = {name: _weight(program.pid) for name, program in programs.items()}
        number = next(here.numbers)
        await here.asks(number)
        await here.outcome(await asyncio.to_thread(run_of, here, question(number)))
        await asyncio.sleep(REST_SECONDS)
        return [f"| {name} | {idle[name]} | {_weight(p.pid)} |" for name, p in programs.items()]


def _weight(pid: int) -> Weight:
    whole = psutil.Process(pid)
    parts = [each.memory_full_info() for each in (whole, *whole.children(recursive=True))]
    return Weight(
        sum(part.rss for part in parts),
        sum(getattr(part, "pss", 0) for part in parts),
        sum(getattr(part, "uss", 0) for part in parts),
    )
