"""MASIS served to Teams by real processes that are killed: who asked what, and what stands there then.

Teams is the stand-in for its connector, which is no part of what dies. It sends a mention until that
is acknowledged, as Teams does; each question hangs in a thread of its own, so that what its thread
shows in the end is what came of it.
"""

import asyncio
import itertools
import os
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp
import sqlalchemy as sa

from bot.chat.words.shared_sentences import WORKING
from bot.compose import compose
from bot.playground.teams.connector_standin import (
    ConnectorStandin,
    Fault,
    Message,
    connecting,
    member,
)
from bot.playground.teams.issuer import APP, HOME, SECRET, Issuer, issuing, sign
from bot.playground.teams.teams_payloads import ANN, CHANNEL, mention, pressed
from bot.settings import load
from bot.teams.cards.carried import REFRESH, RunRef
from bot.teams.text import sentences
from masis.conversation import OPEN
from storage.chat.team_settings import TeamSettingsStore
from tests.bot.teams.card_checker import texts
from tests.chaos.death import Moment
from tests.chaos.nursery import Nursery, Program
from tests.chaos.table import Line
from tests.chaos.town import GENEROUS, KEPT, SETTLED_SECONDS, free_port, listens
from tests.walks.teams_office import LEAVE, TEAM, fill

ABOVE: Final = sentences.ABOVE.partition("}")[2]
DEATH_SECONDS: Final = 30.0
ASK_SECONDS: Final = 60.0
SHARE_OF_FAULTS: Final = 0.3
"""Of the questions, beside which a call of the connector's goes wrong as well."""
FAULTS: Final[Sequence[Fault]] = (429, 412, 502, 504, "taken, then dropped", "dropped")
QUESTION: Final = "How many days of annual leave does every employee have?"
MOST_APOLOGIES: Final = 0.05
"""A run is tried three times, and a faulty call takes one of them as a kill does."""
_LOOK_SECONDS: Final = 0.1
_PAUSE_SECONDS: Final = 0.2
_KILLED: Final = -9

_OUTBOX: Final = "storage.chat.outbox:Outbox"
_STEP: Final = "storage.durable.durable_steps:_Step"


def _posts(kind: str) -> dict[str, Moment]:
    having = {"kind": kind, "part": 0}
    return {
        f"{kind}: noted, not sent": Moment(f"{_OUTBOX}.begin", "after", 1, having),
        f"{kind}: sent, not noted": Moment(f"{_OUTBOX}.sent", "before", 1, having),
        f"{kind}: sent and noted": Moment(f"{_OUTBOX}.sent", "after", 1, having),
    }


_TAKEN_IN: Final = "bot.teams.question_intake:QuestionIntake.ask"
MOMENTS: Final = {
    "before the place is kept": Moment("storage.chat.teams_places:TeamsPlaces.keep", "before"),
    "before the accept": Moment(_TAKEN_IN, "before"),
    "stored, not committed": Moment("storage.admission.admissions:admit", "after"),
    "committed": Moment("storage.admission.admissions:_Request.settle", "before"),
    "accepted, not acknowledged": Moment(_TAKEN_IN, "after"),
    "begun by the engine": Moment("storage.queue.worker:Worker.work", "before"),
    **_posts("progress"),
    "before the search": Moment(f"{_STEP}._stored", "before", 1, {"name": "researcher"}),
    "audited": Moment(f"{_STEP}._stored", "after", 1, {"name": "critic"}),
    **_posts("answer"),
    "before its end": Moment("storage.queue.attempts:Attempts.end", "before"),
    "after its end": Moment("storage.queue.attempts:Attempts.end", "after"),
}
"""A mention's life, from its arrival to the end of its run."""


@dataclass
class Judged:
    """What stands in Teams in the end, compared with what was acknowledged."""

    asked: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    apologies: int = 0
    """Questions whose process was killed as often as one is tried."""
    orphans: int = 0
    """Placeholders that nobody knows: their asker's client takes them away by its refresh."""

    def line(self, what: str, tried: str, rest: str = "") -> Line:
        """As a line of the table."""
        said = f"{self.apologies} apologies; {self.orphans} orphans, gone by their refresh; {rest}"
        wrong = [*self.lost, *self.doubled, *self.wrong]
        if self.apologies > max(1.0, MOST_APOLOGIES * self.asked):
            wrong.append(f"{self.apologies} apologies")
        return Line(what, tried, len(self.lost), len(self.doubled), said, wrong)


