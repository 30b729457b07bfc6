"""Kills a process at named moments of a request's life, and starts another one."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from bot.playground.slack.entities import Message
from bot.slack import ids
from tests.chaos.accounts import Account, account, settled
from tests.chaos.death import Moment
from tests.chaos.town import LAMP, PEOPLE, Town, lamp, question, riddle

DEATH_SECONDS: Final = 30.0
"""How long a process may take to come to its moment."""
_KILLED: Final = -9

Story = Literal[
    "slash",
    "mention",
    "long",
    "riddle",
    "reply",
    "upload",
    "behind",
    "follow_up",
    "choice",
    "choose",
]


_STEP: Final = "storage.durable.durable_steps:_Step"


@dataclass(frozen=True)
class Case:
    """A moment, and what somebody does to bring the program there."""

    name: str
    story: Story
    moment: Moment
    end: str = ""
    """The only outcome that may come of it; empty where several may."""

    def __str__(self) -> str:
        return f"{self.name} ({self.story})"


@dataclass(frozen=True)
class Outcome:
    """What came of a case."""

    name: str
    wrong: list[str]
    seconds: float = 0.0
    """From the death to the last outcome, with the new process's start."""
    ends: str = "none"
    lost: int | None = None
    doubled: int | None = None


def _posts(kind: str, story: Story, part: int = 0) -> Iterator[Case]:
    """The three moments of one message, by its outbox row."""
    having = {"kind": kind, "part": part}
    name = kind if part == 0 else f"{kind}, part {part + 1}"
    outbox = "storage.chat.outbox:Outbox"
    yield Case(f"{name}: noted, not posted", story, Moment(f"{outbox}.begin", "after", 1, having))
    yield Case(f"{name}: posted, not noted", story, Moment(f"{outbox}.sent", "before", 1, having))
    yield Case(f"{name}: posted and noted", story, Moment(f"{outbox}.sent", "after", 1, having))


def _nodes() -> Iterator[Case]:
    """Before each node, after its work and before it is written down, and after that."""
    understanding = ("router", "rewriter", "planner")
    answering = ("supervisor", "researcher", "synthesizer", "critic", "evaluator")
    for number, node in enumerate((*understanding, *answering), start=1):
        having = {"name": node}
        yield Case(f"before {node}", "slash", Moment(f"{_STEP}._stored", "before", 1, having))
        yield Case(f"{node} done, not written", "slash", Moment(f"{_STEP}._do", "after", number))
        yield Case(f"{node} written", "slash", Moment(f"{_STEP}._stored", "after", 1, having))
    having = {"name": "supervisor"}
    yield Case("the last supervisor", "slash", Moment(f"{_STEP}._stored", "after", 2, having))


def _rewritten(where: str = "") -> Iterator[Case]:
    """Between the rewriting of a follow-up, which a model was asked for, and the first search."""
    for node in ("rewriter", "planner"):
        written = Moment(f"{_STEP}._stored", "after", 1, {"name": node})
        yield Case(f"{node} written{where}", "follow_up", written)
    searching = Moment(f"{_STEP}._stored", "before", 1, {"name": "researcher"})
    yield Case(f"researcher not begun{where}", "follow_up", searching)


