"""A town of two Slack teams and a Teams team with the real bot, whose process can end, be killed, and start.

Slack and Teams are the local stand-ins; database, vectors, engine and HTTP are real. Searching is by words and
the agents are offline: what is tried out is who sees what and how often, not how well it is put.
"""

import asyncio
import base64
import contextlib
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from bot.compose import VECTORS_FOLDER, App, compose
from bot.database_address import DATABASE_FILE
from bot.http import EVENTS_PATH
from bot.playground.people.people import Person
from bot.playground.server import Playground
from bot.playground.slack.entities import Channel, Team
from bot.serve import listening, slack_bot
from bot.slack.compose import SlackBot
from bot.teams.connector.conversation_limits import Limit
from masis.conversation import TEAMS, TeamSettings, Tenant
from masis.domain import WorkspaceId
from storage.chat.requests import ChatRuns
from storage.jobs.chat_jobs import ChatJobs
from tests.memory import copy_folder
from tests.properties.teams_team import CuttableHttp, TeamsHouse, teams_house
from tests.walks.office import install, settings, slack_of_ours

SECONDS: Final = 30.0
"""How long anything is waited for, at most."""
WORKSPACES: Final = ("handbook", "contracts")
"""Every team's: what is of two teams has the same name, so that a mistake finds the other's."""
DOCUMENTS: Final = ("vault", "gate")
SWIFT: Final[dict[str, object]] = {
    # The stand-in may be called as fast as one likes, and shows at once what it took.
    "bot.slack.client.pacing.POSTS_PER_CHANNEL_S": 100.0,
    "bot.slack.client.pacing.RATES": {},
    "bot.slack.client.pacing.REPEAT_PAUSE": 0.01,
    "bot.slack.client.delivery.SETTLE_SECONDS": 0.02,
    "bot.teams.connector.connector.SENDING": (Limit(100_000, 3600.0),),
    "bot.teams.connector.connector.LOOKING": (Limit(100_000, 3600.0),),
    "bot.teams.connector.conversation_limits.PAUSE_SECONDS": 0.01,
    "bot.teams.compose.BoundedHttp": CuttableHttp,
    "bot.teams.jobs.job_worker.EVERY_SECONDS": 0.1,
    "bot.teams.jobs.job_worker.MOST_PAUSE": 0.1,
    "bot.teams.outcome_delivery.NOT_THERE_PAUSES": (0.01, 0.01, 0.01),
    "bot.teams.outcome_delivery.TAKEN_BACK_SECONDS": 1.0,
    "bot.teams.outcome_delivery.TOLD_SECONDS": 1.0,
    # Whoever dies is another life of the same process: nobody else waits for what it held.
    "bot.teams.jobs.job_worker.LEASE_SECONDS": 1.0,
    "storage.jobs.chat_jobs.LEASE_SECONDS": 1.0,
}
UNBOUNDED: Final = {
    "user_per_minute": 1000,
    "user_running": 100,
    "channel_per_minute": 10_000,
    "workspace_per_minute": 10_000,
}


@dataclass
class House:
    """One team: who is there, and where they talk. What it has is looked up by its tenant."""

    team: Team
    admin: Person
    people: tuple[Person, ...]
    channels: tuple[Channel, ...]
    keeps: bool = True
    """Whether its data outlives an uninstallation."""

    @property
    def tenant(self) -> Tenant:
        """Whose data it is."""
        return Tenant(team=self.team.id)


@dataclass
class Life:
    """One life of the bot's process, from its start to its end or its death."""

    app: App
    bot: SlackBot
    address: str
    database: Path
    closing: AsyncExitStack
    hurry: asyncio.Event
    leftovers: int
    """Open requests that it found at its start."""


@dataclass
class Town:
    """The stand-in, two houses, and the bot. `start`, `restart`, `crash` and `close` are its lives."""

    slack: Playground
    teams: TeamsHouse
    root: Path
    houses: tuple[House, ...] = ()
    disks: int = 0
    _life: Life | None = field(default=None, repr=False)

    @property
    def life(self) -> Life:
        """The bot's present life."""
        assert self._life is not None, "the bot is not running"
        return self._life

    @property
    def all_houses(self) -> tuple[House | TeamsHouse, ...]:
        """The teams, each by its number."""
        return (*self.houses, self.teams)

    @property
    def folder(self) -> Path:
        """Where the bot keeps its data; after a crash it is another one."""
        return self.root / f"disk-{self.disks}" / "data"

    # --- lives -----------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the bot on the data that is there."""
        async with AsyncExitStack() as closing:
            given = _environment(self.slack) | self.teams.environment()
            chosen = settings(self.folder.parent, given)
            app = await closing.enter_async_context(compose(chosen))
            leftovers = len(await ChatRuns(app.database).open_runs(None))
            hurry = asyncio.Event()
            bot = await closing.enter_async_context(slack_bot(app, every=0.01, hurry=hurry))
            address = await closing.enter_async_context(listening(app, bot))
            self.slack.request_url = f"{address}{EVENTS_PATH}"
            self.teams.address = address
            database = self.folder / DATABASE_FILE
            self._life = Life(app, bot, address, database, closing.pop_all(), hurry, leftovers)

    async def stop(self) -> None:
        """End the process as SIGTERM does: what runs gets its time, the rest waits on the disk."""
        life, self._life = self.life, None
        self.slack.request_url = None
        await life.closing.aclose()

    async def crash(self, late: float) -> None:
        """End the process as a kill does, at a moment when it was about to write.

        What it had committed stays, what it had sent in the last `late` seconds has arrived without
        being noted, and nothing more comes of it. Its disk is copied at that moment and the bot goes
        on with the copy, since a process cannot kill itself and live: what the old one still does is
        to a disk that nobody reads, with no way to Slack.
        """
        life, self._life = self.life, None
        self.slack.request_url = None
        async with _held_still(life.database):
            await asyncio.sleep(late)
            await life.bot.services.web.close()
            await CuttableHttp.made[-1].cut()
            before = self.folder
            self.disks += 1
            await asyncio.to_thread(_copied, before, self.folder)
        life.hurry.set()
        await life.closing.aclose()
        await asyncio.to_thread(shutil.rmtree, before)

    # --- waiting ---------------------------------------------------------------------------

    async def settled(self) -> None:
        """Wait until every request has ended and nothing is on its way to anybody."""
        services = self.life.bot.services
        try:
            async with asyncio.timeout(SECONDS):
                await self.slack.settled()
                await services.tasks.drain(SECONDS)
                while await self._is_busy():  # noqa: ASYNC110 - a table tells nobody
                    await asyncio.sleep(0.01)
                await services.tasks.drain(SECONDS)
                await self.slack.settled()
        except TimeoutError:
            left = await services.runs.open_runs(None)
            told = [(run.id, run.kind, run.status, run.attempt) for run in left]
            raise AssertionError(f"not quiet within {SECONDS} s: {told}") from None

    async def _is_busy(self) -> bool:
        left = await ChatJobs(self.life.app.database).left(TEAMS)
        return bool(left or await self.life.bot.services.runs.open_runs(None))

    async def answered(self) -> None:
        """Wait until what listeners began after their ack is done; requests go on."""
        await self.slack.settled()
        await self.life.bot.services.tasks.drain(SECONDS)


