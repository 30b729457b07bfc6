"""Programs are killed, at random, while people ask and answers are on their way."""

import asyncio
import math
import random
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from bot.playground.interactions import CannotDo
from bot.playground.state import Message
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
        questions: how many are asked.
        kills: how many programs are killed.
        pauses: the seconds between two kills, at least and at most. To look for a doubtful message
            and to post it takes up to 5 s: who kills faster than that kills on purpose.
        seconds: nothing more is asked, and nobody killed, once so much time has passed.
    """

    questions: int
    kills: int
    pauses: tuple[float, float] = (2.0, 8.0)
    seconds: float = 360.0


@dataclass
class Report:
    """What came of a plan."""

    account: Account
    asked: int
    kills: int
    seconds: float
    settled_s: float
    """After the last kill."""
    restarts_s: list[float] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)
    """What askers were told in the place of an acknowledgement."""


async def kill_loop(town: Town, crew: Sequence[Starts], plan: Plan) -> Report:
    """Let a crew of programs work, and kill them as planned; gives what came of all requests."""
    began = time.monotonic()
    alive = [await starts() for starts in crew]
    people = People(town, plan.questions)
    people.may_ask = math.ceil(plan.questions / max(plan.kills, 1))
    asking = town.begins(people.ask())
    kills, restarts = 0, list[float]()
    while kills < plan.kills and time.monotonic() - began < plan.seconds:
        await asyncio.sleep(random.uniform(*plan.pauses))
        if people.asked < people.may_ask:
            continue  # too much waits: the kills are to fall while people ask, not after
        which = random.randrange(len(alive))
        await alive[which].killed()
        kills += 1
        people.may_ask = math.ceil(plan.questions * (kills + 1) / plan.kills)
        died = time.monotonic()
        alive[which] = await crew[which]()
        restarts.append(time.monotonic() - died)
    killed = time.monotonic()
    await people.come_to_rest()
    settled_s = time.monotonic() - killed
    people.is_over = True
    await asyncio.wait({asking})
    found = await asyncio.to_thread(account, town)
    return Report(
        account=found,
        asked=people.asked,
        kills=kills,
        seconds=time.monotonic() - began,
        settled_s=settled_s,
        restarts_s=restarts,
        told=Counter(town.told),
    )


class People:
    """Ask one question after the other, and reply where they are asked back."""

    def __init__(self, town: Town, questions: int) -> None:
        self._town = town
        self._questions = questions
        self._replied: set[str] = set()
        self._saying: set[asyncio.Task[Any]] = set()
        self.is_over = False
        self.asked = 0
        self.may_ask = questions
        """So many by now: the kills are to fall while there is work."""

    async def ask(self) -> None:
        """Ask them all, and go on to reply."""
        ledger = Ledger(self._town)
        while not self.is_over:
            self._reply()
            # By the database: one that was not acknowledged may be stored all the same.
            waiting = len(self._saying) + len(await asyncio.to_thread(ledger.open_requests))
            if self.asked < min(self._questions, self.may_ask) and waiting < WAITING:
                self.asked += 1
                self._ask(next(self._town.numbers))
            await asyncio.sleep(_LOOK_SECONDS)

    async def come_to_rest(self) -> None:
        """Ask no more; wait until every request has ended, and every question back has its reply.

        What does not come to rest is found in the account.
        """
        self._questions = self.asked
        deadline = time.monotonic() + SETTLED_SECONDS
        before = -1
        while time.monotonic() < deadline:
            await settled(self._town, deadline - time.monotonic())
            if self._saying or len(self._replied) != before:
                before = len(self._replied)
                await asyncio.sleep(3 * _LOOK_SECONDS)
            else:
                return

    def _ask(self, number: int) -> None:
        text = riddle(number) if number % RIDDLE_EVERY == 0 else question(number)
        self._begin(self._town.asks(number, WAYS[number % len(WAYS)], text))

    def _reply(self) -> None:
        """Reply, once, in each thread in which something is asked back."""
        for posted in self._town.posted().values():
            asked_back = (message for kind, _, message in posted if kind == "clarification")
            message = next(asked_back, None)
            if message is not None and message.root_ts not in self._replied:
                self._replied.add(message.root_ts)
                self._begin(self._says(message))

    def _begin(self, work: Coroutine[Any, Any, Any]) -> None:
        task = self._town.begins(work)
        self._saying.add(task)
        task.add_done_callback(self._saying.discard)

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
