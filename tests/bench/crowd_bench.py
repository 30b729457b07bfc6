"""How many requests of a crowd are stored in time, and what the others are told.

Run it with `python -m tests.bench.crowd_bench` (half a minute, whatever else the machine does). So many
people ask at a time, each again 0.2 s after a refusal, on a SQLite of its own whose transactions take
`--each` milliseconds more for each request than this machine needs.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from masis.conversation import ChatRun, TeamSettings, Tenant
from masis.domain import Workspace
from masis.errors import StoreUnavailable
from masis.policy import ACCEPT_SECONDS
from storage.admission import quotas
from storage.admission.admissions import Admissions
from storage.admission.quota_settings import Limits
from storage.chat.requests import ChatRuns
from storage.chat.team_settings import TeamSettingsStore
from storage.documents.repository import SqlRepository
from storage.sql.database import Database

TENANT: Final = Tenant(enterprise="E1", team="T1")
CROWDS: Final = ((8, 60), (30, 150), (100, 300))
"""People at a time, and requests of all of them."""
AGAIN_SECONDS: Final = 0.2
MANY: Final = 100_000
RAISED: Final = TeamSettings(
    user_per_minute=1000,
    user_running=100,
    channel_per_minute=10_000,
    workspace_per_minute=10_000,
    workspace_running=1000,
)


@dataclass
class Crowd:
    """Requests, and what became of them."""

    admissions: Admissions
    workspace: Workspace
    said: Counter[str] = field(default_factory=Counter)
    took: dict[str, float] = field(default_factory=dict)
    """Seconds of each that was accepted."""

    async def asks(self, people: int, requests: int) -> float:
        """Ask all of it, and return how many seconds that took."""
        numbers, begun = iter(range(requests)), time.perf_counter()

        async def person() -> None:
            for number in numbers:
                await self._ask(number)

        await asyncio.gather(*(person() for _ in range(people)))
        return time.perf_counter() - begun

    async def _ask(self, number: int) -> None:
        run = ChatRun(
            id=f"run-{number}",
            tenant=TENANT,
            channel="C1",
            asker=f"U{number % 100}",
            question="When does the office open?",
            query="When does the office open?",
            workspace_id=self.workspace.id,
        )
        begun = time.perf_counter()
        try:
            accepted = await self.admissions.accept(run)
        except StoreUnavailable as error:
            self.said[type(error).__name__] += 1
            await asyncio.sleep(AGAIN_SECONDS)
        else:
            self.said[accepted.state] += 1
            self.took[run.id] = time.perf_counter() - begun


async def measure(folder: Path, people: int, requests: int, each: float) -> None:
    """Let a crowd ask, and print what became of it; check that it is what is stored."""
    database = await Database.open(folder / "masis.db")
    workspace = await SqlRepository(database).create_workspace(TENANT.owner, "acme")
    await TeamSettingsStore(database).save(TENANT, RAISED)
    admissions = Admissions(
        database,
        lambda *_: time.sleep(each),
        seconds=ACCEPT_SECONDS,
        limits=Limits(runs_at_once=MANY),
    )
    crowd = Crowd(admissions, workspace)
    seconds = await crowd.asks(people, requests)
    await admissions.close(5)
    stored = {run.id for run in await ChatRuns(database).open_runs(None)}
    assert stored == set(crowd.took), stored ^ set(crowd.took)
    times = sorted(crowd.took.values()) or [0.0]
    print(
        f"{people:>4} at a time: {dict(crowd.said)} in {seconds:.1f} s;"
        f" accepted within {statistics.median(times):.2f} s, {times[-1]:.2f} s at most"
    )
    await database.close()


def main() -> None:
    """Measure crowd after crowd."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=float, default=2.0, help="milliseconds")
    each = parser.parse_args().each / 1000
    quotas.QUEUE_LIMIT = MANY  # type: ignore[attr-defined] # raised for the crowd
    quotas.QUEUE_LIMIT_PER_WORKSPACE = MANY  # type: ignore[attr-defined] # the same
    quotas.MAX_EXPECTED_WAIT = 1e9  # type: ignore[attr-defined] # the same
    for people, requests in CROWDS:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(measure(Path(folder), people, requests, each))


if __name__ == "__main__":
    main()
