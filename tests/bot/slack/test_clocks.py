"""Clocks that are an hour off, and one that is set by an hour while something waits."""

import datetime as dt
import logging
import time
from collections.abc import AsyncIterator
from email.utils import formatdate
from functools import partial
from pathlib import Path

import pytest
from aiohttp import web

from bot.chat.sweeper import Patient
from bot.slack.client.pacing import Clock, Pacing
from bot.slack.clocks import compare
from masis.conversation import Tenant
from storage.queue.fleet import clock
from storage.sql.database import Database

HOUR = 3600.0
NOON = dt.datetime(2026, 11, 22, 12, tzinfo=dt.UTC)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path / "masis.db")
    yield opened
    await opened.close()


@pytest.fixture
async def slack() -> AsyncIterator[str]:
    """Slack's address; it refuses whoever has no token, and says what time it is."""

    async def refused(_: web.Request) -> web.Response:
        date = {"Date": formatdate(usegmt=True)}
        return web.json_response({"ok": False, "error": "not_authed"}, headers=date)

    application = web.Application()
    application.add_routes([web.post("/api/auth.test", refused)])
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/api"
    await runner.cleanup()


@pytest.mark.parametrize(("off", "said"), [(HOUR, "ahead of"), (-HOUR, "behind")])
async def test_wrong_clock_is_reported_with_remedy(
    database: Database, slack: str, caplog: pytest.LogCaptureFixture, off: float, said: str
) -> None:
    """A clock that is wrong is told with what to do."""
    told = await compare(partial(clock, database), slack, lambda: time.time() + off)
    assert len(told) == 2
    for whose, sentence in zip(("the database's", "Slack's"), told, strict=True):
        assert f"seconds {said} {whose}" in sentence
        assert sentence.endswith("Set it by NTP.")
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2


async def test_right_clock_is_not_mentioned(database: Database, slack: str) -> None:
    """A clock that is right is not mentioned."""
    assert await compare(partial(clock, database), slack) == []
    assert await compare(partial(clock, database), slack, lambda: time.time() + 50) == []
    assert await compare(partial(clock, database)) == []


async def test_unreachable_clock_allows_start(database: Database) -> None:
    """Who cannot be asked keeps nobody from starting."""
    nobody = "http://127.0.0.1:9/api"
    assert await compare(partial(clock, database), nobody) == []
    await database.close()
    assert await compare(partial(clock, database), nobody) == []


class Set:
    """A wall clock that somebody sets, and the time that passes meanwhile."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.set_by = 0.0

    def wall(self) -> float:
        return NOON.timestamp() + self.passed + self.set_by

    def steady(self) -> float:
        return self.passed

    async def sleep(self, seconds: float) -> None:
        self.passed += seconds


@pytest.mark.parametrize("by", [HOUR, -HOUR])
def test_deadline_never_expires_too_early(by: float) -> None:
    """What waits for a time is never given up too early."""
    time_of_day = Set()
    clock = Patient(time_of_day.wall, time_of_day.steady)
    due = NOON + dt.timedelta(hours=24)
    time_of_day.passed = 23.5 * HOUR
    time_of_day.set_by = by
    assert clock() < due
    # Somebody asks now, by the clock that was set.
    later = dt.datetime.fromtimestamp(time_of_day.wall(), dt.UTC) + dt.timedelta(hours=24)
    time_of_day.passed += 23.9 * HOUR
    assert clock() < later
    time_of_day.passed += 2 * HOUR
    assert due < later
    assert clock() >= later, "nor is it waited for without an end"


@pytest.mark.parametrize("by", [HOUR, -HOUR])
async def test_clock_change_delays_no_message(by: float) -> None:
    """A clock that is set holds no message back."""
    time_of_day = Set()
    pacing = Pacing(Clock(time_of_day.steady, time_of_day.sleep, time_of_day.wall))

    async def posted() -> str:
        return "sent"

    tenant = Tenant(team="T1")
    for _ in range(3):
        assert await pacing.post(tenant, "C1", posted) == "sent"
        time_of_day.set_by += by
    assert time_of_day.passed < 10
