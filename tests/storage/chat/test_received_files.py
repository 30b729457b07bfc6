import asyncio
import datetime as dt

import pytest
from sqlalchemy import func, select, update

from masis.conversation import ChatRun
from masis.domain import Workspace
from masis.errors import UnknownWorkspace
from storage.chat.received_files import ReceivedFiles, UploadProgress
from storage.chat.requests import ChatRuns
from storage.privacy.retention import KEEP_PARTS, Retention
from storage.sql.database import Database
from storage.sql.tables import chat_runs, upload_parts, uploads
from tests.storage.chat.samples import OURS, THEIRS, a_run, insert

WAITS = UploadProgress(state="processing")


@pytest.fixture
def files(database: Database) -> ReceivedFiles:
    return ReceivedFiles(database)


def an_upload(run_id: str, workspace: Workspace, **fields: object) -> ChatRun:
    given = {"kind": "upload", "surface": "api", "question": f"{run_id}.txt", **fields}
    return a_run(run_id, workspace).model_copy(update=given)


async def parts(database: Database) -> int:
    async with database.read() as connection:
        return await connection.scalar(select(func.count()).select_from(upload_parts)) or 0


async def test_bytes_come_back_in_order(
    files: ReceivedFiles, workspace: Workspace, their_workspace: Workspace, database: Database
) -> None:
    """Bytes are whose workspace they are for alone, until they are dropped."""
    for position, content in enumerate((b"\0one", b"\xfftwo")):
        await files.add_part(OURS, workspace.id, "c1", position, content)
    await files.add_part(OURS, workspace.id, "c2", 0, b"other")
    assert await files.content(workspace.id, "c1") == b"\0one\xfftwo"
    assert await files.content(their_workspace.id, "c1") == b""
    await files.drop(their_workspace.id, "c1")
    await files.drop(workspace.id, "")
    assert await parts(database) == 3
    await files.drop(workspace.id, "c1")
    assert await files.content(workspace.id, "c1") == await files.content(workspace.id, "") == b""
    assert await parts(database) == 1


async def test_foreign_workspace_takes_no_bytes(
    files: ReceivedFiles, their_workspace: Workspace, database: Database
) -> None:
    with pytest.raises(UnknownWorkspace):
        await files.add_part(OURS, their_workspace.id, "c1", 0, b"x")
    assert await parts(database) == 0


async def test_first_end_stays(
    files: ReceivedFiles, workspace: Workspace, database: Database
) -> None:
    run = an_upload("u1", workspace)
    await insert(database, run)
    await files.add_part(OURS, workspace.id, "c1", 0, b"x")
    assert await files.of(run) == WAITS
    await files.note_share(run, 0.25)
    assert await files.of(run) == WAITS.model_copy(update={"share": 0.25})
    await asyncio.gather(
        *(files.end(run, "ready", {"status": "added", "chunks": 2}, "c1") for _ in range(2))
    )
    await files.end(run, "refused", {"reason": "late"}, "c1")
    await files.note_share(run, 0.5)
    ended = UploadProgress(state="ready", result={"status": "added", "chunks": 2})
    assert await files.of(run) == ended
    assert await parts(database) == 0


async def test_forgotten_upload_is_not_noted(
    files: ReceivedFiles, workspace: Workspace, database: Database
) -> None:
    await files.end(an_upload("gone", workspace), "ready", {}, "c1")
    async with database.read() as connection:
        assert await connection.scalar(select(func.count()).select_from(uploads)) == 0


async def test_only_open_and_refused_are_listed(
    files: ReceivedFiles, workspace: Workspace, their_workspace: Workspace, database: Database
) -> None:
    mine = [an_upload(name, workspace) for name in ("u1", "u2", "u3")]
    theirs = an_upload("theirs", their_workspace, tenant=THEIRS)
    slack = an_upload("slack", workspace, surface="slack")
    await insert(database, *mine, theirs, slack, a_run("ask", workspace))
    await files.end(mine[0], "ready", {}, "c1")
    await files.end(mine[1], "refused", {"reason": "damaged"}, "c2")
    listed = await files.not_ready(OURS, workspace.id, "api", 10)
    found = {run.id: (run.question, progress.state) for run, progress in listed}
    assert found == {"u2": ("u2.txt", "refused"), "u3": ("u3.txt", "processing")}
    assert len(await files.not_ready(OURS, workspace.id, "api", 1)) == 1
    assert await files.not_ready(OURS, their_workspace.id, "api", 10) == []
    assert await files.not_ready(THEIRS, workspace.id, "api", 10) == []


async def test_lost_bytes_are_swept(
    files: ReceivedFiles, workspace: Workspace, database: Database
) -> None:
    """Who sent them was broken off; what goes on is younger."""
    for name in ("old", "new"):
        await files.add_part(OURS, workspace.id, name, 0, b"x")
    now = dt.datetime.now(dt.UTC)
    old = now - KEEP_PARTS - dt.timedelta(minutes=1)
    change = update(upload_parts).where(upload_parts.c.content_id == "old").values(at=old)
    async with database.write() as connection:
        await connection.execute(change)
    assert (await Retention(database).sweep(now)).parts == 1
    assert await files.content(workspace.id, "old") == b""
    assert await files.content(workspace.id, "new") == b"x"


async def test_upload_goes_with_its_request(
    files: ReceivedFiles, workspace: Workspace, database: Database
) -> None:
    run = an_upload("u1", workspace)
    await insert(database, run)
    await files.end(run, "refused", {"reason": "damaged"}, "c1")
    assert await ChatRuns(database).get(OURS, "u1") is not None
    async with database.write() as connection:
        await connection.execute(chat_runs.delete())
    assert await files.of(run) == WAITS
