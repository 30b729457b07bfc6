"""Ends that are no accident: a stopped process, a told one, a poison question, a new version."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from tests.chaos.accounts import Account, Ledger, account, settled
from tests.chaos.death import Moment
from tests.chaos.town import Town, question

STOP_SECONDS: Final = 40.0
"""A program that is told to end drains for 20 s, and closes what it has open."""
POISON_DEATHS: Final = 10
"""So often a poison question may kill, before somebody looks why it is asked again."""
_KILLED: Final = -9
_LOOK_SECONDS: Final = 0.05


@dataclass
class Life:
    """What came of it."""

    account: Account
    seconds: float
    """From the fault to the last outcome."""
    notes: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


async def told_to_end(town: Town, runs: int = 10) -> Life:
    """SIGTERM with so many requests under way, then another process."""
    old = await town.serves()
    await _busy(town, runs)
    began = time.monotonic()
    old.send(signal.SIGTERM)
    code = await old.ended(STOP_SECONDS)
    ended = time.monotonic() - began
    answered = len(town.outcomes())
    await town.serves()
    await settled(town)
    wrong = [f"exit code {code}: {old.said()}"] if code else []
    notes = [f"ended after {ended:.1f} s with {answered} of {runs} answered"]
    return await _told(town, began, notes, wrong)


async def poisoned(town: Town, function: str = "masis.assistant:Assistant.ask") -> Life:
    """A question that kills its process each time, and others that do not."""
    number = next(town.numbers)
    asked = {"question": question(number)} if function.endswith("ask") else {}
    poison = Moment(function, "before", 1, asked)
    before = set(town.outcomes())
    program = await town.serves(moment=poison)
    began = time.monotonic()
    telling = [
        town.begins(town.asks(n, "mention"))
        for n in (number, *(next(town.numbers) for _ in "12345"))
    ]
    deaths = 0
    while deaths < POISON_DEATHS:
        resting = asyncio.create_task(settled(town))
        either: set[asyncio.Future[Any]] = {resting, program.code}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not program.code.done() and all(one.done() for one in telling):
            break
        resting.cancel()
        if not program.code.done():  # at rest, since not everybody has asked
            await asyncio.sleep(_LOOK_SECONDS)
            continue
        assert program.code.result() == _KILLED, program.said()
        deaths += 1
        program = await town.serves(moment=poison)
    await asyncio.wait(telling)
    await settled(town)
    ends = {run: kind for run, kind in town.outcomes().items() if run not in before}
    poisonous = run_of(town, question(number))
    wrong = [] if deaths == 3 else [f"it killed {deaths} times"]
    if ends.get(poisonous) != "failed":
        wrong.append(f"the poison question ended as {ends.get(poisonous)}")
    if any(kind != "answer" for run, kind in ends.items() if run != poisonous):
        wrong.append(f"others were harmed: {ends}")
    return await _told(town, began, [f"{deaths} attempts"], wrong)


async def stopped_and_continued(town: Town, seconds: float = 15.0) -> Life:
    """A worker hangs for so long while another takes over, and then goes on."""
    await town.takes_in()
    first = await town.works()
    await _busy(town, 6)
    began = time.monotonic()
    first.send(signal.SIGSTOP)
    await town.works()
    await asyncio.sleep(seconds)
    answered = len(town.outcomes())
    first.send(signal.SIGCONT)
    await asyncio.sleep(2)
    await settled(town)
    alive = "went on" if first.is_alive else f"ended itself with {first.code.result()}"
    notes = [f"{answered} answered by the other meanwhile", f"the stopped one {alive}"]
    return await _told(town, began, notes, [])


async def deployed(town: Town, runs: int = 10) -> Life:
    """New processes start beside the old ones, which are told to end with requests under way."""
    old = [await town.takes_in(), await town.works()]
    await _busy(town, runs)
    began = time.monotonic()
    await town.takes_in()
    await town.works()
    beside = [town.begins(town.asks(next(town.numbers))) for _ in range(4)]
    for program in old:
        program.send(signal.SIGTERM)
    codes = [await program.ended(STOP_SECONDS) for program in old]
    await asyncio.wait(beside)
    await settled(town)
    wrong = [f"exit codes {codes}"] if any(codes) else []
    return await _told(town, began, [], wrong)


async def killed_while_answering(town: Town, deaths: int = 4) -> Life:
    """An answer is posted, and its process dies before it is noted, more often than it is tried."""
    moment = Moment("storage.chat.outbox:Outbox.sent", "before", 1, {"kind": "answer"})
    number = next(town.numbers)
    program, began = await town.serves(moment=moment), time.monotonic()
    telling = town.begins(town.asks(number, "mention"))
    codes = [await program.ended(STOP_SECONDS)]
    while len(codes) < deaths:
        program = await town.serves(moment=moment)
        codes.append(await program.ended(STOP_SECONDS))
    await town.serves()
    await asyncio.wait({telling})
    await settled(town)
    wrong = [f"ended with {codes}"] if set(codes) != {_KILLED} else []
    end = town.outcomes().get(run_of(town, question(number)))
    wrong += [f"it ended as {end}"] if end != "answer" else []
    return await _told(town, began, [], wrong)


CLAIMS: Final = {
    "killed before the detector's claim": Moment(
        "storage.queue.executors:Executors.claim", "before"
    ),
    "killed after the detector's claim": Moment("storage.queue.executors:Executors.claim", "after"),
    "killed between taking over and burying": Moment(
        "storage.queue.executors:Executors.end_claim", "before"
    ),
}


async def claimer_killed(town: Town, moment: Moment) -> Life:
    """A worker dies, and so does the one that is about to take its requests over."""
    await town.takes_in()
    first = await town.works()
    await _busy(town, 6)
    began = time.monotonic()
    await first.killed()
    second = await town.works(moment=moment)
    code = await second.ended(STOP_SECONDS)
    await town.works()
    await settled(town)
    wrong = [f"the claimer ended with {code}"] if code != _KILLED else []
    return await _told(town, began, [], wrong)


Lives = Mapping[str, Callable[[Town], Awaitable[Life]]]
ON_SQLITE: Final[Lives] = {
    "SIGTERM with requests under way": told_to_end,
    "poison question": poisoned,
    "killed 4 times while answering": killed_while_answering,
}
ON_POSTGRES: Final[Lives] = {
    "worker stopped for 15 s": stopped_and_continued,
    "old and new side by side": deployed,
    **{name: partial(claimer_killed, moment=moment) for name, moment in CLAIMS.items()},
}


def run_of(town: Town, asked: str) -> str:
    """The id of the request with that question."""
    return next((row.id for row in Ledger(town).requests() if row.question == asked), "")


async def _busy(town: Town, runs: int) -> None:
    """Ask so much, and wait until all of it is accepted and some of it under way."""
    before = len(town.acked)
    for _ in range(runs):
        town.begins(town.asks(next(town.numbers), "mention"))
    await town.until(lambda: len(town.acked) - before == runs, what="all is accepted")
    await town.until(lambda: len(town.service.asked) > 0, what="some is under way")


async def _told(town: Town, began: float, notes: list[str], wrong: list[str]) -> Life:
    seconds = time.monotonic() - began
    found = await asyncio.to_thread(account, town)
    return Life(found, seconds, notes, [*wrong, *found.wrong])
