"""Breaks the real program in every way the design names, and prints what came of it.

`make chaos`, or `python -m tests.chaos PART …` for some of it; it fails where anything was lost,
doubled or left half done.
"""

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.chaos import lives, outages
from tests.chaos.kills import Plan, Report, kill_loop
from tests.chaos.lives import Life
from tests.chaos.moments import CASES, Moments
from tests.chaos.nursery import Nursery
from tests.chaos.outages import Damage, Service
from tests.chaos.postgres_that_stops import stoppable_postgres
from tests.chaos.proxy import Mode
from tests.chaos.town import Town, town
from tests.postgres import fresh_database

WORKERS: Final = 3
MOST_APOLOGIES: Final = 0.02
SERVICES: Final[tuple[Service, ...]] = ("slack", "model", "qdrant")
MODES: Final[tuple[Mode, ...]] = ("black hole", "reset", "slow")


@dataclass
class Line:
    """One line of the table."""

    what: str
    tried: str
    lost: str
    doubled: str
    rest: str
    wrong: list[str] = field(default_factory=list)


@dataclass
class Chaos:
    """Everything that can be tried, and with which numbers."""

    nursery: Nursery
    options: argparse.Namespace

    # --- kills -----------------------------------------------------------------------------

    async def kills_sqlite(self) -> AsyncIterator[Line]:
        """One process on SQLite, killed at random."""
        plan = Plan(self.options.questions or 200, self.options.kills or 40)
        async with self._town() as here:
            here.slow_posts()
            yield _killed(
                "kill -9, SQLite, one process", await kill_loop(here, [here.serves], plan)
            )

    async def kills_postgres(self) -> AsyncIterator[Line]:
        """An ingress and three workers on PostgreSQL, killed at random."""
        plan = Plan(self.options.questions or 500, self.options.kills or 60)
        async with self._town(postgres=True) as here:
            here.slow_posts()
            crew = [here.takes_in, *[here.works] * WORKERS]
            name = f"kill -9, PostgreSQL, ingress and {WORKERS} workers"
            yield _killed(name, await kill_loop(here, crew, plan))

    async def moments(self) -> AsyncIterator[Line]:
        """Every named moment of a request, on SQLite."""
        async with self._town() as here:
            moments = Moments(here)
            for case in CASES:
                came = await moments.go_through(case)
                tried = f"ended in: {came.ends}"
                yield Line(came.name, tried, "", "", f"{came.seconds:.1f} s", came.wrong)

    # --- lives -----------------------------------------------------------------------------

    async def lives_sqlite(self) -> AsyncIterator[Line]:
        """SIGTERM, and a poison question."""
        for life in (lives.told_to_end, lives.poisoned, lives.killed_while_answering):
            async with self._town() as here:
                yield _lived(await life(here))

    async def lives_postgres(self) -> AsyncIterator[Line]:
        """A stopped worker, a deploy, and a claimer that dies itself."""
        for life in (lives.stopped_and_continued, lives.deployed):
            async with self._town(postgres=True) as here:
                yield _lived(await life(here))
        for name in lives.CLAIMS:
            async with self._town(postgres=True) as here:
                yield _lived(await lives.claimer_killed(here, name))

    # --- outages ---------------------------------------------------------------------------

    async def outages_stores(self) -> AsyncIterator[Line]:
        """SQLite locked, full, without room on its disk."""
        async with self._town() as here:
            await here.serves()
            yield _damaged(await outages.suffer(here, "SQLite locked", outages.locked(here), 10))
        async with self._town() as here:
            fault = outages.no_room(await here.serves())
            yield _damaged(await outages.suffer(here, "file-size limit", fault, 8))
        async with self._town() as here:
            yield _damaged(await outages.fill(here))

    async def outages_services(self) -> AsyncIterator[Line]:
        """Slack, the model service and Qdrant behind a proxy."""
        for service in SERVICES:
            for mode in MODES:
                async with (
                    self._town(
                        qdrant=service == "qdrant", MASIS_CALL_TIMEOUT=str(outages.CALL_SECONDS)
                    ) as here,
                    outages.proxied(here, service) as proxies,
                ):
                    await here.serves()
                    fault = outages.behaving(proxies[service], mode)
                    yield _damaged(await outages.suffer(here, f"{service}: {mode}", fault, 12))

    async def outage_postgres(self) -> AsyncIterator[Line]:
        """PostgreSQL stopped like by a crash."""
        async with stoppable_postgres() as server, self._town(url=server.url) as here:
            await here.takes_in()
            await here.works()
            fault = outages.stopped(server)
            yield _damaged(await outages.suffer(here, "PostgreSQL stopped", fault, 12))

    @asynccontextmanager
    async def _town(
        self, *, postgres: bool = False, qdrant: bool = False, url: str = "", **environment: str
    ) -> AsyncIterator[Town]:
        async with AsyncExitStack() as closing:
            folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="masis-chaos-"))
            if postgres:
                url = closing.enter_context(fresh_database())
            made = town(
                Path(folder),
                database_url=url,
                qdrant=qdrant or bool(url),
                nursery=self.nursery,
                environment=environment,
            )
            yield await closing.enter_async_context(made)


