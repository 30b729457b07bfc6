"""List the documents of a workspace a page at a time."""

from masis.domain import Document, WorkspaceId
from storage.sql import rows
from storage.sql.database import Database
from storage.sql.rows import text_or_nothing
from storage.sql.tables import documents


class DocumentPages:
    """The visible documents of all workspaces, by name as the database orders names."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def after(self, workspace_id: WorkspaceId, name: str, limit: int) -> list[Document]:
        """The documents whose names come after that one; from the first on after an empty one."""
        query = rows.active_documents(workspace_id).order_by(documents.c.name).limit(limit)
        if name:
            query = query.where(documents.c.name > text_or_nothing(name))
        return await self._database.inspect(
            lambda look: [rows.to_document(row) for row in look.execute(query)]
        )

    async def of_id(self, workspace_id: WorkspaceId, document_id: str) -> Document | None:
        """The visible document of that id."""
        query = rows.active_documents(workspace_id).where(
            documents.c.id == text_or_nothing(document_id)
        )
        row = await self._database.inspect(lambda look: look.execute(query).one_or_none())
        return None if row is None else rows.to_document(row)
