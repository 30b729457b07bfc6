"""Programs are killed, at random, while people ask and answers are on their way."""

import asyncio
import math
import random
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from bot.playground.slack.entities import Message
from bot.playground.slack.interactions import CannotDo
from tests.chaos.accounts import Account, Ledger, account, settled
from tests.chaos.nursery import Program
from tests.chaos.town import OFFICES, PEOPLE, SETTLED_SECONDS, WAYS, Town, question, riddle

RIDDLE_EVERY: Final = 10
"""One in so many questions is asked back, and its asker replies."""
WAITING: Final = 40
"""Requests without an outcome, at most: while more wait nobody asks."""
_LOOK_SECONDS: Final = 0.1

Starts = Callable[[], Awaitable[Program]]
"""Starts one program of a crew, the first time and after each kill."""


@dataclass(frozen=True)
class Plan:
    """How much is asked and killed.

    Args:
        questions: how many are asked that are acknowledged, spread over the kills.
        kills: how many programs are killed.
        pauses: the seconds between two kills, at least and at most. To look for a doubtful message
            and to post it takes up to 5 s: who kills faster than that kills on purpose.
        seconds: nothing more is asked, and nobody killed, once so much time has passed. What was
            not reached by then is wrong.
    """

    questions: int
    kills: int
    pauses: tuple[float, float] = (2.0, 8.0)
    seconds: float = 360.0

    @property
    def ask_every(self) -> float:
        """Seconds from one question to the next, on average."""
        return sum(self.pauses) / 2 * self.kills / self.questions


@dataclass
class Report:
    """What came of a plan."""

    account: Account
    plan: Plan
    asked: int
    """Of these so many were `taken_on`: acknowledged."""
    taken_on: int
    kills: int
    seconds: float
    settled_s: float
    """After the last kill."""
    restarts_s: list[float] = field(default_factory=list)

    @property
    def wrong(self) -> list[str]:
        """What must not be: the account's, and what was not reached."""
        left = self.plan.questions - self.taken_on, self.plan.kills - self.kills
        short = [f"not reached in time: {left[0]} questions, {left[1]} kills"]
        return [*self.account.wrong, *(short if max(left) > 0 else [])]


async def kill_loop(town: Town, crew: Sequence[Starts], plan: Plan) -> Report:
    """Let a crew of programs work, and kill them as planned; gives what came of all requests."""
    began = time.monotonic()
    alive = [await starts() for starts in crew]
    people = People(town, plan)
    people.may_ask = math.ceil(plan.questions / max(plan.kills, 1))
    asking = town.begins(people.ask())
    kills, restarts = 0, list[float]()
    while kills < plan.kills and time.monotonic() - began < plan.seconds:
        await asyncio.sleep(random.uniform(*plan.pauses))
        if people.taken_on < people.may_ask:
            continue  # too much waits: the kills are to fall while people ask, not after
        which = random.randrange(len(alive))
        await alive[which].killed()
        kills += 1
        people.may_ask = math.ceil(plan.questions * (kills + 1) / plan.kills)
        died = time.monotonic()
        alive[which] = await crew[which]()
        restarts.append(time.monotonic() - died)
    killed = time.monotonic()
    await people.come_to_rest(began + plan.seconds)
    settled_s = time.monotonic() - killed
    people.is_over = True
    await asyncio.wait({asking})
    return Report(
        account=await asyncio.to_thread(account, town),
        plan=plan,
        asked=people.asked,
        taken_on=people.taken_on,
        kills=kills,
        seconds=time.monotonic() - began,
        settled_s=settled_s,
        restarts_s=restarts,
    )


class People:
    """Ask one question after the other, and reply where they are asked back."""

    def __init__(self, town: Town, plan: Plan) -> None:
        self._town = town
        self._questions = plan.questions
        self._every = plan.ask_every
        self._before = len(town.acked)
        self._replied: set[str] = set()
        self._asking: set[asyncio.Task[Any]] = set()
        self._replying: set[asyncio.Task[Any]] = set()
        self.is_over = False
        self.asked = 0
        self.may_ask = plan.questions
        """So many by now: the kills are to fall while there is work."""

    @property
    def taken_on(self) -> int:
        """Questions that are acknowledged, or may be yet."""
        return len(self._town.acked) - self._before + len(self._asking)

    async def ask(self) -> None:
        """Ask them all, at random moments, and go on to reply."""
        ledger, due = Ledger(self._town), time.monotonic()
        while not self.is_over:
            self._reply()
            if time.monotonic() >= due and self.taken_on < min(self._questions, self.may_ask):
                # By the database: one that was not acknowledged may be stored all the same.
                waiting = len(await asyncio.to_thread(ledger.open_requests))
                if waiting + len(self._asking) + len(self._replying) < WAITING:
                    self.asked += 1
                    self._ask(next(self._town.numbers))
                    due = time.monotonic() + random.uniform(0, 2 * self._every)
            await asyncio.sleep(_LOOK_SECONDS)

    async def come_to_rest(self, latest: float) -> None:
        """Let the rest be asked, by then; wait until every request has ended, and every reply.

        What does not come to rest is found in the account.
        """
        while time.monotonic() < latest and (  # noqa: ASYNC110 - the time tells nobody
            self._asking or self.taken_on < self._questions
        ):
            await asyncio.sleep(_LOOK_SECONDS)
        self._questions = 0
        deadline = time.monotonic() + SETTLED_SECONDS
        before = -1
        while time.monotonic() < deadline:
            await settled(self._town, deadline - time.monotonic())
            if self._asking or self._replying or len(self._replied) != before:
                before = len(self._replied)
                await asyncio.sleep(3 * _LOOK_SECONDS)
            else:
                return

    def _ask(self, number: int) -> None:
        text = riddle(number) if number % RIDDLE_EVERY == 0 else question(number)
        self._begin(self._asking, self._town.asks(number, WAYS[number % len(WAYS)], text))

    def _reply(self) -> None:
        """Reply, once, in each thread in which something is asked back."""
        for posted in self._town.posted().values():
            asked_back = (message for kind, _, message in posted if kind == "clarification")
            message = next(asked_back, None)
            if message is not None and message.root_ts not in self._replied:
                self._replied.add(message.root_ts)
                self._begin(self._replying, self._says(message))

    def _begin(self, going: set[asyncio.Task[Any]], work: Coroutine[Any, Any, Any]) -> None:
        task = self._town.begins(work)
        going.add(task)
        task.add_done_callback(going.discard)

    async def _says(self, asked_back: Message) -> None:
        """The asker of a riddle replies in its thread."""
        channel = self._town.slack.world.channels[asked_back.channel_id]
        root = channel.messages[asked_back.root_ts]
        found = re.search(r"lighthouse (\d+)", root.text)
        assert found, root.text
        number = int(found[1])
        with suppress(CannotDo):
            await self._town.people[number % PEOPLE].says(
                channel, f"The office. {question(OFFICES - 1 - number)}", thread=root
            )
