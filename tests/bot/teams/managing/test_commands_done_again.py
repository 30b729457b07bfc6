"""What a command or a form does where it is taken up again, as a message is whose process died over it."""

import datetime as dt
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.chat.admin import Admin
from bot.chat.words import admin_sentences
from bot.playground.teams.teams_payloads import ANN, CHANNEL, CHAT, ROOT
from bot.teams.card_presses import told_late
from bot.teams.cards.carried import Form, FormRef
from bot.teams.inbound.activities import DialogSent, Person, Where
from bot.teams.managing import form_cards
from bot.teams.managing.admin_forms import AdminForms, Json
from bot.teams.managing.team_commands import Commands, command_of
from bot.teams.question_intake import Asked
from bot.teams.run_lookup import RunLookup
from bot.teams.teams_access import TeamsAccess
from bot.teams.text import sentences
from masis.documents.ingestion import Ingest
from masis.domain import WorkspaceId
from storage.chat.admin_log import AdminLog
from storage.chat.deduplication import Claims
from storage.chat.logged_changes import LoggedChanges
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.teams_places import TeamsPlace, TeamsPlaces
from storage.documents.repository import SqlRepository
from tests.bot.teams.test_card_presses import Taking
from tests.bot.teams.test_one_outcome import TEAM, Town, made
from tests.fakes import FakeEmbedder, FakeParser, FakeVectorStores
from tests.storage.chat.samples import NOON, insert, seconds


@dataclass
class Desk:
    town: Town
    commands: Commands
    forms: AdminForms
    engine: Taking

    async def says(
        self,
        text: str,
        key: str,
        sent_at: dt.datetime | None = None,
        *,
        direct: bool = False,
    ) -> str:
        """Let Ann say it in the channel or alone, and return what she is told."""
        command = command_of(text)
        assert command is not None
        place = self.place(direct=direct)
        asked = Asked(place, ANN, text, "message", key, ROOT, message=key, sent_at=sent_at)
        return str(await self.commands.done(command, asked))

    async def sends(self, form: Form, sent_at: dt.datetime, **typed: str) -> Json:
        """Let Ann send a form of the channel, and return what she is shown in its place."""
        place = self.place()
        where = Where(
            tenant=TEAM.enterprise,
            kind="channel",
            conversation=CHANNEL,
            service_url=place.service_url,
            bot="28:b",
        )
        sent = DialogSent(
            id="f1",
            where=where,
            person=Person(id=ANN, teams_id="29:a"),
            sent_at=sent_at,
            data=FormRef(form=form).data() | typed,
        )
        return await self.forms.shown(sent, place)

    def place(self, *, direct: bool = False) -> TeamsPlace:
        """Return the channel, or where Ann is alone with MASIS."""
        return TeamsPlace(
            tenant=TEAM,
            kind="personal" if direct else "channel",
            conversation=CHAT if direct else CHANNEL,
            service_url=self.town.standin.url,
            seen_at=NOON,
        )


async def forgotten(_: WorkspaceId) -> None:
    """Forget nothing: no steps were kept."""


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with made(tmp_path) as town:
        database, engine = town.database, Taking()
        repository, settings = SqlRepository(database), TeamSettingsStore(database)
        rights = town.rights()
        access = TeamsAccess(
            connector=town.connector,
            links=town.links,
            places=TeamsPlaces(database),
            rights=rights,
            settings=settings,
        )
        ingest = Ingest(
            repository=repository,
            stores=FakeVectorStores(),
            embedder=FakeEmbedder(),
            parser=FakeParser(),
        )
        admin = Admin(
            rights=rights,
            changes=LoggedChanges(database),
            links=town.links,
            settings=settings,
            log=AdminLog(database),
            repository=repository,
            ingest=ingest,
            forget=forgotten,
            not_linked=sentences.NOT_LINKED,
        )
        lookup = RunLookup(
            links=town.links,
            outbox=town.outbox,
            repository=repository,
            runs=ChatRuns(database),
            sessions=Sessions(database),
        )
        commands = Commands(
            access=access,
            admin=admin,
            claims=Claims(database),
            engine=engine,
            links=town.links,
            lookup=lookup,
            repository=repository,
        )
        forms = AdminForms(access=access, admin=admin, links=town.links, settings=settings)
        yield Desk(town, commands, forms, engine)


