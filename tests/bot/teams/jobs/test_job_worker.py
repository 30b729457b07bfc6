"""Accepted messages end in something that is seen, whatever becomes of the attempts at them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.chat.tasks import Tasks
from bot.playground.teams.issuer import HOME
from bot.playground.teams.teams_payloads import ANN, CHANNEL, GROUP, ROOT
from bot.teams.cards import notice_card
from bot.teams.connector.connector_errors import RateLimited
from bot.teams.hearing import Hearing
from bot.teams.inbound.activities import Heard, Person, Pressed, Where, Written
from bot.teams.jobs import job_worker
from bot.teams.jobs.job_worker import HOPELESS, MOST_ATTEMPTS, JobWorker
from bot.teams.jobs.notice_delivery import Notices
from bot.teams.jobs.work import Tell, begun, heard_job, is_begun, job_of, read
from bot.teams.teams_greeting import Greeting
from bot.teams.text import sentences
from masis.conversation import TEAMS
from masis.errors import StoreUnavailable
from storage.chat.teams_places import TeamsPlace
from storage.jobs.chat_jobs import ChatJob, ChatJobs
from storage.sql.rows import now
from storage.sql.tables import chat_jobs
from tests.bot.teams.test_one_outcome import TEAM, Town, made
from tests.storage.chat.samples import NOON
from tests.walks.teams_office import words


class Unable(Hearing):
    """Can do nothing of what it hears, for a reason that nobody foresaw."""

    def __init__(self) -> None:
        self.presses = 0

    async def team(self, heard: Heard) -> str:
        return heard.where.group

    async def decided(self, heard: Heard) -> Tell | None:
        raise RuntimeError(heard.id)

    async def answered(self, heard: Heard) -> tuple[dict[str, Any], TeamsPlace | None]:
        self.presses += 1
        return {"statusCode": 200, "said": heard.id}, a_place(heard.where.service_url)


class Mute(Greeting):
    """Has nothing to add to a welcome."""

    def __init__(self) -> None:
        pass


class Telling(Unable):
    """Would tell late what it answers."""

    def late(self, heard: Heard, answer: dict[str, Any], place: TeamsPlace | None) -> Tell | None:
        return None if place is None else Tell(place=place, user=heard.person.id, shown=answer)


class Forgetless(ChatJobs):
    """Cannot forget anything."""

    async def done(self, job: ChatJob) -> None:
        raise StoreUnavailable(job.id)


class Hesitant(ChatJobs):
    """Cannot be written to the first time that something is done."""

    fails = 1

    async def done(self, job: ChatJob) -> None:
        if self.fails:
            self.fails -= 1
            raise StoreUnavailable("Not now.")
        await super().done(job)


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_worker, "EVERY_SECONDS", 0.01)


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    async with made(tmp_path) as found:
        yield found


@pytest.fixture
def jobs(town: Town) -> ChatJobs:
    return ChatJobs(town.database)


def a_worker(
    town: Town, jobs: ChatJobs, tasks: Tasks | None = None, hearing: Hearing | None = None
) -> JobWorker:
    notices = Notices(town.delivery(), Mute(), jobs)
    return JobWorker(jobs, hearing or Unable(), notices, tasks or Tasks())


@asynccontextmanager
async def working(worker: JobWorker) -> AsyncIterator[None]:
    """Let the worker look for what is left, until the block ends."""
    going = asyncio.create_task(worker.forever())
    try:
        yield
    finally:
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)


def heard(town: Town, kind: type[Heard] = Written, **over: Any) -> Any:
    where = Where(
        tenant=HOME,
        kind="channel",
        conversation=CHANNEL,
        thread=ROOT,
        group=GROUP,
        service_url=town.standin.url,
        bot="28:bot",
    )
    by = Person(id=ANN, teams_id="29:ann")
    more = {"text": "A question?"} if kind is Written else {}
    return kind.model_validate({"where": where, "person": by, "id": "m1", **more, **over})


def a_place(service_url: str) -> TeamsPlace:
    return TeamsPlace(
        tenant=TEAM,
        kind="channel",
        conversation=CHANNEL,
        service_url=service_url,
        seen_at=NOON,
    )


def a_notice(town: Town, user: str = ANN) -> Tell:
    place = a_place(town.standin.url)
    return Tell(place=place, user=user, thread=ROOT, shown=notice_card.notice("Said."))


async def until(is_so: Callable[[], Any]) -> None:
    async with asyncio.timeout(20):
        while not await is_so():  # noqa: ASYNC110 - a table tells nobody
            await asyncio.sleep(0.01)


async def settled(jobs: ChatJobs) -> None:
    async def is_empty() -> bool:
        return await jobs.left(TEAMS) == 0

    await until(is_empty)


async def stored(town: Town) -> list[Any]:
    async with town.database.read() as connection:
        return list(await connection.execute(sa.select(chat_jobs)))


async def test_hopeless_message_ends_in_an_apology(town: Town, jobs: ChatJobs) -> None:
    """Its attempts raise what nobody foresaw, or take too long: it does not vanish."""
    job = heard_job(heard(town), GROUP)
    await jobs.add(job.model_copy(update={"attempt": HOPELESS}))
    async with working(a_worker(town, jobs)):
        await settled(jobs)
    (apology,) = town.standin.shown
    assert sentences.NOT_TAKEN in words(apology)
    assert apology.targeted == f"8:orgid:{ANN}"


@pytest.mark.parametrize("work", ["{}", "[]", '{"kind": "Later", "value": {}}', "null"])
async def test_unreadable_job_stops_no_other(town: Town, jobs: ChatJobs, work: str) -> None:
    """It is left to a release that reads it."""
    await jobs.add(ChatJob(id="theirs", tenant=TEAM, work=work, attempt=HOPELESS))
    worker = a_worker(town, jobs)
    async with working(worker):

        async def is_looked_at() -> bool:
            return bool((await stored(town))[0].attempt > HOPELESS)

        await until(is_looked_at)
        await jobs.add(job_of(a_notice(town), "a notice"))

        async def is_told() -> bool:
            return await jobs.left(TEAMS) == 1

        await until(is_told)
    assert [row.id for row in await stored(town)] == ["theirs"]
    assert len(town.standin.shown) == 1


async def test_busy_process_counts_no_attempt(town: Town, jobs: ChatJobs) -> None:
    """A job that cannot begin is not claimed: another process may."""
    tasks, go_on = Tasks(at_most=1), asyncio.Event()

    async def wait() -> None:
        await go_on.wait()

    tasks.start("something else", wait())
    await jobs.add(job_of(a_notice(town), "a notice"))
    async with working(a_worker(town, jobs, tasks)):
        await asyncio.sleep(0.2)
        assert [row.attempt for row in await stored(town)] == [0]
        go_on.set()
        await settled(jobs)
    assert len(town.standin.shown) == 1


async def test_limited_notice_waits_out_the_limit(town: Town, jobs: ChatJobs) -> None:
    """However often it was tried, it is not given up before Teams takes calls again."""
    town.standin.retry_after = "600"
    town.standin.fail("POST", 429)
    job = job_of(a_notice(town), "a notice")
    await jobs.add(job.model_copy(update={"attempt": MOST_ATTEMPTS}))

    async def is_paused() -> bool:
        return any((row.due_at - now()).total_seconds() > 500 for row in await stored(town))

    async with working(a_worker(town, jobs)):
        await until(is_paused)
    assert town.standin.shown == []


def for_all(town: Town) -> ChatJob:
    """A notice before everybody, about what Ann wrote."""
    return job_of(a_notice(town, user=""), "a notice").model_copy(update={"user": ANN})


def readers(town: Town) -> list[str]:
    """Return who alone reads each message; empty for one that everybody does."""
    return [each.targeted for each in town.standin.shown]


async def test_doubtful_notice_to_all_comes_once(town: Town, jobs: ChatJobs) -> None:
    """Whether it stands there nobody knows: the one it answers is told alone."""
    town.standin.fail("POST", "taken, then dropped")
    await jobs.add(for_all(town))
    async with working(a_worker(town, jobs)):
        await settled(jobs)
    assert readers(town) == ["", f"8:orgid:{ANN}"]
    assert town.ambiguous


async def test_begun_notice_is_not_posted_again(town: Town, jobs: ChatJobs) -> None:
    """Whoever began it died: it may stand there."""
    job = for_all(town)
    await jobs.add(job.model_copy(update={"work": begun(job.work)}))
    async with working(a_worker(town, jobs)):
        await settled(jobs)
    assert readers(town) == [f"8:orgid:{ANN}"]


async def test_refused_notice_is_posted_to_all_later(town: Town, jobs: ChatJobs) -> None:
    """It certainly does not stand there: nothing is doubtful."""
    town.standin.retry_after = "600"
    town.standin.fail("POST", 429)
    job = for_all(town)
    await jobs.add(job)
    (held,) = await jobs.claim(TEAMS, 1)
    notices = Notices(town.delivery(), Mute(), jobs)
    with pytest.raises(RateLimited):
        await notices.tell(held, a_notice(town, user=""))
    assert [is_begun(row.work) for row in await stored(town)] == [False]


async def test_answered_press_is_done_once(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although it cannot be forgotten at first: done again it might say something else."""
    monkeypatch.setattr(job_worker, "MOST_PAUSE", 0.01)
    jobs, hearing = Hesitant(town.database), Unable()
    worker = a_worker(town, jobs, hearing=hearing)
    async with working(worker):
        answer = await worker(heard(town, Pressed, verb="cancel", data={}))
        await settled(jobs)
    assert answer == {"statusCode": 200, "said": "m1"}
    assert hearing.presses == 1


async def test_answered_press_leaves_none_behind(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever dies over its answer leaves at most the answer, to be told."""
    monkeypatch.setattr(job_worker, "MOST_PAUSE", 0.01)
    jobs = Forgetless(town.database)
    answer = await a_worker(town, jobs, hearing=Telling())(
        heard(town, Pressed, verb="cancel", data={})
    )
    assert answer == {"statusCode": 200, "said": "m1"}
    (row,) = await stored(town)
    assert read(row.work) == Telling().late(heard(town), answer, a_place(town.standin.url))


async def test_press_delivered_twice_is_done_once(town: Town, jobs: ChatJobs) -> None:
    hearing = Unable()
    worker = a_worker(town, jobs, hearing=hearing)
    press = heard(town, Pressed, verb="cancel", data={})
    await worker(press)
    assert sentences.SLOW in str(await worker(press))
    assert hearing.presses == 1