PARTS: Final[dict[str, Callable[[Chaos], AsyncIterator[Line]]]] = {
    "kills-sqlite": Chaos.kills_sqlite,
    "kills-postgres": Chaos.kills_postgres,
    "moments": Chaos.moments,
    "lives-sqlite": Chaos.lives_sqlite,
    "lives-postgres": Chaos.lives_postgres,
    "outages-stores": Chaos.outages_stores,
    "outages-services": Chaos.outages_services,
    "outage-postgres": Chaos.outage_postgres,
}


# --- lines ---------------------------------------------------------------------------------


def _killed(name: str, report: Report) -> Line:
    found = report.account
    wrong = [*found.wrong]
    if found.apologies > MOST_APOLOGIES:
        wrong.append(f"{found.ends['failed']} apologies")
    rest = (
        f"{found.ends['failed']} apologies; all done {report.settled_s:.1f} s after the last kill;"
        f" a new process listens after {statistics.median(report.restarts_s):.1f} s;"
        f" {found.repeated_calls} model calls paid twice; slowest ack {found.slowest_ack:.2f} s;"
        f" {found.refused} not acknowledged; {report.seconds:.0f} s in all"
    )
    tried = f"{found.accepted} requests, {report.kills} kills"
    return Line(name, tried, str(found.lost), str(found.doubled), rest, wrong)


def _lived(life: Life) -> Line:
    found = life.account
    rest = f"all done after {life.seconds:.1f} s; {'; '.join(life.notes)}"
    tried = f"{found.accepted} requests"
    return Line(life.name, tried, str(found.lost), str(found.doubled), rest, life.wrong)


def _damaged(damage: Damage) -> Line:
    ends = ", ".join(f"{times} {kind}" for kind, times in damage.ends.items())
    words = "; ".join(f"“{said}”" for said in sorted(damage.said | set(damage.refused)))
    tried = f"{damage.asked} asked in {damage.seconds:.0f} s: {damage.acked} acknowledged"
    tried += f", {damage.refused.total()} refused"
    rest = f"{ends}; slowest ack or refusal {damage.slowest_s:.2f} s;"
    rest += f" answers again after {damage.recovered_s:.1f} s; {words}"
    # What was lost or doubled stands among what is wrong, in the last column.
    return Line(damage.name, tried, "", "", rest, damage.wrong)


def _row(line: Line) -> str:
    mark = "ok" if not line.wrong else f"**{'; '.join(line.wrong)}**"
    cells = (line.what, line.tried, line.lost, line.doubled, line.rest, mark)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


# --- the command ---------------------------------------------------------------------------


def main() -> int:
    """Try the parts that are named, or all; 1 where something was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of: {', '.join(PARTS)}")
    parser.add_argument("--questions", type=int, help="how many are asked in a loop of kills")
    parser.add_argument("--kills", type=int, help="how many fall in it")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10_000)
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    random.seed(options.seed)
    _say(f"Seed {options.seed}.\n")
    return asyncio.run(_run(options))


async def _run(options: argparse.Namespace) -> int:
    _say("| what | tried | lost | doubled | | |\n|---|---|---|---|---|---|")
    failed = 0
    async with Nursery() as nursery:
        for name in options.parts or PARTS:
            try:
                async for line in PARTS[name](Chaos(nursery, options)):
                    failed += bool(line.wrong)
                    _say(_row(line))
            except (AssertionError, TimeoutError) as error:
                failed += 1
                _say(_row(Line(name, "", "", "", "", [f"broken off: {error}"])))
    return 1 if failed else 0


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - the command's output


if __name__ == "__main__":
    sys.exit(main())