CASES: Final = (
    Case("before the accept", "mention", Moment("bot.slack.intake.intake:Intake.ask", "before")),
    Case("accept begun", "slash", Moment("storage.admission.admissions:admit", "before")),
    Case(
        "stored, not committed",
        "slash",
        Moment("storage.admission.admissions:Admissions._commit", "after"),
    ),
    Case("stored, not committed", "mention", Moment("storage.admission.admissions:admit", "after")),
    Case("committed", "slash", Moment("storage.admission.admissions:_Request.settle", "before")),
    Case("before the ack", "slash", Moment("bot.slack.intake.intake:Intake.ask", "after")),
    Case("before the ack", "mention", Moment("bot.slack.intake.intake:Intake.ask", "after")),
    Case("begun by the engine", "slash", Moment("storage.queue.worker:Worker.work", "before")),
    Case("in _begin, before", "slash", Moment("storage.queue.worker:Worker._begin", "before")),
    Case("in _begin, after", "slash", Moment("storage.queue.worker:Worker._begin", "after")),
    *_posts("root", "slash"),
    *_posts("progress", "mention"),
    *_nodes(),
    *_rewritten(),
    *_posts("answer", "slash"),
    *_posts("answer", "long", 1),
    *_posts("report", "upload"),
    Case("before a session", "riddle", Moment("storage.chat.sessions:Sessions.open", "before")),
    Case("session open", "riddle", Moment("storage.chat.sessions:Sessions.open", "after")),
    *_posts("clarification", "riddle"),
    Case("reply, before", "reply", Moment("bot.slack.intake.intake:Intake.reply", "before")),
    Case(
        "reply, not committed",
        "reply",
        Moment("storage.admission.acceptance:_take_session", "after"),
    ),
    Case(
        "reply, committed",
        "reply",
        Moment("storage.admission.admissions:_Request.settle", "before"),
    ),
    Case("reply, before the ack", "reply", Moment("bot.slack.intake.intake:Intake.reply", "after")),
    Case("in _end, before", "slash", Moment("storage.queue.attempts:Attempts.end", "before")),
    Case("in _end, after", "slash", Moment("storage.queue.attempts:Attempts.end", "after")),
    Case("in let_through", "behind", Moment("storage.queue.attempts:let_through", "before", 2)),
    Case(
        "let through, not committed",
        "behind",
        Moment("storage.queue.attempts:let_through", "after", 2),
    ),
)


def _chosen(on: str = "") -> Iterator[Case]:
    """A question back that waits in a graph, from its post to the end of the run that has the reply."""
    asked, given = "clarification", "answer"
    for each in _posts("clarification", "choice"):
        yield Case(f"{each.name}{on}", each.story, each.moment, asked)
    begun = Moment("storage.queue.worker:Worker._begin", "before")
    yield Case(f"reply accepted, not begun{on}", "choose", begun, given)
    copied = "storage.checkpoints:SqlCheckpoints.copy"
    yield Case(f"reply not taken{on}", "choose", Moment(copied, "before"), given)
    yield Case(f"reply taken, not resumed{on}", "choose", Moment(copied, "after"), given)
    for node in ("expander", "retrieval", "analyzer"):
        step = f"{_STEP}._stored"
        yield Case(f"before {node}{on}", "choose", Moment(step, "before", 1, {"name": node}), given)
        yield Case(f"{node} written{on}", "choose", Moment(step, "after", 1, {"name": node}), given)
    for each in _posts("answer", "choose"):
        yield Case(f"{each.name}{on}", each.story, each.moment, given)
    ended = "storage.queue.attempts:Attempts.end"
    yield Case(f"in _end, before{on}", "choose", Moment(ended, "before"), given)
    yield Case(f"in _end, after{on}", "choose", Moment(ended, "after"), given)


CHOICE_CASES: Final = tuple(_chosen())
"""For a town with a code list."""
POSTGRES_CHOICE_CASES: Final = tuple(_chosen(", PostgreSQL"))
POSTGRES_CASES: Final = tuple(_rewritten(", PostgreSQL"))
"""What is gone through there too: a step's row is another one."""


class Moments:
    """Goes through cases, one after the other, in one town."""

    def __init__(self, town: Town) -> None:
        self._town = town
        self._wrong: set[str] = set()
        self._lost = 0
        self._doubled = 0

    async def go_through(self, case: Case) -> Outcome:
        """Bring a program to the moment, let another one go on, and look."""
        town = self._town
        story = Stories(town, next(town.numbers))
        before = {
            "reply": story.riddle,
            "follow_up": story.mention,
            "choose": story.choice,
        }.get(case.story)
        if before is not None:
            plain = await town.serves()
            await before()
            await settled(town)
            await plain.killed()
        known = set(town.outcomes())
        dying = await town.serves(moment=case.moment)
        telling = town.begins(story.of(case.story)())
        try:
            code = await dying.ended(DEATH_SECONDS)
        except TimeoutError as error:
            await dying.killed()
            return Outcome(str(case), [f"never came to the moment: {error}"])
        died = time.monotonic()
        alive = await town.serves()
        await asyncio.wait({telling})
        await settled(town)
        seconds = time.monotonic() - died
        found = await asyncio.to_thread(account, town)
        await alive.killed()
        wrong = [f"ended with {code}"] if code != _KILLED else []
        wrong += [str(telling.exception())] if telling.exception() else []
        new = sorted(kind for run, kind in town.outcomes().items() if run not in known)
        if not new and story.must_be_stored:
            wrong.append("no outcome at all")
        if case.end and new != [case.end]:
            wrong.append(f"it ended as {new}")
        return self._outcome(case, found, wrong, seconds, ", ".join(new) or "none")

    def _outcome(
        self, case: Case, found: Account, wrong: list[str], seconds: float, ends: str
    ) -> Outcome:
        """What this case added to the town's account."""
        wrong += [line for line in found.wrong if line not in self._wrong]
        lost, doubled = found.lost - self._lost, found.doubled - self._doubled
        self._wrong |= set(found.wrong)
        self._lost, self._doubled = found.lost, found.doubled
        return Outcome(str(case), wrong, seconds, ends, lost, doubled)


