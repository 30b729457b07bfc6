"""Breaks the real program in every way the design names, and prints what came of it.

`make chaos`, or `python -m tests.chaos PART …` for some of it; it fails where anything was lost,
doubled or left half done.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.chaos import lives, outages, table
from tests.chaos.kills import Plan, Starts, kill_loop
from tests.chaos.moments import CASES, CHOICE_CASES, POSTGRES_CASES, POSTGRES_CHOICE_CASES, Moments
from tests.chaos.nursery import Nursery
from tests.chaos.outages import Service
from tests.chaos.postgres_that_stops import stoppable_postgres
from tests.chaos.proxy import Mode
from tests.chaos.table import Line
from tests.chaos.teams import teams_faults
from tests.chaos.teams.teams_faults import TeamsPlan
from tests.chaos.teams.teams_moments import CASES as TEAMS_CASES
from tests.chaos.teams.teams_moments import POSTGRES_CASES as TEAMS_POSTGRES_CASES
from tests.chaos.teams.teams_moments import TeamsMoments
from tests.chaos.teams.teams_stories import Story
from tests.chaos.teams.teams_town import TeamsTown, teams_town
from tests.chaos.town import SETTLED_SECONDS, Town, town
from tests.postgres import fresh_database

WORKERS: Final = 3
PAUSES: Final = (2.0, 8.0)
"""Seconds from one kill to the next: none of it is usual, and a run takes about as long."""
SERVICES: Final[tuple[Service, ...]] = ("slack", "model", "qdrant")
MODES: Final[tuple[Mode, ...]] = ("black hole", "reset", "slow")
KILLS_SQLITE: Final = "kill -9, SQLite, one process"
KILLS_POSTGRES: Final = f"kill -9, PostgreSQL, ingress and {WORKERS} workers"
KILLS_TEAMS: Final = "Teams, kill -9"
KILLS_TEAMS_POSTGRES: Final = f"Teams, kill -9, PostgreSQL, ingress and {WORKERS} workers"
LOCKED, NO_ROOM, FULL = "SQLite locked", "file-size limit", "SQLite full (max_page_count)"
STOPPED: Final = "PostgreSQL stopped"
_REST_SECONDS: Final = 2 * SETTLED_SECONDS
"""Of a part's time a loop of kills leaves so much for what has to come to rest."""


