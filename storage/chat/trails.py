"""The audit trail of a request: its kept run, found by the one who asks for it."""

from sqlalchemy import select

from masis.conversation import Tenant
from masis.records import StoredRun
from storage.documents import kept_runs
from storage.sql.database import Database
from storage.sql.scope import exactly, of_tenant
from storage.sql.tables import chat_runs


class Trails:
    """The kept runs behind all tenants' requests."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, tenant: Tenant, run_id: str) -> StoredRun | None:
        """The kept run of the tenant's request, in whichever of its workspaces it was asked."""
        query = select(chat_runs.c.workspace_id).where(
            of_tenant(chat_runs.c, tenant), exactly(chat_runs.c.id, run_id)
        )
        async with self._database.read() as connection:
            workspace_id = await connection.scalar(query)
            if workspace_id is None:
                return None
            return await kept_runs.load(connection, workspace_id, run_id)