async def test_cancel_done_again_ends_no_other(desk: Desk) -> None:
    """Of two open questions the first goes on, until another message ends it."""
    later = {"id": "r2", "accepted_at": seconds(1)}
    await insert(desk.town.database, desk.town.run.model_copy(update=later))
    for _ in range(2):
        assert sentences.STOPPING in await desk.says("cancel", "m1")
        await ChatRuns(desk.town.database).mark("r2", "cancelled", cancelled_by=ANN)
    assert desk.engine.cancelled == [("r2", ANN)] * 2
    assert sentences.STOPPING in await desk.says("cancel", "m2")
    assert desk.engine.cancelled[-1] == ("r1", ANN)


async def test_late_unlink_leaves_newer_link(desk: Desk) -> None:
    """Somebody linked the channel anew after it was said, before it was done."""
    desk.town.issuer.roles = {ANN: ["owner"]}
    (link,) = await desk.town.links.all(TEAM)
    said = await desk.says("unlink", "m1", link.linked_at - dt.timedelta(seconds=1))
    assert "changed this after you sent it" in said
    assert await desk.town.links.all(TEAM) == [link]
    assert "no longer linked" in await desk.says("unlink", "m2", link.linked_at)


async def test_form_too_late_says_why(desk: Desk) -> None:
    """Nothing in it is wrong: in time and late its sender is told that the other decision stands."""
    desk.town.issuer.roles = {ANN: ["owner"]}
    (link,) = await desk.town.links.all(TEAM)
    early = link.linked_at - dt.timedelta(seconds=1)
    new = {form_cards.IN_WORKSPACE: form_cards.NEW, form_cards.IN_NEW: "Other"}
    assert "changed this after you sent it" in told_late(await desk.sends("link", early, **new))
    assert await desk.town.links.all(TEAM) == [link]
    desk.town.issuer.roles = {ANN: []}
    assert "Only an owner" in told_late(await desk.sends("link", link.linked_at, **new))


async def test_form_too_late_shows_what_is_wrong(desk: Desk) -> None:
    """What its sender can put right comes back with it, and late it is to be opened again."""
    desk.town.issuer.roles = {ANN: ["owner"]}
    assert told_late(await desk.sends("link", NOON)) == sentences.FORM_AGAIN


async def test_own_chat_tells_equal_names_apart(desk: Desk) -> None:
    """A team's workspace may be called as one of its whole organisation."""
    link = (await desk.town.links.all(TEAM))[0]
    repository = SqlRepository(desk.town.database)
    own = await repository.workspace_by_id(link.workspace_id)
    assert own is not None
    shared = await repository.create_workspace(TEAM.organisation_owner, own.name)
    other = {"channel": "c" + "1" * 40, "workspace_id": shared.id}
    await desk.town.links.link(link.model_copy(update=other))
    said = await desk.says("status", "m1", direct=True)
    assert f"“{own.name}”" in said
    assert f"“{own.name} (whole organisation)”" in said


async def test_unlink_done_again_says_so(desk: Desk) -> None:
    """It is no refusal; another message learns that there is no link."""
    desk.town.issuer.roles = {ANN: ["owner"]}
    assert "no longer linked" in await desk.says("unlink", "m1")
    again = await desk.says("unlink", "m1")
    assert admin_sentences.UNLINKED in again
    assert "🚫" not in again
    assert admin_sentences.NOTHING_TO_UNLINK in await desk.says("unlink", "m2")
