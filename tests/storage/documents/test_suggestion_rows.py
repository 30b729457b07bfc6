"""The questions that a workspace answers, each kept for its own."""

from masis.domain import Workspace
from masis.values.suggested import Kept, Suggestion, digest
from storage.documents.repository import SqlRepository
from storage.documents.suggestion_rows import SqlSuggestions
from storage.sql.database import Database

NOTHING = digest([])
NOTICE = Suggestion(text="What is the notice period?", document="Leaving")


async def test_questions_belong_to_one_workspace(
    database: Database, repository: SqlRepository, workspace: Workspace
) -> None:
    """Another workspace has none of them, nor has who takes its place."""
    theirs = await repository.create_workspace("other", "acme")
    rows = SqlSuggestions(database)
    kept = Kept(documents=NOTHING, questions=[NOTICE])
    await rows.keep(workspace.id, kept)
    assert await rows.read(workspace.id) == kept
    assert await rows.read(theirs.id) is None
    await repository.delete_workspace(workspace.id)
    assert await rows.read(workspace.id) is None
    await rows.keep(workspace.id, kept)
    assert await rows.read(workspace.id) is None


async def test_questions_of_other_documents_are_refused(
    database: Database, workspace: Workspace
) -> None:
    """Questions that were tried on what is no longer there are not kept."""
    rows = SqlSuggestions(database)
    await rows.keep(workspace.id, Kept(documents=digest([("d", "v")]), questions=[NOTICE]))
    assert await rows.read(workspace.id) is None


async def test_later_questions_replace_earlier(database: Database, workspace: Workspace) -> None:
    rows = SqlSuggestions(database)
    await rows.keep(workspace.id, Kept(documents=NOTHING, questions=[NOTICE]))
    await rows.keep(workspace.id, Kept(documents=NOTHING, questions=[]))
    assert await rows.read(workspace.id) == Kept(documents=NOTHING, questions=[])
