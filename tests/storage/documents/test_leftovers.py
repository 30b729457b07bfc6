from masis.domain import Workspace
from storage.documents.leftovers import leftovers
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.test_origins import add


async def test_crash_leftovers_are_found_everywhere(
    database: Database, repository: SqlRepository, workspace: Workspace
) -> None:
    """What a crash left is found in every workspace and what is seen is not."""
    other = await repository.create_workspace("T1", "other")
    retired = await add(repository, workspace, "a.pdf", "one")
    await add(repository, workspace, "a.pdf", "two")
    deleted = await add(repository, other, "b.pdf", "one")
    await repository.delete_document(other.id, deleted.document_id)
    begun = await repository.begin_version(other.id, "c.pdf", "hash", 1)
    unwanted = {workspace.id: [retired.id], other.id: [deleted.id]}
    assert await leftovers(database, begun_before=3600.0) == unwanted
    found = await leftovers(database, begun_before=-1.0, workspace_id=other.id)
    assert {name: set(ids) for name, ids in found.items()} == {other.id: {deleted.id, begun.id}}
