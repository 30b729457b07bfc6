"""What was sent by a form is done once, also where it is taken up again after a crash."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from bot.chat.admin import Admin, DoneBefore, NotDone, Rights
from bot.chat.authority import Action, Kind
from bot.chat.words import admin_sentences
from masis.conversation import TEAMS, TeamSettings, Tenant
from masis.documents.ingestion import Ingest
from masis.domain import WorkspaceId
from storage.chat.admin_log import AdminLog
from storage.chat.links import Links
from storage.chat.team_settings import TeamSettingsStore
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.current_schema import copy_to
from tests.fakes import FakeEmbedder, FakeParser, FakeVectorStores
from tests.storage.chat.samples import OURS

OWNER, CHANNEL, OTHER, SENT = "U1", "C1", "C2", "sent 1"
NEW: Final = "Handbook"


class Owners(Rights):
    """Knows one owner, and no private channel."""

    async def kind(self, tenant: Tenant, user: str) -> Kind:
        return "owner" if tenant.team and user == OWNER else "stranger"

    def why_not(self, kind: Kind, action: Action) -> str:
        return f"{kind}: {action}"

    async def linkable(self, tenant: Tenant, channel: str, *, external: bool) -> bool:
        assert tenant.team, channel
        return external


@dataclass
class Office:
    admin: Admin
    ingest: Ingest
    log: AdminLog
    repository: SqlRepository
    forgotten: list[WorkspaceId]
    """Whose steps were forgotten, each time anew."""

    async def links(self, channel: str) -> WorkspaceId:
        """Let a channel ask a new workspace."""
        _, made = await self.admin.link(OURS, OWNER, channel, new=NEW, once=SENT)
        return made.id

    async def logged(self, action: str) -> int:
        return sum(each.action == action for each in await self.log.list(OURS))


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    await asyncio.to_thread(copy_to, tmp_path / "masis.db")
    database = await Database.open(tmp_path / "masis.db")
    repository, log = SqlRepository(database), AdminLog(database)
    ingest = Ingest(
        repository=repository,
        stores=FakeVectorStores(),
        embedder=FakeEmbedder(),
        parser=FakeParser(),
    )

    forgotten: list[WorkspaceId] = []

    async def forget(workspace_id: WorkspaceId) -> None:
        forgotten.append(workspace_id)

    admin = Admin(
        rights=Owners(),
        links=Links(database),
        settings=TeamSettingsStore(database),
        log=log,
        repository=repository,
        ingest=ingest,
        forget=forget,
        not_linked="not linked",
    )
    yield Office(admin, ingest, log, repository, forgotten)
    await database.close()


async def test_new_workspace_is_made_once(office: Office) -> None:
    """Whoever made it may have died before it was linked, or before that was noted."""
    assert await office.links(CHANNEL) == await office.links(CHANNEL)
    assert len(await office.admin.workspaces(OURS)) == 1
    assert await office.logged("link") == 1


async def test_workspace_of_others_is_not_new(office: Office) -> None:
    """Another channel asks it: who names it so means another one."""
    await office.links(CHANNEL)
    with pytest.raises(NotDone, match=admin_sentences.NAME_TAKEN):
        await office.links(OTHER)


async def test_deletion_done_again_is_done(office: Office) -> None:
    """It is said once more that the document is gone; the steps that quote it go for certain."""
    await office.links(CHANNEL)
    workspace, _ = await office.admin.documents(OURS, CHANNEL)
    document = (await office.ingest.ingest(workspace, "leave.txt", b"26 days.")).document_id
    assert document
    await office.admin.delete(OURS, OWNER, CHANNEL, document, once=SENT)
    with pytest.raises(DoneBefore):
        await office.admin.delete(OURS, OWNER, CHANNEL, document, once=SENT)
    assert office.forgotten == [workspace.id] * 2
    with pytest.raises(NotDone, match="any more"):
        await office.admin.delete(OURS, OWNER, CHANNEL, document, once="sent 2")
    assert await office.logged("delete") == 1


async def test_organisations_documents_are_read_alone(office: Office) -> None:
    """A team's owner links them and deletes none; a new workspace may have their workspace's name."""
    team = Tenant(chat=TEAMS, enterprise="E1", team="T1")
    shared = await office.repository.create_workspace(team.organisation_owner, NEW)
    assert await office.admin.workspaces(team) == [shared]
    await office.admin.link(team, OWNER, CHANNEL, workspace=shared.id)
    assert await office.admin.documents(team, CHANNEL) == (shared, [])
    with pytest.raises(NotDone, match=admin_sentences.OF_ORGANISATION):
        await office.admin.delete(team, OWNER, CHANNEL, "d1")
    _, own = await office.admin.link(team, OWNER, OTHER, new=NEW)
    assert own.owner == team.owner


async def test_changes_done_again_are_one_line(office: Office) -> None:
    for _ in range(2):
        await office.admin.save(OURS, OWNER, TeamSettings(guests=True), once=SENT)
        assert await office.admin.unlink(OURS, OWNER, CHANNEL, once=SENT) is None
    assert await office.logged("settings") == await office.logged("unlink") == 1


async def test_unlinking_done_again_is_done(office: Office) -> None:
    """The log keeps which workspace it was."""
    asked = await office.links(CHANNEL)
    before = await office.admin.unlink(OURS, OWNER, CHANNEL, once=SENT)
    assert (before.id if before else "") == asked
    with pytest.raises(DoneBefore):
        await office.admin.unlink(OURS, OWNER, CHANNEL, once=SENT)
    assert await office.admin.unlink(OURS, OWNER, CHANNEL, once="sent 2") is None
    lines = [each for each in await office.log.list(OURS) if each.action == "unlink"]
    assert sorted(line.detail for line in lines) == ["", asked]
