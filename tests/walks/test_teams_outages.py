"""Teams is slow, limits calls or drops them: what was said is acknowledged, and answered once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.playground.teams.connector_standin import Fault, Message
from bot.playground.teams.room import button, invoke
from bot.playground.teams.teams_payloads import (
    ANN,
    BEN,
    CHANNEL,
    Json,
    mention,
    person,
    personal,
)
from bot.teams.jobs import job_worker
from bot.teams.question_intake import Asked, QuestionIntake, Taken
from masis.conversation import TEAMS, Session
from masis.errors import StoreUnavailable
from storage.jobs.chat_jobs import ChatJobs
from storage.sql.database import Database
from tests.walks.teams_office import TeamsOffice, closed_office, served, teams_office, words

QUESTION = "How many days of annual leave does every employee have?"
HUNG_SECONDS = 20.0
"""For a walk that would never end: nothing is measured by it."""


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[TeamsOffice]:
    async with teams_office(tmp_path) as opened:
        yield opened


def elsewhere() -> Json:
    body = mention(QUESTION)
    body["conversation"]["id"] = "19:other@thread.tacv2;messageid=1"
    return body


NOTICES = [
    (mention("help"), "Mention me with one of these"),
    (mention("status"), "asks the workspace"),
    (mention("hello"), "Hello"),
    (mention(QUESTION) | {"from": person(BEN)}, "Guests cannot use MASIS here"),
    (elsewhere(), "not linked to a workspace"),
    (personal(QUESTION) | {"from": person("cccccccc-0000-0000-0000-000000000009")}, "no workspace"),
]


@pytest.mark.parametrize("fault", [502, 504, 429, "dropped"])
async def test_lost_notice_is_told_again(office: TeamsOffice, fault: Fault) -> None:
    """Each message ends in exactly one visible outcome."""
    office.connector.members[BEN] |= {"userRole": "guest"}
    for told, (body, said) in enumerate(NOTICES, start=1):
        office.connector.fail("POST", fault)
        await office.say(body)
        await office.shown(said, messages=told)
    await settled(office)
    assert len(office.connector.shown) == len(NOTICES)


async def settled(office: TeamsOffice) -> None:
    """Nothing is left to be done."""
    database = await Database.open(office.settings.data_dir / "masis.db")
    try:
        async with asyncio.timeout(HUNG_SECONDS):
            while await ChatJobs(database).left(TEAMS):  # noqa: ASYNC110 - it is the program's
                await asyncio.sleep(0.05)
    finally:
        await database.close()


async def test_silent_connector_holds_no_acknowledgement(office: TeamsOffice) -> None:
    """It is stored, acknowledged and done when Teams answers again."""
    await office.say(mention("hello"))
    await office.shown("Hello")
    for _ in range(50):
        office.connector.fail("*", "held")
    async with asyncio.timeout(HUNG_SECONDS):
        for body in ("status", "docs", QUESTION, "help"):
            await office.say(mention(body))
        await office.say(personal(QUESTION))
    assert len(office.connector.shown) == 1
    office.connector.faults.clear()
    office.connector.released.set()
    await office.shown(messages=6)
    await office.until(lambda: not office.is_at_work())
    await settled(office)
    assert len(office.connector.shown) == 6


async def test_unknown_team_holds_no_acknowledgement(office: TeamsOffice) -> None:
    """Teams is asked once which team it is, and that may take its time."""
    office.connector.fail("GET", "held")
    async with asyncio.timeout(HUNG_SECONDS):
        await office.say(mention(QUESTION))
    assert office.connector.shown == []
    office.connector.released.set()
    await office.shown("26 days")
    assert office.connector.calls[0].path.startswith("v3/teams/")


async def test_limited_connector_holds_no_acknowledgement(office: TeamsOffice) -> None:
    office.connector.retry_after = "3"
    office.connector.fail("POST", 429)
    async with asyncio.timeout(2.9):  # before the limit ends nothing can be told
        await office.say(mention("docs"))
    assert office.connector.shown == []
    await office.shown("asks the workspace")


async def test_dead_process_leaves_nothing_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Acknowledged, and then nobody is there: the next start goes on."""
    monkeypatch.setattr("storage.jobs.chat_jobs.LEASE_SECONDS", 0.5)
    async with closed_office(tmp_path) as office:
        with monkeypatch.context() as dead:
            dead.setattr(job_worker.JobWorker, "_begin", lambda *_: None)
            async with served(office):
                await office.say(mention("help"))
                await office.say(mention(QUESTION))
        assert office.connector.shown == []
        async with served(office):
            await office.shown(messages=2)
            await office.until(lambda: not office.is_at_work())
            await settled(office)
        assert len(office.connector.shown) == 2


async def test_slow_press_is_told_later(
    office: TeamsOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who presses is answered in time, and what comes of it is told to them alone."""
    await office.say(mention("When is the swimming pool heated?"))
    asked = await office.shown("Your reply")
    office.issuer.answers.clear()
    monkeypatch.setattr(job_worker, "ANSWER_SECONDS", 1.0)
    async with asyncio.timeout(HUNG_SECONDS):
        assert "I am on it" in await office.press(asked, "Reply", BEN, masis_in_reply=QUESTION)
    office.issuer.answers.set()
    late = await office.shown("Only the person who asked", messages=2)
    assert late.targeted == f"8:orgid:{BEN}"
    assert late.conversation == CHANNEL


async def test_slow_form_is_answered_in_time(
    office: TeamsOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    await office.say(mention("status"))
    status = await office.shown("asks the workspace")
    form = await office.dialog(status, "Link this channel")
    office.issuer.answers.clear()
    monkeypatch.setattr(job_worker, "ANSWER_SECONDS", 1.0)
    async with asyncio.timeout(HUNG_SECONDS):
        told = await office.submit(form, masis_in_workspace="new", masis_in_new_workspace="second")
        assert "open this once more" in str(await closing(office, status))
    assert "I am on it" in str(told)
    office.issuer.answers.set()
    late = await office.shown("now asks the workspace “second”", messages=2)
    assert late.targeted == f"8:orgid:{ANN}"


async def closing(office: TeamsOffice, message: Message) -> Json:
    """What a dialog says that cannot be opened now."""
    data = button(message.card, "Link this channel")["data"]
    return await office.taken(invoke("task/fetch", {"data": data}, office.connector.next_id()))


async def test_reply_read_again_is_no_command(
    office: TeamsOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its run was stored before the attempt failed: what it replied to is closed by then."""
    taken_in, failures = QuestionIntake.reply, [StoreUnavailable("Not now.")]

    async def failing(self: QuestionIntake, asked: Asked, session: Session) -> Taken:
        taken = await taken_in(self, asked, session)
        if failures:
            raise failures.pop()
        return taken

    await office.say(mention("When is the swimming pool heated?"))
    await office.shown("Your reply")
    monkeypatch.setattr(QuestionIntake, "reply", failing)
    monkeypatch.setattr(job_worker, "EVERY_SECONDS", 0.01)
    monkeypatch.setattr(job_worker, "MOST_PAUSE", 0.0)  # before its run asks anything back
    await office.say(mention("status"))
    await office.shown(messages=2)
    await settled(office)
    await office.until(lambda: not office.is_at_work())
    assert failures == []
    assert [each for each in office.connector.shown if "asks the workspace" in words(each)] == []
