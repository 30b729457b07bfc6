from masis.domain import Chunk, ParsedDocument, Workspace
from storage.documents.document_pages import DocumentPages
from storage.documents.repository import SqlRepository
from storage.sql.database import Database


async def put(repository: SqlRepository, workspace: Workspace, name: str) -> str:
    """A document of that name without a passage; gives its id."""
    version = await repository.begin_version(workspace.id, name, f"hash of {name}", 1)
    await repository.write_chunks(version, list[Chunk](), {}, {})
    parsed = ParsedDocument(format="txt", title=name, blocks=[])
    await repository.activate(version, parsed, 0)
    return version.document_id


async def test_pages_hold_every_document_once(
    database: Database, workspace: Workspace, their_workspace: Workspace
) -> None:
    repository, pages = SqlRepository(database), DocumentPages(database)
    names = ["a.txt", "B.txt", "c d.txt", "é.txt", "z.txt"]
    for name in names:
        await put(repository, workspace, name)
    theirs = await put(repository, their_workspace, "theirs.txt")
    await repository.begin_version(workspace.id, "unfinished.txt", "hash", 1)
    seen: list[str] = []
    while page := await pages.after(workspace.id, seen[-1] if seen else "", 2):
        seen += [document.name for document in page]
    assert sorted(seen) == sorted(names)
    assert await pages.of_id(workspace.id, theirs) is None
    assert await pages.of_id(workspace.id, "\0") is None
    mine = await pages.after(workspace.id, "", 1)
    assert await pages.of_id(workspace.id, mine[0].id) == mine[0]
