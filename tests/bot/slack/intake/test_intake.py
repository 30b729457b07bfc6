"""What takes requests in, on a database that falls silent."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Iterator

import pytest

from bot.slack.access import Access
from bot.slack.client.web import SlackWeb
from bot.slack.intake import intake as taking
from bot.slack.intake.intake import Asked, Intake
from masis.conversation import Link, Tenant
from storage.chat.links import Links
from storage.chat.requests import ChatRuns
from storage.chat.team_settings import TeamSettingsStore
from storage.documents.repository import SqlRepository
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from tests.pooler import Pooler

TENANT = Tenant(enterprise="", team="T1")


@pytest.fixture
def pooler(postgres_url: str) -> Iterator[Pooler]:
    with Pooler(postgres_url) as listening:
        yield listening


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is counted of those who find no room, of which there is some for two."""
    monkeypatch.setattr(taking, "AT_ONCE", 2)
    return []


@pytest.fixture
async def intake(pooler: Pooler, slack_web: SlackWeb, busy: list[str]) -> AsyncIterator[Intake]:
    database = await Database.open(pooler.url)
    engine = await DbosEngine.open(database, migrate=False)
    repository = SqlRepository(database)
    workspace = await repository.create_workspace(TENANT.owner, "handbook")
    links = Links(database)
    now = dt.datetime.now(dt.UTC)
    await links.link(
        Link(tenant=TENANT, channel="C1", workspace_id=workspace.id, linked_by="U1", linked_at=now)
    )
    access = Access(
        web=slack_web,
        links=links,
        settings=TeamSettingsStore(database),
        repository=repository,
    )
    runs = ChatRuns(database)
    yield Intake(
        engine=engine,
        access=access,
        links=links,
        runs=runs,
        repository=repository,
        on_busy=lambda: busy.append("busy"),
    )
    await engine.stop()
    await database.close()


def asked(key: str) -> Asked:
    return Asked(
        tenant=TENANT, channel="C1", user="U1", text="How many days?", origin="command", key=key
    )


async def test_silent_database_refuses_in_time(
    intake: Intake, pooler: Pooler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks a silent database is refused before slack gives up."""
    monkeypatch.setattr(taking, "ACCEPT_SECONDS", 0.1)
    pooler.muted = True
    # To break a statement off takes the driver 5 s.
    async with asyncio.timeout(3):
        taken = await intake.ask(asked("first"))
        files = await intake.upload(asked("second"), ["F1"])
    assert (taken.state, files.state) == ("unavailable", "unavailable")
    pooler.drop()
    pooler.muted = False
    monkeypatch.undo()
    assert (await intake.ask(asked("third"))).state == "accepted"


async def test_refused_for_room_is_counted(
    intake: Intake, pooler: Pooler, busy: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No engine hears of who is turned away before anything is looked up, and nothing is stored."""
    monkeypatch.setattr(taking, "ACCEPT_SECONDS", 2.0)
    pooler.muted = True
    inside = [asyncio.create_task(intake.ask(asked(key))) for key in ("first", "second")]
    await asyncio.sleep(0.1)
    monkeypatch.setattr(taking, "ACCEPT_SECONDS", 0.1)
    assert (await intake.ask(asked("third"))).state == "busy"
    assert busy == ["busy"]
    assert [taken.state for taken in await asyncio.gather(*inside)] == ["unavailable"] * 2
    pooler.drop()
    pooler.muted = False
    monkeypatch.setattr(taking, "ACCEPT_SECONDS", 20.0)
    assert (await intake.ask(asked("third"))).state == "accepted"
