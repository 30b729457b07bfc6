"""Free fields of documents in the database, each workspace's its own."""

from masis.domain import ParsedDocument, Workspace
from masis.fields import MOST_FIELDS
from masis.records import Version
from storage.documents.repository import SqlRepository


async def add(
    repository: SqlRepository,
    workspace: Workspace,
    name: str,
    *,
    fields: dict[str, str] | None = None,
    given: dict[str, str] | None = None,
) -> Version:
    version = await repository.begin_version(workspace.id, name, f"hash of {name}", 100)
    parsed = ParsedDocument(
        format="md", title=name, blocks=[], fields=fields or {}, given=given or {}
    )
    await repository.activate(version, parsed, 0)
    return version


async def test_document_merges_read_and_given_fields(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A document has the fields of its metadata and those it was given."""
    read = {"owner": "Jane", "status": "draft"}
    version = await add(repository, workspace, "a.md", fields=read, given={"status": "final"})
    await add(repository, workspace, "b.md")
    a, b = await repository.documents(workspace.id)
    assert a.fields == {"owner": "Jane", "status": "final"}
    assert (a.given, b.fields, b.given) == ({"status": "final"}, {}, {})
    await repository.note_fields(workspace.id, version.id, {"team": "ops"})
    [changed, _] = await repository.documents(workspace.id)
    assert changed.fields == {"owner": "Jane", "status": "draft", "team": "ops"}
    await repository.note_fields(workspace.id, version.id, {})
    assert (await repository.documents(workspace.id))[0].fields == read


async def test_field_keys_omit_crowded_out_ones(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """No key is told that a document cannot be asked by."""
    read = {f"k{number}": "v" for number in range(MOST_FIELDS)}
    await add(repository, workspace, "a.md", fields=read, given={"owner": "J"})
    [document] = await repository.documents(workspace.id)
    assert await repository.field_keys(workspace.id) == set(document.fields)


async def test_field_keys_cover_visible_documents(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """The keys are those of the visible documents of one workspace."""
    other = await repository.create_workspace("local", "other")
    mine = await add(repository, workspace, "a.md", fields={"owner": "J"}, given={"team": "ops"})
    await add(repository, other, "a.md", fields={"secret-key": "x"})
    await repository.begin_version(workspace.id, "begun.md", "hash", 1)
    assert await repository.field_keys(workspace.id) == {"owner", "team"}
    await repository.note_fields(other.id, mine.id, {"stolen": "x"})
    assert await repository.field_keys(workspace.id) == {"owner", "team"}
    await repository.delete_document(workspace.id, mine.document_id)
    assert await repository.field_keys(workspace.id) == frozenset()
