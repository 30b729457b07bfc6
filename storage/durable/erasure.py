"""Removes what the run engine keeps of requests, in whatever state they are."""

from collections.abc import Collection

from masis.domain import WorkspaceId
from storage.durable.workflows import Workflows
from storage.sql.database import Database
from storage.sql.sqlite import is_sqlite


async def forget_steps(
    database: Database, run_ids: Collection[str], workspaces: Collection[WorkspaceId] = ()
) -> None:
    """Delete the finished steps of these requests, and of all ended ones of these workspaces.

    A process that is at work on one of them finds at its next step that it is gone, writes nothing
    more of it down and lets go of it.

    Raises:
        StoreUnavailable: the database cannot be written.
    """
    if not (run_ids or workspaces):
        return
    with database.reported():
        workflows = await Workflows.open(database.url, migrate=is_sqlite(database.url))
        try:
            await workflows.remove(run_ids)
            for workspace_id in workspaces:
                await workflows.delete_ended(workspace_id=workspace_id)
        finally:
            await workflows.close()
    await database.erase_traces()
