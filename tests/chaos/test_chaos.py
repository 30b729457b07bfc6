"""The short version of `make chaos`: real processes, few kills, one database."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.playground.slack.world import Said
from tests.chaos.accounts import Ledger, account
from tests.chaos.death import resolved
from tests.chaos.kills import Plan, kill_loop
from tests.chaos.lives import CLAIMS, killed_while_answering, poisoned
from tests.chaos.moments import CASES, CHOICE_CASES, Moments
from tests.chaos.teams.teams_moments import CASES as TEAMS_CASES
from tests.chaos.teams.teams_moments import TeamsMoments
from tests.chaos.teams.teams_town import teams_town
from tests.chaos.town import Town, question, town
from tests.postgres import fresh_database

FUNCTIONS = sorted(
    {case.moment.function for case in (*CASES, *CHOICE_CASES)}
    | {case.moment.function for case in TEAMS_CASES}
    | {m.function for m in CLAIMS.values()}
)
FEW = (
    "stored, not committed (mention)",
    "critic done, not written (slash)",
    "answer: posted, not noted (slash)",
)
"""One moment of each stage: taken in, worked on, shown. `make chaos` goes through all of them."""

FEW_OF_TEAMS = (
    "Teams, progress: sent, not noted (mention)",
    "Teams, answer: sent, not noted (mention)",
    "Teams, answer: sent, not noted (input)",
)
"""The same of Teams; `make chaos` goes through all of them."""
CHOICES = {
    "sqlite": (
        "clarification: posted and noted (choice)",
        "expander written (choose)",
    ),
    "postgres": (
        "clarification: posted and noted (choice)",
        "reply accepted, not begun (choose)",
        "expander written (choose)",
    ),
}
"""Right after a question is posted, before its reply is taken, and in the run that has it; `make chaos`
goes through all of them, on both."""


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def here(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Town]:
    async with town(tmp_path_factory.mktemp("town")) as made:
        yield made


async def test_repeatedly_killed_program_ends_requests_once(here: Town) -> None:
    """Every request ends once however often the program is killed."""
    here.slow_posts(0.1, 0.4)
    report = await kill_loop(here, [here.serves], Plan(questions=12, kills=3, pauses=(0.3, 1.5)))
    await here.programs[-1].killed()
    here.fast_posts()
    assert report.wrong == []
    assert report.account.accepted >= report.taken_on >= 12
    assert sum(report.account.ends.values()) == report.account.accepted
    assert report.kills == 3


async def test_request_ends_once_after_any_crash(here: Town) -> None:
    """A request ends once wherever the program dies."""
    cases = [case for case in CASES if f"{case.name} ({case.story})" in FEW]
    assert len(cases) == len(FEW)
    moments = Moments(here)
    outcomes = [await moments.go_through(case) for case in cases]
    assert [(came.name, came.wrong) for came in outcomes] == [(name, []) for name in FEW]
    assert [came.ends for came in outcomes] == ["answer"] * 3


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
async def test_chosen_code_is_answered_once(kind: str, tmp_path: Path) -> None:
    """A question that waits in its graph takes one reply, wherever the program dies meanwhile."""
    cases = [case for case in CHOICE_CASES if f"{case.name} ({case.story})" in CHOICES[kind]]
    with contextlib.ExitStack() as closing:
        url = closing.enter_context(fresh_database()) if kind == "postgres" else ""
        places = town(tmp_path, database_url=url, qdrant=bool(url), model=False, codes=True)
        async with places as here:
            moments = Moments(here)
            outcomes = [await moments.go_through(case) for case in cases]
            trails = await asyncio.to_thread(_trails_of_replies, here)
            waiting = await asyncio.to_thread(_waiting, here)
    assert [(came.name, came.wrong) for came in outcomes] == [(name, []) for name in CHOICES[kind]]
    replies = [case for case in cases if case.story == "choose"]
    assert [trail.count('"user_info"') for trail in trails] == [1] * len(replies)
    assert waiting == len(cases) - len(replies)  # what was replied to has left nothing behind


def _waiting(here: Town) -> int:
    """Count the places in graphs that are kept."""
    return int(Ledger(here).rows("SELECT count(DISTINCT thread_id) FROM checkpoints")[0][0])


def _trails_of_replies(here: Town) -> list[str]:
    """The trails of the runs that had a reply, as they are kept."""
    query = "SELECT trace FROM runs WHERE parent_run_id IS NOT NULL"
    return [
        row[0] if isinstance(row[0], str) else json.dumps(row[0])
        for row in Ledger(here).rows(query)
    ]


async def test_refused_asker_is_told_only_once(here: Town) -> None:
    """Who is refused is told once and nothing else counts."""
    asked = question(next(here.numbers))
    ack = await here.asks(0, text=asked)
    assert not ack.ok  # no program runs
    assert account(here).wrong == []
    refused = here.unacked[asked]
    channel = here.slack.world.channels[refused.channel]
    note = here.slack.world.whisper(channel, refused.person, Said(text="Once more: no."))
    assert account(here).wrong == [f"told 2 times that it is refused: {asked}"]
    here.slack.world.delete(note)
    assert account(here).wrong == []


@pytest.mark.long
async def test_only_killing_question_is_abandoned(here: Town) -> None:
    """A question that kills the program is given up alone."""
    life = await poisoned(here)
    await here.programs[-1].killed()
    assert life.wrong == []


@pytest.mark.long
async def test_no_apology_stands_beside_an_answer(here: Town) -> None:
    life = await killed_while_answering(here)
    assert life.wrong == []


async def test_mention_in_teams_is_answered_once(here: Town, tmp_path: Path) -> None:
    """The placeholder stands there and nobody knows it; the answer is shown and nobody knows that."""
    async with teams_town(tmp_path, here.nursery) as teams:
        moments = TeamsMoments(teams)
        cases = [case for case in TEAMS_CASES if str(case) in FEW_OF_TEAMS]
        lines = [await moments.go_through(case) for case in cases]
    told = [(line.what, line.lost, line.doubled, line.wrong) for line in lines]
    assert told == [(name, 0, 0, []) for name in FEW_OF_TEAMS]


@pytest.mark.parametrize("function", FUNCTIONS)
async def test_crash_points_name_functions(function: str) -> None:
    """Every moment names a function that there is."""
    owner, name = resolved(function)
    assert callable(getattr(owner, name))
