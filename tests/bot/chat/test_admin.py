"""What was sent by a form is done once, also where it is taken up again after a crash."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from bot.chat.admin import Admin, DoneBefore, NotDone, Rights
from bot.chat.authority import Action, Kind
from bot.chat.words import admin_sentences
from masis.conversation import TEAMS, Sent, TeamSettings, Tenant
from masis.documents.ingestion import Ingest
from masis.domain import WorkspaceId
from storage.chat.admin_log import AdminLog
from storage.chat.links import Links
from storage.chat.logged_changes import LoggedChanges
from storage.chat.team_settings import TeamSettingsStore
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.current_schema import copy_to
from tests.fakes import FakeEmbedder, FakeParser, FakeVectorStores
from tests.storage.chat.samples import OURS

OWNER, CHANNEL, OTHER = "U1", "C1", "C2"
SENT, LATER = Sent(once="sent 1"), Sent(once="sent 2")
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
    kept: Links
    log: AdminLog
    repository: SqlRepository
    settings: TeamSettingsStore
    forgotten: list[WorkspaceId]
    """Whose steps were forgotten, each time anew."""

    async def links(self, channel: str) -> WorkspaceId:
        """Let a channel ask a new workspace."""
        _, made = await self.admin.link(OURS, OWNER, channel, new=NEW, sent=Sent(once=channel))
        return made.id

    async def asks(self, channel: str) -> WorkspaceId:
        """Return the workspace that a channel asks."""
        link = await self.kept.of(OURS, channel)
        assert link is not None
        return link.workspace_id

    async def logged(self, action: str) -> int:
        return sum(each.action == action for each in await self.log.list(OURS))


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    await asyncio.to_thread(copy_to, tmp_path / "masis.db")
    database = await Database.open(tmp_path / "masis.db")
    repository, log = SqlRepository(database), AdminLog(database)
    links, settings = Links(database), TeamSettingsStore(database)
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
        changes=LoggedChanges(database),
        links=links,
        settings=settings,
        log=log,
        repository=repository,
        ingest=ingest,
        forget=forget,
        not_linked="not linked",
    )
    yield Office(admin, ingest, links, log, repository, settings, forgotten)
    await database.close()


async def test_new_workspace_is_made_once(office: Office) -> None:
    """Whoever made it may have died before it was linked, or before anybody heard of that."""
    made = await office.repository.create_workspace(OURS.owner, NEW)
    assert await office.links(CHANNEL) == made.id
    with pytest.raises(DoneBefore):
        await office.links(CHANNEL)
    assert [each.id for each in await office.admin.workspaces(OURS)] == [made.id]
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
    await office.admin.delete(OURS, OWNER, CHANNEL, document, sent=SENT)
    with pytest.raises(DoneBefore):
        await office.admin.delete(OURS, OWNER, CHANNEL, document, sent=SENT)
    assert office.forgotten == [workspace.id] * 2
    with pytest.raises(NotDone, match="any more"):
        await office.admin.delete(OURS, OWNER, CHANNEL, document, sent=LATER)
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


async def test_settings_saved_again_overwrite_nothing(office: Office) -> None:
    """Whoever saved others meanwhile has the last word, and the log has one line of each."""
    await office.admin.save(OURS, OWNER, TeamSettings(guests=True), sent=SENT)
    await office.admin.save(OURS, OWNER, TeamSettings(user_running=7), sent=LATER)
    with pytest.raises(DoneBefore):
        await office.admin.save(OURS, OWNER, TeamSettings(guests=True), sent=SENT)
    assert await office.settings.of(OURS) == TeamSettings(user_running=7)
    assert await office.logged("settings") == 2


async def test_linking_done_again_overwrites_nothing(office: Office) -> None:
    await office.links(CHANNEL)
    _, other = await office.admin.link(OURS, OWNER, CHANNEL, new="Other", sent=LATER)
    with pytest.raises(DoneBefore):
        await office.links(CHANNEL)
    assert await office.asks(CHANNEL) == other.id


async def test_unlinking_in_vain_is_one_line(office: Office) -> None:
    for _ in range(2):
        assert await office.admin.unlink(OURS, OWNER, CHANNEL, sent=SENT) is None
    assert await office.logged("unlink") == 1


async def test_unlinking_in_vain_is_no_later_decision(office: Office) -> None:
    """It is as old as it was sent, however late it is done: what was sent after it is done, too."""
    said = dt.datetime.now(dt.UTC) - dt.timedelta(minutes=1)
    form = Sent(once="form", at=said + dt.timedelta(seconds=1))
    await office.admin.unlink(OURS, OWNER, CHANNEL, sent=Sent(once="word", at=said))
    _, made = await office.admin.link(OURS, OWNER, CHANNEL, new=NEW, sent=form)
    assert await office.asks(CHANNEL) == made.id


async def test_what_was_decided_since_stands(office: Office) -> None:
    """What was sent before it, and is done late, changes nothing and is not written down."""
    asked = await office.links(CHANNEL)
    await office.admin.save(OURS, OWNER, TeamSettings(guests=True))
    early = Sent(once="sent 0", at=dt.datetime.now(dt.UTC) - dt.timedelta(minutes=1))
    for late in (
        office.admin.link(OURS, OWNER, CHANNEL, new="Other", sent=early),
        office.admin.unlink(OURS, OWNER, CHANNEL, sent=early),
        office.admin.save(OURS, OWNER, TeamSettings(), sent=early),
    ):
        with pytest.raises(NotDone, match="Somebody else changed this after you sent it"):
            await late
    assert await office.asks(CHANNEL) == asked
    assert (await office.settings.of(OURS)).guests
    assert len(await office.log.list(OURS)) == 2


async def test_documents_put_in_since_stay(office: Office) -> None:
    """A deletion that is taken up again means the document that its sender saw."""
    await office.links(CHANNEL)
    workspace, _ = await office.admin.documents(OURS, CHANNEL)
    early = Sent(once="sent 0", at=dt.datetime.now(dt.UTC))
    document = (await office.ingest.ingest(workspace, "leave.txt", b"26 days.")).document_id
    assert document
    with pytest.raises(NotDone, match="put this document in anew"):
        await office.admin.delete(OURS, OWNER, CHANNEL, document, sent=early)
    assert len((await office.admin.documents(OURS, CHANNEL))[1]) == 1
    assert await office.logged("delete") == 0


@pytest.mark.parametrize(
    ("anew", "said"), [(False, admin_sentences.DELETED), (True, admin_sentences.PUT_IN_SINCE)]
)
async def test_deletion_says_what_others_did(
    office: Office, monkeypatch: pytest.MonkeyPatch, *, anew: bool, said: str
) -> None:
    """Somebody else deletes it, and maybe puts it in anew, while it is being deleted."""
    await office.links(CHANNEL)
    workspace, _ = await office.admin.documents(OURS, CHANNEL)
    document = (await office.ingest.ingest(workspace, "leave.txt", b"26 days.")).document_id

    async def overtaken(*_: object, **__: object) -> None:
        await office.ingest.delete(workspace, "leave.txt")
        if anew:
            await office.ingest.ingest(workspace, "leave.txt", b"28 days.")

    monkeypatch.setattr(office.log, "add", overtaken)
    with pytest.raises(NotDone, match=said[:20]) as told:
        await office.admin.delete(OURS, OWNER, CHANNEL, document or "")
    assert str(told.value) == said
    assert len((await office.admin.documents(OURS, CHANNEL))[1]) == anew


async def test_unlinking_done_again_is_done(office: Office) -> None:
    """The log keeps which workspace it was."""
    asked = await office.links(CHANNEL)
    before = await office.admin.unlink(OURS, OWNER, CHANNEL, sent=SENT)
    assert (before.id if before else "") == asked
    with pytest.raises(DoneBefore):
        await office.admin.unlink(OURS, OWNER, CHANNEL, sent=SENT)
    assert await office.admin.unlink(OURS, OWNER, CHANNEL, sent=LATER) is None
    lines = [each for each in await office.log.list(OURS) if each.action == "unlink"]
    assert sorted(line.detail for line in lines) == ["", asked]
