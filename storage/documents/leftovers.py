"""Versions that a crash left behind, over all workspaces: who starts removes them."""

from collections import defaultdict

import sqlalchemy as sa

from masis.domain import WorkspaceId
from storage.sql.database import Database
from storage.sql.moments import moment
from storage.sql.tables import removed_versions, versions


async def leftovers(
    database: Database, *, begun_before: float, workspace_id: WorkspaceId | None = None
) -> dict[WorkspaceId, list[str]]:
    """Ids of invisible versions by workspace; one alone where it is named.

    Those that are replaced or deleted are wanted by nobody. One that is being written may be at
    work in another process: it is left out until it was begun `begun_before` seconds ago.
    """
    unwanted = sa.or_(
        versions.c.state == "retired",
        sa.and_(versions.c.state == "writing", versions.c.begun_at <= moment(-begun_before)),
    )
    invisible = sa.select(versions.c.workspace_id, versions.c.id).where(unwanted)
    removed = sa.select(removed_versions.c.workspace_id, removed_versions.c.id)
    if workspace_id is not None:
        invisible = invisible.where(versions.c.workspace_id == workspace_id)
        removed = removed.where(removed_versions.c.workspace_id == workspace_id)
    found: defaultdict[WorkspaceId, list[str]] = defaultdict(list)
    async with database.read() as connection:
        for row in await connection.execute(invisible.union_all(removed)):
            found[WorkspaceId(row.workspace_id)].append(row.id)
    return dict(found)