@dataclass
class TeamsTown:
    """The program of one folder, and Teams around it."""

    folder: Path
    nursery: Nursery
    issuer: Issuer
    connector: ConnectorStandin
    environment: dict[str, str]
    programs: list[Program] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    """The threads whose question was acknowledged."""
    address: str = ""
    _numbers: Any = field(default_factory=lambda: itertools.count(1))

    async def serves(self, moment: Moment | None = None) -> Program:
        """Start the program, to die at a moment where one is named."""
        port = free_port()
        log = self.folder / f"program-{len(self.programs)}.log"
        told = self.environment | {"MASIS_HTTP_PORT": str(port)}
        program = await self.nursery.start(["serve"], told, log, moment)
        self.programs.append(program)
        await listens(program, port)
        self.address = f"http://127.0.0.1:{port}/teams/messages"
        return program

    # --- people ----------------------------------------------------------------------------

    async def asks(self) -> str:
        """A mention in a thread of its own, sent until it is acknowledged; gives the thread."""
        number = next(self._numbers)
        thread = str(1_700_000_500_000 + number)
        body = mention(QUESTION, id=thread)
        body["conversation"]["id"] = f"{CHANNEL};messageid={thread}"
        deadline = time.monotonic() + ASK_SECONDS
        while not await self._takes(body):
            assert time.monotonic() < deadline, "nobody takes the question"
            await asyncio.sleep(_PAUSE_SECONDS)
        self.asked.add(thread)
        return thread

    async def _takes(self, body: dict[str, Any]) -> bool:
        """Whether an activity was acknowledged; a process that dies does not."""
        whole = body | {"serviceUrl": self.connector.url}
        headers = {"Authorization": f"Bearer {sign(self.connector.url)}"}
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=15)) as session,
                session.post(self.address, json=whole, headers=headers) as response,
            ):
                return response.status == 200
        except (aiohttp.ClientError, TimeoutError):
            return False

    # --- what is seen ----------------------------------------------------------------------

    def runs(self) -> list[tuple[str, str, str]]:
        """Every accepted request: its id, its thread and its status."""
        url = sa.make_url(f"sqlite:///{self.folder / 'data' / 'masis.db'}")
        engine = sa.create_engine(url, poolclass=sa.NullPool)
        with engine.connect() as connection:
            found = connection.execute(sa.text("SELECT id, thread, status FROM chat_runs"))
            return [(row.id, row.thread, row.status) for row in found]

    def jobs(self) -> int:
        """How many deliveries and notices are not done."""
        url = sa.make_url(f"sqlite:///{self.folder / 'data' / 'masis.db'}")
        engine = sa.create_engine(url, poolclass=sa.NullPool)
        with engine.connect() as connection:
            return int(connection.execute(sa.text("SELECT count(*) FROM chat_jobs")).scalar_one())

    async def settled(self) -> None:
        """Wait until every delivery is taken in and every request has ended."""
        deadline = time.monotonic() + SETTLED_SECONDS
        while await asyncio.to_thread(self.jobs) or any(
            status in OPEN for _, _, status in await asyncio.to_thread(self.runs)
        ):
            assert time.monotonic() < deadline, f"not settled: {self.programs[-1].said()}"
            await asyncio.sleep(_LOOK_SECONDS)

    async def judged(self) -> Judged:
        """Compare, once all has come to rest; orphans are looked at by who asked first."""
        runs = {thread: run for run, thread, _ in await asyncio.to_thread(self.runs)}
        found = Judged(asked=len(self.asked))
        for thread, run in runs.items():
            for orphan in [each for each in self._in(thread) if _is_at_work(each)]:
                found.orphans += 1
                await self._refreshed(thread, run, orphan)
        for asked in sorted(self.asked):
            said_there = [_words(each) for each in self._in(asked)]
            # Who waits longer than a minute is told below the answer that it is there.
            ends = [said for said in said_there if WORKING not in said and ABOVE not in said]
            if not ends:
                found.lost.append(f"lost: {asked}")
            if len(ends) > 1:
                found.doubled.append(f"{len(ends)} times: {asked}")
            for said in ends:
                found.apologies += "broke off each time" in said
                if "26 days" not in said and "broke off each time" not in said:
                    found.wrong.append(f"no answer: {said}")
        left = [each for each in self.connector.shown if _is_at_work(each)]
        found.wrong += [f"{len(left)} placeholders are left"] if left else []
        found.wrong += (
            [f"{len(runs)} runs of {len(self.asked)}"] if len(runs) > len(self.asked) else []
        )
        return found

    def _in(self, thread: str) -> list[Message]:
        return [each for each in self.connector.shown if each.thread == thread]

    async def _refreshed(self, thread: str, run: str, orphan: Message) -> None:
        """The asker's client shows a placeholder and asks what became of it."""
        body = pressed(REFRESH, RunRef(run=run).data(), replyToId=orphan.id, id=f"f:{orphan.id}")
        body["conversation"]["id"] = f"{CHANNEL};messageid={thread}"
        assert await self._takes(body)


