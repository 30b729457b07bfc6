"""Where documents came from, and what they are called: as synced folders need it."""

from masis.domain import Chunk, Origin, ParsedDocument, Workspace, opaque_id
from masis.records import Version
from storage.documents.repository import SqlRepository

FOLDER = Origin(source="/srv/handbook", stamp="100.1")


async def add(
    repository: SqlRepository,
    workspace: Workspace,
    name: str,
    *texts: str,
    origin: Origin | None = None,
) -> Version:
    """A visible version of these pieces."""
    digest = opaque_id("hash", *texts)
    version = await repository.begin_version(workspace.id, name, digest, 100, origin)
    pieces = [
        Chunk(
            id=opaque_id("c", version.id, text),
            workspace_id=workspace.id,
            document_id=version.document_id,
            version_id=version.id,
            position=position,
            text=text,
        )
        for position, text in enumerate(texts)
    ]
    await repository.write_chunks(version, pieces, {})
    parsed = ParsedDocument(format="pdf", title=name, blocks=[])
    await repository.activate(version, parsed, len(texts))
    return version


async def test_version_records_its_source_folder(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A version says which folder its bytes are from."""
    await add(repository, workspace, "uploaded.pdf", "one")
    version = await add(repository, workspace, "synced.pdf", "one", origin=FOLDER)
    synced, uploaded = await repository.documents(workspace.id)
    assert (synced.origin, uploaded.origin) == (FOLDER, Origin())
    other = await repository.create_workspace("local", "other")
    await repository.note_origin(other.id, version.id, Origin(source="/elsewhere"))
    assert (await repository.documents(workspace.id))[0].origin == FOLDER
    seen_again = FOLDER.model_copy(update={"stamp": "100.2"})
    await repository.note_origin(workspace.id, version.id, seen_again)
    assert (await repository.documents(workspace.id))[0].origin == seen_again
    await add(repository, workspace, "synced.pdf", "two")
    assert (await repository.documents(workspace.id))[0].origin == Origin(), "replaced otherwise"


async def test_rename_keeps_version_and_frees_name(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A renamed document keeps its version and chunks and frees its name."""
    version = await add(repository, workspace, "old.pdf", "one", "two")
    [before] = await repository.documents(workspace.id)
    assert await repository.rename_document(workspace.id, before.id, "new.pdf", FOLDER)
    [after] = await repository.documents(workspace.id)
    assert after == before.model_copy(update={"name": "new.pdf", "origin": FOLDER})
    assert len(await repository.neighbours(workspace.id, version.id, [0, 1])) == 2
    again = await add(repository, workspace, "old.pdf", "other")
    assert again.document_id != before.id
    deleted = await repository.delete_document(workspace.id, before.id)
    assert deleted.versions == [version.id]
    assert [each.name for each in await repository.documents(workspace.id)] == ["old.pdf"]


async def test_rename_refuses_taken_and_foreign_names(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A name that is taken and another workspaces document are not renamed."""
    await add(repository, workspace, "a.pdf", "one")
    await add(repository, workspace, "b.pdf", "two")
    await repository.begin_version(workspace.id, "begun.pdf", "hash", 1)
    first, _ = before = await repository.documents(workspace.id)
    other = await repository.create_workspace("local", "other")
    for place, name in ((workspace, "b.pdf"), (workspace, "begun.pdf"), (other, "c.pdf")):
        assert not await repository.rename_document(place.id, first.id, name, FOLDER)
    assert await repository.documents(workspace.id) == before
