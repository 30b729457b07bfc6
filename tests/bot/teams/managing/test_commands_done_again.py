"""What a command does where it is taken up again, as a message is whose process died over it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.chat.admin import Admin
from bot.chat.words import admin_sentences
from bot.playground.teams.teams_payloads import ANN, CHANNEL, ROOT
from bot.teams.managing.team_commands import Commands, command_of
from bot.teams.question_intake import Asked
from bot.teams.run_lookup import RunLookup
from bot.teams.teams_access import TeamsAccess
from bot.teams.text import sentences
from masis.documents.ingestion import Ingest
from masis.domain import WorkspaceId
from storage.chat.admin_log import AdminLog
from storage.chat.deduplication import Claims
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
    engine: Taking

    async def says(self, text: str, key: str) -> str:
        """Let Ann say it in the channel, and return what she is told."""
        command = command_of(text)
        assert command is not None
        place = TeamsPlace(
            tenant=TEAM,
            kind="channel",
            conversation=CHANNEL,
            service_url=self.town.standin.url,
            seen_at=NOON,
        )
        asked = Asked(place, ANN, text, "message", key, ROOT, message=key)
        return str(await self.commands.done(command, asked))


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
        yield Desk(town, commands, engine)


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


async def test_unlink_done_again_says_so(desk: Desk) -> None:
    """It is no refusal; another message learns that there is no link."""
    desk.town.issuer.roles = {ANN: ["owner"]}
    assert "no longer linked" in await desk.says("unlink", "m1")
    again = await desk.says("unlink", "m1")
    assert admin_sentences.UNLINKED in again
    assert "🚫" not in again
    assert admin_sentences.NOTHING_TO_UNLINK in await desk.says("unlink", "m2")
