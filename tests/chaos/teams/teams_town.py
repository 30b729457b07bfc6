"""MASIS served to Teams by real processes that die: people, what they send, and what stands there then.

Teams is the stand-in for its connector, which is no part of what dies. It sends an activity until that
is acknowledged, as Teams does. Each story has a thread or a chat of its own, so that what it shows in
the end is what came of it.
"""

import asyncio
import itertools
import os
import signal
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp

from bot.compose import compose
from bot.playground.teams.connector_standin import (
    ConnectorStandin,
    Message,
    connecting,
    member,
)
from bot.playground.teams.issuer import APP, HOME, SECRET, Issuer, issuing, sign
from bot.playground.teams.room import sent_now
from bot.playground.teams.teams_payloads import ANN, BEN, CHANNEL
from masis.domain import Workspace
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.teams_places import TeamsPlace, TeamsPlaces
from storage.sql.rows import now
from tests.chaos.accounts import Ledger
from tests.chaos.death import Moment
from tests.chaos.nursery import Nursery, Program
from tests.chaos.town import GENEROUS, KEPT, SETTLED_SECONDS, free_port, listens
from tests.storage.qdrant_facade import QdrantFacade
from tests.walks.office import settings
from tests.walks.teams_office import LEAVE, TEAM, fill

Json = dict[str, Any]

SEND_SECONDS: Final = 90.0
"""Within this time somebody takes what is sent: a process dies, and another one starts."""
ACK_SECONDS: Final = 15.0
"""Teams sends again what was not acknowledged within it."""
SPARE: Final = 40
"""Documents that nobody asks for, to be deleted."""
LODGE: Final = (
    "# Lodge rules\n\nA guest may stay in the lodge for 14 nights.\n",
    "# Nights in the lodge\n\nA guest may stay in the lodge for 21 nights.\n",
)
"""Two documents that disagree: which of them counts is asked back."""
_LOOK_SECONDS: Final = 0.1
_PAUSE_SECONDS: Final = 0.2


@dataclass
class TeamsTown:
    """The program of one folder, and Teams around it."""

    folder: Path
    nursery: Nursery
    issuer: Issuer
    connector: ConnectorStandin
    environment: dict[str, str]
    workspace: Workspace
    database_url: str = ""
    programs: list[Program] = field(default_factory=list)
    address: str = ""
    slowest_ack: float = 0.0
    """Of what the program was there to take, in seconds."""
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    uploads: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    async def serves(self, *arguments: str, moment: Moment | None = None) -> Program:
        """Start a program that Teams calls, to die at a moment where one is named."""
        program, port = await self._starts(*(arguments or ("serve",)), moment=moment)
        self.address = f"http://127.0.0.1:{port}/teams/messages"
        return program

    async def takes_in(self) -> Program:
        """Start an ingress."""
        return await self.serves("serve", "--role", "ingress")

    async def works(self) -> Program:
        """Start a worker."""
        return (await self._starts("worker"))[0]

    async def _starts(self, *arguments: str, moment: Moment | None = None) -> tuple[Program, int]:
        """Start a program, and wait until it listens; gives its port beside it."""
        port = free_port()
        log = self.folder / f"program-{len(self.programs)}.log"
        told = self.environment | {"MASIS_HTTP_PORT": str(port)}
        program = await self.nursery.start(arguments, told, log, moment)
        self.programs.append(program)
        await listens(program, port)
        return program, port

    # --- Teams -----------------------------------------------------------------------------

    async def sends(self, body: Json) -> Json:
        """Send an activity until it is acknowledged; gives the answer's body."""
        deadline = time.monotonic() + SEND_SECONDS
        body = sent_now() | body
        while (answer := await self._taken(body)) is None:
            assert time.monotonic() < deadline, f"nobody takes it: {self.programs[-1].said()}"
            await asyncio.sleep(_PAUSE_SECONDS)
        return answer

    async def _taken(self, body: Json) -> Json | None:
        """Send an activity once; None where it was not acknowledged, as by a process that dies."""
        whole = body | {"serviceUrl": self.connector.url}
        headers = {"Authorization": f"Bearer {sign(self.connector.url)}"}
        timeout, began = aiohttp.ClientTimeout(total=ACK_SECONDS), time.monotonic()
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(self.address, json=whole, headers=headers) as response,
            ):
                if response.status != 200:
                    return None
                text = await response.text()
                answer: Json = await response.json() if text else {}
        except (aiohttp.ClientError, TimeoutError):
            return None
        self.slowest_ack = max(self.slowest_ack, time.monotonic() - began)
        return answer

    # --- what is seen ----------------------------------------------------------------------

    async def settled(self) -> None:
        """Wait until what was taken in is done, and every request and workflow has ended."""
        ledger, deadline = Ledger(self), time.monotonic() + SETTLED_SECONDS
        while await asyncio.to_thread(lambda: [*open_jobs(ledger), *ledger.open()]):
            if time.monotonic() > deadline:
                return  # what is still open is found by the account
            await asyncio.sleep(_LOOK_SECONDS)

    async def until(
        self, holds: Callable[[], object], what: str, seconds: float = SETTLED_SECONDS
    ) -> None:
        """Wait until something holds.

        Raises:
            AssertionError: it does not.
        """
        deadline = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < deadline, f"not in time: {what}\n{self.programs[-1].said()}"
            await asyncio.sleep(_LOOK_SECONDS)

    def shown(self) -> dict[str, list[Message]]:
        """Return what stands there, by thread in the channel, else by conversation."""
        found: dict[str, list[Message]] = defaultdict(list)
        for each in self.connector.shown:
            found[each.thread or each.conversation].append(each)
        return found


