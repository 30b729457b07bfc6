"""A delivery is stored once, is one process's own while it is worked on, and goes when it is done."""

import asyncio
import datetime as dt
from typing import Any

import pytest
import sqlalchemy as sa

from masis.conversation import TEAMS, Tenant
from storage.jobs.chat_jobs import ChatJob, ChatJobs
from storage.privacy.purge import Purge
from storage.sql.database import Database
from storage.sql.rows import now
from storage.sql.tables import chat_jobs as table

OURS = Tenant(chat=TEAMS, enterprise="e1", team="t1")
THEIRS = Tenant(chat=TEAMS, enterprise="e1", team="t2")


def a_job(name: str = "j1", **over: Any) -> ChatJob:
    return ChatJob(**{"id": name, "tenant": OURS, "user": "ann", "work": "{}", **over})


@pytest.fixture
def jobs(database: Database) -> ChatJobs:
    return ChatJobs(database)


async def overdue(database: Database) -> None:
    """As if the process that held them had died a while ago."""
    async with database.write() as connection:
        await connection.execute(sa.update(table).values(due_at=sa.literal(now())))


async def test_delivery_is_taken_in_once(jobs: ChatJobs) -> None:
    assert await jobs.take_in(a_job())
    assert not await jobs.take_in(a_job())
    await jobs.done(a_job())
    assert not await jobs.take_in(a_job(tenant=THEIRS)), "also when it is done"
    assert await jobs.left(TEAMS) == 0


async def test_held_job_is_nobody_elses(jobs: ChatJobs, database: Database) -> None:
    await jobs.take_in(a_job())
    assert await jobs.claim(TEAMS, 10) == []
    await overdue(database)
    assert await jobs.claim("slack", 10) == []
    claimed = await asyncio.gather(jobs.claim(TEAMS, 10), jobs.claim(TEAMS, 10))
    (found,) = [each for one in claimed for each in one]
    assert (found.id, found.attempt) == ("j1", 2)
    await overdue(database)
    await jobs.hold([found])
    assert await jobs.claim(TEAMS, 10) == []


async def test_what_is_left_takes_its_place(jobs: ChatJobs) -> None:
    await jobs.add(a_job(attempt=0))
    await jobs.add(a_job(work="other"))
    (first,) = await jobs.claim(TEAMS, 10)
    assert (first.work, first.attempt) == ("{}", 1)
    became = await jobs.become(first, "a\0b")
    assert became is not None
    await jobs.later(became, 0.0)
    (second,) = await jobs.claim(TEAMS, 10)
    assert (second.work, second.attempt) == ("ab", 3)
    await jobs.later(second, 60.0)
    assert await jobs.claim(TEAMS, 10) == []


async def test_lapsed_lease_changes_nothing(jobs: ChatJobs, database: Database) -> None:
    """Whoever was too slow finds that another one is at it."""
    await jobs.take_in(a_job())
    await overdue(database)
    (theirs,) = await jobs.claim(TEAMS, 10)
    assert await jobs.become(a_job(), "other") is None
    await jobs.later(a_job(), 0.0)
    await jobs.done(a_job())
    assert await jobs.claim(TEAMS, 10) == []
    await overdue(database)
    await jobs.hold([a_job()])
    (again,) = await jobs.claim(TEAMS, 10)
    assert (again.work, again.attempt) == ("{}", theirs.attempt + 1)


async def test_hold_shortens_no_pause(jobs: ChatJobs, database: Database) -> None:
    await jobs.take_in(a_job())
    await jobs.later(a_job(), 600.0)
    await jobs.hold([a_job()])
    assert await due_in(database) > 500


async def due_in(database: Database) -> float:
    async with database.read() as connection:
        due: dt.datetime = (await connection.execute(sa.select(table.c.due_at))).scalar_one()
    return (due - now()).total_seconds()


async def test_team_is_kept_once_known(jobs: ChatJobs, database: Database) -> None:
    """A team's purge finds what was heard before anybody knew which team it was."""
    unknown = OURS.model_copy(update={"team": ""})
    for name in ("told", "paused"):
        await jobs.take_in(a_job(name, tenant=unknown))
    became = await jobs.become(a_job("told", tenant=unknown), "{}", OURS.team)
    assert became is not None
    assert became.tenant == OURS
    await jobs.later(a_job("paused", tenant=unknown), 0.0, OURS.team)
    await Purge(database).purge_team(OURS)
    assert await jobs.left(TEAMS) == 0


async def test_forgotten_person_leaves_no_job(jobs: ChatJobs, database: Database) -> None:
    """Also where the team was not known yet; a team's purge leaves others' alone."""
    await jobs.add(a_job("known"))
    await jobs.add(a_job("unknown", tenant=OURS.model_copy(update={"team": ""})))
    await jobs.add(a_job("bens", user="ben"))
    await jobs.add(a_job("theirs", tenant=THEIRS))
    await Purge(database).purge_user(OURS, "ann")
    assert sorted(each.id for each in await jobs.claim(TEAMS, 10)) == ["bens", "theirs"]
    await Purge(database).purge_team(OURS)
    assert await jobs.left(TEAMS) == 1