# --- a new town ----------------------------------------------------------------------------


@asynccontextmanager
async def town(root: Path, template: Path | None = None) -> AsyncIterator[Town]:
    """A town, with the bot installed in both teams, on a copy of the data in `template`."""
    async with slack_of_ours() as slack, teams_house() as teams:
        here = Town(slack, teams, root)
        if template is not None:
            await asyncio.to_thread(copy_folder, template, here.folder)
            await asyncio.to_thread(_move_teams, here.folder, teams.connector.url)
        with swift():
            await here.start()
            try:
                await _settle_in(here)
                yield here
            finally:
                if here._life is not None:
                    await here.stop()


@contextmanager
def swift() -> Iterator[None]:
    """Without the waits that a real Slack needs."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SWIFT.items():
            patch.setattr(name, value)
        yield


def _move_teams(folder: Path, url: str) -> None:
    """Let the places of the copied data be where Teams is now: its address never changes."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE_FILE)) as database, database:
        database.execute("UPDATE teams_places SET service_url = ?", (url,))


async def _settle_in(here: Town) -> None:
    slack = here.slack
    south = slack.world.add_team("Southmoor")
    owners = {slack.team.id: slack.owner, south.id: slack.person("oscar", "owner", south)}
    houses = []
    for team in (slack.team, south):
        admin = owners[team.id]
        await install(here.life.address, admin)
        people = tuple(slack.person(f"{name}_{team.domain}", team=team) for name in ("ann", "ben"))
        channels = tuple(
            slack.channel(name, admin, *people, team=team) for name in ("general", "random")
        )
        houses.append(House(team, admin, people, channels))
    here.houses = tuple(houses)
    for house in here.all_houses:
        await decide(here, house)


async def decide(here: Town, house: House | TeamsHouse) -> None:
    """The team's settings: quotas that nobody reaches, and whether it wants its data kept."""
    chosen = TeamSettings.model_validate(UNBOUNDED | {"keep_when_uninstalled": house.keeps})
    await here.life.bot.services.settings.save(house.tenant, chosen)


async def workspace_id(here: Town, house: House | TeamsHouse, name: str) -> WorkspaceId | None:
    """The team's workspace of that name; None where there is none (any more)."""
    found = await here.life.app.repository.workspace(house.tenant.owner, name)
    return None if found is None else found.id


# --- a disk at one moment ------------------------------------------------------------------


@asynccontextmanager
async def _held_still(database: Path) -> AsyncIterator[None]:
    """While the block runs nothing is committed."""
    held = sqlite3.connect(database, isolation_level=None, timeout=SECONDS, check_same_thread=False)
    with contextlib.closing(held):
        await asyncio.to_thread(held.execute, "BEGIN IMMEDIATE")
        try:
            yield
        finally:
            held.execute("ROLLBACK")


def _copied(before: Path, after: Path) -> None:
    """Copy what is committed, and the vectors as they stand."""
    after.mkdir(parents=True)
    with (
        contextlib.closing(sqlite3.connect(before / DATABASE_FILE)) as here,
        contextlib.closing(sqlite3.connect(after / DATABASE_FILE)) as there,
    ):
        here.backup(there)
    if (before / VECTORS_FOLDER).is_dir():
        copy_folder(before / VECTORS_FOLDER, after / VECTORS_FOLDER)


def _environment(slack: Playground) -> dict[str, str]:
    return {
        "MASIS_SLACK_API_URL": slack.api_url,
        "MASIS_SLACK_SIGNING_SECRET": slack.signing_secret,
        "MASIS_SLACK_CLIENT_ID": slack.world.app.client_id,
        "MASIS_SLACK_CLIENT_SECRET": slack.world.app.client_secret,
        "MASIS_SECRET_KEYS": f"k1:{base64.urlsafe_b64encode(bytes(range(32))).decode()}",
        "MASIS_PUBLIC_URL": "https://masis.example",
        "MASIS_HTTP_PORT": "0",
        "MASIS_AGENTS": "offline",
        "MASIS_EMBEDDER": "none",
    }
