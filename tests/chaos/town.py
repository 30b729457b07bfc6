"""A Slack with people who ask, and the real program that answers them in processes of its own.

Slack, the model service and, where several processes share it, Qdrant are served by the test's own
process. They outlive whatever becomes of the program's processes.
"""

import asyncio
import itertools
import os
import random
import signal
import socket
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import aiohttp

from bot.chat.words.shared_sentences import ON_IT
from bot.compose import compose
from bot.http import EVENTS_PATH
from bot.playground.people.people import Person
from bot.playground.server import Playground
from bot.playground.slack.bots import Ack
from bot.playground.slack.entities import Channel, Message
from bot.slack.text.sentences import GOT_IT
from masis.conversation import Link, TeamSettings, Tenant
from storage.chat.links import Links
from storage.chat.team_settings import TeamSettingsStore
from storage.sql.rows import now
from tests.chaos.death import Moment
from tests.chaos.nursery import Nursery, Program
from tests.chaos.service import CountingService
from tests.openai_server import KEY, MODELS, OpenAIServer
from tests.storage.qdrant_facade import QdrantFacade
from tests.walks.office import settings, slack_of_ours

Way = Literal["slash", "mention", "direct"]
WAYS: Final[Sequence[Way]] = ("slash", "mention", "direct")