def open_jobs(ledger: Ledger) -> list[str]:
    """Return what was taken in and is not done, or is to be told yet."""
    return [f"job {row.id}" for row in ledger.rows("SELECT id FROM chat_jobs")]


@asynccontextmanager
async def teams_town(
    folder: Path, nursery: Nursery, database_url: str = ""
) -> AsyncIterator[TeamsTown]:
    """A town with one workspace, whose channel is linked to it.

    `database_url`: none for the SQLite file in the folder.
    """
    async with AsyncExitStack() as closing:
        issuer = await closing.enter_async_context(issuing())
        issuer.roles = {ANN: ["owner"], BEN: []}
        connector = await closing.enter_async_context(connecting())
        connector.retry_after = "0"
        connector.members = {ANN: member(ANN, name="Ann"), BEN: member(BEN, role="guest")}
        given = _environment(folder, issuer)
        if database_url:
            facade = QdrantFacade(folder / "qdrant")
            await facade.start()
            closing.push_async_callback(facade.stop)
            given |= {"MASIS_DATABASE_URL": database_url, "MASIS_QDRANT_URL": facade.url}
        workspace = await _furnish(folder, given, connector.url)
        here = TeamsTown(folder, nursery, issuer, connector, given, workspace, database_url)
        closing.push_async_callback(_empty, here)
        yield here


async def _empty(here: TeamsTown) -> None:
    """End every program of the town."""
    for program in here.programs:
        program.send(signal.SIGKILL)
    for program in here.programs:
        await program.ended(10)


async def _furnish(folder: Path, given: dict[str, str], service_url: str) -> Workspace:
    """Put in documents, links and quotas, as if they had been there for long."""
    spare = {f"spare{n}.md": f"# Spare {n}\n\nShelf {n} is empty.\n" for n in range(SPARE)}
    lodge = {"lodge-rules.md": LODGE[0], "lodge-notice.md": LODGE[1]}
    async with compose(settings(folder, given)) as app:
        workspace = await fill(app, {"leave.md": LEAVE, **lodge, **spare})
        await TeamSettingsStore(app.database).save(TEAM, GENEROUS)
        place = TeamsPlace(
            tenant=TEAM,
            kind="channel",
            conversation=CHANNEL,
            service_url=service_url,
            seen_at=now(),
        )
        await TeamsPlaces(app.database).keep(place)
    return workspace


def _environment(folder: Path, issuer: Issuer) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name in KEPT} | {
        "MASIS_DATA_DIR": str(folder / "data"),
        "MASIS_EMBEDDER": "none",
        "MASIS_AGENTS": "offline",
        "MASIS_LOG_LEVEL": "WARNING",
        "MASIS_HTTP_PORT": "0",
        "MASIS_TEAMS_APP_ID": APP,
        "MASIS_TEAMS_APP_SECRET": SECRET,
        "MASIS_TEAMS_HOME_TENANT": HOME,
        "MASIS_TEAMS_LOGIN_URL": issuer.url,
        "MASIS_TEAMS_METADATA_URL": issuer.metadata_url,
        "MASIS_TEAMS_GRAPH_URL": issuer.url,
        "MASIS_TEAMS_SERVICE_HOSTS": "127.0.0.1",
        "MASIS_TEAMS_FILE_HOSTS": "127.0.0.1",
    }
