"""What others decided after an upload was sent stands when it is begun again."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat.wanted_files import WantedFiles
from bot.chat.words import shared_sentences
from masis.conversation import AdminAction
from masis.documents.ingestion import SUPERSEDED, Ingest
from masis.domain import Workspace
from masis.errors import DocumentRefused
from storage.chat.admin_log import AdminLog
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.current_schema import copy_to
from tests.fakes import FakeEmbedder, FakeParser, FakeVectorStores
from tests.storage.chat.samples import NOON, OURS, THEIRS, a_run, seconds

LATER = seconds(1)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    await asyncio.to_thread(copy_to, tmp_path / "masis.db")
    opened = await Database.open(tmp_path / "masis.db")
    yield opened
    await opened.close()


@pytest.fixture
async def workspace(database: Database) -> Workspace:
    return await SqlRepository(database).create_workspace(OURS.owner, "acme")


@pytest.fixture
def documents(database: Database) -> Ingest:
    return Ingest(
        repository=SqlRepository(database),
        stores=FakeVectorStores(),
        embedder=FakeEmbedder(),
        parser=FakeParser(),
    )


async def checked(
    database: Database, workspace: Workspace, *names: str, attempt: int = 2, position: int = 0
) -> dt.datetime | None:
    wanted = WantedFiles(SqlRepository(database), AdminLog(database))
    run = a_run("r1", workspace, kind="upload", attempt=attempt)
    return await wanted.check(run, workspace, names, position)


def deletion(document: str, at: dt.datetime = LATER) -> AdminAction:
    return AdminAction(tenant=OURS, actor="U2", action="delete", target=document, at=at)


async def test_deleted_document_stays_deleted(
    database: Database, workspace: Workspace, documents: Ingest
) -> None:
    """Until somebody puts it in anew, or sends it after it was deleted."""
    held = await documents.ingest(workspace, "y.txt", b"one")
    await AdminLog(database).add(deletion(held.document_id or ""))
    assert await checked(database, workspace, "y.txt") == NOON, "it is still there"
    await documents.delete(workspace, "y.txt")
    with pytest.raises(DocumentRefused, match=SUPERSEDED):
        await checked(database, workspace, "y.txt")
    assert await checked(database, workspace, "y.txt", attempt=1) is None
    assert await checked(database, workspace, "z.txt") == NOON
    await documents.ingest(workspace, "y.txt", b"two")
    assert await checked(database, workspace, "y.txt") == NOON


async def test_other_deletions_do_not_count(
    database: Database, workspace: Workspace, documents: Ingest
) -> None:
    """Those before it was sent, that were refused, or of other teams."""
    log = AdminLog(database)
    document = (await documents.ingest(workspace, "y.txt", b"one")).document_id or ""
    await documents.delete(workspace, "y.txt")
    await log.add(deletion(document, seconds(-1)))
    await log.add(deletion(document).model_copy(update={"allowed": False}))
    await log.add(deletion(document).model_copy(update={"tenant": THEIRS}))
    assert await checked(database, workspace, "y.txt") == NOON


async def test_last_file_of_a_name_counts(database: Database, workspace: Workspace) -> None:
    names = ("x.txt", "y.txt", "x.txt")
    for attempt, offered_at in ((1, None), (2, NOON)):
        with pytest.raises(DocumentRefused, match=shared_sentences.NAMED_TWICE):
            await checked(database, workspace, *names, attempt=attempt)
        for position in (1, 2):
            found = await checked(database, workspace, *names, attempt=attempt, position=position)
            assert found == offered_at