@dataclass
class Chaos:
    """Everything that can be tried, and with which numbers."""

    nursery: Nursery
    options: argparse.Namespace
    seconds: float
    """How long all of it may take."""

    # --- kills -----------------------------------------------------------------------------

    async def kills_sqlite(self) -> AsyncGenerator[Line]:
        """One process on SQLite, killed at random."""
        async with self._town() as here:
            yield await self._killed(here, KILLS_SQLITE, [here.serves], 200, 40)

    async def kills_postgres(self) -> AsyncGenerator[Line]:
        """An ingress and three workers on PostgreSQL, killed at random."""
        async with self._town(postgres=True) as here:
            crew = [here.takes_in, *[here.works] * WORKERS]
            yield await self._killed(here, KILLS_POSTGRES, crew, 500, 60)

    async def _killed(
        self, here: Town, name: str, crew: Sequence[Starts], questions: int, kills: int
    ) -> Line:
        here.slow_posts()
        told = self.options
        low, high = told.pause
        plan = Plan(
            told.questions or questions,
            told.kills or kills,
            (low, high),
            max(1.0, self.seconds - _REST_SECONDS),
        )
        return table.killed(name, await kill_loop(here, crew, plan))

    async def moments(self) -> AsyncGenerator[Line]:
        """Every named moment of a request, on SQLite."""
        async with self._town() as here:
            moments = Moments(here)
            for case in CASES:
                yield table.died(await moments.go_through(case))

    async def moments_postgres(self) -> AsyncGenerator[Line]:
        """The moments around a step's row, on PostgreSQL."""
        async with self._town(postgres=True) as here:
            moments = Moments(here)
            for case in POSTGRES_CASES:
                yield table.died(await moments.go_through(case))

    async def choices(self) -> AsyncGenerator[Line]:
        """The moments of a question that waits in a graph and of its reply, on SQLite."""
        async for line in self._choices(postgres=False):
            yield line

    async def choices_postgres(self) -> AsyncGenerator[Line]:
        """The same, on PostgreSQL."""
        async for line in self._choices(postgres=True):
            yield line

    async def _choices(self, *, postgres: bool) -> AsyncGenerator[Line]:
        async with self._town(postgres=postgres, codes=True, model=False) as here:
            moments = Moments(here)
            for case in POSTGRES_CHOICE_CASES if postgres else CHOICE_CASES:
                yield table.died(await moments.go_through(case))

    # --- Teams -----------------------------------------------------------------------------

    async def teams_moments(self) -> AsyncGenerator[Line]:
        """Every named moment of what somebody does in Teams, on SQLite."""
        async with self._teams() as here:
            moments = TeamsMoments(here)
            for case in TEAMS_CASES:
                yield await moments.go_through(case)

    async def teams_moments_postgres(self) -> AsyncGenerator[Line]:
        """One moment of each stage, on PostgreSQL."""
        async with self._teams(postgres=True) as here:
            moments = TeamsMoments(here)
            for case in TEAMS_POSTGRES_CASES:
                yield await moments.go_through(case)

    async def teams_faults(self) -> AsyncGenerator[Line]:
        """A connector that fails in each way, with one program at work."""
        async with self._teams() as here:
            await here.serves()
            stories = list[Story]()
            for case in teams_faults.FAULTS:
                yield await teams_faults.befall(here, case, stories)

    async def teams_kills(self) -> AsyncGenerator[Line]:
        """One process that serves Teams, killed at random, with faulty calls beside."""
        async with self._teams() as here:
            yield await self._teams_killed(here, KILLS_TEAMS, [here.serves], 60, 15)

    async def teams_kills_postgres(self) -> AsyncGenerator[Line]:
        """An ingress and workers that serve Teams, killed at random, with faulty calls beside."""
        async with self._teams(postgres=True) as here:
            crew = [here.takes_in, *[here.works] * WORKERS]
            yield await self._teams_killed(here, KILLS_TEAMS_POSTGRES, crew, 90, 15)

    async def _teams_killed(
        self, here: TeamsTown, name: str, crew: Sequence[Starts], stories: int, kills: int
    ) -> Line:
        told = self.options
        low, high = told.pause
        seconds = max(1.0, self.seconds - _REST_SECONDS)
        plan = TeamsPlan(told.questions or stories, told.kills or kills, (low, high), seconds)
        return await teams_faults.kill_at_random(here, crew, plan, name)

    @asynccontextmanager
    async def _teams(self, *, postgres: bool = False) -> AsyncIterator[TeamsTown]:
        async with AsyncExitStack() as closing:
            folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="masis-chaos-"))
            url = closing.enter_context(fresh_database()) if postgres else ""
            made = teams_town(Path(folder), self.nursery, url)
            yield await closing.enter_async_context(made)

    # --- lives -----------------------------------------------------------------------------

    async def lives_sqlite(self) -> AsyncGenerator[Line]:
        """SIGTERM, and a poison question."""
        for name, life in lives.ON_SQLITE.items():
            async with self._town() as here:
                yield table.lived(name, await life(here))

    async def lives_postgres(self) -> AsyncGenerator[Line]:
        """A stopped worker, a deploy, and a claimer that dies itself."""
        for name, life in lives.ON_POSTGRES.items():
            async with self._town(postgres=True) as here:
                yield table.lived(name, await life(here))

    # --- outages ---------------------------------------------------------------------------

    async def outages_stores(self) -> AsyncGenerator[Line]:
        """SQLite locked, full, without room on its disk."""
        async with self._town() as here:
            await here.serves()
            yield table.damaged(LOCKED, await outages.suffer(here, outages.locked(here), 10))
        async with self._town() as here:
            fault = outages.no_room(await here.serves())
            yield table.damaged(NO_ROOM, await outages.suffer(here, fault, 8))
        async with self._town() as here:
            yield table.damaged(FULL, await outages.fill(here))

    async def outages_services(self) -> AsyncGenerator[Line]:
        """Slack, the model service and Qdrant behind a proxy."""
        swift = {"MASIS_CALL_TIMEOUT": str(outages.CALL_SECONDS)}
        for service, mode in _FAILING:
            async with (
                self._town(qdrant=service == "qdrant", environment=swift) as here,
                outages.proxied(here, service) as proxies,
            ):
                await here.serves()
                fault = outages.behaving(proxies[service], mode)
                yield table.damaged(f"{service}: {mode}", await outages.suffer(here, fault, 12))

    async def outage_postgres(self) -> AsyncGenerator[Line]:
        """PostgreSQL stopped like by a crash."""
        async with stoppable_postgres() as server, self._town(url=server.url) as here:
            await here.takes_in()
            await here.works()
            yield table.damaged(STOPPED, await outages.suffer(here, outages.stopped(server), 12))

    @asynccontextmanager
    async def _town(
        self,
        *,
        postgres: bool = False,
        qdrant: bool = False,
        url: str = "",
        environment: Mapping[str, str] | None = None,
        codes: bool = False,
        model: bool = True,
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
                codes=codes,
                model=model,
            )
            yield await closing.enter_async_context(made)


