"""Which documents an older reader read, on both databases."""

from typing import Final

from masis.domain import Format, Origin, ParsedDocument, Workspace
from storage.documents.outdated_readers import OlderDocuments, older_documents
from storage.documents.repository import SqlRepository
from storage.sql.database import Database

NOW: Final[dict[Format, int]] = {"pdf": 2, "md": 1}


async def add(
    repository: SqlRepository, workspace: Workspace, name: str, parser: int, of: str = ""
) -> None:
    origin = Origin(source=of) if of else None
    version = await repository.begin_version(workspace.id, name, f"hash of {name}", 1, origin)
    parsed = ParsedDocument.model_validate(
        {"format": name.rpartition(".")[2], "title": name, "blocks": [], "parser": parser}
    )
    await repository.activate(version, parsed, 0)


async def test_documents_of_older_readers_are_counted(
    database: Database, repository: SqlRepository, workspace: Workspace
) -> None:
    other = await repository.create_workspace("another owner", "other")
    await add(repository, workspace, "old.pdf", 1, "drive")
    await add(repository, workspace, "older.pdf", 0)
    await add(repository, workspace, "new.pdf", 2, "drive")
    await add(repository, workspace, "new.md", 1)
    await add(repository, workspace, "other.csv", 0)
    await add(repository, other, "theirs.pdf", 1)
    await repository.begin_version(workspace.id, "begun.pdf", "hash", 1)
    mine = await older_documents(database, NOW, workspace.owner)
    assert mine == OlderDocuments(synced=1, others=1)
    assert await older_documents(database, NOW, None) == OlderDocuments(synced=1, others=2)
    assert await older_documents(database, {}, None) == OlderDocuments()
    stored = {each.name: each.parser for each in await repository.documents(workspace.id)}
    assert stored["old.pdf"] == 1


async def test_row_without_parser_version_is_older(
    database: Database, repository: SqlRepository, workspace: Workspace
) -> None:
    """A row from before versions is older."""
    await add(repository, workspace, "old.md", 1)
    async with database.write() as connection:
        await connection.exec_driver_sql("UPDATE versions SET parser = NULL")
    assert await older_documents(database, NOW, None) == OlderDocuments(others=1)
    assert (await repository.documents(workspace.id))[0].parser == 0