def _is_at_work(message: Message) -> bool:
    return WORKING in _words(message)


def _words(message: Message) -> str:
    return "\n".join(texts(message.card))


@asynccontextmanager
async def teams_town(folder: Path, nursery: Nursery) -> AsyncIterator[TeamsTown]:
    """A town with one workspace, whose channel is linked to it."""
    async with AsyncExitStack() as closing:
        issuer = await closing.enter_async_context(issuing())
        connector = await closing.enter_async_context(connecting())
        connector.retry_after = "0"
        connector.members = {ANN: member(ANN)}
        told = _environment(folder, issuer)
        settings = load(Path("no.env"), data_dir=folder / "data", embedder="none", http_port=0)
        async with compose(settings) as app:
            await fill(app, {"leave.md": LEAVE})
            await TeamSettingsStore(app.database).save(TEAM, GENEROUS)
        here = TeamsTown(folder, nursery, issuer, connector, told)
        try:
            yield here
        finally:
            for program in here.programs:
                await program.killed()


def _environment(folder: Path, issuer: Issuer) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name in KEPT} | {
        "MASIS_DATA_DIR": str(folder / "data"),
        "MASIS_EMBEDDER": "none",
        "MASIS_AGENTS": "offline",
        "MASIS_LOG_LEVEL": "WARNING",
        "MASIS_TEAMS_APP_ID": APP,
        "MASIS_TEAMS_APP_SECRET": SECRET,
        "MASIS_TEAMS_HOME_TENANT": HOME,
        "MASIS_TEAMS_LOGIN_URL": issuer.url,
        "MASIS_TEAMS_METADATA_URL": issuer.metadata_url,
        "MASIS_TEAMS_GRAPH_URL": issuer.url,
        "MASIS_TEAMS_SERVICE_HOSTS": "127.0.0.1",
    }


# --- what is tried -------------------------------------------------------------------------


async def go_through(town: TeamsTown, name: str) -> Line:
    """Bring a program to a moment of a mention's life, let another one go on, and look."""
    began = time.monotonic()
    dying = await town.serves(MOMENTS[name])
    telling = asyncio.create_task(town.asks())
    wrong = []
    try:
        code = await dying.ended(DEATH_SECONDS)
        wrong += [] if code == _KILLED else [f"ended with {code}"]
    except TimeoutError as error:
        await dying.killed()
        wrong.append(f"never came to the moment: {error}")
    alive = await town.serves()
    await telling
    await town.settled()
    judged = await town.judged()
    judged.wrong += wrong
    await alive.killed()
    return judged.line(f"Teams, {name}", "1 question", f"{time.monotonic() - began:.1f} s")


async def kills(
    town: TeamsTown, *, questions: int, deaths: int, pauses: tuple[float, float], seconds: float
) -> Line:
    """Kill the program at random while people ask, and calls of the connector's go wrong."""
    began, done = time.monotonic(), 0
    program = await town.serves()
    asking = asyncio.create_task(_asking(town, questions, pauses, deaths))
    while done < deaths and time.monotonic() - began < seconds:
        await asyncio.sleep(random.uniform(*pauses))
        await program.killed()
        done += 1
        program = await town.serves()
    await asking
    await town.settled()
    judged = await town.judged()
    judged.wrong += [] if done == deaths else [f"not reached: {deaths - done} kills"]
    await program.killed()
    rest = f"{SHARE_OF_FAULTS:.0%} of them beside a faulty call; {time.monotonic() - began:.0f} s"
    return judged.line("Teams, kill -9", f"{judged.asked} questions, {done} kills", rest)


async def _asking(
    town: TeamsTown, questions: int, pauses: tuple[float, float], deaths: int
) -> None:
    """Ask so much, spread over the kills."""
    every = sum(pauses) / 2 * deaths / questions
    asking = []
    for _ in range(questions):
        if random.random() < SHARE_OF_FAULTS:
            town.connector.fail(random.choice(["POST", "PUT"]), random.choice(FAULTS))
        asking.append(asyncio.create_task(town.asks()))
        await asyncio.sleep(every)
    await asyncio.gather(*asking)