@dataclass(frozen=True)
class Part:
    """What is tried together.

    Args:
        tries: gives a line after the other.
        names: what these are of, in their order.
        seconds: how long all of it may take: twice what it takes two idle cores.
    """

    tries: Callable[[Chaos], AsyncGenerator[Line]]
    names: Sequence[str]
    seconds: float


_FAILING: Final = tuple((service, mode) for service in SERVICES for mode in MODES)
PARTS: Final = {
    "kills-sqlite": Part(Chaos.kills_sqlite, (KILLS_SQLITE,), 720),
    "kills-postgres": Part(Chaos.kills_postgres, (KILLS_POSTGRES,), 1080),
    "moments": Part(Chaos.moments, tuple(map(str, CASES)), 1080),
    "moments-postgres": Part(Chaos.moments_postgres, tuple(map(str, POSTGRES_CASES)), 120),
    "choices": Part(Chaos.choices, tuple(map(str, CHOICE_CASES)), 240),
    "choices-postgres": Part(Chaos.choices_postgres, tuple(map(str, POSTGRES_CHOICE_CASES)), 480),
    "teams-moments": Part(Chaos.teams_moments, tuple(map(str, TEAMS_CASES)), 2400),
    "teams-moments-postgres": Part(
        Chaos.teams_moments_postgres, tuple(map(str, TEAMS_POSTGRES_CASES)), 900
    ),
    "teams-faults": Part(Chaos.teams_faults, tuple(map(str, teams_faults.FAULTS)), 900),
    "teams-kills": Part(Chaos.teams_kills, (KILLS_TEAMS,), 420),
    "teams-kills-postgres": Part(Chaos.teams_kills_postgres, (KILLS_TEAMS_POSTGRES,), 480),
    "lives-sqlite": Part(Chaos.lives_sqlite, tuple(lives.ON_SQLITE), 240),
    "lives-postgres": Part(Chaos.lives_postgres, tuple(lives.ON_POSTGRES), 360),
    "outages-stores": Part(Chaos.outages_stores, (LOCKED, NO_ROOM, FULL), 300),
    "outages-services": Part(
        Chaos.outages_services, tuple(f"{service}: {mode}" for service, mode in _FAILING), 900
    ),
    "outage-postgres": Part(Chaos.outage_postgres, (STOPPED,), 180),
}


# --- the command ---------------------------------------------------------------------------


def main() -> int:
    """Try the parts that are named, or all; 1 where something was wrong, or not reached."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of: {', '.join(PARTS)}")
    parser.add_argument("--questions", type=int, help="how many are asked in a loop of kills")
    parser.add_argument("--kills", type=int, help="how many fall in it")
    parser.add_argument(
        "--pause",
        nargs=2,
        type=float,
        default=PAUSES,
        metavar=("LOW", "HIGH"),
        help="seconds between two of them (%(default)s)",
    )
    parser.add_argument("--seconds", type=float, help="how long a part may take")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10_000)
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    random.seed(options.seed)
    _say(f"Seed {options.seed}.\n")
    return asyncio.run(_run(options))


async def _run(options: argparse.Namespace) -> int:
    began, failed = time.monotonic(), 0
    _say(table.HEAD)
    async with Nursery() as nursery:
        for name in options.parts or PARTS:
            seconds = options.seconds or PARTS[name].seconds
            failed += await _tried(name, PARTS[name], Chaos(nursery, options, seconds))
    _say(f"\n{failed} lines of it are wrong; {(time.monotonic() - began) / 60:.1f} minutes.")
    return 1 if failed else 0


async def _tried(name: str, part: Part, chaos: Chaos) -> int:
    """Go through a part within its time; gives how many lines are wrong."""
    reached = failed = 0
    try:
        async with asyncio.timeout(chaos.seconds) as bound, aclosing(part.tries(chaos)) as lines:
            async for line in lines:
                reached += 1
                failed += bool(line.wrong)
                _say(str(line))
    except (AssertionError, TimeoutError) as error:
        over = f"not done within {chaos.seconds:g} s" if bound.expired() else f"broken off: {error}"
        left = ", ".join(part.names[reached:])
        _say(str(Line(name, wrong=[over, f"not reached: {left or 'its end'}"])))
        return failed + 1
    return failed


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - the command's output


if __name__ == "__main__":
    sys.exit(main())