OFFICES: Final = 600
PEOPLE: Final = 101
"""Prime to the channels: for 1,212 questions nobody asks twice in one place."""
CHANNELS: Final = 12
RETRY_WAITS: Final = (0.2, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Slack repeats an event after 0, 60 and 300 s; a test waits less."""
READY_SECONDS: Final = 60.0
SETTLED_SECONDS: Final = 60.0
"""Within this time of the last fault every accepted request has its outcome."""
_LOOK_SECONDS: Final = 0.05
KEPT: Final = ("PATH", "HOME", "LANG", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "PYTHONUTF8")
"""What the programs see of this process's environment; no setting of the machine's."""
GENEROUS: Final = TeamSettings(
    user_per_minute=1000,
    user_running=100,
    channel_per_minute=10_000,
    workspace_per_minute=10_000,
    workspace_running=8,
)


def question(number: int) -> str:
    """What is asked the `number`th time; no two are alike."""
    return f"When does office number {number} open?"


def riddle(number: int) -> str:
    """A question that no document answers: MASIS asks back."""
    return f"Which submarine painted lighthouse {number} violet?"


LAMPS: Final = """Code,Title,Parent
A,Theatre,
B,City,
A1,Bulb crate for stages,A
A2,Curtains,A
B1,Bulb crate for streets,B
B2,Benches,B
"""
"""A code list: what is of a lamp type is asked back, since it says too little."""
LAMP: Final = "Bulb crate for streets"
"""What a reply says that tells which one it is."""


def lamp(number: int) -> str:
    """A question for a code that is asked back."""
    return f"Which lamp type is the bulb of crate {number}?"


@dataclass(frozen=True)
class Refused:
    """A question that was not acknowledged, and where its asker was told so."""

    seconds: float
    way: Way
    person: str
    channel: str
    said: str
    by_slack: bool
    """In Slack's own words: the program said nothing in time, and may have stored it."""


@dataclass
class Town:
    """What there is, and what was asked and acknowledged so far."""

    slack: Playground
    service: CountingService
    nursery: Nursery
    folder: Path
    environment: dict[str, str]
    channels: list[Channel]
    people: list[Person]
    database_url: str
    acked: dict[str, float] = field(default_factory=dict)
    """Seconds to the acknowledgement, by question."""
    unacked: dict[str, Refused] = field(default_factory=dict)
    """By question, how its asker was told that nothing came of it."""
    messages: dict[str, Message] = field(default_factory=dict)
    """By question, the message that asked it."""
    programs: list[Program] = field(default_factory=list)
    pragma: str = ""
    """What the next programs' SQLite connections are told besides."""
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    # --- programs --------------------------------------------------------------------------

    async def serves(
        self, *arguments: str, moment: Moment | None = None, **environment: str
    ) -> Program:
        """Start a program that hears Slack, and wait until it listens."""
        port = free_port()
        program = await self.starts(
            *(arguments or ("serve",)), moment=moment, MASIS_HTTP_PORT=str(port), **environment
        )
        await listens(program, port)
        self.slack.request_url = f"http://127.0.0.1:{port}{EVENTS_PATH}"
        return program

    async def works(self, *, moment: Moment | None = None, **environment: str) -> Program:
        """Start a worker, and wait until it is at work."""
        port = free_port()
        program = await self.starts(
            "worker", moment=moment, MASIS_HTTP_PORT=str(port), **environment
        )
        await listens(program, port)
        return program

    async def takes_in(self) -> Program:
        """Start an ingress, and wait until it listens."""
        return await self.serves("serve", "--role", "ingress")

    async def starts(
        self, *arguments: str, moment: Moment | None = None, **environment: str
    ) -> Program:
        """Start a program."""
        log = self.folder / f"program-{len(self.programs)}.log"
        told = self.environment | environment
        program = await self.nursery.start(arguments, told, log, moment, self.pragma)
        self.programs.append(program)
        return program

    # --- people ----------------------------------------------------------------------------

    async def asks(self, number: int, way: Way = "slash", text: str = "") -> Ack:
        """Somebody asks; an event is repeated as Slack does."""
        asked = text or question(number)
        person, channel = self.people[number % PEOPLE], self.channels[number % CHANNELS]
        began = time.monotonic()
        if way == "slash":
            did = await person.slash("/masis", asked, channel)
        elif way == "mention":
            did = await person.says(channel, f"@MASIS {asked}")
        else:
            did = await person.says(person.direct(), asked)
        if way != "slash" and did.message is not None:
            self.messages[asked] = did.message
        ack, took = did.acks[-1], time.monotonic() - began
        taken = any(word in str(ack.body) for word in (ON_IT, GOT_IT))
        if ack.ok and (way != "slash" or taken):
            self.acked[asked] = took
        else:
            said = ack.body.get("text") if isinstance(ack.body, dict) else ack.body
            self.unacked[asked] = Refused(
                took, way, person.id, channel.id, str(ack.error or said), by_slack=not ack.ok
            )
        return ack

    def begins(self, work: Any) -> "asyncio.Task[Any]":
        """Do something beside; it ends with the town at the latest."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def asked(self) -> None:
        """Wait until everything that was begun is done."""
        while self._tasks:
            await asyncio.wait({*self._tasks})

    async def leaves(self) -> None:
        """Break off what was begun."""
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- what is seen ----------------------------------------------------------------------

    @property
    def tenant(self) -> Tenant:
        """Whose Slack it is."""
        return Tenant(team=self.slack.team.id)

    def posted(self) -> dict[str, list[tuple[str, int, Message]]]:
        """By run, the messages that stand in Slack: kind, part, message."""
        found: dict[str, list[tuple[str, int, Message]]] = defaultdict(list)
        for channel in self.slack.world.channels.values():
            for message in channel.messages.values():
                if message.metadata and message.metadata["event_type"].startswith("masis_"):
                    payload = message.metadata["event_payload"]
                    found[payload["run_id"]].append((payload["kind"], payload["part"], message))
        return found

    def outcomes(self) -> dict[str, str]:
        """By run, the kind of its outcome, for those that have one."""
        return {
            run: kind for run, all_ in self.posted().items() for kind, _, _ in all_ if kind in ENDS
        }

    def told_privately(self, asked: str) -> str | None:
        """What the asker of a message was told alone about it, if anything."""
        message = self.messages.get(asked)
        if message is None:
            return None
        beside = self.slack.world.channels[message.channel_id].replies(message.ts)
        notes = [note for note in self.slack.world.private if note.thread_ts == message.ts]
        return next((note.text for note in (*notes, *beside) if not note.metadata), None)

    def notes(self, refused: Refused) -> list[str]:
        """All that this asker was told alone in that place."""
        place = refused.person, refused.channel
        private = self.slack.world.private
        return [note.text for note in private if (note.only_for, note.channel_id) == place]

    async def outcome(self, run: str, seconds: float = 90.0) -> str:
        """Wait for a request's outcome; gives its kind."""
        await self.until(lambda: run in self.outcomes(), seconds, f"the outcome of {run}")
        return self.outcomes()[run]

    async def until(
        self, holds: Callable[[], object], seconds: float = SETTLED_SECONDS, what: str = ""
    ) -> None:
        """Wait until something holds.

        Raises:
            AssertionError: it does not; the message has the end of the last program's log.
        """
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                said = self.programs[-1].said() if self.programs else ""
                raise AssertionError(f"not within {seconds} s: {what}\n{said}")
            await asyncio.sleep(_LOOK_SECONDS)

    def fast_posts(self) -> None:
        """From now on Slack answers at once."""
        self.slack.faults.clear()

    def slow_posts(self, low: float = 0.3, high: float = 1.5, times: int = 5000) -> None:
        """From now on Slack takes posts at once, and answers so many seconds later."""
        for _ in range(times):
            delay = random.uniform(low, high)
            self.slack.faults.add(method="chat.postMessage", kind="slow", delay_s=delay)


ENDS: Final = frozenset({"answer", "clarification", "report", "refused", "failed", "stopped"})


@asynccontextmanager
async def town(
    folder: Path,
    *,
    database_url: str = "",
    qdrant: bool = False,
    nursery: Nursery | None = None,
    model: bool = True,
    environment: Mapping[str, str] | None = None,
    codes: bool = False,
) -> AsyncIterator[Town]:
    """A town with one workspace, whose channels are linked to it.

    `database_url`: none for the SQLite file in the folder. `nursery`: one of several towns. `codes`:
    the workspace holds a code list, too.
    """
    async with AsyncExitStack() as closing:
        slack = await closing.enter_async_context(slack_of_ours(retry_waits_s=RETRY_WAITS))
        service = await closing.enter_async_context(CountingService())
        if nursery is None:
            nursery = await closing.enter_async_context(Nursery())
        given = _environment(folder, slack, service if model else None, database_url)
        if qdrant:
            facade = QdrantFacade(folder / "qdrant")
            await facade.start()
            closing.push_async_callback(facade.stop)
            given["MASIS_QDRANT_URL"] = facade.url
        given |= environment or {}
        people = [slack.person(f"person{number}") for number in range(PEOPLE)]
        channels = [
            slack.channel(f"office{number}", *people, slack.owner) for number in range(CHANNELS)
        ]
        here = Town(slack, service, nursery, folder, given, channels, people, database_url)
        await _furnish(here, codes=codes)
        closing.push_async_callback(_empty, here)
        yield here


async def _empty(here: Town) -> None:
    """End what was begun and every program of the town."""
    await here.leaves()
    for program in here.programs:
        program.send(signal.SIGKILL)
    for program in here.programs:
        await program.ended(10)


async def _furnish(here: Town, *, codes: bool) -> None:
    """Documents, links and quotas, as if they had been there for long."""
    offices = "\n\n".join(
        f"Office number {n} opens at {n // 60 % 24:02}:{n % 60:02}." for n in range(OFFICES)
    )
    async with compose(settings(here.folder, here.environment), here.tenant.owner) as app:
        workspace = await app.repository.create_workspace(here.tenant.owner, "offices")
        put_in = await app.ingest.ingest(workspace, "hours.md", f"# Hours\n\n{offices}\n".encode())
        assert put_in.status == "added", put_in
        if codes:
            await app.ingest.ingest(workspace, "lamp-types.csv", LAMPS.encode())
        await TeamSettingsStore(app.database).save(here.tenant, GENEROUS)
        for channel in here.channels:
            await Links(app.database).link(
                Link(
                    tenant=here.tenant,
                    channel=channel.id,
                    workspace_id=workspace.id,
                    linked_by=here.slack.owner.id,
                    linked_at=now(),
                )
            )


def _environment(
    folder: Path, slack: Playground, service: OpenAIServer | None, database_url: str
) -> dict[str, str]:
    given = {name: value for name, value in os.environ.items() if name in KEPT} | {
        "MASIS_DATA_DIR": str(folder / "data"),
        "MASIS_SLACK_API_URL": slack.api_url,
        "MASIS_SLACK_BOT_TOKEN": slack.bot_token,
        "MASIS_SLACK_SIGNING_SECRET": slack.signing_secret,
        "MASIS_EMBEDDER": "none",
        "MASIS_LOG_LEVEL": "WARNING",
        "MASIS_HTTP_PORT": "0",
        "MASIS_AGENTS": "offline",
    }
    if database_url:
        given["MASIS_DATABASE_URL"] = database_url
    if service is None:
        return given
    return given | {
        "MASIS_AGENTS": "model",
        "MASIS_MODEL_BASE_URL": service.url,
        "MASIS_MODEL_API_KEY": KEY,
        "MASIS_MODEL_CALLS_PER_MINUTE": "100000",
        **{f"MASIS_{role.upper()}_MODEL": model for role, model in MODELS.items()},
    }


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def listens(program: Program, port: int) -> None:
    """Wait until the program answers there.

    Raises:
        AssertionError: it ended, or took too long.
    """
    deadline = time.monotonic() + READY_SECONDS
    async with aiohttp.ClientSession() as session:
        while True:
            try:
                async with session.get(f"http://127.0.0.1:{port}/healthz"):
                    return
            except aiohttp.ClientError:
                assert program.is_alive, f"it ended: {program.said()}"
                assert time.monotonic() < deadline, f"it does not listen: {program.said()}"
                await asyncio.sleep(_LOOK_SECONDS)
