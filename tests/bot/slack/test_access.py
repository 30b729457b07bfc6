"""What is known of a caller and a channel before and while a question runs."""

import datetime as dt
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.chat.words import shared_sentences
from bot.slack.access import Access, Foreseen
from bot.slack.client.web import SlackWeb
from bot.slack.text import sentences
from masis.conversation import ChatRun, Link, Tenant
from masis.domain import Workspace
from storage.chat.links import Links
from storage.chat.team_settings import TeamSettingsStore
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.bot.slack.loopback import Slack, says

TENANT = Tenant(team="T1")
USER = {"ok": True, "user": {"id": "U1", "team_id": "T1"}}


@dataclass(frozen=True)
class Place:
    """A linked channel in which somebody asks."""

    access: Access
    links: Links
    workspace: Workspace
    other: Workspace

    async def link(self, workspace: Workspace) -> None:
        now = dt.datetime.now(dt.UTC)
        await self.links.link(
            Link(
                tenant=TENANT,
                channel="C1",
                workspace_id=workspace.id,
                linked_by="U2",
                linked_at=now,
            )
        )

    async def foreseen(self) -> Foreseen:
        return await self.access.foreseen(TENANT, "U1", "C1", "ask", self.workspace.id)

    async def denied(self) -> str:
        run = ChatRun(
            id="r",
            tenant=TENANT,
            channel="C1",
            asker="U1",
            question="?",
            query="?",
            workspace_id=self.workspace.id,
        )
        denial = await self.access.denial(run)
        return denial.reason if denial else ""


@pytest.fixture
async def place(tmp_path: Path, slack_web: SlackWeb) -> AsyncIterator[Place]:
    database = await Database.open(tmp_path / "masis.sqlite")
    repository, links = SqlRepository(database), Links(database)
    made = [await repository.create_workspace(TENANT.owner, name) for name in ("one", "other")]
    settings = TeamSettingsStore(database)
    access = Access(web=slack_web, links=links, settings=settings, repository=repository)
    found = Place(access, links, *made)
    await found.link(found.workspace)
    yield found
    await database.close()


async def test_admission_holds_until_link_changes(place: Place, slack: Slack) -> None:
    """Who is known in a known channel is admitted while its link stays as it was."""
    slack.will("users.info", says(USER))
    assert await place.foreseen() == Foreseen()
    assert await place.denied() == ""
    assert await place.foreseen() == Foreseen(admitted=True)

    await place.link(place.other)
    assert await place.foreseen() == Foreseen()
    assert await place.denied() == shared_sentences.WITHHELD_RELINKED

    await place.link(place.workspace)
    await place.links.suspend(TENANT, "C1", "it is shared now")
    assert await place.foreseen() == Foreseen()
    assert await place.denied() == sentences.suspended("it is shared now")


async def test_channel_info_expires_after_minute(
    place: Place, slack: Slack, slack_web: SlackWeb
) -> None:
    """Slacks word about a channel is a minute old at most when a run asks."""
    slack.will("users.info", says(USER))
    await slack_web.channel(TENANT, "C1")
    slack.time.at += 59
    assert await place.denied() == ""
    slack.time.at += 1
    slack.will("users.info", says(USER))
    slack.will("conversations.info", says({"ok": True, "channel": {"is_ext_shared": True}}))
    assert await place.denied() == sentences.EXTERNAL_CHANNEL