class Stories:
    """What somebody does. Slack does not repeat a command: what is not acknowledged is not asked."""

    def __init__(self, town: Town, number: int) -> None:
        self._town = town
        self._number = number
        self.must_be_stored = True

    def of(self, story: Story) -> Callable[[], Awaitable[Any]]:
        """The story of that name."""
        told: Callable[[], Awaitable[Any]] = getattr(self, story)
        return told

    async def slash(self) -> None:
        """A command."""
        ack = await self._town.asks(self._number)
        self.must_be_stored = ack.ok

    async def mention(self) -> None:
        """A mention in a channel, which Slack repeats until it is acknowledged."""
        await self._town.asks(self._number, "mention")

    async def long(self) -> None:
        """A question whose answer fills two messages."""
        self._town.service.long.add(question(self._number))
        await self.slash()

    async def riddle(self) -> None:
        """A question that is asked back."""
        await self._town.asks(self._number, "mention", riddle(self._number))

    async def reply(self) -> None:
        """The reply to the riddle before."""
        await self._replies(riddle(self._number), question(self._number))

    async def choice(self) -> None:
        """A question for a code that is asked back."""
        await self._town.asks(self._number, "mention", lamp(self._number))

    async def choose(self) -> None:
        """The reply that tells which code it is."""
        await self._replies(lamp(self._number), LAMP)

    async def upload(self) -> None:
        """A file."""
        town, owner = self._town, self._town.slack.owner
        channel = town.channels[self._number % len(town.channels)]
        text = f"# Gates\n\nGate number {self._number} opens at noon.\n".encode()
        posted = await owner.uploads(channel, [(f"gates{self._number}.md", text)])
        assert posted.message is not None
        await owner.shortcut(ids.FILES_SHORTCUT, posted.message)

    async def follow_up(self) -> None:
        """One more question in the thread of the one before."""
        asked = self._town.messages[question(self._number)]
        channel = self._town.slack.world.channels[asked.channel_id]
        person = self._town.people[self._number % PEOPLE]
        await person.says(channel, f"@MASIS {self._again}", thread=asked)

    async def behind(self) -> None:
        """Two questions in one thread: the second waits for the first."""
        town = self._town
        person = town.people[self._number % PEOPLE]
        channel = town.channels[self._number % len(town.channels)]
        first = await person.says(channel, f"@MASIS {question(self._number)}")
        assert first.message is not None
        await person.says(channel, f"@MASIS {self._again}", thread=first.message)

    @property
    def _again(self) -> str:
        """What follows a question, by the same person."""
        return f"And when does office number {self._number + 300} open?"

    async def _replies(self, asked: str, reply: str) -> None:
        message = self._clarification(asked)
        channel = self._town.slack.world.channels[message.channel_id]
        person = self._town.people[self._number % PEOPLE]
        await person.says(channel, reply, thread=message.root_ts)

    def _clarification(self, asked: str) -> Message:
        for posted in self._town.posted().values():
            for kind, _, message in posted:
                channel = self._town.slack.world.channels[message.channel_id]
                root = channel.messages[message.root_ts]
                if kind == "clarification" and asked in root.text:
                    return message
        raise AssertionError(f"nobody asked back: {asked}")
