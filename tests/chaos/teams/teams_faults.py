"""Teams' connector fails while people ask: one call at a time, and at random beside kills."""

import asyncio
import contextlib
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.playground.teams.connector_standin import Fault
from tests.chaos.kills import Starts
from tests.chaos.table import Line
from tests.chaos.teams.teams_account import TeamsAccount, account, newly
from tests.chaos.teams.teams_stories import Story, StoryName
from tests.chaos.teams.teams_town import TeamsTown

Verb = Literal["POST", "PUT"]

TOO_SLOW_SECONDS: Final = 11.0
"""Longer than a call is waited for: what it was to do is done all the same."""
SLOW_SECONDS: Final = 3.0
SHARE_OF_FAULTS: Final = 0.3
"""Of the stories, beside which a call of the connector's goes wrong as well."""
ANY: Final[Sequence[Fault]] = (
    429,
    412,
    502,
    504,
    "dropped",
    "taken, then dropped",
    "slow",
    "taken, then slow",
)
GONE: Final = 404
"""Of a message that is there: said of updates alone."""
STORIES: Final[Sequence[StoryName]] = ("mention", "input", "alone", "guest", "unlinked")
"""What each fault befalls: a placeholder and its outcome in sight of all, replied to, and seen by
one alone, a refusal, and a word that is no run's."""
MIXED: Final[Sequence[StoryName]] = (
    "mention",
    "input",
    "personal",
    "alone",
    "guest",
    "wider",
    "mention",
    "rated",
    "cancel",
    "upload",
)
"""What people do while the program is killed."""
MOST_APOLOGIES: Final = 0.05
"""A run is tried three times, and a faulty call takes one of them as a kill does."""


@dataclass(frozen=True)
class FaultCase:
    """What goes wrong, and with which call."""

    verb: Verb
    fault: Fault

    def __str__(self) -> str:
        known = self.fault == GONE and self.verb == "PUT"
        what = f"{GONE} for a message that is there" if known else str(self.fault)
        return f"Teams, {self.verb}: {what}"


FAULTS: Final = (
    *(FaultCase("POST", fault) for fault in ANY),
    *(FaultCase("PUT", fault) for fault in (*ANY, GONE)),
)


async def befall(town: TeamsTown, case: FaultCase, before: list[Story]) -> Line:
    """Let a fault befall each story's first calls of that kind, with one program at work."""
    town.connector.slow_seconds = TOO_SLOW_SECONDS
    known = await account(town, before) if before else TeamsAccount()
    began, told, befell = time.monotonic(), list[Story](), 0
    # The first update may be progress, which nobody waits for: the outcome's fails as well.
    times = 1 if case.verb == "POST" else 2
    for name in STORIES:
        town.connector.fail(case.verb, *[case.fault] * times)
        story = Story(town, next(town.numbers))
        told.append(story)
        await story.whole(name)
        await town.settled()
        befell += times - len(town.connector.faults)
        town.connector.faults.clear()
    if "slow" in str(case.fault):
        await asyncio.sleep(TOO_SLOW_SECONDS)  # what is late arrives all the same
    before += told
    found = newly(await account(town, before), known)
    found.wrong += [] if befell else ["it never befell a call"]
    return _line(str(case), found, len(told), time.monotonic() - began)


@dataclass(frozen=True)
class TeamsPlan:
    """How many stories are told and programs killed, with the seconds between two kills."""

    stories: int
    kills: int
    pauses: tuple[float, float]
    seconds: float


async def kill_at_random(
    town: TeamsTown, crew: Sequence[Starts], plan: TeamsPlan, name: str
) -> Line:
    """Kill programs while people ask, reply and press, and calls of the connector's go wrong."""
    town.connector.slow_seconds = SLOW_SECONDS
    began, done, stories = time.monotonic(), 0, list[Story]()
    alive = [await starts() for starts in crew]
    telling = asyncio.ensure_future(_tell(town, plan, stories))
    while done < plan.kills and time.monotonic() - began < plan.seconds:
        await asyncio.sleep(random.uniform(*plan.pauses))
        which = random.randrange(len(alive))
        await alive[which].killed()
        done += 1
        alive[which] = await crew[which]()
    await telling
    await town.settled()
    town.connector.faults.clear()
    found = await account(town, stories)
    found.wrong += [] if done == plan.kills else [f"not reached: {plan.kills - done} kills"]
    for program in alive:
        await program.killed()
    line = _line(name, found, len(stories), time.monotonic() - began)
    line.tried = f"{len(stories)} stories, {done} kills"
    line.rest += f"; {SHARE_OF_FAULTS:.0%} of them beside a faulty call"
    return line


async def _tell(town: TeamsTown, plan: TeamsPlan, stories: list[Story]) -> None:
    """Tell so many stories, spread over the kills."""
    every = sum(plan.pauses) / 2 * plan.kills / plan.stories
    telling = []
    for number in range(plan.stories):
        if random.random() < SHARE_OF_FAULTS:
            case = random.choice(FAULTS)
            town.connector.fail(case.verb, case.fault)
        # What comes before may be killed as well, and is waited for until nobody is any more.
        stories.append(Story(town, next(town.numbers), wait_seconds=plan.seconds))
        telling.append(asyncio.ensure_future(_told(stories[-1], MIXED[number % len(MIXED)])))
        await asyncio.sleep(every)
    await asyncio.gather(*telling)


async def _told(story: Story, name: StoryName) -> None:
    """Tell a story as far as it goes: an apology has nothing to be pressed."""
    with contextlib.suppress(LookupError):
        await story.whole(name)


def _line(name: str, found: TeamsAccount, stories: int, seconds: float) -> Line:
    wrong = [*found.lost, *found.doubled, *found.wrong]
    if found.apologies > max(1, math.ceil(MOST_APOLOGIES * stories)):
        wrong.append(f"{found.apologies} apologies")
    rest = f"{found.rest}; {seconds:.1f} s"
    return Line(name, f"{stories} stories", len(found.lost), len(found.doubled), rest, wrong)
