"""The questions that workspaces are known to answer, as rows that go when their documents change."""

from sqlalchemy import Connection, delete, exists, insert, select

from masis.domain import WorkspaceId
from masis.values.suggested import Kept, Suggestion, digest
from storage.sql.database import Database
from storage.sql.exclusive import hold
from storage.sql.rows import active_documents, scope_of, within
from storage.sql.tables import suggested_questions, versions, workspaces


class SqlSuggestions:
    """The questions of all workspaces, each asked for its own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, workspace_id: WorkspaceId) -> Kept | None:
        """The questions of a workspace; None where none were kept since its documents changed."""
        columns = suggested_questions.c
        query = select(columns.documents, columns.questions).where(within(columns, workspace_id))
        row = await self._database.inspect(lambda connection: connection.execute(query).first())
        if row is None:
            return None
        return Kept(
            documents=row.documents, questions=list(map(Suggestion.model_validate, row.questions))
        )

    async def keep(self, workspace_id: WorkspaceId, kept: Kept) -> None:
        """Keep the questions of a workspace, unless its documents have changed meanwhile."""

        def write(connection: Connection) -> None:
            if hold(connection, workspace_id) is None or _now(connection, workspace_id) != (
                kept.documents
            ):
                return
            forget(connection, workspace_id)
            row = {"workspace_id": scope_of(workspace_id), **kept.model_dump(mode="json")}
            connection.execute(insert(suggested_questions), row)

        await self._database.transact(write)

    async def unknown(self, limit: int) -> list[WorkspaceId]:
        """The first workspaces that hold documents and of which no questions are kept."""
        holds = exists().where(
            versions.c.workspace_id == workspaces.c.id, versions.c.state == "active"
        )
        known = exists().where(suggested_questions.c.workspace_id == workspaces.c.id)
        query = select(workspaces.c.id).where(holds, ~known).order_by(workspaces.c.id).limit(limit)
        found = await self._database.inspect(lambda connection: list(connection.scalars(query)))
        return [WorkspaceId(each) for each in found]


def forget(connection: Connection, workspace_id: object) -> None:
    """Remove the questions of a workspace; they quote documents, and were tried on these alone."""
    connection.execute(
        delete(suggested_questions).where(within(suggested_questions.c, workspace_id))
    )


def _now(connection: Connection, workspace_id: WorkspaceId) -> str:
    """The digest of the documents that a workspace holds now."""
    held = connection.execute(active_documents(workspace_id))
    return digest((row.document_id, row.version_id) for row in held)
