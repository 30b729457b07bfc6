"""Files of questions in rows: of their run alone, in their workspace alone, and gone with either."""

import datetime as dt

from masis.attached import AttachedFile
from masis.documents.chunking import chunk_document
from masis.domain import Block, Document, ParsedDocument, Workspace, opaque_id
from masis.records import StoredRun
from masis.retrieval.evidence import unscored
from storage.documents.attached_rows import SqlAttachedFiles
from storage.documents.repository import SqlRepository
from storage.privacy.purge import Purge
from storage.privacy.retention import Retention
from storage.sql.database import Database
from tests.storage.beside import occurrences, sqlite_alone
from tests.storage.chat.samples import OURS, a_run, insert

WORDS = "flamingo budget 4711"
PARSED = ParsedDocument(
    format="md",
    title="Offer",
    blocks=[
        Block(kind="heading", text="Prices", level=1),
        Block(kind="paragraph", text=f"The {WORDS} is fixed."),
        Block(kind="heading", text="Notice", level=1),
        Block(kind="paragraph", text="The notice is " + "long and written " * 60),
    ],
)
UNREAD = AttachedFile(name="broken.pdf", reason="The file is damaged and could not be read.")


async def attach(
    files: SqlAttachedFiles, workspace: Workspace, run_id: str
) -> tuple[AttachedFile, list[str]]:
    """Write the offer for a run; gives it, and the ids of its passages."""
    document = Document(
        id=opaque_id("f", workspace.id, "offer.md"),
        workspace_id=workspace.id,
        name="offer.md",
        title=PARSED.title,
        format="md",
        version_id=opaque_id("v", workspace.id, run_id),
        version_number=1,
        content_hash="hash",
        size_bytes=7,
        chunks=2,
        date=dt.date(2026, 3, 1),
        ingested_at=dt.datetime(2026, 3, 2, tzinfo=dt.UTC),
    )
    chunks = chunk_document(
        PARSED, workspace_id=workspace.id, document_id=document.id, version_id=document.version_id
    )
    file = AttachedFile(name="offer.md", document=document)
    await files.write(workspace.id, run_id, 0, file, chunks)
    return file, [chunk.id for chunk in chunks]


async def test_written_files_come_back(database: Database, our_workspace: Workspace) -> None:
    """In their order, and what is written first stays."""
    files = SqlAttachedFiles(database)
    offer, ids = await attach(files, our_workspace, "run-1")
    await files.write(our_workspace.id, "run-1", 1, UNREAD, [])
    await files.write(our_workspace.id, "run-1", 0, UNREAD, [])

    found = await files.of(our_workspace.id, "run-1")

    assert found.files == (offer, UNREAD)
    assert [chunk.id for chunk in found.chunks] == ids


async def test_other_run_and_workspace_see_nothing(
    database: Database, our_workspace: Workspace, their_workspace: Workspace
) -> None:
    """A file is read with its run's id in its own workspace, and in no other way."""
    files, repository = SqlAttachedFiles(database), SqlRepository(database)
    offer, ids = await attach(files, our_workspace, "run-1")
    assert offer.document is not None
    version = offer.document.version_id

    assert list(await repository.chunks(our_workspace.id, ids)) == ids
    assert len(await repository.neighbours(our_workspace.id, version, [1])) == 1
    assert (await files.of(our_workspace.id, "run-2")).files == ()
    assert (await files.of(their_workspace.id, "run-1")).files == ()
    assert await repository.chunks(their_workspace.id, ids) == {}
    assert await repository.neighbours(their_workspace.id, version, [1]) == []
    # Nothing that a search of the workspace looks at knows of it.
    assert await repository.documents(our_workspace.id) == []
    assert await repository.term_frequencies(our_workspace.id, {1}) == (0, {})
    assert await repository.active_versions(our_workspace.id) == []


async def test_quoting_run_is_kept_whole(database: Database, our_workspace: Workspace) -> None:
    """The evidence of a run outlives its file, which is no document that could be deleted."""
    files, repository = SqlAttachedFiles(database), SqlRepository(database)
    _, ids = await attach(files, our_workspace, "run-1")
    found = await repository.chunks(our_workspace.id, ids)
    run = StoredRun(
        run_id="run-1",
        graph="research",
        workspace_id=our_workspace.id,
        question="What is the budget?",
        status="success",
        outcome={"answer": WORDS},
        evidence=[unscored(*found[ids[0]])],
        trace=[],
        figures={},
    )

    await repository.save_run(run)
    await files.remove(our_workspace.id, "run-1")

    kept = await repository.run(our_workspace.id, "run-1")
    assert kept is not None
    assert (kept.blanked, kept.evidence[0].text) == (False, run.evidence[0].text)


async def test_purges_remove_files_of_runs(
    database: Database, our_workspace: Workspace, their_workspace: Workspace
) -> None:
    """Forgetting who asked, or the workspace, takes the files of open requests along."""
    files = SqlAttachedFiles(database)
    await insert(
        database,
        a_run("run-1", our_workspace, asker="U1", files=[{"id": "F1", "name": "offer.md"}]),
        a_run("run-2", our_workspace, asker="U2"),
    )
    for workspace, run_id in ((our_workspace, "run-1"), (our_workspace, "run-2")):
        await attach(files, workspace, run_id)
    await attach(files, their_workspace, "run-3")
    purge = Purge(database)

    await purge.purge_user(OURS, "U1")
    assert not (await files.of(our_workspace.id, "run-1")).files
    assert (await files.of(our_workspace.id, "run-2")).files

    await purge.purge_workspace(OURS.owner, our_workspace.id)
    assert not (await files.of(our_workspace.id, "run-2")).files
    assert (await files.of(their_workspace.id, "run-3")).files


@sqlite_alone
async def test_removed_file_leaves_no_byte(
    database: Database, location: str, our_workspace: Workspace
) -> None:
    files = SqlAttachedFiles(database)
    await attach(files, our_workspace, "run-1")
    assert occurrences(location, WORDS)

    await files.remove(our_workspace.id, "run-1")

    assert not occurrences(location, WORDS)


async def test_forgotten_files_are_swept(database: Database, our_workspace: Workspace) -> None:
    """What a process left behind that died is gone after a day."""
    files, now = SqlAttachedFiles(database), dt.datetime.now(dt.UTC)
    await attach(files, our_workspace, "run-1")

    assert (await Retention(database).sweep(now + dt.timedelta(hours=23))).files == 0
    assert (await Retention(database).sweep(now + dt.timedelta(hours=25))).files == 1
    assert not (await files.of(our_workspace.id, "run-1")).files
